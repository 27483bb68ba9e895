"""How long do the workloads of a queue run? What those that have finished took, from Admitted to Finished."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.workload import ADMITTED, FINISHED
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.timestamp import SECOND, parse_time
from kubectl_kueue.model.world import World

FEWEST = 3
"""Runs without which nothing is said about the next one."""


class Runs(Facts, frozen=True, omit_defaults=False):
    """Run times of one queue, in whole seconds: half of its `count` runs took no longer than `median`, nine
    of ten no longer than `ninetieth`. `kind` is LocalQueue (`queue` is namespace/name) or ClusterQueue."""

    kind: str
    queue: str
    count: int
    median: int
    ninetieth: int


class History(NamedTuple):
    """Run times in microseconds, sorted, by LocalQueue ("namespace/name") and by ClusterQueue."""

    by_local_queue: Mapping[str, Sequence[int]]
    by_cluster_queue: Mapping[str, Sequence[int]]

    def of(self, local_queue: str, cluster_queue: str) -> tuple[str, str, Sequence[int]] | None:
        """Kind, name and runs of the LocalQueue, else of the ClusterQueue; None if there are too few."""
        for kind, name, known in (
            ("LocalQueue", local_queue, self.by_local_queue),
            ("ClusterQueue", cluster_queue, self.by_cluster_queue),
        ):
            runs = known.get(name, ())
            if len(runs) >= FEWEST:
                return kind, name, runs
        return None


def history_of(world: World) -> History:
    """The runs that the world tells of."""
    local: dict[str, list[int]] = {}
    cluster: dict[str, list[int]] = {}
    for workload in world.workloads.values():
        took = run_time(workload)
        if took is None:
            continue
        local.setdefault(f"{workload.metadata.namespace}/{workload.spec.queue_name}", []).append(took)
        if (admission := workload.status.admission) is not None:
            cluster.setdefault(admission.cluster_queue, []).append(took)
    return History(_sorted(local), _sorted(cluster))


def run_time(workload: Workload) -> int | None:
    """How long a finished workload was admitted, microseconds; None if it did not run or does still."""
    times = {
        c.type: parse_time(c.last_transition_time)
        for c in workload.status.conditions
        if c.type in (ADMITTED, FINISHED) and c.status == "True" and c.last_transition_time
    }
    if len(times) < 2 or times[FINISHED] < times[ADMITTED]:
        return None
    return times[FINISHED] - times[ADMITTED]


def summary(kind: str, queue: str, runs: Sequence[int]) -> Runs:
    """The runs (sorted) in numbers."""
    return Runs(kind, queue, len(runs), quantile(runs, 50) // SECOND, quantile(runs, 90) // SECOND)


def quantile(runs: Sequence[int], percent: int, elapsed: int = -1) -> int:
    """The shortest time that so many percent of the runs (sorted) did not exceed, among those that took
    longer than `elapsed`; -1 if none did."""
    first = bisect_right(runs, elapsed)
    left = len(runs) - first
    return runs[first + max(0, -(-left * percent // 100) - 1)] if left else -1


def _sorted(runs: Mapping[str, list[int]]) -> dict[str, Sequence[int]]:
    return {name: sorted(each) for name, each in runs.items()}
