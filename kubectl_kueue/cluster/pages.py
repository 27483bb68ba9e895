"""The pages of a list, whatever happens between them: no object comes twice.

A token to go on with can be too old (410). Its Status mostly carries another one, good for the rest of the
list as it is now. If not, the list begins again, and is passed over up to where it had come: a server sends
objects in the order of "namespace/name". So nothing but the last name has to be remembered.
"""

from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from kubectl_kueue.cluster.errands import Errand, Errands
from kubectl_kueue.cluster.failures import ExpiredError
from kubectl_kueue.errors import ApiError

MAX_RESTARTS = 5


def read_pages(ask: Callable[[str], bytes], *, ahead: bool = False) -> Iterator[bytes]:
    """`ask(token)` gets one page. Raises ApiError, also for a page that is no list.

    With `ahead` the next page is on its way while one is being worked on; else it is asked for when it is
    wanted.
    """
    token, last, restarts = "", "", 0
    passing = False
    seen: set[str] = set()
    errands = Errands(1)
    coming: Errand[bytes] | None = None
    while True:
        try:
            content = coming.result() if coming is not None else ask(token)
        except ExpiredError as error:
            restarts += 1
            if not token or restarts > MAX_RESTARTS or (not error.token and not last):
                raise
            passing = passing or not error.token
            token, coming = error.token, None
            seen.clear()
            continue
        page = _decode(content)
        token = page.metadata.token
        if token in seen:
            raise ApiError("the server's list has no end: it repeats the token of an earlier page")
        seen.add(token)
        coming = errands.begin(partial(ask, token)) if ahead and token else None
        entries = page.entries
        if passing:
            entries = [entry for entry in entries if _key(entry) > last]
            passing = not entries
            content = _with_entries(content, page, entries)
        if entries or not last:
            last = _key(entries[-1]) if entries else ""
            yield content
        if not token:
            return


def count_items(content: bytes) -> int:
    """How many objects or rows a page has."""
    return len(_decode(content).entries)


def check_json(content: bytes) -> bytes:
    """The content, if it is a JSON object. Raises ApiError."""
    try:
        _ENTRY.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ApiError(f"the server's answer is not JSON of an object: {error}") from None
    return content


# --- a page, read no further than needed --------------------------------------------------------


class _ListMetadata(msgspec.Struct):
    token: str = msgspec.field(name="continue", default="")


class _Page(msgspec.Struct):
    metadata: _ListMetadata = msgspec.field(default_factory=_ListMetadata)
    items: list[msgspec.Raw] | None = None
    rows: list[msgspec.Raw] | None = None

    @property
    def entries(self) -> list[msgspec.Raw]:
        return self.items or self.rows or []


class _Metadata(msgspec.Struct):
    name: str = ""
    namespace: str = ""


class _Object(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


class _Entry(msgspec.Struct):
    """An object, or a row of a Table around one."""

    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    object: _Object | None = None


_PAGE = msgspec.json.Decoder(_Page)
_ENTRY = msgspec.json.Decoder(_Entry)


def _decode(content: bytes) -> _Page:
    try:
        return _PAGE.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ApiError(f"the server's answer is not a list that can be read: {error}") from None


def _key(entry: msgspec.Raw) -> str:
    try:
        found = _ENTRY.decode(entry)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ApiError(f"the server's answer has an object that cannot be read: {error}") from None
    metadata = found.object.metadata if found.object else found.metadata
    return f"{metadata.namespace}/{metadata.name}"


def _with_entries(content: bytes, page: _Page, entries: list[msgspec.Raw]) -> bytes:
    if len(entries) == len(page.entries):
        return content
    fields = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    fields["items" if page.items else "rows"] = msgspec.Raw(msgspec.json.encode(entries))
    return msgspec.json.encode(fields)
