"""The sheet of `top workload`: who holds how much, since when, and whether it is borrowed."""

from collections.abc import Callable
from typing import Any

from kubectl_kueue.engine.accounts import Books
from kubectl_kueue.engine.explanation.status import evictions_of
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.workload import ADMITTED, WorkloadInfo
from kubectl_kueue.model.quantity import format_amount
from kubectl_kueue.model.timestamp import SECOND, format_time
from kubectl_kueue.views.accounts import Filter, type_name
from kubectl_kueue.views.durations import short_duration
from kubectl_kueue.views.page import Align, Column, Span
from kubectl_kueue.views.top import Row, Sheet, Value, text
from kubectl_kueue.views.top_queues import amount_value
from kubectl_kueue.views.words.numbers import amount, joined

_RIGHT: Align = "right"
Borrowed = dict[FlavorResource, int] | None


def workload_sheet(books: Books, keep: Callable[[WorkloadInfo], bool], wanted: Filter) -> Sheet:
    """A row for each workload with quota that is asked for, a column for each resource; the latest last."""
    holders = [
        (info, borrowed)
        for info, borrowed in books.holders()
        if keep(info) and (wanted == Filter() or any(wanted.passes(fr) for fr in info.usage))
    ]
    resources = sorted({fr.resource for info, _ in holders for fr in info.usage if wanted.passes(fr)})
    columns = [Column(n) for n in ("NAMESPACE", "WORKLOAD", "OWNER", "CLUSTERQUEUE")]
    columns += [Column("LOCALQUEUE", wide=True), Column("FLAVORS", wide=True), Column("PRIORITY", _RIGHT)]
    columns += [Column(resource, _RIGHT) for resource in resources]
    columns += [Column("RUNS", _RIGHT), Column("BORROWED"), Column("EVICTED BEFORE", _RIGHT)]
    rows = [_row(books, info, borrowed, resources, wanted) for info, borrowed in holders]
    return Sheet("workload", columns, rows, "No workload holds quota.")


def _row(books: Books, info: WorkloadInfo, borrowed: Borrowed, resources: list[str], wanted: Filter) -> Row:
    used: dict[str, int] = {}
    for fr, number in info.usage.items():
        if wanted.passes(fr):
            used[fr.resource] = used.get(fr.resource, 0) + number
    evictions = sum(tally.count for tally in evictions_of(books.world, info.key))
    admitted = info.conditions[ADMITTED].time if info.is_true(ADMITTED) else None
    runs = max(0, books.world.now - admitted) if admitted is not None else None
    flavors = sorted({fr.flavor for fr in info.usage})
    values = [
        text(info.namespace),
        text(info.name),
        text(_owner(info)),
        text(info.cluster_queue),
        text(info.local_queue.partition("/")[2]),
        text(",".join(flavors)),
        Value(str(info.priority), info.priority),
        *(amount_value(resource, used.get(resource)) for resource in resources),
        Value("-" if runs is None else short_duration(runs), runs),
        _borrowed_value(borrowed),
        Value(str(evictions), evictions),
    ]
    document = {
        "kind": "Workload",
        "namespace": info.namespace,
        "name": info.name,
        "owner": _owner(info),
        "clusterQueue": info.cluster_queue,
        "localQueue": info.local_queue.partition("/")[2],
        "priority": info.priority,
        "uses": _amounts({fr: n for fr, n in info.usage.items() if wanted.passes(fr)}),
        "borrowed": None if borrowed is None else _amounts(borrowed),
        "admittedAt": None if admitted is None else format_time(admitted),
        "runsSeconds": None if runs is None else runs // SECOND,
        "evictions": evictions,
    }
    return Row(type_name("Workload", info.name), document, values)


def _amounts(usage: dict[FlavorResource, int]) -> list[dict[str, Any]]:
    return [
        {"flavor": fr.flavor, "resource": fr.resource, "amount": format_amount(fr.resource, number)}
        for fr, number in usage.items()
    ]


def _borrowed_value(borrowed: Borrowed) -> Value:
    if borrowed is None:
        return Value("?")
    if not borrowed:
        return Value("no", 0)
    told = joined(amount(fr.resource, number) for fr, number in borrowed.items())
    return Value(Span(told, "warn"), sum(borrowed.values()))


def _owner(info: WorkloadInfo) -> str:
    """The job in the form in which other commands take it."""
    owners = info.obj.metadata.owner_references
    owner = next((each for each in owners if each.controller), owners[0] if owners else None)
    return f"{owner.kind.lower()}/{owner.name}" if owner is not None else "-"
