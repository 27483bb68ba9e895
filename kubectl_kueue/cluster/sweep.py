"""Many lists of one server at a time, page by page as they come; what may not be read is told, not raised."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import NamedTuple

from kubectl_kueue.cluster.errands import AT_ONCE
from kubectl_kueue.cluster.kinds import Kind
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.errors import ApiError, KueueError

_FORBIDDEN = 403
_NOT_THERE = (404, 405)
_BROKEN = (429, 500, 502, 503, 504)
_PAGES_AHEAD = 8
_GLANCE = 0.2
"""Seconds after which a reader that cannot get rid of a page looks whether anybody waits for it."""


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
    """A list that could not be read (forbidden, not served, a server that fails); with `partly`, outside of
    `home` only."""

    kind: Kind
    error: ApiError
    partly: bool = False


_Found = Page | Refusal | KueueError | None
"""None: one list has come to its end."""


def sweep(server: Server, wanted: Sequence[Wanted]) -> Iterator[Page | Refusal]:
    """All pages of all lists, in no order. Raises KueueError for what is not about a single kind.

    The readers are daemons and watch whether somebody still takes the pages: Ctrl-C waits for no server.
    """
    found: Queue[_Found] = Queue(_PAGES_AHEAD)
    waiting, over = deque(wanted), Event()
    for _ in range(min(AT_ONCE, len(wanted))):
        Thread(target=_read_lists, args=(server, waiting, found, over), daemon=True).start()
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
        over.set()
    if failure is not None:
        raise failure


def _read_lists(server: Server, waiting: "deque[Wanted]", found: "Queue[_Found]", over: Event) -> None:
    """Read one list after the other until none is left, or nobody wants them any more."""
    while not over.is_set():
        try:
            wanted = waiting.popleft()
        except IndexError:
            return
        for item in _read(server, wanted):
            while not over.is_set():
                with suppress(Full):
                    found.put(item, timeout=_GLANCE)
                    break


def _read(server: Server, wanted: Wanted) -> "Iterator[_Found]":
    try:
        yield from _pages(server, wanted)
    except KueueError as error:
        yield error
    except BaseException as error:
        yield KueueError(f"reading {wanted.kind.resource}: {type(error).__name__}: {error}")
    yield None


def _pages(server: Server, wanted: Wanted) -> Iterator[Page | Refusal]:
    kind = wanted.kind
    labels, fields = wanted.labels, wanted.fields
    try:
        for content in server.list(kind, None, labels=labels, fields=fields):
            yield Page(kind, content)
        return
    except ApiError as error:
        if error.status not in (_FORBIDDEN, *_NOT_THERE, *_BROKEN):
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
        if error.status not in (_FORBIDDEN, *_NOT_THERE, *_BROKEN):
            raise
        yield Refusal(kind, error)
