"""The order of the keys of an object in kubectl's YAML: a9 before a10, letters after everything else."""

from collections.abc import Iterable
from functools import cmp_to_key
from itertools import takewhile


def in_order(keys: Iterable[str]) -> list[str]:
    """The keys in that order."""
    return sorted(keys, key=cmp_to_key(_compare))


def _compare(left: str, right: str) -> int:
    for position, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return _compare_from(position, left, right)
    return len(left) - len(right)


def _compare_from(position: int, left: str, right: str) -> int:
    """Two keys that are equal up to `position`."""
    one, other = left[position], right[position]
    if one.isalpha() and other.isalpha():
        return ord(one) - ord(other)
    if one.isalpha() or other.isalpha():
        return 1 if one.isalpha() else -1
    # The equal digits before are part of both numbers. They matter only to a zero that follows them.
    before = _digits(left[:position][::-1])
    lead = "1" if "0" in (one, other) and before.strip("0") else ""
    first, second = _digits(left[position:]), _digits(right[position:])
    numbers = int(lead + first or "0"), int(lead + second or "0")
    if numbers[0] != numbers[1]:
        return -1 if numbers[0] < numbers[1] else 1
    return len(first) - len(second) or ord(one) - ord(other)


def _digits(text: str) -> str:
    return "".join(takewhile(str.isdecimal, text))
