"""What an answer looks like before anyone has decided how to print it.

Views build a Page (for people) or a Document (for programs) of these values; output/ renders them.
Texts may hold anything that came from a cluster: output/ makes control characters visible.
Every command loads this module, so its values are NamedTuples: a dataclass takes five times as long to make.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

Style = Literal["", "good", "bad", "warn", "dim", "strong"]
"""What a piece of text means, never which colour it has."""

Align = Literal["left", "right"]


class Span(NamedTuple):
    """A piece of text with a meaning."""

    text: str
    style: Style = ""


Cell = str | Span


class Column(NamedTuple):
    """A column of a table; a `wide` one is shown with -o wide only."""

    name: str
    align: Align = "left"
    wide: bool = False


class Table(NamedTuple):
    """Rows under column names. `header=False` keeps the names for narrow terminals and hides the line.

    Every row has one cell a column. `indent` is in characters. `tight`, here as in every block: no empty
    line above.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    header: bool = True
    indent: int = 0
    tight: bool = False


class Listing(NamedTuple):
    """Rows as kubectl prints them: names in capitals, columns three spaces apart, the last one not padded.

    Nothing is printed if there is no row. A None cell is an empty one. `wide` columns need -o wide.
    `header` False leaves the names out.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[str | int | None]]
    header: bool = True


class Heading(NamedTuple):
    """The line above a block; the block follows without an empty line."""

    text: Cell
    tight: bool = False


class Text(NamedTuple):
    """One paragraph of joined pieces, wrapped at a terminal's width; the rest stands `hanging` deeper."""

    parts: Sequence[Cell]
    indent: int = 0
    tight: bool = False
    hanging: int = 2


class KeyValues(NamedTuple):
    """Names and values, the values aligned."""

    pairs: Sequence[tuple[str, Cell]]
    indent: int = 0
    tight: bool = False


class Quote(NamedTuple):
    """Somebody else's words, in quotation marks after who said them when."""

    source: str
    text: str
    tight: bool = False


class Bar(NamedTuple):
    """`value` out of `maximum`, in one unit; `caption` says both in words. Values outside are clipped."""

    label: str
    value: float
    maximum: float
    caption: str = ""
    style: Style = ""


class Bars(NamedTuple):
    """Bars under each other on one scale of `width` characters each, behind labels of at least `label_width`
    (so that blocks line up with each other, where there is room)."""

    bars: Sequence[Bar]
    width: int = 20
    indent: int = 0
    tight: bool = False
    label_width: int = 0


Block = Heading | Text | Table | KeyValues | Quote | Bars


class Page(NamedTuple):
    """Blocks from top to bottom, the verdict first."""

    blocks: Sequence[Block]


class Edge(NamedTuple):
    """An arrow of a graph between two nodes, by their ids; a `loan` is no part of the hierarchy."""

    start: str
    end: str
    label: str = ""
    loan: bool = False


class Graph(NamedTuple):
    """Nodes, as lines of text with a meaning by id, and arrows between them."""

    nodes: Mapping[str, tuple[Sequence[str], Style]]
    edges: Sequence[Edge]


class Remark(NamedTuple):
    """One finding about a file: "error", "warning" or "info", by which rule, about which object and where
    (line 0: unknown), in words."""

    severity: str
    rule: str
    subject: str
    file: str
    line: int
    text: str
    advice: str = ""


class RuleText(NamedTuple):
    """What a rule of a report is about."""

    title: str
    severity: str
    why: str
    address: str


class Report(NamedTuple):
    """Findings about files, for formats that other tools read. `subjects` are all objects that were looked
    at, as (file, object); `patches` say what mends them. `strict`: warnings count as failures."""

    remarks: Sequence[Remark]
    rules: Mapping[str, RuleText]
    subjects: Sequence[tuple[str, str]]
    patches: Sequence[Mapping[str, Any]]
    strict: bool = False


class Document(NamedTuple):
    """An answer for programs: `data` for json and yaml, keys in the order in which they are read;
    `names` for -o name, None where an answer has no names; `graph` likewise for -o dot, `report` for -o
    junit, patch and sarif.

    `objects`: the data is an object of Kubernetes or a list of them, to be written as kubectl writes those.
    """

    data: Mapping[str, Any]
    names: Sequence[str] | None = None
    objects: bool = False
    graph: Graph | None = None
    report: Report | None = None


def verdict_style(word: str) -> Style:
    """The style of a verdict word, so that every page colours it alike."""
    return _VERDICT_STYLES.get(word, "warn")


_VERDICT_STYLES: Mapping[str, Style] = {
    "Admit": "good",
    "AdmittedNotRunning": "warn",
    "Preempt": "good",
    "Wait": "warn",
    "Never": "bad",
    "Blocked": "bad",
    "ChecksPending": "warn",
}
