"""Values of flags that hold several things: lists (`a,b`) and maps (`key=value,key=value`).

A value is one line of CSV, as in kueuectl: an element that holds a comma stands in double quotes.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kubectl_kueue.errors import UsageError


def read_list(flag: str, values: Iterable[str]) -> list[str]:
    """The elements of all values of a repeated flag; an empty value has none. Raises UsageError."""
    return [element for value in values if value for element in _elements(flag, value)]


def read_map(flag: str, values: Iterable[str]) -> Mapping[str, str]:
    """The pairs of all values of a repeated flag; a later one with the same key wins. Raises UsageError."""
    return dict(pair for value in values for pair in _pairs(flag, value))


def _pairs(flag: str, value: str) -> Iterator[tuple[str, str]]:
    # A lone pair may hold commas: a=b,c is the value "b,c".
    pieces = [value.strip('"')] if value.count("=") == 1 else _elements(flag, value) or [""]
    for piece in pieces:
        key, equals, text = piece.partition("=")
        if not equals:
            raise _invalid(flag, value, f"{piece} must be formatted as key=value")
        yield key, text


def _elements(flag: str, value: str) -> Sequence[str]:
    try:
        rows = list(csv.reader([value], strict=True))
    except csv.Error as error:
        raise _invalid(flag, value, str(error)) from None
    return rows[0] if rows else []


def _invalid(flag: str, value: str, reason: str) -> UsageError:
    return UsageError(f'invalid argument "{value}" for "{flag}" flag: {reason}')
