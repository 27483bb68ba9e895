"""How Kubernetes writes a quantity that somebody wrote otherwise: 1000m is 1, 0.5 is 500m, 1024Mi is 1Gi."""

import re

from kubectl_kueue.model.quantity import MAX_INT64, NANO, nanos

_POWERS = range(18, -10, -3)
_SUFFIXES = {18: "E", 15: "P", 12: "T", 9: "G", 6: "M", 3: "k", 0: "", -3: "m", -6: "u", -9: "n"}
_BINARY = ((60, "Ei"), (50, "Pi"), (40, "Ti"), (30, "Gi"), (20, "Mi"), (10, "Ki"))
_EXPONENT = re.compile(r"[eE][-+]?[0-9]+\s*$")


def canonical_quantity(text: str) -> str:
    """The quantity in the form in which the API server stores it: the notation (binary, decimal, exponent)
    is kept, the largest unit that leaves a whole number is taken. Raises InputError if it is none.
    """
    value = max(-MAX_INT64 * NANO, min(MAX_INT64 * NANO, nanos(text)))
    if value == 0:
        return "0"
    # A fraction of a byte has no binary form: 1.6Gi is stored as 1717986918400m.
    if text.rstrip().endswith("i") and abs(value) >= 1024 * NANO and value % NANO == 0:
        return _binary(value // NANO)
    power = next(power for power in _POWERS if value % 10 ** (power + 9) == 0)
    number = value // 10 ** (power + 9)
    if _EXPONENT.search(text):
        return f"{number}e{power}" if power else str(number)
    return f"{number}{_SUFFIXES[power]}"


def is_zero(text: str) -> bool:
    """Whether the quantity is nothing."""
    return nanos(text) == 0


def _binary(whole: int) -> str:
    for power, suffix in _BINARY:
        if whole % 2**power == 0:
            return f"{whole >> power}{suffix}"
    return str(whole)
