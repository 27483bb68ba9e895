"""Targets for a whole assignment, and the oracle for one amount (preemption page 2.2, 2.4)."""

from collections.abc import Callable

from kubectl_kueue.engine.flavors import Assignment, FineMode, Mode
from kubectl_kueue.engine.preemption import classical, fair
from kubectl_kueue.engine.preemption.candidates import Question, Target
from kubectl_kueue.engine.quota import FlavorResource, borrow_level, column
from kubectl_kueue.engine.slices import ReplacedSlice
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo


class Search:
    """All target searches of one workload against one unchanged snapshot.

    The same question has the same answer, so the oracle's search for the only short amount also
    serves as the final one.
    """

    def __init__(self, snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo) -> None:
        self._snapshot = snapshot
        self._queue = queue
        self._info = info
        self._answers: dict[object, list[Target]] = {}

    def oracle(self, fr: FlavorResource, amount: int) -> tuple[FineMode, int]:
        """Could preemption make room for this amount alone, and with which borrow level after it?"""
        snapshot, queue = self._snapshot, self._queue
        targets = self._targets({fr: amount}, frozenset((fr,)), None)
        if not targets:
            return FineMode.NO_CANDIDATES, borrow_level(queue, fr, amount)[0]
        with snapshot.without(t.workload for t in targets):
            level = borrow_level(queue, fr, amount)[0]
        own = any(t.workload.key in queue.workloads for t in targets)
        return FineMode.PREEMPT if own else FineMode.RECLAIM, level

    def targets(
        self,
        assignment: Assignment,
        replaced: ReplacedSlice | None,
        *,
        held: bool = False,
        topology_fits: Callable[[], bool] | None = None,
    ) -> list[Target]:
        """Targets that make room for the whole assignment; empty if there are none.

        `held`: a second pass, which asks once more for all that the workload holds (topology.md 7.1).
        """
        requests = _held_amounts(assignment) if held else requested_amounts(self._info, assignment, replaced)
        needed = frozenset(
            column(choice.flavor, resource)
            for pod_set in assignment.pod_sets
            for resource, choice in pod_set.flavors.items()
            if choice.mode is Mode.PREEMPT
        )
        return self._targets(requests, needed, topology_fits)

    def _targets(
        self,
        requests: dict[FlavorResource, int],
        needed: frozenset[FlavorResource],
        topology_fits: Callable[[], bool] | None,
    ) -> list[Target]:
        question = Question(self._info, self._queue, requests, needed, topology_fits)
        find = fair.find_targets if self._snapshot.fair_sharing else classical.find_targets
        if topology_fits is not None:
            return find(question, self._snapshot)
        key = (frozenset(requests.items()), needed)
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = find(question, self._snapshot)
        return found


def _held_amounts(assignment: Assignment) -> dict[FlavorResource, int]:
    requests: dict[FlavorResource, int] = {}
    for assigned in assignment.pod_sets:
        for resource, choice in assigned.flavors.items():
            fr = column(choice.flavor, resource)
            requests[fr] = requests.get(fr, 0) + assigned.requests.get(resource, 0)
    return {fr: amount for fr, amount in requests.items() if amount}


def requested_amounts(
    info: WorkloadInfo, assignment: Assignment, replaced: ReplacedSlice | None
) -> dict[FlavorResource, int]:
    """What the final search must make fit: the workload's own requests, without implied `pods` (T12).

    A slice asks for its additional pods only, podSets paired by index with those of the old slice.
    """
    requests: dict[FlavorResource, int] = {}
    for assigned in assignment.pod_sets:
        requested = info.pod_sets[assigned.index]
        if replaced is not None and assigned.index < len(replaced.pod_sets):
            requested = requested.scaled(requested.count - replaced.pod_sets[assigned.index].count)
        elif assigned.count != requested.count:
            requested = requested.scaled(assigned.count)
        for resource, amount in requested.requests.items():
            choice = assigned.flavors.get(resource)
            if choice is None or amount == 0:
                continue
            fr = column(choice.flavor, resource)
            requests[fr] = requests.get(fr, 0) + amount
    return requests
