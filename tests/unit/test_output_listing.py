"""Tables of objects look as kubectl's: same widths, same cuts, nothing wrapped."""

import io
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.output.formats import Answer, emit
from kubectl_kueue.output.text import HOSTILE
from kubectl_kueue.views.page import Column, Document, Listing
from tests.conftest import REPOSITORY

RECORDINGS = REPOSITORY.parent / "shared" / "transcripts"


def printed(listing: Listing, output: str | None = None, *, no_headers: bool = False) -> str:
    stream = io.StringIO()
    emit(Answer(lambda: listing, lambda: Document({})), output, stream, no_headers=no_headers)
    return stream.getvalue()


def listing(names: str, *rows: Sequence[str | int | None]) -> Listing:
    return Listing([Column(name) for name in names.split(", ")], rows)


# A dot stands for a blank.
TABLES = {
    "NAME, Node Labels, AGE": (
        [("cpu", None, "5d3h"), ("gpu-large", "pool=gpu, zone=", "7m"), ("x", "a=b", "59s")],
        """\
NAME········NODE·LABELS·······AGE
cpu···························5d3h
gpu-large···pool=gpu,·zone=···7m
x···········a=b···············59s
""",
    ),
    "namespace, name, clusterqueue, pending workloads, admitted workloads, age": (
        [("ml", "q", "shared-cq", 12, 3, "2m5s"), ("ml", "night-batch", "", 0, 0, "41d")],
        """\
NAMESPACE···NAME··········CLUSTERQUEUE···PENDING·WORKLOADS···ADMITTED·WORKLOADS···AGE
ml··········q·············shared-cq······12··················3····················2m5s
ml··········night-batch··················0···················0····················41d
""",
    ),
    "name, queue, reserved in, admitted, finished": (
        [("w1", "main", "cq-a", "True", None), ("w2", "other", None, None, None)],
        """\
NAME···QUEUE···RESERVED·IN···ADMITTED···FINISHED
w1·····main····cq-a··········True·······
w2·····other····························
""",
    ),
    "a, b": (
        [("x", "1"), ("漢字é", "\x1b[31mred"), ("two\nlines", "r\rf"), ("\x9b\tz", "q\fz\n")],
        """\
A········B
x········1
漢字é······^[[31mred
two...···r...
\\x9b·z···q...
""",
    ),
    "n, x": ([("", "b")], "N·····X\n······b\n"),
    "one": ([("a",), (None,), (0,)], "ONE\na\n\n0\n"),
}


@pytest.mark.parametrize("names", TABLES)
def test_a_listing_is_spaced_as_kubectl_spaces_it(names: str) -> None:
    rows, text = TABLES[names]
    assert printed(listing(names, *rows)) == text.replace("·", " ")


def test_without_rows_there_is_nothing_to_print() -> None:
    assert printed(listing("name, age")) == ""


def test_widths_without_headers_are_those_of_the_rows() -> None:
    table = listing("name, pending workloads, age", ("a", 1, "5s"), ("longer-name", 22, "1d"))
    assert printed(table, no_headers=True) == "a             1     5s\nlonger-name   22    1d\n"
    assert printed(table._replace(header=False)) == printed(table, no_headers=True)


def test_wide_columns_need_wide() -> None:
    table = Listing([Column("NAME"), Column("STRATEGY", wide=True)], [("a", "StrictFIFO")])
    assert printed(table) == "NAME\na\n"
    assert printed(table, "wide") == "NAME   STRATEGY\na      StrictFIFO\n"


def test_a_terminal_neither_wraps_nor_colours_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "40")
    table = listing("name, age", ("x" * 100, "5s"))
    stream = Terminal()
    emit(Answer(lambda: table, lambda: Document({})), None, stream)
    assert stream.getvalue() == printed(table)


@given(st.lists(st.tuples(st.text() | st.integers() | st.none(), st.text()), max_size=5))
def test_a_row_is_one_harmless_line(rows: list[tuple[str | int | None, str]]) -> None:
    text = printed(listing("a, b", *rows))
    assert text.count("\n") == (len(rows) + 1 if rows else 0)
    assert not re.search(HOSTILE, text.replace("\n", ""))


def recorded_tables() -> list[str]:
    return sorted(
        path.stem
        for verb in ("list", "get", "after-list")
        for path in RECORDINGS.glob(f"{verb}-*.out")
        if re.match(r"(NAME|NAMESPACE|LAST SEEN)   ", path.read_text())
    )


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings here")
@pytest.mark.parametrize("name", recorded_tables())
def test_a_recorded_table_taken_apart_is_printed_again(name: str) -> None:
    text = (RECORDINGS / f"{name}.out").read_text()
    lines = text.splitlines()
    starts = [match.start() for match in re.finditer(r"(?:^|(?<=   ))\S", lines[0])]
    ends: list[int | None] = [*starts[1:], None]
    cells = [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines]
    table = Listing([Column(column.lower()) for column in cells[0]], cells[1:])
    assert printed(table) == text
