"""Objects -> the table of `get`; also the table that an API server makes itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from kubectl_kueue.views.columns.items import Item
from kubectl_kueue.views.columns.kueue import Around, Cell, Head, Shape, row_of, shape_of
from kubectl_kueue.views.page import Column, Listing


class Extras(NamedTuple):
    """What flags add to a table: the namespace and labels of each object, the kind before its name."""

    namespaces: bool = False
    labels: bool = False
    label_columns: Sequence[str] = ()
    prefix: str = ""
    wide: bool = False
    headers: bool = True


def object_table(group: str, kind: str, items: Iterable[Item], around: Around, extras: Extras) -> Listing:
    """The table of objects of one kind."""
    shape = shape_of(group, kind)
    kept = [
        i
        for i, head in enumerate(shape.heads)
        if head.shown in ("always", "wide" if extras.wide else "narrow")
    ]
    rows = [_row(shape, kept, item, around, extras) for item in items]
    return Listing(_columns([shape.heads[index].name for index in kept], extras), rows, extras.headers)


def _row(shape: Shape, kept: Sequence[int], item: Item, around: Around, extras: Extras) -> list[Cell]:
    cells = row_of(shape, item, around)
    return _framed(item.namespace, item.name, [cells[index] for index in kept], item.labels, extras)


def _columns(names: Sequence[str], extras: Extras) -> list[Column]:
    first = [*(["NAMESPACE"] if extras.namespaces else []), "NAME"]
    last = [key.rpartition("/")[2].upper() for key in extras.label_columns]
    return [Column(name) for name in (*first, *names, *last, *(["LABELS"] if extras.labels else []))]


def _framed(
    namespace: str, name: str, cells: Sequence[Cell], labels: Mapping[str, Any], extras: Extras
) -> list[Cell]:
    first: list[Cell] = [namespace] if extras.namespaces else []
    last: list[Cell] = [labels.get(key) for key in extras.label_columns]
    if extras.labels:
        last.append(",".join(f"{key}={labels[key]}" for key in sorted(labels)) or "<none>")
    return [*first, f"{extras.prefix}{name}", *cells, *last]


# --- made by the server -------------------------------------------------------------------------


class ServerRow(NamedTuple):
    """A row of a Table of the API, and whose it is."""

    namespace: str
    name: str
    cells: Sequence[Cell]
    labels: Mapping[str, Any]


class ServerTable(NamedTuple):
    """The columns behind the name, the place of the name among all cells, and rows."""

    heads: Sequence[Head]
    named: int
    rows: list[ServerRow]

    def sort(self, keys: Sequence[tuple[str, str]]) -> None:
        """Put the rows in the order of these namespaces and names."""
        places = {key: place for place, key in enumerate(keys)}
        self.rows.sort(key=lambda row: places.get((row.namespace, row.name), len(places)))


def read_server_table(pages: Iterable[bytes], like: ServerTable | None = None) -> ServerTable | None:
    """The Table that the pages make together; None if the server answered with something else.

    A page that follows another (in `pages`, or the last of `like`) may come without columns.
    """
    table = like._replace(rows=[]) if like is not None else ServerTable([], 0, [])
    for page in pages:
        value = msgspec.json.decode(page)
        if not isinstance(value, dict) or value.get("kind") != "Table":
            return None
        if definitions := value.get("columnDefinitions"):
            named = next((i for i, d in enumerate(definitions) if d.get("format") == "name"), 0)
            heads = [_head(d) for i, d in enumerate(definitions) if i != named]
            table = ServerTable(heads, named, table.rows)
        table.rows.extend(_server_row(row, table.named) for row in value.get("rows") or [])
    return table


def _head(definition: Mapping[str, Any]) -> Head:
    return Head(str(definition.get("name", "")).upper(), "wide" if definition.get("priority") else "always")


def server_listing(table: ServerTable, extras: Extras) -> Listing:
    """The server's own table with what flags add."""
    kept = [i for i, head in enumerate(table.heads) if extras.wide or head.shown == "always"]
    rows = [
        _framed(row.namespace, row.name, [row.cells[index] for index in kept], row.labels, extras)
        for row in table.rows
    ]
    return Listing(_columns([table.heads[index].name for index in kept], extras), rows, extras.headers)


def steadied(listing: Listing, widths: list[int]) -> Listing:
    """The table with columns at least as wide as those before it; `widths` are what they were and become
    what they are."""
    lines = [[column.name for column in listing.columns] if listing.header else [], *listing.rows]
    texts = [["" if cell is None else str(cell) for cell in line] for line in lines]
    widths += [0] * (len(listing.columns) - len(widths))
    for line in texts:
        for index, text in enumerate(line):
            widths[index] = max(widths[index], len(text))
    last = len(listing.columns) - 1
    rows = [
        [text if index == last else text.ljust(widths[index]) for index, text in enumerate(line)]
        for line in texts[1:]
    ]
    return listing._replace(rows=rows)


def _server_row(row: Mapping[str, Any], named: int) -> ServerRow:
    meta = (row.get("object") or {}).get("metadata") or {}
    cells = [_plain(cell) for cell in row.get("cells") or []]
    name = str(cells.pop(named)) if cells else ""
    return ServerRow(meta.get("namespace") or "", name, cells, meta.get("labels") or {})


def _plain(cell: Any) -> Cell:
    """Text and whole numbers as they are; what else a server may send, as JSON writes it."""
    if cell is None or isinstance(cell, str) or (isinstance(cell, int) and not isinstance(cell, bool)):
        return cell
    return msgspec.json.encode(cell).decode()
