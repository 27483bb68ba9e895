"""`explain` for ClusterQueues, LocalQueues and Cohorts: why nothing is admitted, nothing borrowed."""

from collections.abc import Iterator, Sequence
from typing import Any

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.inquiries.clusterqueue import QueueInquiry
from kubectl_kueue.engine.inquiries.cohort import CohortInquiry
from kubectl_kueue.engine.inquiries.localqueue import LocalQueueInquiry
from kubectl_kueue.engine.inquiries.records import Group, QuotaLine, User
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.explain_document import plain
from kubectl_kueue.views.page import (
    Block,
    Cell,
    Column,
    Document,
    Heading,
    KeyValues,
    Page,
    Span,
    Table,
    Text,
)
from kubectl_kueue.views.rest import rest_block
from kubectl_kueue.views.words.assumed import judged_words
from kubectl_kueue.views.words.inquiries import (
    STYLES,
    borrowing_words,
    cohort_headline,
    local_queue_headline,
    local_queue_steps,
    queue_headline,
    queue_steps,
    waiter_words,
)
from kubectl_kueue.views.words.numbers import age, amount, count, joined, ordinal, quantity, several
from kubectl_kueue.views.words.outcomes import CODES
from kubectl_kueue.views.words.outside import widening_words

SCHEMA_VERSION = "v1"
MOST_ROWS = 12
"""Rows of a table about workloads or queues; the document has all."""

Unread = dict[str, str]
"""Kind -> why it could not be read, as in World.missing."""


# --- ClusterQueue ---------------------------------------------------------------------------------


def cluster_queue_page(found: QueueInquiry, unread: Unread) -> Page:
    """The answer about a ClusterQueue."""
    blocks: list[Block] = [
        Text([Span(found.word, STYLES[found.word]), f": {queue_headline(found)}"]),
        KeyValues(list(_about_queue(found))),
        *_quota_table(found.quota, _free_name(found), asks=True),
        *_borrowing(found),
        *_groups(found.groups),
        *_users(found.users, found.now),
        *_next(list(queue_steps(found))),
        *footer(unread, found.now),
    ]
    return Page(blocks)


def cluster_queue_document(found: QueueInquiry, unread: Unread) -> Document:
    """The same for programs."""
    return Document(
        {
            "schemaVersion": SCHEMA_VERSION,
            "kind": "ClusterQueue",
            **_queue_data(found),
            **_end(unread, found.now),
        }
    )


def _queue_data(found: QueueInquiry) -> dict[str, Any]:
    return {
        "name": found.name,
        "state": found.word,
        "message": queue_headline(found),
        "next": list(queue_steps(found)),
        "queueingStrategy": "StrictFIFO" if found.strict else "BestEffortFIFO",
        "cohorts": list(found.cohorts),
        "localQueues": list(found.local_queues),
        "inactive": plain(found.inactive) if found.inactive is not None else None,
        "closed": plain(found.closed) if found.closed is not None else None,
        "head": plain(found.head) if found.head is not None else None,
        "quota": [plain(line) for line in found.quota],
        "borrowing": [plain(each) for each in found.borrowing],
        "pendingByReason": [plain(group) for group in found.groups],
        "pending": list(found.order),
        "notQueued": list(found.held),
        "holders": [plain(user) for user in found.users],
    }


def _about_queue(found: QueueInquiry) -> Iterator[tuple[str, Cell]]:
    way = "".join(f" -> cohort {name}" for name in found.cohorts)
    yield "ClusterQueue", f"{found.name}{way}"
    yield "Strategy", "StrictFIFO" if found.strict else "BestEffortFIFO"
    yield "LocalQueues", several(found.local_queues) or "none"
    waiting = f"{len(found.order)} in the queue"
    yield "Pending", waiting + (f", {len(found.held)} held back outside of it" if found.held else "")


def _free_name(found: QueueInquiry) -> str:
    """What nobody uses of all that it may use: more than its own, if it may borrow."""
    return "FREE IN COHORT" if found.cohorts else "FREE"


def _quota_table(lines: Sequence[QuotaLine], free: str, *, asks: bool) -> Iterator[Block]:
    if not lines:
        yield Text(["It has no quota of anything."])
        return
    names = ["NOMINAL", "USED", "BORROWED", free, "MOST EVER", *(["PENDING ASKS"] if asks else [])]
    columns = [Column("FLAVOR"), Column("RESOURCE"), *(Column(name, "right") for name in names)]
    rows: list[list[Cell]] = []
    for line in lines:
        resource = line.resource
        row: list[Cell] = [
            line.flavor,
            resource,
            quantity(resource, line.nominal),
            quantity(resource, line.used),
        ]
        row.append(quantity(resource, line.borrowed) if line.borrowed else "-")
        row.append(Span(quantity(resource, line.free), "bad" if line.free <= 0 else ""))
        row.append(quantity(resource, line.most_ever))
        if asks:
            row.append(quantity(resource, line.asked) if line.asked else "-")
        rows.append(row)
    yield Table(columns, rows)


def _borrowing(found: QueueInquiry) -> Iterator[Block]:
    if not found.borrowing:
        return
    yield Heading("Borrowing")
    if all(each.why == "no-cohort" for each in found.borrowing):
        yield Text(["It is in no cohort: it can use its own quota only."], indent=2, tight=True)
        return
    for each in found.borrowing:
        yield Text([f"It {borrowing_words(each)}."], indent=2, tight=True)


def _groups(groups: Sequence[Group]) -> Iterator[Block]:
    if not groups:
        return
    yield Heading("Pending by reason")
    rows: list[list[Cell]] = [
        [
            str(group.count),
            Span(group.reason, "bad" if group.never else ""),
            CODES.get(group.reason, "") if group.reason != "QuotaReserved" else "fits now",
            group.example,
        ]
        for group in groups
    ]
    yield Table(
        [Column("COUNT", "right"), Column("REASON"), Column("MEANS"), Column("FIRST")], rows, indent=2
    )


def _users(users: Sequence[User], now: int) -> Iterator[Block]:
    if not users:
        return
    yield Heading("Who uses it")
    rows: list[list[Cell]] = [
        [
            user.workload,
            joined(f"{amount(h.resource, h.amount)} ({h.flavor})" for h in user.holds) or "nothing",
            str(user.priority),
            age(now, user.since) if user.since else "-",
        ]
        for user in users[:MOST_ROWS]
    ]
    columns = [Column("WORKLOAD"), Column("HOLDS"), Column("PRIORITY", "right"), Column("SINCE")]
    yield Table(columns, rows, indent=2)
    yield from rest_block(len(users) - MOST_ROWS, "workload", in_document=True)


def _next(steps: Sequence[str]) -> Iterator[Block]:
    if steps:
        yield Heading("Next")
        yield from (Text([step], indent=2, tight=True) for step in steps)


def footer(unread: Unread, now: int) -> Iterator[Block]:
    """What could not be read, who could change that, and the time of the data."""
    if unread:
        told = joined(f"{kind} ({why})" for kind, why in sorted(unread.items()))
        yield Text([Span(f"Not read: {told}.", "dim")])
        if widening := widening_words(unread):
            yield Text([Span(widening, "dim")], tight=True)
    yield Text([Span(judged_words(now), "dim")], tight=bool(unread))


def _end(unread: Unread, now: int) -> dict[str, Any]:
    return {"missing": dict(unread), "now": format_time(now), "kueueVersion": SIMULATED_KUEUE}


# --- LocalQueue -----------------------------------------------------------------------------------


def local_queue_page(found: LocalQueueInquiry, unread: Unread) -> Page:
    """The answer about a LocalQueue."""
    blocks: list[Block] = [
        Text([Span(found.word, STYLES[found.word]), f": {local_queue_headline(found)}"]),
        KeyValues(list(_about_local(found))),
        *_places(found),
        *_users(found.users, found.now),
    ]
    if found.target is not None and found.target.inactive is None:
        blocks.extend(_quota_table(found.target.quota, _free_name(found.target), asks=False))
    blocks.extend(_next(list(local_queue_steps(found))))
    blocks.extend(footer(unread, found.now))
    return Page(blocks)


def local_queue_document(found: LocalQueueInquiry, unread: Unread) -> Document:
    """The same for programs."""
    data: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "kind": "LocalQueue",
        "name": found.key,
        "state": found.word,
        "message": local_queue_headline(found),
        "next": list(local_queue_steps(found)),
        "pendingWorkloads": found.pending,
        "reservingWorkloads": found.reserving,
        "stopPolicy": found.stopped.policy if found.stopped is not None else "None",
        "namespaceTaken": not found.refused,
        "pending": [
            {
                "workload": place.workload,
                "inClusterQueue": place.in_cluster_queue,
                "inLocalQueue": place.in_local_queue,
            }
            for place in found.waiting
        ],
        "notQueued": list(found.held),
        "holders": [plain(user) for user in found.users],
        "clusterQueue": _queue_data(found.target)
        if found.target is not None
        else {"name": found.cluster_queue},
        **_end(unread, found.now),
    }
    return Document(data)


def _about_local(found: LocalQueueInquiry) -> Iterator[tuple[str, Cell]]:
    target = found.target
    cohorts = "".join(f" -> cohort {name}" for name in target.cohorts) if target is not None else ""
    gone = "" if target is not None else " (not readable)" if found.unread else " (missing)"
    yield "LocalQueue", f"{found.key} -> ClusterQueue {found.cluster_queue or '(none)'}{gone}{cohorts}"
    if target is None:
        yield "Pending", str(found.pending)
        yield "Holding", count(found.reserving, "workload")
        return
    waiting = f"{len(found.waiting)} in the queue"
    yield "Pending", waiting + (f", {len(found.held)} held back outside of it" if found.held else "")
    yield "Holding", count(len(found.users), "workload")


def _places(found: LocalQueueInquiry) -> Iterator[Block]:
    if not found.waiting and not found.held:
        return
    yield Heading("Who waits")
    rows: list[list[Cell]] = [
        [place.workload, ordinal(place.in_local_queue), ordinal(place.in_cluster_queue)]
        for place in found.waiting[:MOST_ROWS]
    ]
    room = MOST_ROWS - len(rows)
    rows += [[key, "-", "not known" if found.unread else "in no queue"] for key in found.held[:room]]
    yield Table([Column("WORKLOAD"), Column("HERE"), Column("IN CLUSTERQUEUE")], rows, indent=2)
    yield from rest_block(len(found.waiting) + len(found.held) - MOST_ROWS, "workload", in_document=True)


# --- Cohort ---------------------------------------------------------------------------------------


def cohort_page(found: CohortInquiry, unread: Unread) -> Page:
    """The answer about a Cohort."""
    way = "".join(f" -> cohort {name}" for name in found.parents)
    exists = "" if found.exists else " (only a name: there is no Cohort object)"
    blocks: list[Block] = [
        Text([Span(f"Cohort {found.name}", "strong"), f": {cohort_headline(found)}"]),
        KeyValues([("Cohort", f"{found.name}{way}{exists}")]),
        *_quota_table(found.quota, "FREE", asks=False),
        *_members(found),
        *_waiters(found),
        *footer(unread, found.now),
    ]
    return Page(blocks)


def cohort_document(found: CohortInquiry, unread: Unread) -> Document:
    """The same for programs."""
    return Document(
        {
            "schemaVersion": SCHEMA_VERSION,
            "kind": "Cohort",
            "name": found.name,
            "exists": found.exists,
            "message": cohort_headline(found),
            "cohorts": list(found.parents),
            "quota": [plain(line) for line in found.quota],
            "members": [plain(member) for member in found.members],
            "waiting": [{**plain(waiter), "message": waiter_words(waiter)} for waiter in found.waiters],
            **_end(unread, found.now),
        }
    )


def _members(found: CohortInquiry) -> Iterator[Block]:
    below = any(member.cohort != found.name for member in found.members)
    rows: list[list[Cell]] = []
    for member in found.members:
        resource = member.resource
        numbers = (member.nominal, member.used, member.borrows, member.idle, member.lends)
        shown = [quantity(resource, n) if n else "-" for n in numbers] if resource else ["-"] * 5
        state: Cell = str(member.pending) if member.active else Span("inactive", "bad")
        cohort = [member.cohort] if below else []
        rows.append([member.queue, *cohort, member.flavor or "-", resource or "-", *shown, state])
    if not rows:
        return
    names = ("NOMINAL", "USED", "BORROWED", "OWN FREE", "MAY LEND")
    columns = [
        Column("CLUSTERQUEUE"),
        *([Column("COHORT")] if below else []),
        Column("FLAVOR"),
        Column("RESOURCE"),
        *(Column(name, "right") for name in names),
        Column("PENDING", "right"),
    ]
    yield Heading("Who uses what")
    most = 5 * MOST_ROWS
    yield Table(columns, rows[:most], indent=2)
    if len(rows) > most:
        yield Text([f"and {count(len(rows) - most, 'more row')}"], indent=2, tight=True)


def _waiters(found: CohortInquiry) -> Iterator[Block]:
    if not found.waiters:
        return
    rows: list[list[Cell]] = [
        [w.queue, w.workload, str(w.pending), Span(waiter_words(w), "bad" if w.never else "")]
        for w in found.waiters[:MOST_ROWS]
    ]
    yield Heading("Who waits first, and what it could do")
    columns = [Column("CLUSTERQUEUE"), Column("FIRST"), Column("PENDING", "right"), Column("NOW")]
    yield Table(columns, rows, indent=2)
    yield from rest_block(len(found.waiters) - MOST_ROWS, "ClusterQueue", in_document=True)
