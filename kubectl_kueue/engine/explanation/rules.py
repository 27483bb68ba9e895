"""Whom may the workload evict, and which rule says no? Policy by policy (preemption page 2-4)."""

from collections.abc import Iterable

from msgspec.structs import replace

from kubectl_kueue.engine.explanation.holders import Shortage, busy_queues
from kubectl_kueue.engine.explanation.verdict import QueueShare, Rule
from kubectl_kueue.engine.fair_sharing import share_of
from kubectl_kueue.engine.preemption.candidates import allowed_by
from kubectl_kueue.engine.preemption.fair import almost_lca
from kubectl_kueue.engine.quota import FlavorResource, borrow_level
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo


def rules_of(snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, needs: Shortage) -> tuple[Rule, ...]:
    """Why nobody can be evicted for what is missing; one record for each policy that has a say."""
    elsewhere = [
        other
        for name in sorted(q.name for q in busy_queues(queue, needs))
        for other in _users(snapshot.queues[name], needs)
    ]
    borrows = any(not borrow_level(queue, fr, need)[1] for fr, need in needs.items())
    rules = [_within_queue(snapshot, queue, info, needs)]
    if queue.parent is None:
        rules.append(Rule("reclaimWithinCohort", queue.preemption.reclaim_within_cohort, "idle", "no-cohort"))
        return tuple(rules)
    rules.append(_reclaim(snapshot, queue, info, elsewhere, borrows=borrows))
    if snapshot.fair_sharing:
        rules.append(_fair(snapshot, queue, info, elsewhere))
    else:
        rules.append(_while_borrowing(queue, info, elsewhere, borrows=borrows))
    return tuple(rules)


def _users(queue: QueueNode, needs: Shortage) -> list[WorkloadInfo]:
    return [info for info in queue.workloads.values() if any(info.usage.get(fr, 0) > 0 for fr in needs)]


def _rule(
    rule: str, policy: str, answer: str, why: str, candidates: list[WorkloadInfo], allowed: int = 0
) -> Rule:
    priorities = [c.priority for c in candidates]
    return Rule(
        rule,
        policy,
        answer,
        why,
        len(candidates),
        allowed,
        min(priorities, default=None),
        max(priorities, default=None),
    )


def _within_queue(snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, needs: Shortage) -> Rule:
    policy = queue.preemption.within_cluster_queue or "Never"
    name, candidates = "withinClusterQueue", _users(queue, needs)
    if not candidates:
        return _rule(name, policy, "idle", "no-holders", [])
    if policy == "Never":
        return _rule(name, policy, "no", "policy", candidates)
    return _judged(snapshot, name, policy, info, candidates)


def _judged(
    snapshot: Snapshot, name: str, policy: str, info: WorkloadInfo, candidates: list[WorkloadInfo]
) -> Rule:
    allowed = sum(map(allowed_by(policy, snapshot, info), candidates))
    return _rule(name, policy, "no", "not-enough" if allowed else "priority", candidates, allowed)


def _reclaim(
    snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, elsewhere: list[WorkloadInfo], *, borrows: bool
) -> Rule:
    policy = queue.preemption.reclaim_within_cohort or "Never"
    name = "reclaimWithinCohort"
    if not elsewhere:
        return _rule(name, policy, "idle", "nobody-borrows", [])
    if policy == "Never":
        return _rule(name, policy, "no", "policy", elsewhere)
    if borrows and not snapshot.fair_sharing and _borrow_policy(queue) == "Never":
        return _rule(name, policy, "no", "own-quota-only", elsewhere)
    return _judged(snapshot, name, policy, info, elsewhere)


def _borrow_policy(queue: QueueNode) -> str:
    borrowing = queue.preemption.borrow_within_cohort
    return (borrowing.policy if borrowing else "") or "Never"


def _while_borrowing(
    queue: QueueNode, info: WorkloadInfo, elsewhere: list[WorkloadInfo], *, borrows: bool
) -> Rule:
    policy = _borrow_policy(queue)
    name = "borrowWithinCohort"
    if not borrows:
        return _rule(name, policy, "idle", "not-borrowing", [])
    if policy == "Never":
        return _rule(name, policy, "no", "policy", elsewhere)
    if not elsewhere:
        return _rule(name, policy, "idle", "nobody-borrows", [])
    if queue.preemption.reclaim_within_cohort in ("Never", ""):
        return _rule(name, policy, "no", "needs-reclaim", elsewhere)
    found = queue.preemption.borrow_within_cohort
    threshold = found.max_priority_threshold if found else None
    lower = [c for c in elsewhere if c.priority < info.priority]
    allowed = [c for c in lower if threshold is None or c.priority <= threshold]
    why = "not-enough" if allowed else "threshold" if lower else "priority"
    rule = _rule(name, policy, "no", why, elsewhere, len(allowed))
    return replace(rule, threshold=threshold)


# --- fair sharing (preemption page 4) -----------------------------------------------------------


def _fair(snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, elsewhere: list[WorkloadInfo]) -> Rule:
    config = snapshot.config.fair_sharing
    strategies = config.preemption_strategies if config else []
    policy = ", ".join(strategies) or "LessThanOrEqualToFinalShare, LessThanInitialShare"
    reclaim = queue.preemption.reclaim_within_cohort
    if not elsewhere or reclaim in ("Never", ""):
        return _rule("fairSharing", policy, "idle", "nobody-borrows", [])
    allowed = sum(map(allowed_by(reclaim, snapshot, info), elsewhere))
    return _rule("fairSharing", policy, "no", "shares" if allowed else "priority", elsewhere, allowed)


def shares_of(
    snapshot: Snapshot, queue: QueueNode, info: WorkloadInfo, usage: Shortage, needed: Iterable[FlavorResource]
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
