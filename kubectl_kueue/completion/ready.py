"""Answers that are ready: what Typer would print for --help and for the own version, without loading it.

Help only for the width that nearly every terminal and every pipe gets, and for a command line that asks for
nothing else.
"""

import os
import sys

# Whoever asks for help waits for the imports: typing is not needed to run this.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "kubectl kueue"
"""As which the answers were made."""

WIDTH = 80
_FLAGS = ("-h", "--help")


def ready_answer(words: "Sequence[str]", program: str) -> str | None:
    """What these words of a command line print, None if that has to be made."""
    if not words or program != PROGRAM:
        return None
    if words[-1] in _FLAGS:
        return _page(words[:-1]) if _usual_width() else None
    if words[-1] not in ("--client", "--version"):
        return None
    from kubectl_kueue.completion.pages import VERSIONS

    return VERSIONS.get(" ".join(words))


def _page(words: "Sequence[str]") -> str | None:
    from kubectl_kueue.completion.pages import GLOBAL_FLAGS, PAGES

    page = PAGES.get(" ".join(_named(words)))
    return page + GLOBAL_FLAGS if page is not None else None


def _named(words: "Sequence[str]") -> "Sequence[str]":
    """The words with the second one, if it is any word for a kind, as its command is called."""
    if len(words) != 2:
        return words
    from kubectl_kueue.completion.words import KINDS, ROOT

    verb, kind = words
    below = ROOT.below[verb].below if verb in ROOT.below else {}
    for _, known in KINDS.values():
        if kind.lower() in known:
            return verb, next((word for word in known if word in below), kind)
    return words


def _usual_width() -> bool:
    columns = _columns()
    return columns <= 0 or columns >= WIDTH


def _columns() -> int:
    """As shutil.get_terminal_size finds them, which costs an import; 0: nobody knows, so there are 80."""
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns > 0 or sys.__stdout__ is None:
        return columns
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns
    except (OSError, ValueError):
        return 0
