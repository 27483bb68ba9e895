"""Target search under fair sharing: the shares of the two sides decide (preemption page 4.4)."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from kubectl_kueue.engine.fair_sharing import Share, share_of, share_without
from kubectl_kueue.engine.preemption.candidates import (
    PreemptionReason,
    Question,
    Target,
    by_victim_key,
    candidate_key,
    candidates_in,
    fill_back,
    in_order,
)
from kubectl_kueue.engine.quota import Node, add_usage, exceeds, remove_usage
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo

FINAL_SHARE = "LessThanOrEqualToFinalShare"
INITIAL_SHARE = "LessThanInitialShare"
DEFAULT_STRATEGIES = (FINAL_SHARE, INITIAL_SHARE)


def find_targets(question: Question, snapshot: Snapshot) -> list[Target]:
    """Targets of fair preemption, in the order of removal; empty if there is no way."""
    candidates = _candidates(question, snapshot)
    if not candidates:
        return []
    strategies = strategies_of(snapshot)
    mark = snapshot.mark()
    try:
        search = _FairSearch(question, snapshot)
        search.enter()
        found = search.first(candidates, strategies[0])
        if not found and len(strategies) > 1:
            found = search.second()
        if not found:
            return []
        search.leave()
        return fill_back(search.targets, question, snapshot, borrow=True)
    finally:
        snapshot.undo(mark)


def strategies_of(snapshot: Snapshot) -> Sequence[str]:
    """The preemption strategies in force, first tried first."""
    config = snapshot.config.fair_sharing
    return (config.preemption_strategies if config else None) or DEFAULT_STRATEGIES


Group = tuple[QueueNode, list[WorkloadInfo]]


def _candidates(question: Question, snapshot: Snapshot) -> list[Group]:
    """Own workloads, and those of every borrowing ClusterQueue of the whole tree: by ClusterQueue, in the
    order of the candidates (the ClusterQueue of the first one first)."""
    queue, preemptor, needed = question.queue, question.preemptor, question.needed
    policies = queue.preemption
    own: list[WorkloadInfo] = []
    if policies.within_cluster_queue != "Never":
        own = candidates_in(queue, policies.within_cluster_queue, snapshot, preemptor, needed)
    others: list[Group] = []
    if queue.parent is not None and policies.reclaim_within_cohort not in ("Never", ""):
        others = [group for group in _borrowers(question, snapshot) if group[0] is not queue]
    if snapshot.local_queue_usage is not None:
        everybody = [*own, *(info for _, found in others for info in found)]
        return _by_queue(in_order(everybody, snapshot, queue), snapshot)
    if own:
        others = [(queue, sorted(own, key=by_victim_key)), *others]
    return sorted(others, key=lambda group: candidate_key(group[1][0], queue))


def _borrowers(question: Question, snapshot: Snapshot) -> list[Group]:
    """ClusterQueues of the tree that are over their quota in something needed, and their candidates.

    While nothing is simulated, heads with the same policy and priority share them.
    """
    known = snapshot.borrowing.groups
    root, needed, preemptor = question.queue.root, question.needed, question.preemptor
    policy = question.queue.preemption.reclaim_within_cohort
    rank = None if policy == "Any" else preemptor.priority
    since = preemptor.queue_time if policy == "LowerOrNewerEqualPriority" else None
    key = (root, (needed, policy, rank, since))
    groups = known.get(key)
    if groups is None:
        groups = known[key] = []
        for other in snapshot.active_below(root):
            if any(exceeds(other, fr, 0) for fr in needed):
                found = candidates_in(other, policy, snapshot, preemptor, needed)
                if found:
                    found.sort(key=by_victim_key)
                    groups.append((other, found))
    return groups


def _by_queue(candidates: Iterable[WorkloadInfo], snapshot: Snapshot) -> list[Group]:
    groups: dict[str, list[WorkloadInfo]] = {}
    for info in candidates:
        groups.setdefault(info.cluster_queue, []).append(info)
    return [(snapshot.queues[name], found) for name, found in groups.items()]


class _FairSearch:
    """One search: the preemptor's requests count in its ClusterQueue while shares are compared."""

    def __init__(self, question: Question, snapshot: Snapshot) -> None:
        self._question = question
        self._snapshot = snapshot
        self.targets: list[Target] = []
        self._retry: dict[QueueNode, list[WorkloadInfo]] = {}

    def enter(self) -> None:
        for fr, amount in self._question.requests.items():
            add_usage(self._question.queue, fr, amount)

    def leave(self) -> None:
        for fr, amount in self._question.requests.items():
            remove_usage(self._question.queue, fr, amount)

    def _accepted(self) -> bool:
        self.leave()
        fits = self._question.fits(borrow=True)
        self.enter()
        return fits

    def _take(self, info: WorkloadInfo, reason: PreemptionReason) -> None:
        self._snapshot.take_out(info)
        self.targets.append(Target(info, reason))

    def first(self, candidates: list[Group], strategy: str) -> bool:
        """The first strategy over all candidates; failed ones are kept for the second."""
        queue = self._question.queue
        nominal = self._snapshot.gates["FairSharingPreemptWithinNominal"] and not any(
            exceeds(queue, fr, 0) for fr in self._question.needed
        )
        order = _TargetQueues(candidates, queue)
        for target in order:
            if target is queue:
                self._take(order.take(target), PreemptionReason.IN_CLUSTER_QUEUE)
            elif nominal:
                self._take(order.take(target), PreemptionReason.IN_COHORT_RECLAMATION)
            elif not self._take_by_share(order, target, strategy):
                continue
            if self._accepted():
                return True
        return False

    def _take_by_share(self, order: "_TargetQueues", target: QueueNode, strategy: str) -> bool:
        """Take the target queue's first candidate that the strategy allows."""
        mine, theirs = almost_lca(self._question.queue, target)
        own, old = share_of(mine), share_of(theirs)
        retry = self._retry.setdefault(target, [])
        by_final = strategy == FINAL_SHARE
        if not own.key < old.key and not (by_final and (own.key == old.key or order.gains(target))):
            retry += order.take_all(target)  # their share only falls, so none is allowed
            return False
        refused: set[object] = set()  # equal usages have equal answers
        while order.has(target):
            info = order.take(target)
            usage = tuple(info.usage.items())
            if usage not in refused:
                if not by_final or own.key <= self._share_after(theirs, target, info).key:
                    self._take(info, PreemptionReason.IN_COHORT_FAIR_SHARING)
                    return True
                refused.add(usage)
            retry.append(info)
        return False

    def _share_after(self, theirs: Node, target: QueueNode, info: WorkloadInfo) -> Share:
        """The other side's share once the candidate is gone."""
        if theirs is target:
            return share_without(target, info.usage)
        mark = self._snapshot.mark()
        self._snapshot.take_out(info)
        share = share_of(theirs)
        self._snapshot.undo(mark)
        return share

    def second(self) -> bool:
        """LessThanInitialShare over what failed before, at most one of each ClusterQueue."""
        order = _TargetQueues([group for group in self._retry.items() if group[1]], self._question.queue)
        for target in order:
            info = order.take(target)
            mine, theirs = almost_lca(self._question.queue, target)
            if share_of(mine).key < share_of(theirs).key:
                self._take(info, PreemptionReason.IN_COHORT_FAIR_SHARING)
                if self._accepted():
                    return True
            order.exclude(target)
        return False


def almost_lca(a: Node, b: Node) -> tuple[Node, Node]:
    """The children of the lowest common cohort on the ways to `a` and to `b`."""
    chain_a, chain_b = a.chain, b.chain
    depth = 0
    while chain_a[depth] is chain_b[depth]:
        depth += 1
    return chain_a[depth], chain_b[depth]


class _TargetQueues:
    """ClusterQueues to take candidates from, one at a time, by share on the simulated state.

    Between two choices only the share of the one taken from changes, so each cohort keeps a heap of its
    ClusterQueues, and `_stale` are those whose entry is to be made anew.
    """

    def __init__(self, groups: list[Group], preemptors: QueueNode) -> None:
        self._queue = preemptors
        self._pruned: set[Node] = set()
        self._waiting = {queue: found[::-1] for queue, found in groups}
        self._stale: dict[Node | None, list[QueueNode]] = {}
        self._heaps: dict[Node | None, list[tuple[tuple[object, ...], int, QueueNode]]] = {}
        self._cohorts: dict[Node, list[Node]] = {}
        self._places: dict[QueueNode, int] = {}
        for place, (queue, _) in enumerate(groups):
            self._places[queue] = place
            self._stale.setdefault(queue.parent, []).append(queue)

    def has(self, queue: QueueNode) -> bool:
        return bool(self._waiting.get(queue))

    def take(self, queue: QueueNode) -> WorkloadInfo:
        return self._waiting[queue].pop()

    def take_all(self, queue: QueueNode) -> list[WorkloadInfo]:
        found = self._waiting[queue][::-1]
        self._waiting[queue].clear()
        return found

    def gains(self, queue: QueueNode) -> bool:
        """Whether a candidate holds a negative amount, so that its queue uses more without it."""
        return any(amount < 0 for info in self._waiting[queue] for amount in info.usage.values())

    def exclude(self, queue: QueueNode) -> None:
        self._pruned.add(queue)

    def __iter__(self) -> Iterator[QueueNode]:
        if self._queue.parent is None:
            while self.has(self._queue) and self._queue not in self._pruned:
                yield self._queue
            return
        root = self._queue.root
        while root not in self._pruned:
            found = self._next(root)
            if found is not None:
                heappop(self._heaps[found.parent])
                self._stale.setdefault(found.parent, []).append(found)
                yield found

    def _next(self, cohort: Node) -> QueueNode | None:
        """The ClusterQueue with the largest share below; None if something was pruned instead."""
        while True:
            queue = self._best_queue(cohort)
            below, below_share = self._best_cohort(cohort)
            if below is None and queue is None:
                self._pruned.add(cohort)
                return None
            if below is None or (
                queue is not None and below_share is not None and below_share.key < share_of(queue).key
            ):
                return queue
            cohort = below

    def _best_queue(self, cohort: Node) -> QueueNode | None:
        """The child with the largest share that has candidates left, and borrows or is the preemptor's."""
        heap = self._heaps.setdefault(cohort, [])
        for queue in self._stale.pop(cohort, ()):
            waiting = self._waiting[queue]
            share = share_of(queue)
            if waiting and queue not in self._pruned and (share.borrowing or queue is self._queue):
                weightless, amount = share.key
                rank = (-weightless, -amount, *candidate_key(waiting[-1], self._queue))
                heappush(heap, (rank, self._places[queue], queue))
        return heap[0][2] if heap else None

    def _best_cohort(self, cohort: Node) -> tuple[Node | None, Share | None]:
        below = self._cohorts.get(cohort)
        if below is None:
            below = self._cohorts[cohort] = [child for child in cohort.children if not child.is_cluster_queue]
        best: Node | None = None
        best_share: Share | None = None
        for child in below:
            if child in self._pruned:
                continue
            share = share_of(child)
            if not share.borrowing and child not in self._queue.chain:
                self._pruned.add(child)
            elif best_share is None or share.key >= best_share.key:
                best, best_share = child, share
        return best, best_share
