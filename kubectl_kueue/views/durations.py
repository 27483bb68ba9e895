"""How long ago: kubectl's short form of a duration, at most two units and coarser the longer it is."""

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.timestamp import SECOND, parse_time

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
YEAR = 365 * DAY


def age(timestamp: str | None, now: int) -> str:
    """The time from an RFC 3339 time to `now` (microseconds since 1970); `<unknown>` without such a time."""
    if not timestamp:
        return "<unknown>"
    try:
        return short_duration(now - parse_time(timestamp))
    except InputError:
        return "<unknown>"


def short_duration(micros: int) -> str:
    """A duration in microseconds as 119s, 9m59s, 179m, 7h59m, 47h, 7d23h, 729d, 7y364d or 8y.

    Every unit is cut off, never rounded. What begins two seconds in the future or later is `<invalid>`.
    """
    seconds = micros // SECOND if micros >= 0 else -(-micros // SECOND)
    if seconds < 0:
        return "0s" if seconds > -2 else "<invalid>"
    if seconds < 2 * MINUTE:
        return f"{seconds}s"
    if seconds < 10 * MINUTE:
        return _two(seconds, MINUTE, "m", 1, "s")
    if seconds < 3 * HOUR:
        return f"{seconds // MINUTE}m"
    if seconds < 8 * HOUR:
        return _two(seconds, HOUR, "h", MINUTE, "m")
    if seconds < 2 * DAY:
        return f"{seconds // HOUR}h"
    if seconds < 8 * DAY:
        return _two(seconds, DAY, "d", HOUR, "h")
    if seconds < 2 * YEAR:
        return f"{seconds // DAY}d"
    if seconds < 8 * YEAR:
        return _two(seconds, YEAR, "y", DAY, "d")
    return f"{seconds // YEAR}y"


def _two(seconds: int, unit: int, name: str, smaller: int, smaller_name: str) -> str:
    rest = seconds % unit // smaller
    return f"{seconds // unit}{name}{rest}{smaller_name}" if rest else f"{seconds // unit}{name}"
