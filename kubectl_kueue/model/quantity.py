"""Exact arithmetic on Kubernetes quantities: how much is asked, how much there is.

A quantity is parsed to whole nano-units (1e-9, the finest step Kubernetes keeps), so nothing is ever
a float. Amounts of the engine are plain ints in canonical units: milli-CPU for `cpu`, whole units
(bytes, devices, pods) for everything else. Implements scheduling.md 1.1 and 5.10.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.shown import shown

MAX_INT64 = 2**63 - 1
MIN_INT64 = -(2**63)
UNLIMITED = MAX_INT64
NANO = 10**9

_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
# White space around a quantity is dropped, as the API server does.
_SYNTAX = re.compile(
    r"\s*([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d+))?\s*", re.ASCII
)
# Beyond this exponent every non-zero quantity is out of int64 (or below a nano) whatever its digits.
_MAX_EXPONENT = 2000
_MAX_DIGITS = 1000


def nanos(text: str | int | float) -> int:
    """The quantity in whole nano-units, rounded away from zero. Raises InputError if it is none."""
    if type(text) is int:
        return text * NANO
    if isinstance(text, str):
        value = _NANOS.get(text)
        if value is None:
            if len(_NANOS) > 100_000:
                _NANOS.clear()
            value = _NANOS[text] = _parse(text)
        return value
    return _parse(repr(text))


_NANOS: dict[str | int | float, int] = {}


def check_quantity(text: str | int | float | None) -> None:
    """Raise InputError if there is a text and it is no quantity."""
    if text is not None and text not in _NANOS:
        nanos(text)


def check_quantities(texts: Iterable[str | int | float]) -> None:
    """Raise InputError at the first text that is no quantity."""
    for text in texts:
        if text not in _NANOS:
            nanos(text)


def _parse(text: str) -> int:
    match = _SYNTAX.fullmatch(text) if len(text) <= _MAX_DIGITS else None
    if not match:
        raise InputError(f"{shown(text)} is not a Kubernetes quantity (such as 500m, 2, 1.5Gi or 1e3)")
    sign, whole, part, bare_part, suffix, exponent = match.groups(default="")
    part = part or bare_part
    number = int(whole + part)
    if suffix in _BINARY:
        scaled = Fraction(number * _BINARY[suffix] * NANO, 10 ** len(part))
    else:
        power = int(exponent) if exponent else _DECIMAL[suffix]
        power = max(-_MAX_EXPONENT, min(_MAX_EXPONENT, power)) - len(part)
        scaled = Fraction(number * NANO) * Fraction(10) ** power
    value = -(-scaled.numerator // scaled.denominator)
    return -value if sign == "-" else value


def to_int(resource: str, nano: int) -> int:
    """Nano-units to the canonical int of the resource: rounded up, clamped to int64 (spec 1.1)."""
    value = -(-nano // 1_000_000) if resource == "cpu" else -(-nano // NANO)
    return max(MIN_INT64, min(MAX_INT64, value))


def request(resource: str, text: str | int | float) -> int:
    """A request as written, in canonical units (milli-CPU or whole units)."""
    return to_int(resource, nanos(text))


def quota(resource: str, text: str | int | float) -> int:
    """A quota as written, in canonical units; a too large one is UNLIMITED (spec 1.1)."""
    nano = nanos(text)
    if resource == "cpu" and nano >= (MAX_INT64 // 1000) * NANO:
        return UNLIMITED
    return to_int(resource, nano)


class Saturating(int):
    """An amount near the edge of int64: sums saturate, UNLIMITED absorbs (spec 1.1).

    The engine's arithmetic is written once, on ints. A world whose amounts stay far below int64
    computes with plain ints; one that does not has its amounts loaded as Saturating, and every
    `a + b` and `a - b` of the same source then follows Kueue's rules.
    """

    __slots__ = ()

    def __add__(self, other: int) -> "Saturating":
        return _saturating_sum(int(self), int(other))

    __radd__ = __add__

    def __sub__(self, other: int) -> "Saturating":
        return _saturating_difference(int(self), int(other))

    def __rsub__(self, other: int) -> "Saturating":
        return _saturating_difference(int(other), int(self))

    def __mul__(self, other: int) -> "Saturating":
        return Saturating(max(MIN_INT64, min(MAX_INT64, int(self) * int(other))))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> "Saturating":
        return Saturating(int(self) // int(other))


def _saturating_sum(a: int, b: int) -> Saturating:
    if UNLIMITED in (a, b):
        return Saturating(UNLIMITED)
    return Saturating(max(MIN_INT64, min(MAX_INT64, a + b)))


def _saturating_difference(a: int, b: int) -> Saturating:
    if a == UNLIMITED:
        return Saturating(0 if b == UNLIMITED else UNLIMITED)
    if b == UNLIMITED:
        return Saturating(MIN_INT64)
    return Saturating(max(MIN_INT64, min(MAX_INT64, a - b)))


def format_amount(resource: str, value: int) -> str:
    """An amount of quota, usage or capacity as Kubernetes prints it; `<unlimited>` if it is that."""
    return "<unlimited>" if value == UNLIMITED else format_request(resource, value)


def format_request(resource: str, value: int) -> str:
    """A request (canonical units) as a canonical Kubernetes quantity (spec 5.10)."""
    if value == 0:
        return "0"
    if resource == "cpu":
        return _decimal(value, milli=True)
    if value % 1024 == 0 and is_binary(resource):
        return _largest(value, _BINARY_STEPS)
    return _decimal(value, milli=False)


def is_binary(resource: str) -> bool:
    """Whether the resource is counted in bytes and printed with Ki, Mi, Gi."""
    return resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")


_BINARY_STEPS = [(unit, name) for name, unit in reversed(_BINARY.items())]
_DECIMAL_STEPS = [(10**e, n) for n, e in reversed(_DECIMAL.items()) if e > 0]


def _decimal(value: int, *, milli: bool) -> str:
    if milli and value % 1000:
        return f"{value}m"
    return _largest(value // 1000 if milli else value, _DECIMAL_STEPS)


def _largest(value: int, steps: list[tuple[int, str]]) -> str:
    for unit, name in steps:
        if value % unit == 0:
            return f"{value // unit}{name}"
    return str(value)
