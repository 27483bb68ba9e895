"""Go's duration texts (1h30m, 500ms) as seconds."""

import re

from kubectl_kueue.errors import InputError

_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)", re.ASCII)


def seconds(text: str | int | float) -> float:
    """Seconds of a duration; a bare number counts nanoseconds, as Go encodes it. Raises InputError."""
    if isinstance(text, int | float):
        return text * 1e-9
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return 0.0
    total, at = 0.0, 0
    while (part := _PART.match(rest, at)) is not None:
        total += float(part[1]) * _UNITS[part[2]]
        at = part.end()
    if not rest or at < len(rest) or total * 1e9 >= 2**63:
        raise InputError(f"{text[:80]!r} is not a duration (such as 5m, 1h30m or 500ms)")
    return sign * total
