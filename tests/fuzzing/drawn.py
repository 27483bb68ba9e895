"""Bytes as choices: what a fuzzer makes up decides which object is taken and what in it is spoilt.

A byte more or less in a JSON text mostly makes a text that is no JSON; here every input makes a world.
"""

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any, TypeVar

Choice = TypeVar("Choice")

SCALARS: Sequence[Any] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 2**70),
    *(1.5, -0.0, 1e308, float("inf"), float("nan")),
    *("", "0", "1", "-1", "4", "10Gi", "1e999999", "1e-999999", "9" * 30, "0.0000000001", str(-(2**63))),
    *("x", "q", "a/b", "a~b", "\x1b[2J\u202e", "\ud800", "kueue.x-k8s.io/queue-name", "default", "k" * 300),
    *("2026-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "300s"),
    *("Any", "Never", "LowerPriority", "StrictFIFO", "True"),
    *([], {}, [None], [[]], [{}], {"": None}, {"name": "x"}, {"a": "b"}),
    [{"name": "cpu", "nominalQuota": 1}],
)


class Drawn(Random):
    """Random numbers that are read from bytes; when these are used up, every one is 0."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._bytes = iter(data)

    def getrandbits(self, k: int, /) -> int:
        value = 0
        for _ in range((k + 7) // 8):
            value = value << 8 | next(self._bytes, 0)
        return value & ((1 << k) - 1)

    def random(self) -> float:
        return next(self._bytes, 0) / 256

    def _randbelow(self, n: int) -> int:  # of Random: its own tries again until a number fits
        return self.getrandbits(max(n - 1, 1).bit_length() + 3) % n if n else 0

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        return choices[self._randbelow(len(choices))]

    def left(self) -> str:
        """The rest, as text."""
        return bytes(self._bytes).decode(errors="surrogateescape")


def spoilt(value: Any, drawn: Drawn, times: int) -> Any:
    """A copy of a JSON value with something else at some of its places, or with places moved."""
    value = deepcopy(value)
    for _ in range(times):
        places = _places(value)
        if not places:
            break
        holder, key = drawn.one_of(places)
        match drawn._randbelow(8):
            case 0:
                del holder[key]
            case 1:
                other_holder, other_key = drawn.one_of(places)
                holder[key] = deepcopy(other_holder[other_key])
            case 2 if isinstance(holder, dict):
                holder[str(drawn.one_of(SCALARS))] = holder.pop(key)
            case 3 if isinstance(holder, list):
                holder.append(deepcopy(holder[key]))
            case _:
                holder[key] = deepcopy(drawn.one_of(SCALARS))
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every holder and key in a value."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            members = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
            found += [(holder, key) for key, _ in members]
            waiting += [member for _, member in members]
    return found
