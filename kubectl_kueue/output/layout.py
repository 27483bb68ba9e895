"""Blocks of a page -> lines of spans, aligned; wrapped when a width is given, so that nothing is lost.

Without a width (piped) a line is as long as its text. No colours here: a span carries its meaning only.
"""

from collections.abc import Iterable, Iterator, Sequence

from kubectl_kueue.output.text import display_width, fitting, visible
from kubectl_kueue.views.page import (
    Bar,
    Bars,
    Block,
    Cell,
    Column,
    Heading,
    KeyValues,
    Page,
    Quote,
    Span,
    Table,
    Text,
)

Line = list[Span]

KUBECTL_GAP = 3
PAGE_GAP = 2
_HANGING = 2
_NARROWEST_CELL = 12
_NARROWEST_BAR = 5


def lay_out(answer: Page | Table, *, width: int | None = None, wide: bool = False) -> Iterator[Line]:
    """The lines of an answer. A table on its own is spaced as kubectl's; `wide` shows the wide columns."""
    if isinstance(answer, Table):
        yield from _table(answer, width, wide, KUBECTL_GAP)
        return
    attached = True
    for block in answer.blocks:
        if not (attached or block.tight):
            yield []
        yield from _block(block, width, wide)
        attached = isinstance(block, Heading)


def _block(block: Block, width: int | None, wide: bool) -> Iterator[Line]:
    match block:
        case Heading(text=text):
            yield from _wrap([_span(text, strong=True)], width, 0)
        case Text(parts=parts, indent=indent, hanging=hanging):
            yield from _wrap([_span(part) for part in parts], width, indent, hanging)
        case Quote(source=source, text=text):
            yield from _wrap([Span(f'{visible(source)}: "{visible(text)}"')], width, 0)
        case KeyValues(pairs=pairs, indent=indent):
            yield from _pairs([(name, _span(value)) for name, value in pairs], width, indent)
        case Table():
            yield from _table(block, width, wide, PAGE_GAP)
        case Bars():
            yield from _bars(block, width)


def _span(cell: Cell, strong: bool = False) -> Span:
    if isinstance(cell, Span):
        return Span(visible(cell.text), cell.style)
    return Span(visible(cell), "strong" if strong else "")


# --- tables -------------------------------------------------------------------------------------


def _table(table: Table, width: int | None, wide: bool, gap: int) -> Iterator[Line]:
    shown = [index for index, column in enumerate(table.columns) if wide or not column.wide]
    columns = [table.columns[index] for index in shown]
    rows = [[_span(row[index]) for index in shown] for row in table.rows]
    if table.title:
        yield from _wrap([_span(table.title, strong=True)], width, 0)
    if not rows or not columns:
        return
    if table.header:
        rows.insert(0, [Span(visible(column.name), "strong") for column in columns])
    widths = [max(display_width(cell.text) for cell in cells) for cells in zip(*rows, strict=True)]
    if width is not None:
        room = width - table.indent - gap * (len(columns) - 1)
        if sum(widths) > room:
            narrowed = _narrow(rows, columns, widths, room)
            if narrowed is None:
                yield from _records(columns, rows[1:] if table.header else rows, width, table.indent)
                return
            widths = narrowed
    for row in rows:
        yield from _table_row(row, columns, widths, table.indent, gap)


def _narrow(
    rows: Sequence[Sequence[Span]], columns: Sequence[Column], widths: list[int], room: int
) -> list[int] | None:
    """Widths that fill `room` with no word broken, taken from the widest columns first; None if too many.

    Columns of text keep some width; of numbers only the name wraps.
    """
    floors = [
        min(whole, max(0 if column.align == "right" else _NARROWEST_CELL, *map(_longest_word, texts)))
        for whole, column, texts in zip(
            widths, columns, ([cell.text for cell in cells] for cells in zip(*rows, strict=True)), strict=True
        )
    ]
    if sum(floors) > room:
        return None
    narrowed = list(widths)
    while sum(narrowed) > room:
        widest = max(
            (index for index in range(len(narrowed)) if narrowed[index] > floors[index]),
            key=narrowed.__getitem__,
        )
        narrowed[widest] -= 1
    return narrowed


def _longest_word(text: str) -> int:
    return max(map(display_width, text.split()), default=0)


def _table_row(
    row: Sequence[Span], columns: Sequence[Column], widths: Sequence[int], indent: int, gap: int
) -> Iterator[Line]:
    cells = [_cut(cell.text, width, width) for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, cells))):
        line = [Span(" " * indent)]
        for index, (pieces, cell) in enumerate(zip(cells, row, strict=True)):
            piece = pieces[number] if number < len(pieces) else ""
            padding = " " * (widths[index] - display_width(piece))
            if columns[index].align == "right":
                line += [Span(padding), Span(piece, cell.style)]
            else:
                line += [Span(piece, cell.style), Span(padding)]
            line.append(Span(" " * gap))
        yield _trimmed(line)


def _records(
    columns: Sequence[Column], rows: Sequence[Sequence[Span]], width: int, indent: int
) -> Iterator[Line]:
    """A table that is wider than the terminal: one name and value a line, an empty line between rows."""
    for index, row in enumerate(rows):
        if index:
            yield []
        yield from _pairs(
            [(column.name, cell) for column, cell in zip(columns, row, strict=True)], width, indent
        )


# --- names, values, bars ------------------------------------------------------------------------


def _pairs(pairs: Sequence[tuple[str, Span]], width: int | None, indent: int) -> Iterator[Line]:
    names = [f"{visible(name)}:" for name, _ in pairs]
    start = max(map(display_width, names), default=0) + PAGE_GAP
    for name, (_, value) in zip(names, pairs, strict=True):
        padding = " " * (start - display_width(name))
        room = None if width is None else width - indent - start
        if room is not None and room < _NARROWEST_CELL:
            yield from _wrap([Span(f"{name} "), value], width, indent)
            continue
        pieces = [value.text] if room is None else _cut(value.text, room, room)
        yield _trimmed([Span(" " * indent), Span(f"{name}{padding}", "dim"), Span(pieces[0], value.style)])
        for piece in pieces[1:]:
            yield [Span(" " * (indent + start)), Span(piece, value.style)]


def _bars(block: Bars, width: int | None) -> Iterator[Line]:
    labels = [visible(bar.label) for bar in block.bars]
    captions = [visible(bar.caption) for bar in block.bars]
    label_width = max(map(display_width, labels), default=0)
    caption_width = max(map(display_width, captions), default=0)
    length = block.width
    if width is not None:
        room = width - block.indent - caption_width - 2 * PAGE_GAP - 2
        if block.label_width <= room - _NARROWEST_BAR:
            label_width = max(label_width, block.label_width)
        length = min(length, room - label_width)
    else:
        label_width = max(label_width, block.label_width)
    if length < _NARROWEST_BAR:
        named = [(bar.label, Span(text, bar.style)) for bar, text in zip(block.bars, captions, strict=True)]
        yield from _pairs(named, width, block.indent)
        return
    gap = " " * PAGE_GAP
    for bar, label, caption in zip(block.bars, labels, captions, strict=True):
        padding = " " * (label_width - display_width(label))
        full = _filled(bar, length)
        yield _trimmed(
            [
                Span(f"{' ' * block.indent}{label}{padding}{gap}["),
                Span("#" * full, bar.style),
                Span("." * (length - full), "dim"),
                Span(f"]{gap}{caption}"),
            ]
        )


def _filled(bar: Bar, length: int) -> int:
    """Characters of the bar: none only if the value is none, all only if it reaches the maximum."""
    if bar.value <= 0 or bar.maximum <= 0:
        return 0
    if bar.value >= bar.maximum:
        return length
    return min(max(round(length * bar.value / bar.maximum), 1), length - 1)


# --- wrapping -----------------------------------------------------------------------------------


def _wrap(spans: Sequence[Span], width: int | None, indent: int, hanging: int = _HANGING) -> Iterator[Line]:
    """One paragraph; continuation lines are indented `hanging` more."""
    if width is None:
        yield _trimmed([Span(" " * indent), *spans])
        return
    text = "".join(span.text for span in spans)
    margin, position = indent, 0
    for piece in _cut(text, width - indent, width - indent - hanging):
        start = text.index(piece, position)
        position = start + len(piece)
        yield _trimmed([Span(" " * margin), *_slice(spans, start, position)])
        margin = indent + hanging


def _cut(text: str, first: int, rest: int) -> list[str]:
    """`text` in pieces of at most `first`, then `rest` cells, cut at spaces where there are any."""
    pieces, room = [], max(1, first)
    while display_width(text) > room:
        end = fitting(text, room)
        space = text.rfind(" ", 0, end + 1)
        if space > 0 and text[:space].strip():
            end = space
        pieces.append(text[:end].rstrip())
        text = text[end:].lstrip(" ")
        room = max(1, rest)
    if text or not pieces:
        pieces.append(text)
    return pieces


def _slice(spans: Iterable[Span], start: int, end: int) -> Iterator[Span]:
    for span in spans:
        yield Span(span.text[max(start, 0) : max(end, 0)], span.style)
        start -= len(span.text)
        end -= len(span.text)


def _trimmed(line: Line) -> Line:
    """`line` without empty spans and without spaces at its end."""
    line = [span for span in line if span.text]
    while line and not line[-1].text.rstrip(" "):
        line.pop()
    if line:
        line[-1] = Span(line[-1].text.rstrip(" "), line[-1].style)
    return line
