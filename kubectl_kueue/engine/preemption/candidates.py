"""Who may be preempted at all, and in which order candidates are tried (preemption page 3.1, 3.3)."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Set
from enum import StrEnum
from functools import cmp_to_key
from operator import attrgetter
from typing import NamedTuple

from kubectl_kueue.engine.quota import FlavorResource, available, exceeds
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import VictimKey, WorkloadInfo
from kubectl_kueue.model.timestamp import MINUTE

TIMESTAMP_BUFFER = 5 * MINUTE


class PreemptionReason(StrEnum):
    """Why a target was chosen, in the API's words."""

    IN_CLUSTER_QUEUE = "InClusterQueue"
    IN_COHORT_RECLAMATION = "InCohortReclamation"
    IN_COHORT_FAIR_SHARING = "InCohortFairSharing"
    IN_COHORT_RECLAIM_WHILE_BORROWING = "InCohortReclaimWhileBorrowing"
    REPLACED_SLICE = "ReplacedSlice"


class Target(NamedTuple):
    """A workload chosen to be preempted, and why."""

    workload: WorkloadInfo
    reason: PreemptionReason


class Question(NamedTuple):
    """What a target search has to make room for.

    `requests` are the amounts that must fit in the preemptor's ClusterQueue, `needed` the
    FlavorResources that are short; `topology_fits` tells whether the pods can be placed on the
    simulated state (None where topology has no say).
    """

    preemptor: WorkloadInfo
    queue: QueueNode
    requests: dict[FlavorResource, int]
    needed: frozenset[FlavorResource]
    topology_fits: Callable[[], bool] | None = None

    def fits(self, *, borrow: bool) -> bool:
        """The acceptance test of every search: all requests fit, without borrowing if so asked."""
        queue = self.queue
        for fr, amount in self.requests.items():
            if not borrow and exceeds(queue, fr, amount):
                return False
            if amount > 0 and amount > available(queue, fr):
                return False
        return self.topology_fits is None or self.topology_fits()


def candidates_in(
    queue: QueueNode, policy: str, snapshot: Snapshot, preemptor: WorkloadInfo, needed: Set[FlavorResource]
) -> list[WorkloadInfo]:
    """Workloads holding quota in `queue` that the policy lets go and that use something needed (3.1).

    An empty policy lets none go. `by_priority` is kept on the queue until its workloads change, so
    the policies that look at priority take a prefix of it.
    """
    if policy in ("Never", "") or not queue.workloads:
        return []
    if queue.by_priority is None:
        queue.by_priority = sorted(queue.workloads.values(), key=_priority)
    allowed = queue.by_priority
    if policy == "LowerPriority":
        allowed = allowed[: bisect_left(allowed, preemptor.priority, key=_priority)]
    elif policy == "LowerOrNewerEqualPriority":
        lower = bisect_left(allowed, preemptor.priority, key=_priority)
        equal = bisect_right(allowed, preemptor.priority, lo=lower, key=_priority)
        since = preemptor.queue_time
        if snapshot.gates["SchedulerTimestampPreemptionBuffer"]:
            since += TIMESTAMP_BUFFER
        allowed = allowed[:lower] + [info for info in allowed[lower:equal] if since < info.queue_time]
    if len(needed) == 1:
        (fr,) = needed
        return [info for info in allowed if fr in info.usage]
    return [info for info in allowed if not needed.isdisjoint(info.usage)]


_priority = attrgetter("priority")
by_victim_key = attrgetter("victim_key")


def in_order(candidates: Iterable[WorkloadInfo], snapshot: Snapshot, queue: QueueNode) -> list[WorkloadInfo]:
    """Evicted first, others' before the own queue's, lower priority, later reservation, UID (3.3)."""
    usage_of = snapshot.local_queue_usage
    if usage_of is None:
        own = queue.workloads
        ordered = sorted(candidates, key=by_victim_key)
        split = next((i for i, info in enumerate(ordered) if not info.evicted), len(ordered))
        return [
            *(info for info in ordered[:split] if info.key not in own),
            *(info for info in ordered[:split] if info.key in own),
            *(info for info in ordered[split:] if info.key not in own),
            *(info for info in ordered[split:] if info.key in own),
        ]

    def compare(a: WorkloadInfo, b: WorkloadInfo) -> int:
        key_a, key_b = candidate_key(a, queue), candidate_key(b, queue)
        if key_a[:2] == key_b[:2] and _compared_by_usage(a, b, snapshot):
            use_a, use_b = usage_of(a), usage_of(b)
            if use_a != use_b:
                return -1 if use_a > use_b else 1
        return -1 if key_a < key_b else 1 if key_a > key_b else 0

    return sorted(candidates, key=cmp_to_key(compare))


def _compared_by_usage(a: WorkloadInfo, b: WorkloadInfo, snapshot: Snapshot) -> bool:
    """Rule 3 of the order holds within one usage-based ClusterQueue, between queues of other names."""
    queue = a.cluster_queue
    return (
        queue == b.cluster_queue
        and snapshot.queues[queue].usage_based
        and a.obj.spec.queue_name != b.obj.spec.queue_name
    )


def candidate_key(info: WorkloadInfo, own: QueueNode) -> tuple[bool, bool, int, int, str]:
    """Sort key of the order without admission fair sharing."""
    evicted, priority, reserved, uid = info.victim_key
    return evicted, info.key in own.workloads, priority, reserved, uid


def victim_key(info: WorkloadInfo) -> VictimKey:
    """The part of the candidate order that the workload alone decides; kept on it."""
    return not info.evicted, info.priority, -(info.reserved_at or 0), info.uid


def fill_back(targets: list[Target], question: Question, snapshot: Snapshot, *, borrow: bool) -> list[Target]:
    """Put back, last removed first, every target that turns out unnecessary; the last one stays."""
    for i in range(len(targets) - 2, -1, -1):
        snapshot.put_back(targets[i].workload)
        if question.fits(borrow=borrow):
            targets[i] = targets[-1]
            targets.pop()
        else:
            snapshot.take_out(targets[i].workload)
    return targets
