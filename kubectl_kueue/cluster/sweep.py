"""Many lists of one server at a time, page by page as they come; what may not be read is told, not raised."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from typing import NamedTuple

from kubectl_kueue.cluster.kinds import Kind
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.errors import ApiError, KueueError

AT_ONCE = 6
"""Lists that are read at the same time: enough to hide the way to the server, few enough for its fairness."""

_FORBIDDEN = 403
_PAGES_AHEAD = 8


class Wanted(NamedTuple):
    """A kind to list in all namespaces; where that is forbidden and `home` is given, in that namespace."""

    kind: Kind
    home: str | None = None
    labels: str = ""
    fields: str = ""


class Page(NamedTuple):
    """One page of a list."""

    kind: Kind
    content: bytes


class Refusal(NamedTuple):
    """A list that could not be read; with `partly`, outside of `home` only."""

    kind: Kind
    error: ApiError
    partly: bool = False


def sweep(server: Server, wanted: Sequence[Wanted]) -> Iterator[Page | Refusal]:
    """All pages of all lists, in no order. Raises KueueError for what is not about a single kind."""
    found: Queue[Page | Refusal | KueueError | None] = Queue(_PAGES_AHEAD)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for each in wanted:
            pool.submit(_read, server, each, found)
        left = len(wanted)
        failure: KueueError | None = None
        try:
            while left:
                item = found.get()
                if item is None:
                    left -= 1
                elif isinstance(item, KueueError):
                    failure = failure or item
                elif failure is None:
                    yield item
        finally:
            while left:  # whoever took the pages has gone: those who wait to put more must come to their end
                left -= found.get() is None
    if failure is not None:
        raise failure


def _read(server: Server, wanted: Wanted, found: "Queue[Page | Refusal | KueueError | None]") -> None:
    try:
        for item in _pages(server, wanted):
            found.put(item)
    except KueueError as error:
        found.put(error)
    except BaseException as error:
        found.put(KueueError(f"reading {wanted.kind.resource}: {type(error).__name__}: {error}"))
    finally:
        found.put(None)


def _pages(server: Server, wanted: Wanted) -> Iterator[Page | Refusal]:
    kind = wanted.kind
    labels, fields = wanted.labels, wanted.fields
    try:
        for content in server.list(kind, None, labels=labels, fields=fields):
            yield Page(kind, content)
        return
    except ApiError as error:
        if error.status not in (_FORBIDDEN, 404, 405):
            raise
        refused = error
    if refused.status != _FORBIDDEN or wanted.home is None or not kind.namespaced:
        yield Refusal(kind, refused)
        return
    try:
        for content in server.list(kind, wanted.home, labels=labels, fields=fields):
            yield Page(kind, content)
        yield Refusal(kind, refused, partly=True)
    except ApiError as error:
        if error.status not in (_FORBIDDEN, 404, 405):
            raise
        yield Refusal(kind, error)
