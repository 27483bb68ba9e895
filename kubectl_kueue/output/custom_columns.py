"""-o custom-columns=NAME:.metadata.name,CQ:.spec.clusterQueue : a table of the user's own columns."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.go_text import plain_text
from kubectl_kueue.output.jsonpath import find
from kubectl_kueue.output.jsonpath_parser import Chunk, parse
from kubectl_kueue.output.listing import aligned, shown_escape

NOTHING = "<none>"
_PATH = re.compile(r"\{\.?([^{}]+)\}|\.?([^{}]+)")


class CustomColumn(NamedTuple):
    """A heading and the parsed path of its cells."""

    header: str
    path: Sequence[Chunk]


def parse_columns(spec: str) -> list[CustomColumn]:
    """The columns of HEADER:PATH,HEADER:PATH. Raises ConfigError for one that is not written so."""
    columns = []
    for part in spec.split(","):
        header, colon, path = part.partition(":")
        if not colon:
            raise ConfigError(f"unexpected custom-columns spec: {part}, expected <header>:<json-path-expr>")
        columns.append(_column(header, path))
    return columns


def parse_column_file(text: str) -> list[CustomColumn]:
    """The columns of a file: a line of headers, a line of paths, both separated by blanks."""
    lines = text.splitlines()
    for number, name in enumerate(("header", "spec")):
        if len(lines) <= number:
            raise ConfigError(
                f"invalid template, missing {name} line. Expected format is one line of space separated "
                "headers, one line of space separated column specs."
            )
    headers, paths = lines[0].split(), lines[1].split()
    if len(headers) != len(paths):
        raise ConfigError(
            f"number of headers ({len(headers)}) and field specifications ({len(paths)}) don't match"
        )
    return [_column(header, path) for header, path in zip(headers, paths, strict=True)]


def column_lines(columns: Sequence[CustomColumn], data: Any, *, header: bool = True) -> Iterator[str]:
    """One line an object: for each item of a list, or for `data` itself if it is no list."""
    items = data.get("items")
    objects = items if isinstance(items, Sequence) and not isinstance(items, str) else [data]
    lines = [[_cell(column, item) for column in columns] for item in objects]
    if header:
        lines.insert(0, [shown_escape(column.header) for column in columns])
    return aligned(lines)


def _column(header: str, path: str) -> CustomColumn:
    if not path:
        return CustomColumn(header, [])
    match = _PATH.fullmatch(path)
    if match is None:
        raise ConfigError(
            "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or "
            "'{.name1.name2}'"
        )
    return CustomColumn(header, parse(f"{{.{match[1] or match[2]}}}"))


def _cell(column: CustomColumn, item: Any) -> str:
    try:
        found = [value for values in find(column.path, item) for value in values]
    except ConfigError as error:
        raise ConfigError(f"custom column {column.header}: {error}") from None
    return shown_escape(",".join(map(plain_text, found))) if found else NOTHING
