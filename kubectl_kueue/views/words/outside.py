"""What somebody is told who may not see the queues: what is known, what is not, and who could change that."""

from collections.abc import Iterator, Mapping

from kubectl_kueue.engine.explanation.facts import Outside
from kubectl_kueue.engine.explanation.outside import PLACING
from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.views.words.numbers import amount, count, joined, ordinal
from kubectl_kueue.views.words.outcomes import CODES

FULL_VIEW = "kueue-batch-admin-role"
"""The ClusterRole of Kueue's installation that sees everything an answer needs."""

_VIEWERS: Mapping[str, str] = {
    "ClusterQueue": "kueue-clusterqueue-viewer-role",
    "Cohort": "kueue-cohort-viewer-role",
    "LocalQueue": "kueue-localqueue-viewer-role",
    "ResourceFlavor": "kueue-resourceflavor-viewer-role",
    "Topology": "kueue-topology-viewer-role",
    "Workload": "kueue-workload-viewer-role",
}


def from_outside_words(verdict: Verdict) -> str:
    """The sentence after the verdict word."""
    why = CODES.get(verdict.reason, verdict.reason)
    unread = verdict.outside.unread if verdict.outside is not None else ()
    only_places = bool(unread) and set(unread) <= set(PLACING)
    unseen = "what room there is on nodes is" if only_places else "limits and holders are"
    return f"{why}, by Kueue's own status; {unseen} not visible to you"


def known_words(verdict: Verdict, outside: Outside) -> Iterator[str]:
    """What its LocalQueue tells, one sentence each."""
    queue = verdict.chain.local_queue
    if outside.reserving is not None:
        held = joined(
            f"{amount(use.resource, use.total)} of flavor {use.flavor}" for use in outside.uses if use.total
        )
        who = count(outside.reserving, "workload") if outside.reserving else "No workload"
        hold = "hold" if outside.reserving > 1 else "holds"
        yield f"{who} of LocalQueue {queue} {hold} {held or 'quota'}."
    if outside.in_local_queue is not None and outside.local_queue_pending is not None:
        place = f"{ordinal(outside.in_local_queue)} of {outside.local_queue_pending}"
        yield f"It is the {place} waiting in LocalQueue {queue}."


def unplaced_words(failed: Mapping[str, str]) -> str:
    """Queues whose places the visibility API did not tell, and why not; those with one reason together."""
    by_reason: dict[str, list[str]] = {}
    for queue, why in sorted(failed.items()):
        by_reason.setdefault(why, []).append(queue)
    first = next(iter(by_reason.items()))
    more = len(failed) - 1
    who = f"{first[1][0]} and {more} more" if more > 2 else joined(sorted(failed))
    reasons = "; ".join(by_reason)
    return f"the visibility API does not tell the places of workloads in {who}: {reasons}"


def refused_words(error: str, kind: str) -> str:
    """The server's refusal to show objects of a namespace, and which right or flag would help."""
    return f"{error}; a RoleBinding to {_VIEWERS[kind]} there would do, -n NAME looks into another namespace"


def unseen_words(kind: str, why: str) -> str:
    """That no objects of a kind could be read, and which right would help."""
    viewer = _VIEWERS.get(kind) if why.startswith("forbidden") else None
    help = f"; a ClusterRoleBinding to {viewer} would show them" if viewer else ""
    return f"{kind}s are not visible to you ({why}){help}"


def widening_words(unread: Mapping[str, str]) -> str:
    """Which ClusterRoles would let the user see what was forbidden; empty if nothing was.

    `unread` maps kinds to why they could not be read, as World.missing does.
    """
    forbidden = [kind for kind, why in unread.items() if why.startswith("forbidden") and kind in _VIEWERS]
    if not forbidden:
        return ""
    viewers = joined(sorted({_VIEWERS[kind] for kind in forbidden}))
    alone = f"reading alone: {viewers}"
    return f"A ClusterRoleBinding to {FULL_VIEW} ({alone}) would show the rest."
