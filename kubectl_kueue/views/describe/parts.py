"""What the pages of `describe` have in common: the lines at the top, conditions, events, what is missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.model.objects import Condition, LabelSelector
from kubectl_kueue.views.describe.dump import HIDDEN_ANNOTATION, LONGEST_ANNOTATION
from kubectl_kueue.views.describe.events import Happening, event_cells
from kubectl_kueue.views.durations import age
from kubectl_kueue.views.page import Block, Cell, Column, Heading, Span, Style, Table, Text

MOST_ROWS = 8
"""Rows of a list of workloads on a page."""


class Subject(NamedTuple):
    """An object that is described: its JSON value and what happened to it; `events` None: not readable.

    `notes` are sentences about what could not be read.
    """

    value: Mapping[str, Any]
    events: Sequence[Happening] | None
    now: int
    notes: Sequence[str] = ()


def header(subject: Subject) -> list[tuple[str, Cell]]:
    """The names and values with which every description begins, as kubectl has them."""
    value = subject.value
    meta = value.get("metadata") or {}
    return [
        ("Name", str(meta.get("name", ""))),
        ("Namespace", str(meta.get("namespace", ""))),
        ("Labels", _pairs(meta.get("labels") or {}, "=")),
        ("Annotations", _pairs(meta.get("annotations") or {}, ": ")),
        ("API Version", str(value.get("apiVersion", ""))),
        ("Kind", str(value.get("kind", ""))),
        ("Created", created_words(meta.get("creationTimestamp"), subject.now)),
    ]


def created_words(timestamp: Any, now: int) -> str:
    """The moment, and how long ago that is."""
    return f"{timestamp} ({age(timestamp, now)} ago)" if isinstance(timestamp, str) else "<unknown>"


def _pairs(found: Mapping[str, Any], between: str) -> str:
    told = [f"{key}{between}{found[key]}" for key in sorted(found) if key != HIDDEN_ANNOTATION]
    short = [text if len(text) <= LONGEST_ANNOTATION else f"{text[:LONGEST_ANNOTATION]}..." for text in told]
    return ", ".join(short) or "<none>"


def section(title: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks under a heading; nothing if there are none."""
    found = list(blocks)
    if found:
        yield Heading(title)
        yield from found


def conditions_block(conditions: Sequence[Condition], now: int) -> Iterator[Block]:
    """The conditions, latest first."""
    columns = [Column("TYPE"), Column("STATUS"), Column("AGE"), Column("REASON"), Column("MESSAGE")]
    latest = sorted(conditions, key=lambda each: each.last_transition_time or "", reverse=True)
    rows: list[list[Cell]] = [
        [c.type, _status(c), age(c.last_transition_time, now), c.reason, c.message] for c in latest
    ]
    if rows:
        yield from section("Conditions", [Table(columns, rows, indent=2)])


def _status(condition: Condition) -> Cell:
    """A condition that holds is good news or bad, by its type."""
    if condition.status != "True":
        return condition.status
    style: Style = "warn" if condition.type in ("Evicted", "Preempted", "DeactivationTarget") else "good"
    return Span("True", style)


def events_block(subject: Subject) -> Iterator[Block]:
    """What happened, as kubectl lists it."""
    if subject.events is None:
        return
    if not subject.events:
        yield Text(["Events:  <none>"])
        return
    columns = [Column("TYPE"), Column("REASON"), Column("AGE"), Column("FROM"), Column("MESSAGE")]
    rows = [list(event_cells(event)) for event in subject.events]
    yield from section("Events", [Table(columns, rows, indent=2)])


def notes_block(subject: Subject) -> Iterator[Block]:
    """What the page does not show because it could not be read."""
    for index, note in enumerate(subject.notes):
        yield Text([Span(note, "dim")], tight=index > 0)


def selector_words(selector: LabelSelector | None) -> str:
    """Which namespaces may use a ClusterQueue."""
    if selector is None:
        return "none (there is no namespaceSelector)"
    told = [f"{key}={value}" for key, value in sorted(selector.match_labels.items())]
    for each in selector.match_expressions:
        values = f" ({', '.join(each.values)})" if each.values else ""
        operator = {"In": "in", "NotIn": "not in", "Exists": "set", "DoesNotExist": "not set"}[each.operator]
        told.append(f"{each.key} {operator}{values}")
    return f"those with {', '.join(told)}" if told else "all"
