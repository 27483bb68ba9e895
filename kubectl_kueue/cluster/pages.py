"""The pages of a list, whatever happens between them: no object comes twice.

A token to go on with can be too old (410). Its Status mostly carries another one, good for the rest of the
list as it is now. If not, the list begins again, and is passed over up to where it had come: a server sends
objects in the order of "namespace/name". So nothing but the last name has to be remembered.
"""

from collections.abc import Callable, Iterator
from threading import Thread

import msgspec

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
    coming: _Coming | None = None
    while True:
        try:
            content = coming.content() if coming is not None else ask(token)
        except ExpiredError as error:
            restarts += 1
            if not token or restarts > MAX_RESTARTS or (not error.token and not last):
                raise
            passing = passing or not error.token
            token, coming = error.token, None
            continue
        page = _decode(content)
        token = page.metadata.token
        coming = _Coming(ask, token) if ahead and token else None
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


class _Coming:
    """A page that is being read meanwhile; the thread is a daemon, for nobody may want it any more."""

    def __init__(self, ask: Callable[[str], bytes], token: str) -> None:
        self._content = b""
        self._error: BaseException | None = None
        self._thread = Thread(target=self._read, args=(ask, token), daemon=True)
        self._thread.start()

    def _read(self, ask: Callable[[str], bytes], token: str) -> None:
        try:
            self._content = ask(token)
        except BaseException as error:
            self._error = error

    def content(self) -> bytes:
        """The page, when it is there. Raises what asking for it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._content


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
