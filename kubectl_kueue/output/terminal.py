"""Lines of a page on a stream: plain when piped, wrapped on a terminal, coloured where colour is wanted."""

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TextIO

from kubectl_kueue.output.layout import Line, lay_out
from kubectl_kueue.output.listing import listing_lines
from kubectl_kueue.output.text import visible_lines
from kubectl_kueue.views.page import Listing, Page, Table

if TYPE_CHECKING:
    from rich.text import Text as RichText

NARROWEST = 40
_COLOURS: Mapping[str, str] = {
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "dim": "dim",
    "strong": "bold",
}


def write_lines(
    answer: Page | Table | Listing, stream: TextIO, *, wide: bool = False, header: bool = True
) -> None:
    """Render `answer`. Widths depend on a terminal only when `stream` is one, those of a Listing never.

    `header` False leaves out the column names of an answer that is a table and nothing else.
    """
    if isinstance(answer, Listing):
        stream.writelines(listing_lines(answer, wide=wide, header=header))
        return
    if isinstance(answer, Table) and not header:
        answer = answer._replace(header=False)
    terminal = stream.isatty()
    width = max(NARROWEST, shutil.get_terminal_size().columns) if terminal else None
    lines = lay_out(answer, width=width, wide=wide)
    if terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        _write_coloured(lines, stream)
    else:
        stream.writelines("".join(span.text for span in line) + "\n" for line in lines)


def write_untrusted(text: str, stream: TextIO) -> None:
    """Write text that a template made of a cluster's data: every byte of it to a pipe or a file, and with
    control characters made visible to a terminal."""
    stream.write(visible_lines(text) if stream.isatty() else text)


def _write_coloured(lines: Iterable[Line], stream: TextIO) -> None:
    from rich.console import Console

    console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(rich_text(line))


def rich_text(line: Line) -> "RichText":
    """A line in the colours of its meanings."""
    from rich.text import Text

    return Text.assemble(*((span.text, _COLOURS.get(span.style, "")) for span in line))
