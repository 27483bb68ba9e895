"""Tables as kubectl prints them: left-aligned, three spaces apart, the last cell of a line not padded.

Widths are counted in code points over all lines, and a line is never wrapped or cut to the terminal.
"""

import re
from collections.abc import Iterator, Sequence

from kubectl_kueue.output.text import visible
from kubectl_kueue.views.page import Listing

NARROWEST = 6
GAP = 3
_END_OF_LINE = re.compile(r"[\n\r\f]")


def listing_lines(listing: Listing, *, wide: bool = False, header: bool = True) -> Iterator[str]:
    """The lines of a listing, each with its line feed; none if it has no rows."""
    if not listing.rows:
        return
    shown = [index for index, column in enumerate(listing.columns) if wide or not column.wide]
    lines = [[_cell(row[index]) for index in shown] for row in listing.rows]
    if header and listing.header:
        lines.insert(0, [visible(listing.columns[index].name).upper() for index in shown])
    yield from aligned(lines)


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of cells under each other; every line has the same number of cells (none: an empty line)."""
    widths = [max(NARROWEST, max(map(len, cells)) + GAP) for cells in zip(*lines, strict=True)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line[:-1], widths, strict=False)]
        yield "".join(cells) + "".join(line[-1:]) + "\n"


def shown_escape(text: str) -> str:
    """`text` on one line with nothing hidden in it; an escape character is shown as kubectl shows it."""
    return visible(text.replace("\x1b", "^["))


def _cell(value: str | int | None) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    first, *rest = _END_OF_LINE.split(value, maxsplit=1)
    return shown_escape(first) + ("..." if rest else "")
