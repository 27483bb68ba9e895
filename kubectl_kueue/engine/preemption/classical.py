"""Target search without fair sharing: reclaim, borrow, stay within the queue (preemption page 3).

Candidates come in three lists (hierarchical, by priority, own), each sorted; they are removed one by
one from the simulated snapshot until the request fits, with or without borrowing.
"""

from collections.abc import Iterator

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
        names, candidates = _candidates_below(cohort, previous, question, snapshot)
        found.lca.update(dict.fromkeys(names, cohort))
        into += candidates
        fits, rest = _fits_in(cohort, rest)
        advantage = advantage or fits
        previous = cohort
    return found


def _fits_in(node: Node, requests: dict[FlavorResource, int]) -> tuple[bool, dict[FlavorResource, int]]:
    """Whether the node's quota holds the requests too, and what is left for its parent to hold."""
    fits = all(node.subtree.get(fr, 0) >= node.usage.get(fr, 0) + v for fr, v in requests.items())
    return fits, {fr: max(0, v - free_local(node, fr)) for fr, v in requests.items()}


def _candidates_below(
    cohort: Node, skip: Node, question: Question, snapshot: Snapshot
) -> tuple[list[str], list[WorkloadInfo]]:
    """ClusterQueues below `cohort` but not below `skip` that exceed their quota in something needed, and
    their candidates.

    While nothing is simulated all heads of a cycle see the same ones, so answers are remembered; heads
    with the same policy and priority share them.
    """
    known = snapshot.borrowing
    needed, preemptor = question.needed, question.preemptor
    policy = question.queue.preemption.reclaim_within_cohort
    sides = known.sides.get((cohort, needed))
    if sides is None:
        below = ((child, _over_quota_below(child, needed)) for child in cohort.children)
        sides = known.sides[cohort, needed] = {child: found for child, found in below if found}
    rank = None if policy == "Any" else preemptor.priority
    since = preemptor.queue_time if policy == "LowerOrNewerEqualPriority" else None
    key = (cohort, skip if skip in sides else None, (needed, policy, rank, since))
    answer = known.candidates.get(key)
    if answer is None:
        queues = [queue for child, found in sides.items() if child is not skip for queue in found]
        candidates = [c for q in queues for c in candidates_in(q, policy, snapshot, preemptor, needed)]
        candidates.sort(key=by_victim_key)
        answer = known.candidates[key] = [queue.name for queue in queues], candidates
    return answer


def _over_quota_below(node: Node, needed: frozenset[FlavorResource]) -> list[QueueNode]:
    """A cohort within its own quota shields everything below; an inactive ClusterQueue is out of reach."""
    found = []
    pending = [node]
    while pending:
        current = pending.pop()
        if within_nominal(current, needed):
            continue
        if not isinstance(current, QueueNode):
            pending.extend(current.children)
        elif current.active:
            found.append(current)
    return found


# --- the attempts (3.4) -------------------------------------------------------------------------


def _attempts(question: Question, candidates: Candidates) -> tuple[bool, ...]:
    """With which `borrow` the removal is tried, in order."""
    queue = question.queue
    forbidden = not queue.borrows_by_preemption
    under = all(queue.usage.get(fr, 0) < queue.nominal.get(fr, 0) for fr in question.needed)
    if not (candidates.hierarchical or candidates.rest) or (forbidden and not under):
        return (True,)
    return (False, True) if forbidden and not candidates.hierarchical else (True, False)


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
    highest = _highest_while_borrowing(question)
    rest = candidates.rest
    if borrow:
        rest = [info for info in rest if info.priority <= highest] if highest is not None else []
    for hierarchical, others, own in zip(
        _evicted_first(candidates.hierarchical),
        _evicted_first(rest),
        _evicted_first(candidates.own),
        strict=True,
    ):
        for info in hierarchical:
            yield info, PreemptionReason.IN_COHORT_RECLAMATION, True
        for info in others:
            if highest is not None and info.priority <= highest:
                yield info, PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING, True
            else:
                yield info, PreemptionReason.IN_COHORT_RECLAMATION, True
        for info in own:
            yield info, PreemptionReason.IN_CLUSTER_QUEUE, False


def _evicted_first(found: list[WorkloadInfo]) -> tuple[list[WorkloadInfo], list[WorkloadInfo]]:
    """A sorted list parted into evicted workloads, which come first in it, and the others."""
    for i, info in enumerate(found):
        if not info.evicted:
            return found[:i], found[i:]
    return found, []


def _highest_while_borrowing(question: Question) -> int | None:
    """The highest priority that borrowWithinCohort lets go: below the preemptor's, up to the threshold."""
    borrowing = question.queue.preemption.borrow_within_cohort
    if borrowing is None or not question.queue.borrows_by_preemption:
        return None
    highest = question.preemptor.priority - 1
    if borrowing.max_priority_threshold is not None:
        highest = min(highest, borrowing.max_priority_threshold)
    return highest


def _over_quota(queue: Node, lca: Node, question: Question) -> bool:
    """Whether the candidate's side is still over its quota on the whole way up to the meeting point."""
    node: Node | None = queue
    while node is not None and node is not lca:
        if within_nominal(node, question.needed):
            return False
        node = node.parent
    return True
