"""Fair sharing in words: whose share is lower, and by how much.

Shares are told in thousandths of what the cohort can lend, as Kueue shows them, divided by the weight.
"""

from math import inf, isfinite

from kubectl_kueue.engine.explanation.facts import Turn
from kubectl_kueue.engine.explanation.shares import Contest, Weighing
from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.engine.fair_sharing import Duel
from kubectl_kueue.engine.preemption.fair import FINAL_SHARE


def share_text(share: float) -> str:
    """A share as people read it, six digits: 333.333, infinite."""
    return f"{share:.6g}" if isfinite(share) else "infinite"


def margin(a: float, b: float) -> str:
    """By how much `a` is below or above `b`, where that can be said."""
    if a == b or inf in (a, b):
        return ""
    return f" ({share_text(abs(a - b))} {'less' if a < b else 'more'})"


def beaten_words(verdict: Verdict) -> str:
    """The other side's share, or usage, is lower: for the end of a sentence about who comes first."""
    if used := _used_less(verdict):
        return used
    lost = [c for c in verdict.fairness.contests if not c.won] if verdict.fairness is not None else []
    by_share = next((c for c in lost if c.why == "share"), None)
    if by_share is None:
        return ""
    theirs, own = share_text(by_share.rivals_share), share_text(by_share.own_share)
    return f": the share of {by_share.rival} would be lower ({theirs}) than that of {by_share.own} ({own})"


def _used_less(verdict: Verdict) -> str:
    """A LocalQueue of the same ClusterQueue used less of late, and one that waits there comes first."""
    usages = verdict.fairness.usages if verdict.fairness is not None else ()
    gate = verdict.gate("order")
    rivals = gate.facts.rivals if gate is not None and isinstance(gate.facts, Turn) else ()
    own = next((usage for usage in usages if usage.own), None)
    if own is None or not any(rival.cluster_queue == verdict.chain.cluster_queue for rival in rivals):
        return ""
    least = usages[0]
    if least.usage >= own.usage:
        return ""
    less = f"LocalQueue {least.local_queue} has used less of late ({share_text(least.usage)})"
    return f": {less} than {own.local_queue} ({share_text(own.usage)})"


def outweighed_words(verdict: Verdict) -> str:
    """The other side's share is lower, so that nobody of it goes; empty if shares are not the reason."""
    weighings = verdict.fairness.weighings if verdict.fairness is not None else ()
    if not weighings or any(passes for w in weighings for _, _, passes in w.limits):
        return ""
    nearest = max(weighings, key=lambda w: w.others_then)
    own, then = share_text(nearest.own_share), share_text(nearest.others_then)
    return f": the share of {nearest.own} would be {own}, that of {nearest.other} then {then}"


def contest_words(contest: Contest) -> str:
    """Who came before whom, by what."""
    order = "comes after it" if contest.won else "comes before it"
    sides = (
        f"in cohort {contest.cohort} the share of {contest.rival} would be {share_text(contest.rivals_share)}"
        f"{margin(contest.rivals_share, contest.own_share)}, that of {contest.own} "
        f"{share_text(contest.own_share)}"
    )
    return f"{contest.workload} {order}{_DECIDED[contest.why]}: {sides}"


def duel_words(duel: Duel) -> str:
    """One comparison of a cycle, for the trace."""
    below = margin(duel.winner_share, duel.loser_share)
    return (
        f"{duel.cohort}: {duel.winner} before {duel.loser}{_DECIDED[duel.why]}: {duel.winner_side} "
        f"{share_text(duel.winner_share)}{below}, {duel.loser_side} {share_text(duel.loser_share)}"
    )


_DECIDED = {
    "preemptor": " because it evicts already",
    "borrowing": " because only one of them borrows",
    "share": "",
    "priority": " by priority, with equal shares",
    "time": " by age, with equal shares",
}


def weighing_words(weighing: Weighing) -> str:
    """Whether a workload of the other side may be evicted, strategy by strategy."""
    own, then = share_text(weighing.own_share), share_text(weighing.others_then)
    told = []
    for strategy, limit, passes in weighing.limits:
        sign = ("<=" if passes else ">") if strategy == FINAL_SHARE else ("<" if passes else ">=")
        told.append(f"{strategy} {'yes' if passes else 'no'}, {own} {sign} {share_text(limit)}")
    now = share_text(weighing.others_now)
    return (
        f"{weighing.workload} of {weighing.other}: share of {weighing.own} with this workload {own}, "
        f"of {weighing.other} {now} now and {then} without that one; {'; '.join(told)}"
    )
