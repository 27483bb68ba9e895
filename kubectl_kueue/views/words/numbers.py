"""Amounts, times, places and lists as people write them."""

from collections.abc import Iterable, Sequence

from kubectl_kueue.model.quantity import format_amount, format_request
from kubectl_kueue.model.timestamp import DAY, HOUR, MINUTE, SECOND, format_time


def quantity(resource: str, value: int) -> str:
    """An amount (canonical units) without its resource: 500m, 2Gi, unlimited."""
    return format_amount(resource, value).strip("<>")


def amount(resource: str, value: int) -> str:
    """An amount with its resource: "2 cpu", "4Gi memory", "8 nvidia.com/gpu"."""
    return f"{quantity(resource, value)} {resource}"


def requested(resource: str, value: int) -> str:
    """What is asked for, without its resource: a plain number however large, never unlimited."""
    return format_request(resource, value)


def age(now: int, then: int) -> str:
    """How long ago, in at most two units: 45s, 13m, 3h20m, 2d."""
    passed = max(0, now - then)
    if passed < 2 * MINUTE:
        return f"{passed // SECOND}s"
    if passed < 3 * HOUR:
        return f"{passed // MINUTE}m"
    if passed < DAY:
        hours, minutes = passed // HOUR, passed % HOUR // MINUTE
        return f"{hours}h{minutes}m" if minutes else f"{hours}h"
    return f"{passed // DAY}d"


def clock(now: int, at: int) -> str:
    """A moment in UTC: 10:02 on the day of the data, with the date on any other; with seconds, 10:02:05,
    near the time of the data."""
    text = format_time(at)
    date, time = text[:10], text[11:19] if abs(at - now) <= 2 * MINUTE else text[11:16]
    return time if date == format_time(now)[:10] else f"{date} {time}"


def ordinal(place: int) -> str:
    """A 0-based place as people count: 1st, 2nd, 11th."""
    number = place + 1
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def joined(parts: Iterable[str], *, last: str = "and") -> str:
    """One, two or more: "a", "a and b", "a, b and c"."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def several(items: Sequence[str], most: int = 3) -> str:
    """The first few, and how many more there are."""
    if len(items) <= most + 1:
        return joined(items)
    return f"{', '.join(items[:most])} and {len(items) - most} more"


def count(number: int, noun: str) -> str:
    """ "1 pod", "2 pods", "4 ClusterQueues"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def verb(number: int, does: str) -> str:
    """What so many do: one "waits", two "wait"; "has" and "have", "is" and "are"."""
    if number == 1:
        return {"have": "has", "be": "is"}.get(does, does + "s")
    return {"be": "are"}.get(does, does)
