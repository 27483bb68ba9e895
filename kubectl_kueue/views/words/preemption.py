"""Why a preemption policy does not help, and what it would take."""

from collections.abc import Mapping

from kubectl_kueue.engine.explanation.facts import Rule
from kubectl_kueue.views.words.numbers import count


def rule_words(rule: Rule, priority: int, queue: str) -> str:
    """One rule's answer in a clause; `priority` is that of the workload, `queue` its ClusterQueue."""
    holders = count(rule.candidates, "workload")
    match rule.why:
        case "policy":
            return {
                "withinClusterQueue": f"no workload of {queue} is evicted for another of it",
                "reclaimWithinCohort": "nobody of another queue is evicted for what it borrows",
                "borrowWithinCohort": "nobody is evicted for quota that it would only borrow",
            }[rule.rule]
        case "priority":
            return _priorities(rule, priority)
        case "not-enough":
            return f"{rule.allowed} of {holders} could go, but that is not enough"
        case "if-shares":
            return f"{rule.allowed} of {holders} could go, if shares allow it"
        case "own-quota-only":
            return "only for what fits in its own nominal quota, and this does not"
        case "threshold":
            return f"nobody is at or below maxPriorityThreshold {rule.threshold}"
        case "shares":
            return "its share would be above that of those who could go (below)"
    return _IDLE[rule.why]


def _priorities(rule: Rule, priority: int) -> str:
    lowest = "none" if rule.lowest is None else str(rule.lowest)
    if rule.lowest is not None and rule.highest is not None and rule.highest != rule.lowest:
        lowest = f"{rule.lowest} to {rule.highest}"
    newer = ", and nobody of the same priority is newer" if rule.policy == "LowerOrNewerEqualPriority" else ""
    return f"nobody is below its priority {priority} ({count(rule.candidates, 'holder')} at {lowest}){newer}"


_IDLE: Mapping[str, str] = {
    "no-holders": "no workload of its own queue holds any of it",
    "no-cohort": "its ClusterQueue is in no cohort",
    "nobody-borrows": "no other queue borrows any of it",
    "not-borrowing": "not needed: it would not borrow",
    "needs-reclaim": "has no effect while reclaimWithinCohort is Never",
}
