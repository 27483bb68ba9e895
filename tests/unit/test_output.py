"""What leaves the program: aligned, complete, and harmless to a terminal."""

import io
import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.formats import Answer, emit
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.output.text import HOSTILE, HOSTILE_BUT_NEWLINE, display_width, visible
from kubectl_kueue.views.page import (
    Bar,
    Bars,
    Block,
    Cell,
    Column,
    Document,
    Heading,
    KeyValues,
    Page,
    Quote,
    Span,
    Table,
    Text,
)

PAGE = Page(
    [
        Text(
            [
                Span("Workload team-1/job-1", "strong"),
                "   PENDING 13m   queue main -> team-1-cq (cohort gpus)",
            ]
        ),
        Text([Span("WAIT", "warn"), "  It lacks 2 cpu in flavor a100."]),
        Table(
            [
                Column("POD SET"),
                Column("RESOURCE"),
                Column("ASKS", align="right"),
                Column("EXACT", wide=True),
            ],
            [("main", "cpu", "2", "2000m"), ("main", "nvidia.com/gpu", Span("10", "bad"), "10")],
        ),
        Heading("Holders of the missing quota"),
        Table(
            [Column("workload"), Column("amount")],
            [("team-2/job-2", "cpu 2"), ("team-2/j", "cpu 1")],
            header=False,
            indent=2,
        ),
        KeyValues([("Cohort", "gpus"), ("Nominal quota", Span("8", "good"))]),
        Bars([Bar("a100", 3, 12, "3/12"), Bar("h100", 1, 1000, "1/1000"), Bar("t4", 999, 1000, "999/1000")]),
        Quote("Kueue at 10:04", "couldn't assign flavors"),
        Text(["View: full."], tight=True),
    ]
)

PLAIN = """\
Workload team-1/job-1   PENDING 13m   queue main -> team-1-cq (cohort gpus)

WAIT  It lacks 2 cpu in flavor a100.

POD SET  RESOURCE        ASKS
main     cpu                2
main     nvidia.com/gpu    10

Holders of the missing quota
  team-2/job-2  cpu 2
  team-2/j      cpu 1

Cohort:         gpus
Nominal quota:  8

a100  [#####...............]  3/12
h100  [#...................]  1/1000
t4    [###################.]  999/1000

Kueue at 10:04: "couldn't assign flavors"
View: full.
"""

NARROW = """\
Workload team-1/job-1   PENDING 13m
  queue main -> team-1-cq (cohort gpus)

WAIT  It lacks 2 cpu in flavor a100.

POD SET  RESOURCE        ASKS
main     cpu                2
main     nvidia.com/gpu    10

Holders of the missing quota
  team-2/job-2  cpu 2
  team-2/j      cpu 1

Cohort:         gpus
Nominal quota:  8

a100  [#####...............]  3/12
h100  [#...................]  1/1000
t4    [###################.]  999/1000

Kueue at 10:04: "couldn't assign
  flavors"
View: full.
"""


class Terminal(io.StringIO):
    """A stream that says that a person is watching."""

    def isatty(self) -> bool:
        return True


def printed(value: Page | Table, output: str | None = None, stream: io.StringIO | None = None) -> str:
    stream = stream or io.StringIO()
    emit(Answer(page=lambda: value, document=lambda: Document({})), output, stream)
    return stream.getvalue()


def machine(data: dict[str, Any], output: str) -> str:
    stream = io.StringIO()
    emit(Answer(page=lambda: Page([]), document=lambda: Document(data)), output, stream)
    return stream.getvalue()


# --- pages --------------------------------------------------------------------------------------


def test_a_page_in_a_pipe_does_not_know_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert printed(PAGE) == PLAIN


def test_a_paragraph_hangs_under_its_words() -> None:
    block = Text([Span("error    ", "bad"), "no Deployment of Kueue"], hanging=9)
    lines = ["".join(span.text for span in line) for line in lay_out(Page([block]), width=24)]
    assert lines == ["error    no Deployment", "         of Kueue"]


def test_a_page_wraps_at_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(PAGE, stream=Terminal()) == NARROW


def test_colour_needs_a_terminal_and_no_NO_COLOR(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = printed(PAGE, stream=Terminal())
    assert "\x1b[33mWAIT\x1b[0m" in coloured
    assert "\x1b" not in printed(PAGE)
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(PAGE, stream=Terminal()) == PLAIN
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert printed(PAGE, stream=Terminal()) == PLAIN


def test_wide_shows_more_columns() -> None:
    assert "EXACT" not in printed(PAGE)
    assert "ASKS  EXACT\n" in printed(PAGE, "wide")


def test_a_table_of_its_own_is_spaced_as_kubectl_spaces_it() -> None:
    table = Table([Column("NAME"), Column("AGE")], [("cpu-pool", "5m"), ("x", "")], title="")
    assert printed(table) == "NAME       AGE\ncpu-pool   5m\nx\n"


def test_a_table_without_rows_prints_nothing() -> None:
    assert printed(Table([Column("NAME")], [])) == ""


def test_a_table_too_wide_for_the_terminal_becomes_records() -> None:
    names = ["NAME", "CLUSTERQUEUE", "COHORT", "STATUS"]
    table = Table(
        [Column(name) for name in names], [["job-with-a-long-name-1", "cluster-queue", "team-a", "wait"]] * 2
    )
    record = [
        "NAME:          job-with-a-long-name-1",
        "CLUSTERQUEUE:  cluster-queue",
        "COHORT:        team-a",
        "STATUS:        wait",
    ]
    assert ["".join(span.text for span in line) for line in lay_out(table, width=40)] == [
        *record,
        "",
        *record,
    ]


def test_wide_characters_line_up() -> None:
    assert printed(Table([Column("N"), Column("X")], [("漢字", "1"), ("e\u0301", "2"), ("abcd", "3")])) == (
        "N      X\n漢字   1\ne\u0301      2\nabcd   3\n"
    )


words = st.text(st.characters(codec="utf-8", exclude_characters=" "), min_size=1, max_size=60)
cells = st.lists(words, max_size=6).map(" ".join)
blocks: st.SearchStrategy[Block] = st.one_of(
    st.builds(Heading, cells),
    st.builds(Text, st.lists(cells, max_size=3), indent=st.integers(0, 8), hanging=st.integers(0, 9)),
    st.builds(Quote, cells, cells),
    st.builds(KeyValues, st.lists(st.tuples(cells, cells), max_size=3), indent=st.integers(0, 8)),
    st.builds(
        lambda names, rows, indent: Table([Column(name) for name in names], rows, indent=indent),
        st.lists(cells, min_size=3, max_size=3),
        st.lists(st.tuples(cells, cells, cells), max_size=3),
        st.integers(0, 8),
    ),
)


@given(st.lists(blocks, max_size=4).map(Page), st.integers(40, 120))
def test_a_terminal_of_forty_columns_loses_nothing(page: Page, width: int) -> None:
    wide = "".join(span.text for line in lay_out(page) for span in line)
    lines = ["".join(span.text for span in line) for line in lay_out(page, width=width)]
    assert all(display_width(line) <= width for line in lines)
    # Wrapped cells stand beside each other and headers are repeated, so compare letters, not their order.
    assert set("".join(wide.split())) <= set("".join("".join(lines).split()))
    assert len("".join(wide.split())) <= len("".join("".join(lines).split()))


# --- hostile text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("Grüße 漢字 🚀", "Grüße 漢字 🚀"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\r\nc\td", "a b c d"),
        ("over\rwrite", "over\\x0dwrite"),
        ("\x9b2J\x7f\x00", "\\x9b2J\\x7f\\x00"),
        ("\u202egpj.exe\u2066", "\\u202egpj.exe\\u2066"),
        ("a\u2028b", "a\\u2028b"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_characters_become_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


anything = st.text(st.characters())


@given(anything, anything)
def test_no_control_character_reaches_a_page(text: str, other: str) -> None:
    cell: Cell = Span(text, "warn")
    page = Page(
        [
            Heading(text),
            Text([text, cell]),
            Table([Column(text)], [[other], [cell]], title=other),
            KeyValues([(text, cell)]),
            Quote(text, other),
            Bars([Bar(text, 1, 2, other)]),
        ]
    )
    for width in (None, 40):
        for line in lay_out(page, width=width):
            assert not re.search(HOSTILE, "".join(span.text for span in line))


@given(st.dictionaries(anything, anything | st.integers() | st.none() | st.booleans() | st.lists(anything)))
def test_documents_are_lossless_and_harmless(data: dict[str, Any]) -> None:
    as_json, as_yaml = machine(data, "json"), machine(data, "yaml")
    assert json.loads(as_json) == data
    assert yaml.safe_load(as_yaml) == data
    assert not re.search(HOSTILE_BUT_NEWLINE, as_json + as_yaml)


# --- documents ----------------------------------------------------------------------------------


def test_json_is_indented_by_two_in_the_given_order() -> None:
    assert machine({"b": "Grüße", "a": [{"x": 1.5, "y": None}], "e": []}, "json") == (
        '{\n  "b": "Grüße",\n  "a": [\n    {\n      "x": 1.5,\n      "y": null\n    }\n  ],\n  "e": []\n}\n'
    )


def test_yaml_quotes_what_reads_as_something_else_and_folds_nothing() -> None:
    text = "word " * 40 + "end"
    data = {"b": "18", "a": "True", "x": "1e3", "long": text, "lines": "one\ntwo\n", "n": 18}
    assert machine(data, "yaml") == (
        f'b: "18"\na: "True"\nx: "1e3"\nlong: {text}\nlines: |\n  one\n  two\n"n": 18\n'
    )


def test_equal_parts_of_a_document_are_written_out() -> None:
    part = {"x": 1}
    assert machine({"a": part, "b": part}, "yaml") == "a:\n  x: 1\nb:\n  x: 1\n"


def test_names_are_printed_one_a_line() -> None:
    stream = io.StringIO()
    emit(
        Answer(lambda: Page([]), lambda: Document({}, names=["workload/a", "workload/b\x1b"])), "name", stream
    )
    assert stream.getvalue() == "workload/a\nworkload/b\\x1b\n"


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("name", "this answer is not a list of objects"),
        (
            "xml",
            'output format "xml", allowed formats are: custom-columns,custom-columns-file,go-template,'
            "go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,table,"
            "template,templatefile,wide,yaml",
        ),
    ],
)
def test_a_format_that_does_not_fit_is_refused(output: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        printed(PAGE, output)


def test_only_the_form_that_is_asked_for_is_made() -> None:
    def unwanted() -> Any:
        raise AssertionError("not asked for")

    stream = io.StringIO()
    emit(Answer(page=unwanted, document=lambda: Document({})), "json", stream)
    emit(Answer(page=lambda: Page([]), document=unwanted), None, stream)
    assert stream.getvalue() == "{}\n"
