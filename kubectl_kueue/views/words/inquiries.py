"""What an inquiry into a queue, cohort or flavor comes to: the sentence after the word, and what to do."""

from collections.abc import Iterator, Sequence
from shlex import quote

from kubectl_kueue.engine.inquiries.clusterqueue import QueueInquiry
from kubectl_kueue.engine.inquiries.cohort import CohortInquiry, Waiter
from kubectl_kueue.engine.inquiries.flavor import FlavorInquiry
from kubectl_kueue.engine.inquiries.localqueue import LocalQueueInquiry
from kubectl_kueue.engine.inquiries.records import Borrowing, Closed, FlavorFor, Head, Lender, QueueWord
from kubectl_kueue.views.page import Style
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.causes import causes_steps, causes_words
from kubectl_kueue.views.words.commands import kueue
from kubectl_kueue.views.words.numbers import amount, count, joined, quantity, requested, several, verb
from kubectl_kueue.views.words.outcomes import CODES
from kubectl_kueue.views.words.reasons import unsuited_words

STYLES: dict[QueueWord, Style] = {
    "Gone": "bad",
    "Unknown": "warn",
    "Stopped": "bad",
    "Inactive": "bad",
    "Closed": "bad",
    "Stuck": "bad",
    "Full": "warn",
    "Idle": "good",
    "Admits": "good",
    "Preempts": "good",
}

MEANINGS: dict[QueueWord, str] = {
    "Gone": "it, or the ClusterQueue that it points to, does not exist",
    "Unknown": "its ClusterQueue, or who waits in it, may not be read",
    "Stopped": "its stopPolicy keeps everything out",
    "Inactive": "something that it needs is missing or does not work",
    "Closed": "nobody can get at it",
    "Stuck": "the first that waits cannot get in, or holds up those behind it",
    "Full": "what waits lacks quota or places",
    "Idle": "nobody waits",
    "Admits": "the first that waits fits now",
    "Preempts": "the first that waits fits after evictions",
}
"""The words in which an inquiry into a queue ends."""


# --- ClusterQueue ---------------------------------------------------------------------------------


def queue_headline(found: QueueInquiry) -> str:
    """Why it admits nothing, or that it does."""
    if found.inactive is not None:
        return sentence(f"it admits nothing: {causes_words(found.inactive.causes)}")
    if found.closed is not None:
        return sentence(closed_words(found.closed))
    if found.head is None and found.unseen:
        return sentence(unseen_words(found.unseen))
    if found.head is None:
        holders = (
            f"; {count(len(found.users), 'workload')} {verb(len(found.users), 'hold')} its quota"
            if found.users
            else ""
        )
        held = f"; {count(len(found.held), 'workload')} in no queue" if found.held else ""
        return sentence(f"nobody waits in it{holders}{held}")
    more = f"; {unseen_words(found.unseen)}" if found.unseen else ""
    return sentence(_first_words(found, found.head) + more)


def _first_words(found: QueueInquiry, head: Head) -> str:
    """What becomes of the first that waits, if that can be known."""
    if found.undecided:
        kinds = joined(found.undecided)
        return f"{head.workload} waits first; its fate hangs on {kinds} objects that could not be read"
    return head_words(head, strict=found.strict)


def unseen_words(unseen: int) -> str:
    """Who waits by the status of the queues, and may not be read."""
    return f"{count(unseen, 'workload')} {verb(unseen, 'wait')} in it that you may not read"


def closed_words(closed: Closed) -> str:
    """Nobody gets at it."""
    if closed.why == "no-local-queue":
        return "no LocalQueue points to it, so no workload can reach it"
    if closed.why == "no-selector":
        return "it has no namespaceSelector, so it takes no namespace at all"
    homes = several(closed.namespaces)
    return f"its namespaceSelector takes none of the namespaces with a LocalQueue for it: {homes}"


def head_words(head: Head, *, strict: bool) -> str:
    """What becomes of the first that waits, and of those behind it."""
    behind = f", with {head.behind} behind it" if head.behind else ""
    first = f"{head.workload} waits first{behind}"
    if head.reason == "QuotaReserved":
        return f"{first}, and fits now"
    if head.evicts:
        return f"{first}, and fits after it has evicted {several(head.evicts)}"
    why = CODES.get(head.reason, head.reason)
    if strict and head.behind:
        return f"{first}; {why}, and in a StrictFIFO queue nobody may pass it"
    return f"{first}; {why}"


def queue_steps(found: QueueInquiry) -> Iterator[str]:
    """What to do next."""
    if found.inactive is not None:
        yield from causes_steps(found.name, found.inactive.causes)
    elif found.closed is not None:
        if found.closed.why == "no-local-queue":
            yield f"kubectl kueue create localqueue NAME -n NAMESPACE --clusterqueue {quote(found.name)}"
        else:
            yield "Set spec.namespaceSelector so that it takes those namespaces ({} takes all)"
    elif found.head is not None and found.word in ("Stuck", "Full", "Preempts"):
        yield kueue("explain", "workload", found.head.workload)
        if found.strict and found.head.behind and found.word == "Stuck":
            yield "With queueingStrategy: BestEffortFIFO those behind it could pass"


def borrowing_words(found: Borrowing) -> str:
    """Whether it can borrow, and if not, why."""
    what = f"{found.resource} of flavor {found.flavor}"
    match found.why:
        case "":
            return f"can borrow {quantity(found.resource, found.room)} more {what}"
        case "no-cohort":
            return f"cannot borrow {what}: it is in no cohort"
        case "no-limit-left":
            owner = f"borrowingLimit of Cohort {found.owner}" if found.owner else "its borrowingLimit"
            limit = quantity(found.resource, found.limit or 0)
            used = "" if not found.limit else " and is used up"
            return f"cannot borrow {what}: {owner} is {limit}{used}"
        case "in-use":
            return f"cannot borrow {what}: what is lent is in use ({_lenders(found.lenders)})"
    if not found.lenders:
        return f"cannot borrow {what}: nobody else in the cohort has any"
    return f"cannot borrow {what}: nobody lends any ({_lenders(found.lenders)})"


def _lenders(lenders: Sequence[Lender]) -> str:
    return several([_lender(lender) for lender in lenders])


def _lender(lender: Lender) -> str:
    used = f"uses {quantity(lender.resource, lender.used)} of {quantity(lender.resource, lender.quota)}"
    if lender.kind == "Cohort" and not lender.used:
        used = f"has {quantity(lender.resource, lender.quota)}"
    limit = lender.lending_limit
    lends = "" if limit is None else f", lendingLimit {quantity(lender.resource, limit)}"
    return f"{lender.kind} {lender.name} {used}{lends}"


# --- LocalQueue -----------------------------------------------------------------------------------


def local_queue_headline(found: LocalQueueInquiry) -> str:
    """Why it gets nothing, or that it does."""
    target = found.target
    if found.stopped is not None:
        return sentence(f"its stopPolicy is {found.stopped.policy}: nothing of it is admitted")
    if target is None and found.unread:
        return sentence(_by_status(found))
    if target is None:
        return sentence(f"its ClusterQueue {found.cluster_queue or '(none)'} does not exist")
    if target.inactive is not None:
        return sentence(f"ClusterQueue {target.name} admits nothing: {causes_words(target.inactive.causes)}")
    if found.refused:
        namespace = found.key.partition("/")[0]
        return sentence(f"ClusterQueue {target.name} does not take namespace {namespace} (namespaceSelector)")
    if not found.waiting and found.unseen:
        return sentence(unseen_words(found.unseen))
    if not found.waiting:
        held = (
            f", but {count(len(found.held), 'workload')} of it {verb(len(found.held), 'be')} in no queue"
            if found.held
            else ""
        )
        return sentence(f"nobody of it waits for quota{held}")
    first = found.waiting[0]
    if first.in_cluster_queue == 0 and target.head is not None:
        return sentence(_first_words(target, target.head))
    ahead = count(first.in_cluster_queue, "workload")
    return sentence(
        f"{count(len(found.waiting), 'workload')} of it {verb(len(found.waiting), 'wait')}; the first, "
        f"{first.workload}, has {ahead} of other LocalQueues in front of it in ClusterQueue {target.name}"
    )


def _by_status(found: LocalQueueInquiry) -> str:
    held = joined(f"{amount(use.resource, use.total)} of flavor {use.flavor}" for use in found.uses)
    holders = f"{count(found.reserving, 'workload')} {verb(found.reserving, 'hold')}"
    return (
        f"its ClusterQueue {found.cluster_queue} may not be read; by its own status "
        f"{count(found.pending, 'workload')} {verb(found.pending, 'wait')}, and {holders} {held or 'quota'}"
    )


def local_queue_steps(found: LocalQueueInquiry) -> Iterator[str]:
    """What to do next."""
    if found.stopped is not None:
        yield kueue("resume", "localqueue", found.key)
    elif found.target is None:
        if not found.unread:
            yield f"Create ClusterQueue {found.cluster_queue}, or point the LocalQueue at one that exists"
        elif found.held:
            yield kueue("explain", "workload", found.held[0])
    elif found.target.inactive is not None:
        yield from queue_steps(found.target)
    elif found.refused:
        namespace = found.key.partition("/")[0]
        yield f"Give namespace {namespace} the labels that ClusterQueue {found.target.name} asks for"
    elif found.waiting:
        yield kueue("explain", "workload", found.waiting[0].workload)


# --- Cohort ---------------------------------------------------------------------------------------


def cohort_headline(found: CohortInquiry) -> str:
    """Who waits in it, and whether anything is free."""
    if found.hidden:
        return "Its ClusterQueues could not be read."
    queues = {member.queue for member in found.members}
    waiting = sum(waiter.pending for waiter in found.waiters)
    borrowers = sorted({member.queue for member in found.members if member.borrows > 0})
    told = f"{count(len(queues), 'ClusterQueue')}; {count(waiting, 'workload')} {verb(waiting, 'wait')}"
    told += f", {found.unseen} more by the status of the queues" if found.unseen else ""
    return sentence(told + (f"; {several(borrowers)} {verb(len(borrowers), 'borrow')}" if borrowers else ""))


def waiter_words(waiter: Waiter) -> str:
    """What the head of one ClusterQueue could do now."""
    if waiter.reason == "QuotaReserved":
        return "fits now"
    if waiter.evicts:
        return f"can evict {several(waiter.evicts)}"
    why = CODES.get(waiter.reason, waiter.reason)
    if waiter.owed and waiter.policy == "Never":
        return f"{why}; others use its quota, and reclaimWithinCohort is Never"
    if waiter.owed:
        return f"{why}; others use its quota, but there is nobody that it may evict"
    return why


# --- ResourceFlavor -------------------------------------------------------------------------------


def flavor_headline(found: FlavorInquiry) -> str:
    """Whether it can be used at all, and whether its quota and its nodes agree."""
    queues = {user.name for user in found.users if user.kind == "ClusterQueue"}
    if found.topology_missing:
        return sentence(f"its Topology {found.flavor.spec.topology_name} does not exist")
    if not found.users:
        return "No ClusterQueue and no Cohort has quota of it."
    told = f"{count(len(queues), 'ClusterQueue')} {verb(len(queues), 'have')} quota of it"
    if found.nodes is None:
        return sentence(f"{told}; its nodes are not in the data")
    usable = [node for node in found.nodes if node.ready and not node.unschedulable]
    told += f"; {count(len(usable), 'node')} of {len(found.nodes)} with its labels can take pods"
    short = [t for t in found.totals if t.allocatable is not None and 0 <= t.allocatable < t.nominal < 2**62]
    if short:
        lacks = [
            f"{quantity(t.resource, t.nominal)} {t.resource} of quota on nodes with "
            f"{quantity(t.resource, t.allocatable or 0)}"
            for t in short
        ]
        told += f"; there is {joined(lacks)}"
    return sentence(told)


def for_words(found: FlavorFor, flavor: str) -> str:
    """What keeps the flavor from the workload."""
    who = found.workload
    match found.why:
        case "not-in-queue":
            has = joined(found.offered)
            queue = f"ClusterQueue {found.cluster_queue} of {who}"
            return sentence(f"{queue} has no quota of {flavor}; it has {has}")
        case "unsuited":
            reason = next(fit.why for fit in found.fits if fit.fit == "unsuited" and fit.why is not None)
            label = f" ({_label(found)})" if found.selector is not None else ""
            return sentence(f"{flavor} does not suit {who}: {unsuited_words(reason)}{label}")
        case "never":
            rows = [row for row in found.rows if row.before + row.asks > row.most_ever]
            told = joined(
                f"{requested(r.resource, r.asks)} {r.resource} of at most {quantity(r.resource, r.most_ever)}"
                for r in rows
            )
            return sentence(f"{who} asks for more of {flavor} than its queue can ever have: {told}")
        case "short":
            told = joined(amount(r.resource, r.short_by) for r in found.rows if r.short_by)
            return sentence(f"{flavor} suits {who}, but it lacks {told}")
        case "taken":
            return sentence(
                f"{flavor} suits {who} and has room, but another flavor comes first in its ClusterQueue"
            )
        case "gate":
            return sentence(
                f"{flavor} is not what keeps {who} waiting; it is {found.verdict} for another reason"
            )
    return sentence(f"nothing: {who} is {found.verdict}, with {flavor}")


def _label(found: FlavorFor) -> str:
    selector = found.selector
    assert selector is not None
    operator = _OPERATORS.get(selector.operator, selector.operator)
    wants = f"{selector.key} {operator} {joined(selector.values, last='or')}".strip()
    has = f", the flavor has {selector.has}" if selector.has is not None else ""
    return f"the pods want {wants}{has}"


_OPERATORS = {"In": "to be", "NotIn": "not to be", "Exists": "to be there", "DoesNotExist": "not to be there"}
