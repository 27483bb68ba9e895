"""What a change means: blocks and documents that `admit --dry-run` adds to its answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kubectl_kueue.engine.comparison import Comparison
from kubectl_kueue.engine.timeline import Stretch, Timeline
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.page import Block, Cell, Column, Heading, Table, Text
from kubectl_kueue.views.words.numbers import age, clock, count, several

MOST_NAMES = 10
TIMELINE_WIDTH = 40
"""Characters of the bar of one workload."""

_TOLD: Sequence[tuple[str, str]] = (
    ("starts", "start only with it"),
    ("starts_no_longer", "start no longer"),
    ("evicted", "are evicted for it"),
    ("evicted_no_longer", "are no longer evicted"),
    ("never", "can never run with it"),
)


def comparison_blocks(comparison: Comparison) -> Iterator[Block]:
    """The difference between the run as things stand and the one with the change."""
    yield Heading("The change makes this difference")
    rows: list[list[Cell]] = [
        [str(len(keys)), words, several(list(keys), MOST_NAMES)]
        for name, words in _TOLD
        if (keys := getattr(comparison, name))
    ]
    if rows:
        yield Table([Column("N", "right"), Column("WHAT"), Column("WHO")], rows, header=False, indent=2)
    else:
        yield Text(["None: the same workloads start, and nobody else is evicted."], indent=2)


def comparison_document(comparison: Comparison) -> dict[str, list[str]]:
    """The same for programs."""
    names = ("starts", "startsNoLonger", "evicted", "evictedNoLonger", "never")
    return {name: list(keys) for name, keys in zip(names, comparison, strict=True)}


def largest_blocks(found: Mapping[str, Mapping[str, tuple[int, int]]]) -> Iterator[Block]:
    """`found`: the most pods that fit now and those that are asked for, by workload and podSet."""
    rows: list[list[Cell]] = [
        [key, pod_set, str(most), str(asks)]
        for key, sets in found.items()
        for pod_set, (most, asks) in sets.items()
    ]
    columns = [
        Column("WORKLOAD"),
        Column("POD SET"),
        Column("MOST PODS NOW", "right"),
        Column("ASKS FOR", "right"),
    ]
    yield Table(columns, rows)


def largest_document(found: Mapping[str, Mapping[str, tuple[int, int]]]) -> dict[str, Any]:
    """The same for programs."""
    return {
        key: {pod_set: {"most": most, "asks": asks} for pod_set, (most, asks) in sets.items()}
        for key, sets in found.items()
    }


# --- the timeline ---------------------------------------------------------------------------------


def timeline_blocks(found: Timeline) -> Iterator[Block]:
    """One row a workload: when it starts and ends, and a bar from now to the last event."""
    span = max(found.until - found.now, 1)
    yield Heading(
        f"Timeline of {age(found.until, found.now)} from {clock(found.now, found.now)}, if nobody else comes"
    )
    rows: list[list[Cell]] = [
        [
            each.workload,
            "runs" if each.before else clock(found.now, each.start),
            "-" if each.end is None else clock(found.now, each.end),
            _bar(each, found.now, span),
            "evicted" if each.evicted else "",
        ]
        for each in found.stretches
    ]
    if rows:
        yield Table([Column("WORKLOAD"), Column("STARTS"), Column("ENDS"), Column("NOW"), Column("")], rows)
    if found.waiting:
        names = several(list(found.waiting), MOST_NAMES)
        never = "never starts" if len(found.waiting) == 1 else "never start"
        yield Text([f"{count(len(found.waiting), 'workload')} {never}: {names}."])
    if found.cut_short:
        yield Text(["There was no time to follow it to the end."])


def timeline_document(found: Timeline) -> dict[str, Any]:
    """The same for programs."""
    return {
        "now": format_time(found.now),
        "until": format_time(found.until),
        "stretches": [
            {
                "workload": each.workload,
                "start": format_time(each.start),
                "end": None if each.end is None else format_time(each.end),
                "evicted": each.evicted,
                "ranBefore": each.before,
            }
            for each in found.stretches
        ],
        "waiting": list(found.waiting),
        "cutShort": found.cut_short,
    }


def _bar(each: Stretch, now: int, span: int) -> str:
    first = max(0, each.start - now) * TIMELINE_WIDTH // span
    last = TIMELINE_WIDTH if each.end is None else max(0, each.end - now) * TIMELINE_WIDTH // span
    length = max(1, last - first)
    tail = ">" if each.end is None else "#"
    return "." * first + "#" * (length - 1) + tail + "." * max(0, TIMELINE_WIDTH - first - length)
