"""Lines of a page on a stream: plain when piped, wrapped on a terminal, coloured where colour is wanted."""

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import TextIO

from kubectl_kueue.output.layout import Line, lay_out
from kubectl_kueue.views.page import Page, Table

NARROWEST = 40
_COLOURS: Mapping[str, str] = {
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "dim": "dim",
    "strong": "bold",
}


def write_lines(answer: Page | Table, stream: TextIO, *, wide: bool = False) -> None:
    """Render `answer`. Widths depend on a terminal only when `stream` is one."""
    terminal = stream.isatty()
    width = max(NARROWEST, shutil.get_terminal_size().columns) if terminal else None
    lines = lay_out(answer, width=width, wide=wide)
    if terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        _write_coloured(lines, stream)
    else:
        stream.writelines("".join(span.text for span in line) + "\n" for line in lines)


def _write_coloured(lines: Iterable[Line], stream: TextIO) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((span.text, _COLOURS.get(span.style, "")) for span in line)))
