"""At which moment was the data read? No clock: the documents say it, or the caller does."""

import re

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.documents import Parcel, document_place
from kubectl_kueue.model.timestamp import format_time, parse_time

# Times that a server or a controller wrote down when something had happened: never in the future.
_PAST = re.compile(
    rb'"(?:creationTimestamp|lastTransitionTime|lastHeartbeatTime|time)"\s*:\s*"([0-9TZ:.+-]{20,40})"'
)


def find_moment(parcels: list[Parcel], given: int | None, notes: list[str]) -> int:
    """Microseconds since 1970: what a document says, else `given`, else the newest time of any object.

    The last is a guess and said in `notes`. Without any time at all it is 1970-01-01: nothing has an age.
    """
    said = [time for parcel in parcels if (time := _said(parcel)) is not None]
    if said:
        return max(said)
    if given is not None:
        return given
    texts = {text for parcel in parcels for text in _PAST.findall(parcel.document.content)}
    times = [time for text in texts if (time := _time_or_none(text.decode())) is not None]
    newest = max(times, default=0)
    origin = "the newest time in the objects" if times else "for there is no time in the objects"
    notes.append(f"the data is taken to be of {format_time(newest)}, {origin}")
    return newest


def _said(parcel: Parcel) -> int | None:
    text = parcel.head.now if parcel.head is not None else None
    text = text or parcel.document.now
    try:
        return None if text is None else parse_time(text)
    except InputError as error:
        raise InputError(f"{document_place(parcel.document)}: now: {error}") from None


def _time_or_none(text: str) -> int | None:
    try:
        return parse_time(text)
    except InputError:
        return None
