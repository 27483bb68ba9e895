"""Target search under fair sharing: the shares of the two sides decide (preemption page 4.4)."""

from collections.abc import Iterator, Sequence

from kubectl_kueue.engine.fair_sharing import Share, share_of, share_without
from kubectl_kueue.engine.preemption.candidates import (
    PreemptionReason,
    Question,
    Target,
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
    candidates = in_order(_candidates(question, snapshot), snapshot, question.queue)
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


def _candidates(question: Question, snapshot: Snapshot) -> Iterator[WorkloadInfo]:
    """Own workloads, and those of every borrowing ClusterQueue of the whole tree."""
    queue = question.queue
    policies = queue.preemption
    if policies.within_cluster_queue != "Never":
        yield from candidates_in(
            queue, policies.within_cluster_queue, snapshot, question.preemptor, question.needed
        )
    if queue.parent is None or policies.reclaim_within_cohort in ("Never", ""):
        return
    for other in snapshot.active_below(queue.root):
        if other is not queue and any(exceeds(other, fr, 0) for fr in question.needed):
            yield from candidates_in(
                other, policies.reclaim_within_cohort, snapshot, question.preemptor, question.needed
            )


class _FairSearch:
    """One search: the preemptor's requests count in its ClusterQueue while shares are compared."""

    def __init__(self, question: Question, snapshot: Snapshot) -> None:
        self._question = question
        self._snapshot = snapshot
        self.targets: list[Target] = []
        self._retry: list[WorkloadInfo] = []

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

    def first(self, candidates: list[WorkloadInfo], strategy: str) -> bool:
        """The first strategy over all candidates; failed ones are kept for the second."""
        queue = self._question.queue
        nominal = self._snapshot.gates["FairSharingPreemptWithinNominal"] and not any(
            exceeds(queue, fr, 0) for fr in self._question.needed
        )
        order = _TargetQueues(candidates, self._question, self._snapshot)
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
        if own.key[0] and not old.key[0]:
            while order.has(target):
                self._retry.append(order.take(target))
            return False
        refused: set[object] = set()  # equal usages have equal answers
        while order.has(target):
            info = order.take(target)
            usage = tuple(info.usage.items())
            if usage in refused:
                allowed = False
            elif strategy == FINAL_SHARE:
                allowed = own.key <= self._share_after(theirs, target, info).key
            else:
                allowed = own.key < old.key
            if allowed:
                self._take(info, PreemptionReason.IN_COHORT_FAIR_SHARING)
                return True
            refused.add(usage)
            self._retry.append(info)
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
        order = _TargetQueues(self._retry, self._question, self._snapshot)
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
    """ClusterQueues to take candidates from, one at a time, by share on the simulated state."""

    def __init__(self, candidates: list[WorkloadInfo], question: Question, snapshot: Snapshot) -> None:
        self._queue = question.queue
        self._pruned: set[Node] = set()
        self._alive: dict[Node, list[QueueNode]] = {}
        self._by_queue: dict[QueueNode, list[WorkloadInfo]] = {}
        for info in candidates:
            self._by_queue.setdefault(snapshot.queues[info.cluster_queue], []).append(info)
        for queue, waiting in self._by_queue.items():
            waiting.reverse()
            if queue.parent is not None:
                self._alive.setdefault(queue.parent, []).append(queue)

    def has(self, queue: QueueNode) -> bool:
        return bool(self._by_queue.get(queue))

    def take(self, queue: QueueNode) -> WorkloadInfo:
        return self._by_queue[queue].pop()

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
                yield found

    def _next(self, cohort: Node) -> QueueNode | None:
        """The ClusterQueue with the largest share below; None if something was pruned instead."""
        while True:
            queue, queue_share = self._best_queue(cohort)
            below, below_share = self._best_cohort(cohort)
            if below is None and queue is None:
                self._pruned.add(cohort)
                return None
            if below is None or (
                queue_share is not None and below_share is not None and below_share.key < queue_share.key
            ):
                return queue
            cohort = below

    def _best_queue(self, cohort: Node) -> tuple[QueueNode | None, Share | None]:
        best: QueueNode | None = None
        best_share: Share | None = None
        alive = self._alive.get(cohort, [])
        for child in list(alive):
            if child in self._pruned:
                continue
            share = share_of(child)
            if (child is not self._queue and not share.borrowing) or not self.has(child):
                self._pruned.add(child)
                alive.remove(child)
            elif (
                best is None
                or best_share is None
                or share.key > best_share.key
                or (share.key == best_share.key and self._head_key(child) < self._head_key(best))
            ):
                best, best_share = child, share
        return best, best_share

    def _best_cohort(self, cohort: Node) -> tuple[Node | None, Share | None]:
        best: Node | None = None
        best_share: Share | None = None
        for child in cohort.children:
            if child.is_cluster_queue or child in self._pruned:
                continue
            share = share_of(child)
            if not share.borrowing and child not in self._queue.chain:
                self._pruned.add(child)
            elif best_share is None or share.key >= best_share.key:
                best, best_share = child, share
        return best, best_share

    def _head_key(self, queue: QueueNode) -> tuple[object, ...]:
        return candidate_key(self._by_queue[queue][-1], self._queue)
