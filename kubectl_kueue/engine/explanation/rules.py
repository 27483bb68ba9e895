"""Whom may the workload evict, and which rule says no? Policy by policy (preemption page 2-4)."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from kubectl_kueue.engine.explanation.facts import QueueShare, Rule
from kubectl_kueue.engine.explanation.holders import Shortage, busy_queues
from kubectl_kueue.engine.fair_sharing import share_of
from kubectl_kueue.engine.preemption.candidates import candidates_in
from kubectl_kueue.engine.preemption.fair import almost_lca, strategies_of
from kubectl_kueue.engine.quota import FlavorResource, borrow_level
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo


def rules_of(snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, needs: Shortage) -> tuple[Rule, ...]:
    """Why nobody can be evicted for what is missing; one record for each policy that has a say."""
    asker = _Asker(snapshot, queue, info, needs)
    rules = [asker.within_queue()]
    if queue.parent is None:
        rules.append(Rule("reclaimWithinCohort", queue.preemption.reclaim_within_cohort, "idle", "no-cohort"))
        return tuple(rules)
    rules.append(asker.reclaim())
    rules.append(asker.fair_sharing() if snapshot.fair_sharing else asker.while_borrowing())
    return tuple(rules)


class _Asker:
    """One preemptor, what it is short of, and the queues that have it."""

    def __init__(self, snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, needs: Shortage) -> None:
        self._snapshot = snapshot
        self._queue = queue
        self._info = info
        self._needed = frozenset(needs)
        self._others = sorted(busy_queues(queue, needs), key=lambda other: other.name)
        self._elsewhere = [w for other in self._others for w in self._users(other)]
        self._borrows = any(not borrow_level(queue, fr, need)[1] for fr, need in needs.items())
        found = queue.preemption.borrow_within_cohort
        self._borrowing = (found.policy if found else "") or "Never"
        self._threshold = found.max_priority_threshold if found else None
        self._reclaim = queue.preemption.reclaim_within_cohort or "Never"

    def _users(self, queue: QueueNode) -> list[WorkloadInfo]:
        return [w for w in queue.workloads.values() if any(w.usage.get(fr, 0) > 0 for fr in self._needed)]

    def _allowed(self, policy: str, queues: Iterable[QueueNode]) -> int:
        """How many workloads the policy lets go."""
        return sum(
            len(candidates_in(queue, policy, self._snapshot, self._info, self._needed)) for queue in queues
        )

    def within_queue(self) -> Rule:
        policy = self._queue.preemption.within_cluster_queue or "Never"
        name, candidates = "withinClusterQueue", self._users(self._queue)
        if not candidates:
            return _rule(name, policy, "idle", "no-holders")
        if policy == "Never":
            return _rule(name, policy, "no", "policy", candidates)
        allowed = self._allowed(policy, [self._queue])
        return _rule(name, policy, "no", "not-enough" if allowed else "priority", candidates, allowed)

    def reclaim(self) -> Rule:
        policy, name = self._reclaim, "reclaimWithinCohort"
        if not self._elsewhere:
            return _rule(name, policy, "idle", "nobody-borrows")
        if policy == "Never":
            return _rule(name, policy, "no", "policy", self._elsewhere)
        if self._borrows and not self._snapshot.fair_sharing and self._borrowing == "Never":
            return _rule(name, policy, "no", "own-quota-only", self._elsewhere)
        allowed = self._allowed(policy, self._others)
        why = "priority" if not allowed else "if-shares" if self._snapshot.fair_sharing else "not-enough"
        return _rule(name, policy, "no" if why != "if-shares" else "idle", why, self._elsewhere, allowed)

    def while_borrowing(self) -> Rule:
        policy, name = self._borrowing, "borrowWithinCohort"
        if not self._borrows:
            return _rule(name, policy, "idle", "not-borrowing")
        if policy == "Never":
            return _rule(name, policy, "no", "policy", self._elsewhere)
        if not self._elsewhere:
            return _rule(name, policy, "idle", "nobody-borrows")
        if self._reclaim == "Never":
            return _rule(name, policy, "no", "needs-reclaim", self._elsewhere)
        lower = [c for c in self._elsewhere if c.priority < self._info.priority]
        allowed = [c for c in lower if self._threshold is None or c.priority <= self._threshold]
        why = "not-enough" if allowed else "threshold" if lower else "priority"
        rule = _rule(name, policy, "no", why, self._elsewhere, len(allowed))
        return replace(rule, threshold=self._threshold)

    def fair_sharing(self) -> Rule:
        policy = ", ".join(strategies_of(self._snapshot))
        if not self._elsewhere or self._reclaim == "Never":
            return _rule("fairSharing", policy, "idle", "nobody-borrows")
        allowed = self._allowed(self._reclaim, self._others)
        why = "shares" if allowed else "priority"
        return _rule("fairSharing", policy, "no", why, self._elsewhere, allowed)


def _rule(
    rule: str, policy: str, answer: str, why: str, candidates: Sequence[WorkloadInfo] = (), allowed: int = 0
) -> Rule:
    priorities = [c.priority for c in candidates]
    lowest, highest = min(priorities, default=None), max(priorities, default=None)
    return Rule(rule, policy, answer, why, len(candidates), allowed, lowest, highest)


def shares_of(
    snapshot: Snapshot,
    queue: QueueNode,
    info: WorkloadInfo,
    usage: Shortage,
    needed: Iterable[FlavorResource],
) -> tuple[QueueShare, ...]:
    """Shares that fair preemption compares: the own side with the request, the others' less one workload."""
    found: dict[str, QueueShare] = {}
    frs = set(needed)
    for other in sorted(busy_queues(queue, frs), key=lambda q: q.name):
        mine, theirs = almost_lca(queue, other)
        candidates = [w for w in other.workloads.values() if not frs.isdisjoint(w.usage)]
        if not candidates:
            continue
        mark = snapshot.mark()
        now = share_of(mine).weighted
        snapshot.charge(queue, usage)
        found.setdefault(mine.name, QueueShare(mine.name, now, share_of(mine).weighted, own=True))
        before = share_of(theirs).weighted
        snapshot.take_out(min(candidates, key=lambda w: w.victim_key))
        found.setdefault(theirs.name, QueueShare(theirs.name, before, share_of(theirs).weighted))
        snapshot.undo(mark)
    return tuple(found.values())
