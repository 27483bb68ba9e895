"""Target search without fair sharing: reclaim, borrow, stay within the queue (preemption page 3).

Candidates come in three lists (hierarchical, by priority, own), each sorted; they are removed one by
one from the simulated snapshot until the request fits, with or without borrowing.
"""

from collections.abc import Callable, Iterator

from kubectl_kueue.engine.preemption.candidates import (
    PreemptionReason,
    Question,
    Target,
    by_victim_key,
    candidates_in,
    fill_back,
    in_order,
)
from kubectl_kueue.engine.quota import FlavorResource, Node, ancestors, free_local, within_nominal
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo


class Candidates:
    """Who may go, sorted: with a hierarchical advantage, the rest of the tree, the own ClusterQueue.

    `lca` maps a ClusterQueue to the cohort where its way up meets the preemptor's.
    """

    __slots__ = ("hierarchical", "lca", "own", "rest")

    def __init__(self) -> None:
        self.hierarchical: list[WorkloadInfo] = []
        self.rest: list[WorkloadInfo] = []
        self.own: list[WorkloadInfo] = []
        self.lca: dict[str, Node] = {}

    def sort(self, question: Question, snapshot: Snapshot) -> None:
        for found in (self.hierarchical, self.rest, self.own):
            if snapshot.local_queue_usage is None:
                found.sort(key=by_victim_key)
            else:
                found[:] = in_order(found, snapshot, question.queue)


def find_targets(question: Question, snapshot: Snapshot) -> list[Target]:
    """Targets of classical preemption, in the order of removal; empty if there is no way (3.4)."""
    queue = question.queue
    candidates = _candidates_elsewhere(question, snapshot)
    candidates.own = candidates_in(
        queue, queue.preemption.within_cluster_queue, snapshot, question.preemptor, question.needed
    )
    if not (candidates.hierarchical or candidates.rest or candidates.own):
        return []
    candidates.sort(question, snapshot)
    for borrow in _attempts(question, candidates):
        targets = _attempt(question, snapshot, candidates, borrow=borrow)
        if targets:
            return targets
    return []


# --- who, elsewhere in the tree (3.2) -----------------------------------------------------------


def _candidates_elsewhere(question: Question, snapshot: Snapshot) -> Candidates:
    """Candidates of other ClusterQueues.

    The advantage holds for a cohort when the requests fit in the quota of some node strictly below
    it on the preemptor's way up.
    """
    found = Candidates()
    queue = question.queue
    policy = queue.preemption.reclaim_within_cohort
    if queue.parent is None or policy in ("Never", ""):
        return found
    advantage, rest = _fits_in(queue, question.requests)
    previous: Node = queue
    for cohort in ancestors(queue):
        into = found.hierarchical if advantage else found.rest
        for other in _over_quota_queues(cohort, previous, question):
            found.lca[other.name] = cohort
            into += candidates_in(other, policy, snapshot, question.preemptor, question.needed)
        fits, rest = _fits_in(cohort, rest)
        advantage = advantage or fits
        previous = cohort
    return found


def _fits_in(node: Node, requests: dict[FlavorResource, int]) -> tuple[bool, dict[FlavorResource, int]]:
    """Whether the node's quota holds the requests too, and what is left for its parent to hold."""
    fits = all(node.subtree.get(fr, 0) >= node.usage.get(fr, 0) + v for fr, v in requests.items())
    return fits, {fr: max(0, v - free_local(node, fr)) for fr, v in requests.items()}


def _over_quota_queues(cohort: Node, skip: Node, question: Question) -> Iterator[QueueNode]:
    """ClusterQueues below `cohort` but not below `skip` that exceed their quota in something needed.

    A cohort within its own quota shields everything below it; an inactive ClusterQueue is out of reach.
    """
    pending = [cohort]
    while pending:
        for child in pending.pop().children:
            if child is skip or child is question.queue or within_nominal(child, question.needed):
                continue
            if isinstance(child, QueueNode):
                if child.active:
                    yield child
            else:
                pending.append(child)


# --- the attempts (3.4) -------------------------------------------------------------------------


def _attempts(question: Question, candidates: Candidates) -> tuple[bool, ...]:
    """With which `borrow` the removal is tried, in order."""
    queue = question.queue
    forbidden = not _may_borrow(queue)
    under = all(queue.usage.get(fr, 0) < queue.nominal.get(fr, 0) for fr in question.needed)
    if not (candidates.hierarchical or candidates.rest) or (forbidden and not under):
        return (True,)
    return (False, True) if forbidden and not candidates.hierarchical else (True, False)


def _may_borrow(queue: QueueNode) -> bool:
    """Whether the ClusterQueue may preempt for quota that it only borrows."""
    borrowing = queue.preemption.borrow_within_cohort
    return borrowing is not None and borrowing.policy not in ("Never", "")


def _attempt(question: Question, snapshot: Snapshot, candidates: Candidates, *, borrow: bool) -> list[Target]:
    mark = snapshot.mark()
    targets: list[Target] = []
    over_quota: dict[str, bool] = {}  # per ClusterQueue, until the next removal
    try:
        for info, reason, elsewhere in _sequence(question, candidates, borrow=borrow):
            if elsewhere:
                name = info.cluster_queue
                valid = over_quota.get(name)
                if valid is None:
                    valid = _over_quota(snapshot.queues[name], candidates.lca[name], question)
                    over_quota[name] = valid
                if not valid:
                    continue
            snapshot.take_out(info)
            over_quota.clear()
            targets.append(Target(info, reason))
            if question.fits(borrow=borrow):
                return fill_back(targets, question, snapshot, borrow=borrow)
    finally:
        snapshot.undo(mark)
    return []


def _sequence(
    question: Question, candidates: Candidates, *, borrow: bool
) -> Iterator[tuple[WorkloadInfo, PreemptionReason, bool]]:
    """Candidates in the order of removal: evicted ones of all lists first; is it of another queue?

    With borrowing, a workload that could be taken only without it is passed over (3.2).
    """
    while_borrowing = _while_borrowing(question)
    for evicted in (True, False):
        for info in candidates.hierarchical:
            if info.evicted is evicted:
                yield info, PreemptionReason.IN_COHORT_RECLAMATION, True
        for info in candidates.rest:
            if info.evicted is not evicted:
                continue
            if while_borrowing(info):
                yield info, PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING, True
            elif not borrow:
                yield info, PreemptionReason.IN_COHORT_RECLAMATION, True
        for info in candidates.own:
            if info.evicted is evicted:
                yield info, PreemptionReason.IN_CLUSTER_QUEUE, False


def _while_borrowing(question: Question) -> Callable[[WorkloadInfo], bool]:
    """The test of borrowWithinCohort: strictly lower priority, up to and including the threshold."""
    if not _may_borrow(question.queue):
        return lambda info: False
    borrowing = question.queue.preemption.borrow_within_cohort
    assert borrowing is not None
    highest = question.preemptor.priority - 1
    if borrowing.max_priority_threshold is not None:
        highest = min(highest, borrowing.max_priority_threshold)
    return lambda info: info.priority <= highest


def _over_quota(queue: Node, lca: Node, question: Question) -> bool:
    """Whether the candidate's side is still over its quota on the whole way up to the meeting point."""
    node: Node | None = queue
    while node is not None and node is not lca:
        if within_nominal(node, question.needed):
            return False
        node = node.parent
    return True
