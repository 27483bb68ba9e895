"""Command lines as kubectl's parser takes them, for Typer's, which knows fewer forms."""

import re
from collections.abc import Sequence

_SHORT_WITH_EQUALS = re.compile(r"(-[A-Za-z])=(.*)", re.DOTALL)


def for_typer(arguments: Sequence[str]) -> list[str]:
    """`-o=json` becomes `-o json`; what follows `--` stays as it is."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words: list[str] = []
    for argument in arguments[:end]:
        match = _SHORT_WITH_EQUALS.fullmatch(argument)
        words += match.groups() if match else [argument]
    return [*words, *arguments[end:]]
