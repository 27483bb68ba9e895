"""The answer of `pending`: who waits, in the order of the queue, and for what."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.pending import QueueNow, Survey, Waiter, in_order
from kubectl_kueue.engine.pending_groups import Group, total
from kubectl_kueue.engine.when import Bound
from kubectl_kueue.views.page import (
    Block,
    Cell,
    Column,
    Heading,
    Page,
    Span,
    Table,
    Text,
    verdict_style,
)
from kubectl_kueue.views.words.assumed import assumed_words, judged_words, moment_words, unread_of
from kubectl_kueue.views.words.numbers import age, count, joined, ordinal
from kubectl_kueue.views.words.outside import widening_words
from kubectl_kueue.views.words.pending import asks_words, short_why, usage_words, waits_for, why_words
from kubectl_kueue.views.words.when import when_cell


class Pending(NamedTuple):
    """All that is shown. `subject` is what was asked for ("in ClusterQueue a"); `never`: only who never can.

    `after`: who starts when `ended` ends; `bounds`: estimates with a ground; `by_turn`: the order is that of
    the scheduler's cycles.
    """

    found: Survey
    subject: str
    queue: QueueNow | None = None
    never: bool = False
    by_turn: bool = False
    ended: str = ""
    after: Mapping[str, bool] = {}
    bounds: Mapping[str, tuple[Bound, ...]] = {}

    def rows(self) -> list[Waiter]:
        """Those that are shown, in order."""
        ordered = in_order(self.found, by_turn=self.by_turn)
        return [w for w in ordered if w.word is Word.NEVER] if self.never else ordered


def pending_page(shown: Pending) -> Page:
    """The answer for people."""
    rows = shown.rows()
    queued = [w for w in rows if w.place is not None]
    aside = [w for w in rows if w.place is None]
    blocks: list[Block] = [Text([_headline(shown, rows)])]
    if shown.queue is not None:
        blocks.append(Text([_queue_words(shown.queue)], tight=True))
    if queued:
        blocks.append(_table(shown, queued))
    if aside:
        blocks += [Heading("Not in a queue"), _aside_table(shown, aside)]
    blocks.extend(_footer(shown, queued))
    return Page(blocks)


def groups_page(shown: Pending, groups: Sequence[Group], by: str) -> Page:
    """The same in groups."""
    heads = {
        "reason": ("REASON", "ABOUT"),
        "flavor": ("FLAVORS",),
        "queue": ("CLUSTERQUEUE", "LOCALQUEUE"),
        "shape": ("CLUSTERQUEUE",),
    }[by]
    columns = [
        Column("WORKLOADS", "right"),
        *(Column(head) for head in heads),
        Column("ASKS"),
        Column("STATES"),
        Column("EXAMPLE"),
        Column("WHY"),
    ]
    rows: list[list[Cell]] = [
        [
            str(group.number),
            *(_ABOUT.get(text, text) or "-" for text in group.about),
            asks_words(group.asks),
            _states(group.words),
            group.example.key,
            short_why(group.example, shown.found.now),
        ]
        for group in groups
    ]
    blocks: list[Block] = [Text([_headline(shown, shown.rows())])]
    if rows:
        blocks.append(Table(columns, rows))
    return Page([*blocks, *_footer(shown, ())])


_ABOUT: Mapping[str, str] = {
    "active": "spec.active",
    "admissionGate": "admission gates",
    "backOff": "its back-off",
    "checks": "admission checks",
    "clusterQueue": "its ClusterQueue",
    "clusterQueueActive": "its ClusterQueue",
    "devices": "its devices",
    "failedChecks": "admission checks",
    "hold": "its controller",
    "limitRange": "LimitRanges",
    "limits": "its limits",
    "localQueue": "its LocalQueue",
    "localQueueActive": "its LocalQueue",
    "namespaceSelector": "its namespace",
}
"""Questions that fail, as what they are about."""


# --- the page -----------------------------------------------------------------------------------


def _headline(shown: Pending, rows: Sequence[Waiter]) -> str:
    where = f" {shown.subject}" if shown.subject else ""
    if not rows:
        return (
            f"None of the workloads pending{where} is Never."
            if shown.never
            else f"Nothing is pending{where}."
        )
    words: dict[Word, int] = {}
    for row in rows:
        words[row.word] = words.get(row.word, 0) + 1
    asks = asks_words(total(rows))
    ask = "It asks" if len(rows) == 1 else "Together they ask"
    if shown.never:
        return f"{count(len(rows), 'workload')}{where} can never run as things stand. {ask} for {asks}."
    return f"{count(len(rows), 'workload')} pending{where}: {_states(words)}. {ask} for {asks}."


_ORDER = tuple(Word)


def _states(words: Mapping[Word, int]) -> str:
    return joined(f"{words[word]} {word}" for word in sorted(words, key=_ORDER.index))


def _queue_words(queue: QueueNow) -> str:
    frs = [*queue.nominal, *(fr for fr, used in queue.usage.items() if used and fr not in queue.nominal)]
    uses = [
        usage_words(fr.resource, queue.usage.get(fr, 0), queue.nominal.get(fr, 0), fr.flavor)
        for fr in frs[:8]
    ]
    strategy = "StrictFIFO" if queue.strict else "BestEffortFIFO"
    active = "" if queue.active else " (inactive)"
    more = f" and {count(len(frs) - 8, 'more quota')}" if len(frs) > 8 else ""
    return f"ClusterQueue {queue.name}{active}, {strategy}: {'; '.join(uses) or 'no quota'}{more}."


def _table(shown: Pending, rows: Sequence[Waiter]) -> Table:
    found = shown.found
    several = len({w.cluster_queue for w in rows}) > 1
    estimates = any(shown.bounds.get(w.key) for w in rows)
    columns = [
        Column("POS", "right"),
        Column("IN LQ", "right"),
        *([Column("CLUSTERQUEUE")] if several else []),
        Column("WORKLOAD"),
        Column("LOCALQUEUE", wide=True),
        Column("PRIORITY", "right"),
        Column("CLASS", wide=True),
        Column("ASKS"),
        Column("PODS", "right", wide=True),
        Column("AGE", "right"),
        Column("VERDICT"),
        Column("REASON", wide=True),
        Column("TURN", wide=True),
        Column("WHY"),
        Column("WAITS FOR"),
        *([Column("IF HOLDER ENDS")] if shown.after else []),
        *([Column("ESTIMATE")] if estimates else []),
    ]
    lines: list[list[Cell]] = []
    for w in rows:
        assert w.place is not None
        in_queue = found.queues[w.cluster_queue].pending if w.cluster_queue in found.queues else 0
        lines.append(
            [
                _counted(w.place.in_cluster_queue, in_queue),
                _counted(w.place.in_local_queue, found.local_pending.get(w.local_queue, 0)),
                *([w.cluster_queue or "-"] if several else []),
                w.key,
                w.local_queue.partition("/")[2],
                str(w.priority),
                w.priority_class or "-",
                asks_words(w.asks),
                str(w.pods),
                age(found.now, w.created),
                Span(str(w.word), verdict_style(w.word)),
                w.code,
                f"{ordinal(w.turn[1] - 1)} in cycle {w.turn[0]}" if w.turn else "-",
                short_why(w, found.now),
                waits_for(w, found.now),
                *([_after(shown, w)] if shown.after else []),
                *([when_cell(shown.bounds.get(w.key, ()), found.now)] if estimates else []),
            ]
        )
    return Table(columns, lines)


def _aside_table(shown: Pending, rows: Sequence[Waiter]) -> Table:
    columns = [
        Column("WORKLOAD"),
        Column("QUEUE"),
        Column("PRIORITY", "right"),
        Column("ASKS"),
        Column("AGE", "right"),
        Column("VERDICT"),
        Column("WHY"),
        Column("WAITS FOR"),
    ]
    now = shown.found.now
    lines: list[list[Cell]] = [
        [
            w.key,
            w.local_queue.partition("/")[2] or "-",
            str(w.priority),
            asks_words(w.asks),
            age(now, w.created),
            Span(str(w.word), verdict_style(w.word)),
            why_words(w, now),
            waits_for(w, now),
        ]
        for w in rows
    ]
    return Table(columns, lines)


def _counted(place: int, of: int) -> str:
    """A place from 0 as people count, out of how many."""
    if place < 0:
        return "-"
    return f"{place + 1}/{of}" if of else str(place + 1)


def _after(shown: Pending, waiter: Waiter) -> str:
    starts = shown.after.get(waiter.key)
    return "-" if starts is None else "starts" if starts else "waits"


def _footer(shown: Pending, queued: Iterable[Waiter]) -> Iterator[Block]:
    found = shown.found
    notes = [] if not list(queued) else [_source_words(found, queued)]
    if shown.by_turn:
        notes.append("In the order in which the scheduler looks at them.")
    if found.cut_short:
        notes.append("The simulation was cut off before it came to rest; later turns were not seen.")
    if notes:
        yield Text([Span(" ".join(notes), "dim")])
    if assumed := assumed_words(shown.found.assumptions):
        yield Text([Span(assumed, "dim")], tight=bool(notes))
    if widening := widening_words(unread_of(shown.found.assumptions)):
        yield Text([Span(widening, "dim")], tight=True)
    by = f"Kueue's own status, data of {moment_words(found.now)}." if found.hidden else ""
    judged = by or judged_words(found.now)
    yield Text([Span(judged, "dim")], tight=bool(notes or assumed))


def _source_words(found: Survey, queued: Iterable[Waiter]) -> str:
    queues = {w.cluster_queue for w in queued if w.place is not None}
    counted = "counted from 1 (from 0 in -o json)"
    if found.hidden:
        return f"Positions are those of the visibility API, {counted}."
    if queues <= found.told:
        return f"Positions are those of the visibility API, {counted}."
    if not queues & found.told:
        return f"Positions are computed from the data, {counted}."
    rest = joined(sorted(queues - found.told)[:5])
    return f"Positions are those of the visibility API, of {rest} computed from the data, {counted}."
