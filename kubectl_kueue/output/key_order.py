"""The order of the keys of an object in kubectl's YAML: a9 before a10, letters after everything else."""

import re
from collections.abc import Collection

_PIECE = re.compile(r"[0-9]+|.", re.DOTALL)


def in_order(keys: Collection[str]) -> list[str]:
    """The keys in that order."""
    if "".join(keys).isalpha():  # as the fields of the API: nothing to weigh
        return sorted(keys)
    return sorted(keys, key=_weights)


_Weight = tuple[bool, int, int, str, int]


def _weights(key: str) -> list[_Weight]:
    """Letter by letter, a run of digits as the number that it is."""
    return [_weight(piece) for piece in _PIECE.findall(key)]


def _weight(piece: str) -> _Weight:
    if "0" <= piece[0] <= "9":
        number = piece.lstrip("0")  # the more digits, the larger: too many for an int of Python, maybe
        return False, ord("0"), len(number), number, len(piece)
    return piece.isalpha(), ord(piece), 0, "", 0
