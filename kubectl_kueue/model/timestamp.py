"""RFC 3339 times as whole microseconds since 1970, and back.

Ints compare exactly and fast; a microsecond is the finest step the API keeps.
"""

import re
from datetime import UTC, datetime

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.shown import shown

MILLISECOND = 1_000
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_TIME = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,20})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)", re.ASCII
)


def parse_time(text: str) -> int:
    """Microseconds since 1970-01-01T00:00:00Z. Raises InputError if the text is no RFC 3339 time."""
    value = _PARSED.get(text)
    if value is None:
        if len(_PARSED) > 100_000:
            _PARSED.clear()
        value = _PARSED[text] = _parse(text)
    return value


def check_time(text: str | None) -> None:
    """Raise InputError if there is a text and it is no RFC 3339 time."""
    if text is not None and text not in _PARSED:
        parse_time(text)


_PARSED: dict[str, int] = {}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _parse(text: str) -> int:
    try:
        if not _TIME.fullmatch(text):
            raise ValueError
        delta = datetime.fromisoformat(text) - _EPOCH
    except ValueError:
        raise InputError(f"{shown(text)} is not an RFC 3339 time (such as 2025-03-01T12:00:00Z)") from None
    return (delta.days * 86_400 + delta.seconds) * SECOND + delta.microseconds


def format_time(micros: int) -> str:
    """RFC 3339 in UTC; the fraction only if there is one. A time outside the years 1 to 9999 is clamped."""
    micros = max(_FIRST, min(_LAST, micros))
    seconds, fraction = divmod(micros, SECOND)
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").removesuffix("+00:00")
    return f"{text}.{fraction:06d}Z" if fraction else f"{text}Z"


_FIRST = _parse("0001-01-01T00:00:00Z")
_LAST = _parse("9999-12-31T23:59:59.999999Z")
