"""The columns of `get`: those of kubectl are the left part, cell by cell."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from kubectl_kueue.model.timestamp import SECOND, parse_time
from kubectl_kueue.output.listing import listing_lines
from kubectl_kueue.views.columns.items import Item
from kubectl_kueue.views.columns.kueue import Around
from kubectl_kueue.views.columns.table import (
    Extras,
    object_table,
    read_server_table,
    server_listing,
    steadied,
)
from kubectl_kueue.views.page import Column, Listing
from tests.conftest import REPOSITORY

SAMPLE = REPOSITORY / "tests" / "api" / "objects"
SHARED = REPOSITORY.parent / "shared"
KUEUE = "kueue.x-k8s.io"
KINDS = {
    "clusterqueues": "ClusterQueue",
    "localqueues": "LocalQueue",
    "resourceflavors": "ResourceFlavor",
    "workloads": "Workload",
}


def items(folder: Path, plural: str) -> list[Item]:
    values = json.loads((folder / "json" / f"{plural}.json").read_bytes())["items"]
    return [Item(json.dumps(value).encode()) for value in values]


# --- against the Tables of a real API server ----------------------------------------------------


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("plural", KINDS)
def test_server_columns_come_first(plural: str, wide: bool) -> None:
    table = json.loads((SAMPLE / "table" / f"{plural}.json").read_bytes())
    shown = [i for i, c in enumerate(table["columnDefinitions"]) if wide or not c["priority"]]
    wanted = {
        (row["object"]["metadata"].get("namespace", ""), row["cells"][0]): [row["cells"][i] for i in shown]
        for row in table["rows"]
    }
    found = object_table(KUEUE, KINDS[plural], items(SAMPLE, plural), Around(0), Extras(True, wide=wide))
    names = [table["columnDefinitions"][i]["name"].upper() for i in shown]
    assert [column.name for column in found.columns][1 : len(shown) + 1] == names
    assert found.rows
    for namespace, *cells in found.rows:
        expected = wanted[str(namespace or ""), cells[0]]
        pairs = zip(names, map(blank, cells), map(blank, expected), strict=False)
        assert [pair for pair in pairs if pair[0] != "AGE" and pair[1] != pair[2]] == []


def blank(cell: Any) -> str:
    """null, missing and empty look alike."""
    return "" if cell is None else str(cell)


# --- against what kubectl printed ---------------------------------------------------------------


def recordings() -> Iterator[Any]:
    for path in sorted((SHARED / "transcripts").glob("get-*.cmd")):
        printed = path.with_suffix(".out").read_text()
        if printed.startswith("NAME"):
            yield pytest.param(path, id=path.stem)


@pytest.mark.skipif(not SHARED.is_dir(), reason="no recordings here")
@pytest.mark.parametrize("path", list(recordings()))
def test_recording_is_the_left_part(path: Path) -> None:
    _, _, word, *rest = shlex.split(path.read_text())
    plural = {"cq": "clusterqueues", "lq": "localqueues", "rf": "resourceflavors"}.get(word, f"{word}s")
    dump = SHARED / "dumps" / "before-mutations"
    found = [item for item in items(dump, plural) if wanted(item, rest)]
    lines = path.with_suffix(".out").read_text().splitlines()
    moments = [parse_time("2026-11-29T14:17:33Z") + tenth * SECOND // 10 for tenth in range(30)]
    printed = cells(lines)
    assert printed in [ours(KINDS[plural], found, rest, now, len(printed[0])) for now in moments]


def wanted(item: Item, words: Sequence[str]) -> bool:
    names = [word for word in words if not word.startswith("-") and word != "wide"]
    if "-n" in words:
        return item.namespace == names[0]
    return not names or item.name in names


def ours(kind: str, found: Sequence[Item], words: Sequence[str], now: int, width: int) -> list[list[str]]:
    extras = Extras("-A" in words, wide="wide" in words)
    listing = object_table(KUEUE, kind, found, Around(now), extras)
    rows = [[column.name for column in listing.columns], *([blank(c) for c in row] for row in listing.rows)]
    return [row[:width] for row in rows]


def cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of a printed table, by where its names begin."""
    header, starts = lines[0], [0]
    starts += [i for i in range(3, len(header)) if header[i] != " " and header[i - 3 : i] == "   "]
    ends = [*starts[1:], None]
    return [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines]


# --- the rest -----------------------------------------------------------------------------------


def test_what_is_wrong_has_a_name_and_an_age_only() -> None:
    broken = {
        "apiVersion": f"{KUEUE}/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "x", "creationTimestamp": "1970-01-01T00:00:00Z"},
        "spec": {"resourceGroups": "none"},
    }
    listing = object_table(
        KUEUE, "ClusterQueue", [Item(json.dumps(broken).encode())], Around(60 * SECOND), Extras()
    )
    assert listing.rows == [["x", None, None, None, None, None, None, None, "60s"]]


def test_nulls_are_absent() -> None:
    value = {
        "apiVersion": f"{KUEUE}/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "x", "labels": None},
        "spec": {"cohortName": None, "resourceGroups": None, "queueingStrategy": "StrictFIFO"},
        "status": {"conditions": None, "pendingWorkloads": 3},
    }
    listing = object_table(KUEUE, "ClusterQueue", [Item(json.dumps(value).encode())], Around(0), Extras())
    assert listing.rows == [["x", "", 3, "StrictFIFO", 0, 0, "false", "", "<unknown>"]]


def test_columns_of_a_watch_only_grow() -> None:
    columns = [Column("NAME"), Column("AGE")]
    widths: list[int] = []
    printed = [
        "".join(listing_lines(steadied(Listing(columns, [[name, "1s"]], header=not widths), widths)))
        for name in ("a-long-name", "b", "one-that-is-longer", "c")
    ]
    assert [text.splitlines()[-1].index("1s") for text in printed] == [14, 14, 21, 21]


def test_tables_of_a_server() -> None:
    """Pages behind the first, and the events of a watch, come without columns."""
    columns = [
        {"name": "Ready", "type": "string"},
        {"name": "Name", "type": "string", "format": "name"},
        {"name": "Reserved in", "type": "string"},
        {"name": "Node", "type": "string", "priority": 1},
    ]

    def page(name: str, ready: Any, **more: Any) -> bytes:
        meta = {"name": name, "namespace": "ns", "labels": {"a": "b"}}
        row = {"cells": [ready, name, None, "n1"], "object": {"metadata": meta}}
        return json.dumps({"kind": "Table", "rows": [row], **more}).encode()

    first = read_server_table([page("x", 1, columnDefinitions=columns), page("y", True)])
    assert first is not None
    listing = server_listing(first, Extras(True, labels=True, prefix="pod/"))
    assert [column.name for column in listing.columns] == [
        "NAMESPACE",
        "NAME",
        "READY",
        "RESERVED IN",
        "LABELS",
    ]
    assert listing.rows == [["ns", "pod/x", 1, None, "a=b"], ["ns", "pod/y", "true", None, "a=b"]]
    later = read_server_table([page("z", 2)], like=first)
    assert later is not None
    assert server_listing(later, Extras(wide=True)).rows == [["z", 2, None, "n1"]]
    assert read_server_table([b'{"kind": "PodList"}']) is None
