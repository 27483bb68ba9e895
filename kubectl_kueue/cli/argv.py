"""Command lines as kubectl's parser takes them, for Typer's, which knows fewer forms."""

import re
from collections.abc import Sequence

from kubectl_kueue.errors import UsageError

_BOOLEANS = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}
_SHORT_WITH_EQUALS = re.compile(r"(-[A-Za-z])=(.*)", re.DOTALL)


def for_typer(arguments: Sequence[str]) -> list[str]:
    """`-o=json` becomes `-o json`; what follows `--` stays as it is."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words: list[str] = []
    for argument in arguments[:end]:
        match = _SHORT_WITH_EQUALS.fullmatch(argument)
        words += match.groups() if match else [argument]
    return [*words, *arguments[end:]]


def read_bool(flag: str, text: str, value: str | None = None) -> bool:
    """A switch's value as Go's parser takes it; `text` is one of a comma list, `value`. Raises UsageError."""
    if text not in _BOOLEANS:
        given = text if value is None else value
        raise UsageError(
            f'invalid argument "{given}" for "{flag}" flag: '
            f'strconv.ParseBool: parsing "{text}": invalid syntax'
        )
    return _BOOLEANS[text]
