"""What happened to an object: core/v1 Events, also those that Kueue sends through events.k8s.io."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.views.durations import short_duration


class Happening(NamedTuple):
    """One event. `age` is that of its last time; `first` and `times` are there if it was repeated.

    Ages are in words, `at` orders: the last time in microseconds since 1970, 0 if it has none.
    """

    type: str
    reason: str
    age: str
    first: str
    times: int
    sender: str
    message: str
    at: int


def happenings(events: Iterable[Mapping[str, Any]], about: Mapping[str, Any], now: int) -> list[Happening]:
    """Those of `events` that are about the object, as kubectl orders them: by lastTimestamp, which Kueue
    leaves out, so mostly as they come.
    """
    meta = about.get("metadata") or {}
    mine = [event for event in events if _is_about(event, about.get("kind"), meta)]
    mine.sort(key=lambda event: _time(event.get("lastTimestamp")))
    return [_happening(event, now) for event in mine]


def event_cells(event: Happening) -> tuple[str, str, str, str, str]:
    """Type, reason, age, sender and message, as kubectl words them."""
    repeated = f"{event.age} (x{event.times} over {event.first})" if event.times > 1 else event.age
    return event.type, event.reason, repeated, event.sender, event.message


def _is_about(event: Mapping[str, Any], kind: Any, meta: Mapping[str, Any]) -> bool:
    target = event.get("involvedObject") or event.get("regarding") or {}
    if target.get("kind") != kind or target.get("name") != meta.get("name"):
        return False
    if (target.get("namespace") or "") != (meta.get("namespace") or ""):
        return False
    uids = target.get("uid"), meta.get("uid")
    return not all(uids) or uids[0] == uids[1]


def _happening(event: Mapping[str, Any], now: int) -> Happening:
    series = event.get("series") or {}
    began = _time(event.get("eventTime")) or _time(event.get("firstTimestamp"))
    count = series.get("count") or event.get("count") or 1
    last = _time(series.get("lastObservedTime")) or (
        _time(event.get("lastTimestamp")) if count > 1 else began
    )
    source = event.get("source") or {}
    sender = source.get("component") or event.get("reportingComponent") or event.get("reportingController")
    return Happening(
        type=str(event.get("type") or ""),
        reason=str(event.get("reason") or ""),
        age=_age(now, last),
        first=_age(now, began),
        times=count if isinstance(count, int) else 1,
        sender=str(sender or ""),
        message=str(event.get("message") or event.get("note") or "").strip(),
        at=last,
    )


def _age(now: int, then: int) -> str:
    return short_duration(now - then) if then else "<unknown>"


def _time(text: Any) -> int:
    """Microseconds since 1970; 0 for what is no time."""
    try:
        return parse_time(text) if isinstance(text, str) else 0
    except InputError:
        return 0
