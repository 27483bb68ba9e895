"""The answer of `top`: sheets of rows that can be sorted, for people and for programs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.engine.accounts import Books
from kubectl_kueue.views.accounts import closing_blocks, document_head
from kubectl_kueue.views.page import Block, Cell, Column, Document, Page, Span, Table, Text


class Value(NamedTuple):
    """A cell and what it is sorted by: numbers, the largest first, or text. None comes last."""

    text: Cell
    key: int | float | str | None = None


class Row(NamedTuple):
    """One line; rows with amounts of different resources are not compared, `resource` keeps them apart."""

    name: str
    document: dict[str, Any]
    values: Sequence[Value]
    resource: str = ""
    used: int = 0


class Sheet(NamedTuple):
    """Rows about one kind of `subject` (a word for programs); `nothing` is said if there are none."""

    subject: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    nothing: str = "There is nothing to show."
    note: str = ""


def text(value: str) -> Value:
    """A cell that is sorted as it reads."""
    return Value(value, value or None)


def top_page(books: Books, sheet: Sheet) -> Page:
    """The rows, then what is to be said about them."""
    blocks: list[Block] = []
    if sheet.note:
        blocks.append(Text([Span(sheet.note, "warn")]))
    if sheet.rows:
        blocks.append(Table(sheet.columns, [[value.text for value in row.values] for row in sheet.rows]))
    else:
        blocks.append(Text([sheet.nothing]))
    blocks.extend(closing_blocks(books))
    return Page(blocks)


def top_document(books: Books, sheet: Sheet) -> Document:
    """One object a row; amounts as quantities."""
    names = list(dict.fromkeys(row.name for row in sheet.rows))
    rows = [row.document for row in sheet.rows]
    return Document({**document_head(books), "subject": sheet.subject, "rows": rows}, names)


# --- order --------------------------------------------------------------------------------------


def is_sortable(sheet: Sheet, column: str) -> bool:
    """Whether the word names a column or a resource of the sheet."""
    return not column or not sheet.rows or _column(sheet, column) is not None or _has_resource(sheet, column)


def in_order(sheet: Sheet, column: str) -> Sheet:
    """The sheet by a column, or by what is used of a resource, its rows first."""
    if not column:
        return sheet
    index = _column(sheet, column)
    if index is not None:
        rows = sorted(sheet.rows, key=lambda row: _key(row, index))
    else:
        rows = sorted(sheet.rows, key=lambda row: (column.lower() not in row.resource.lower(), -row.used))
    return sheet._replace(rows=[row._replace(values=_flat(row.values)) for row in rows])


def _key(row: Row, index: int) -> tuple[Any, ...]:
    key = row.values[index].key
    if key is None:
        return True, row.resource, 0
    if isinstance(key, str):
        return False, key, 0
    return False, row.resource, -key


def _column(sheet: Sheet, word: str) -> int | None:
    """The column of that name, or the first whose name begins with the word, or holds it."""
    wanted = _plain(word)
    names = [_plain(column.name) for column in sheet.columns]
    for test in (str.__eq__, str.startswith, str.__contains__):
        for index, name in enumerate(names):
            if test(name, wanted):
                return index
    return None


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace("-", "").replace("_", "")


def _has_resource(sheet: Sheet, word: str) -> bool:
    return any(word.lower() in row.resource.lower() for row in sheet.rows)


def _flat(values: Iterable[Value]) -> list[Value]:
    """What was indented to show a tree is so no longer."""
    return list(_unindented(values))


def _unindented(values: Iterable[Value]) -> Iterator[Value]:
    for value in values:
        yield value._replace(text=value.text.lstrip()) if isinstance(value.text, str) else value
