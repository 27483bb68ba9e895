"""Target search without fair sharing: reclaim, borrow, stay within the queue (preemption page 3).

Candidates come in three lists (hierarchical, by priority, own), each sorted; they are removed one by
one from the simulated snapshot until the request fits, with or without borrowing.
"""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from kubectl_kueue.engine.preemption.candidates import (
    PreemptionReason,
    Question,
    Target,
    candidates_in,
    fill_back,
    in_order,
)
from kubectl_kueue.engine.quota import FlavorResource, Node, ancestors, free_local, within_nominal
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo


class Variant(Enum):
    """On which terms a candidate may be taken (3.2)."""

    WITHIN_QUEUE = auto()
    HIERARCHICAL = auto()
    WITHOUT_BORROWING = auto()
    WHILE_BORROWING = auto()


_REASONS = {
    Variant.WITHIN_QUEUE: PreemptionReason.IN_CLUSTER_QUEUE,
    Variant.HIERARCHICAL: PreemptionReason.IN_COHORT_RECLAMATION,
    Variant.WITHOUT_BORROWING: PreemptionReason.IN_COHORT_RECLAMATION,
    Variant.WHILE_BORROWING: PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING,
}


class Candidate(NamedTuple):
    """A workload that may go; `lca` is the cohort where its way meets the preemptor's (None: own)."""

    workload: WorkloadInfo
    variant: Variant
    lca: Node | None


def find_targets(question: Question, snapshot: Snapshot) -> list[Target]:
    """Targets of classical preemption, in the order of removal; empty if there is no way (3.4)."""
    hierarchical, by_priority = _candidates_elsewhere(question, snapshot)
    own = [
        Candidate(info, Variant.WITHIN_QUEUE, None)
        for info in _policy_candidates(question, snapshot, question.queue, _within_policy(question))
    ]
    lists = [_sorted(found, question, snapshot) for found in (hierarchical, by_priority, own)]
    sequence = [c for found in lists for c in found if c.workload.evicted]
    sequence += [c for found in lists for c in found if not c.workload.evicted]
    if not sequence:
        return []
    for borrow in _attempts(question, hierarchical, by_priority):
        targets = _attempt(question, snapshot, sequence, borrow=borrow)
        if targets:
            return targets
    return []


def _within_policy(question: Question) -> str:
    return question.queue.preemption.within_cluster_queue


def _policy_candidates(
    question: Question, snapshot: Snapshot, queue: QueueNode, policy: str
) -> Iterator[WorkloadInfo]:
    return candidates_in(queue, policy, snapshot, question.preemptor, question.needed)


def _sorted(found: list[Candidate], question: Question, snapshot: Snapshot) -> list[Candidate]:
    if len(found) < 2:
        return found
    if snapshot.local_queue_usage is None:
        return sorted(found, key=lambda c: c.workload.victim_key)
    by_key = {c.workload.key: c for c in found}
    return [by_key[w.key] for w in in_order((c.workload for c in found), snapshot, question.queue)]


# --- who, elsewhere in the tree (3.2) -----------------------------------------------------------


def _candidates_elsewhere(
    question: Question, snapshot: Snapshot
) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates of other ClusterQueues: those with a hierarchical advantage, and the rest.

    The advantage holds for a cohort when the requests fit in the quota of some node strictly below
    it on the preemptor's way up.
    """
    hierarchical: list[Candidate] = []
    by_priority: list[Candidate] = []
    queue = question.queue
    policy = queue.preemption.reclaim_within_cohort
    if queue.parent is None or policy in ("Never", ""):
        return hierarchical, by_priority
    classify = _classifier(question)
    advantage, rest = _fits_in(queue, question.requests)
    previous: Node = queue
    for cohort in ancestors(queue):
        into = hierarchical if advantage else by_priority
        for other in _over_quota_queues(cohort, previous, question):
            for info in _policy_candidates(question, snapshot, other, policy):
                variant = Variant.HIERARCHICAL if advantage else classify(info)
                into.append(Candidate(info, variant, cohort))
        fits, rest = _fits_in(cohort, rest)
        advantage = advantage or fits
        previous = cohort
    return hierarchical, by_priority


def _fits_in(
    node: Node, requests: dict[FlavorResource, int]
) -> tuple[bool, dict[FlavorResource, int]]:
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


def _classifier(question: Question) -> "Callable[[WorkloadInfo], Variant]":
    borrowing = question.queue.preemption.borrow_within_cohort
    if borrowing is None or borrowing.policy in ("Never", ""):
        return lambda info: Variant.WITHOUT_BORROWING
    threshold = borrowing.max_priority_threshold
    priority = question.preemptor.priority

    def classify(info: WorkloadInfo) -> Variant:
        above = threshold is not None and info.priority > threshold
        return Variant.WITHOUT_BORROWING if info.priority >= priority or above else Variant.WHILE_BORROWING

    return classify


# --- the attempts (3.4) -------------------------------------------------------------------------


def _attempts(
    question: Question, hierarchical: list[Candidate], by_priority: list[Candidate]
) -> tuple[bool, ...]:
    """With which `borrow` the removal is tried, in order."""
    queue = question.queue
    borrowing = queue.preemption.borrow_within_cohort
    forbidden = borrowing is None or borrowing.policy in ("Never", "")
    under = all(queue.usage.get(fr, 0) < queue.nominal.get(fr, 0) for fr in question.needed)
    if not (hierarchical or by_priority) or (forbidden and not under):
        return (True,)
    return (False, True) if forbidden and not hierarchical else (True, False)


def _attempt(
    question: Question, snapshot: Snapshot, sequence: list[Candidate], *, borrow: bool
) -> list[Target]:
    mark = snapshot.mark()
    targets: list[Target] = []
    try:
        for candidate in sequence:
            if not _still_valid(candidate, question, snapshot, borrow=borrow):
                continue
            snapshot.take_out(candidate.workload)
            targets.append(Target(candidate.workload, _REASONS[candidate.variant]))
            if question.fits(borrow=borrow):
                return fill_back(targets, question, snapshot, borrow=borrow)
    finally:
        snapshot.undo(mark)
    return []


def _still_valid(candidate: Candidate, question: Question, snapshot: Snapshot, *, borrow: bool) -> bool:
    """Whether a candidate may still be taken on the simulated state: its side must be over quota."""
    if candidate.lca is None:
        return True
    if borrow and candidate.variant is Variant.WITHOUT_BORROWING:
        return False
    assert candidate.workload.reservation is not None
    node: Node | None = snapshot.queues[candidate.workload.reservation.cluster_queue]
    while node is not None and node is not candidate.lca:
        if within_nominal(node, question.needed):
            return False
        node = node.parent
    return True
