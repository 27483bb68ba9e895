"""Who evicted whom, how often, and what that amounts to: sentences from the records of the past."""

from collections.abc import Iterator

from kubectl_kueue.engine.inquiries.staleness import Bypassed, Overdue
from kubectl_kueue.engine.preemptions import History, Loop, Preempted
from kubectl_kueue.views.words.numbers import age, clock, count
from kubectl_kueue.views.words.outcomes import PREEMPTIONS

THRASHING = 3
"""Evictions by preemption from which on they are called a pattern."""

_WHY = {
    "InClusterQueue": "it came before it in the same ClusterQueue",
    "InCohortReclamation": "it took back quota that was lent",
    "InCohortFairSharing": "by fair sharing within the cohort",
    "InCohortReclaimWhileBorrowing": "it has more priority, and borrows too",
}


def preemptor_words(found: Preempted) -> str:
    """Who it was: by name as far as it can be seen, else by its queue."""
    if not found.preemptor:
        where = f"of ClusterQueue {found.cluster_queue}" if found.cluster_queue else f"with UID {found.uid}"
        return f"a workload {where} that is not to be seen any more, or not by you"
    about = [
        *([found.owner] if found.owner else []),
        *([f"ClusterQueue {found.cluster_queue}"] if found.cluster_queue else []),
        *([f"priority {found.priority}"] if found.priority is not None else []),
    ]
    return f"{found.preemptor} ({', '.join(about)})" if about else found.preemptor


def cause_words(cause: str) -> str:
    """Why the scheduler chose this victim."""
    return _WHY.get(cause) or PREEMPTIONS.get(cause) or cause


def preempted_words(found: Preempted, now: int) -> str:
    """One eviction: when, by whom, why."""
    ago = f" ({age(now, found.at)} ago)" if found.at <= now else ""
    when = f"{clock(now, found.at)}{ago}" if found.at else "at an unknown time"
    why = f": {cause_words(found.cause)}" if found.cause else ""
    times = f", {found.times} times" if found.times > 1 else ""
    return f"{when} by {preemptor_words(found)}{why}{times}"


def chain_words(history: History) -> Iterator[str]:
    """Who evicted the preemptor before, one link a line."""
    for link in history.chain:
        by = link.preemptor or f"a workload of ClusterQueue {link.cluster_queue or '(unknown)'}"
        yield f"{link.victim} had itself been evicted by {by}"


def loop_words(loop: Loop, now: int) -> str:
    """Two that evict each other."""
    span = age(loop.last, loop.first) if loop.last > loop.first > 0 else ""
    within = f" in {span}" if span else ""
    return f"{loop.one} and {loop.other} evicted each other {loop.times} times{within}"


def pattern_words(history: History, now: int) -> str:
    """What the number of evictions says; empty if there is no pattern."""
    if history.count < THRASHING or not history.since:
        return ""
    last = history.preempted[0].preemptor if history.preempted else ""
    by = f"; the last preemptor was {last}" if last else ""
    return f"Preempted {count(history.count, 'time')} since it was made {age(now, history.since)} ago{by}."


def advice_words(history: History) -> Iterator[str]:
    """What to look at when it happens again and again."""
    if not history.loops and history.count < THRASHING:
        return
    causes = {each.cause for each in history.preempted}
    if "InCohortFairSharing" in causes:
        yield (
            "Look at fairSharing.weight of both ClusterQueues (0 or huge weights go round in circles), and "
            "at fairSharing.preemptionStrategies of Kueue's Configuration"
        )
    if causes & {"InCohortReclamation", "InCohortReclaimWhileBorrowing"}:
        yield "It runs on borrowed quota: it stays when its ClusterQueue has enough nominalQuota of its own"
    if "InClusterQueue" in causes:
        yield "Workloads that go before it keep coming to its ClusterQueue: a higher priority class helps"
    yield "See whether the next cycles repeat it: kubectl kueue admit --dry-run --cycles 4"


def overdue_words(found: Overdue, now: int) -> str:
    """It fits, and yet it waits."""
    return (
        f"Kueue has not admitted it for {age(now, found.since)} though it fits: the controller may be down, "
        "or busy, or see something that is not in this data. See: kubectl kueue doctor"
    )


def bypassed_words(found: Bypassed) -> str:
    """Why Kueue's own message tells nothing."""
    if not found.sibling:
        return (
            "Kueue's message is a shortcut: it did not look at this workload, for one of the same shape had "
            "failed just before. The answer above was computed for this workload itself."
        )
    said = f' ("{found.message}")' if found.message else ""
    return (
        f"Kueue's message is a shortcut: {found.sibling} has the same shape, was evaluated in its place and "
        f"did not fit{said}. The answer above was computed for this workload itself."
    )
