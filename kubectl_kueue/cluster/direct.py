"""GETs from one server without a proxy, by the standard library alone.

The lists of every command come this way. What it hands out looks like a pool and a response of urllib3, of
which it needs a small part; importing urllib3 takes longer than most answers.
"""

import http.client
import selectors
import socket
import ssl
import weakref
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from kubectl_kueue.cluster.alarm import Alarm
from kubectl_kueue.cluster.failures import ConnectTimeout


class Outgoing(NamedTuple):
    """A request as it leaves: `connect` and `read` are the seconds that silence may last (None: any).

    The pool gives `alarm` the socket, and tells it when that is connected.
    """

    method: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes | None
    connect: float
    read: float | None
    alarm: Alarm


class DirectPool:
    """Connections to one server; up to `most` are kept for the next request. Any thread may ask.

    `context` is None for http. `name` is whom the certificate must be of, if not the host of the address.
    """

    errors = (http.client.HTTPException, OSError, ValueError, zlib.error)

    def __init__(self, server: str, context: ssl.SSLContext | None, name: str | None, most: int) -> None:
        parts = urlsplit(server)
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if context else 80)
        self._context = context
        self._name = name
        self._most = most
        self._idle: deque[_Connection] = deque()
        weakref.finalize(self, _hang_up, self._idle)

    def send(self, request: Outgoing) -> "DirectResponse":
        """The response, its body still to be read. Raises one of `errors`."""
        connection = self._connection(request.connect, request.alarm)
        request.alarm.connected = True
        try:
            connection.sock.settimeout(request.read)
            url = request.url
            path = url[url.index("/", url.index("://") + 3) :]
            connection.putrequest(request.method, path, skip_accept_encoding=True)
            for name, value in request.headers:
                connection.putheader(name, value)
            connection.endheaders(request.body)
            return DirectResponse(connection.getresponse(), connection, self)
        except BaseException:
            connection.close()
            raise

    def keep(self, connection: "_Connection") -> None:
        """Take a connection back whose answer was read to its end."""
        self._idle.append(connection)
        if len(self._idle) > self._most:
            try:
                self._idle.popleft().close()  # the one that rests longest: its server will end it first
            except IndexError:
                return  # another thread took them all

    def clear(self) -> None:
        """Close what is kept open."""
        _hang_up(self._idle)

    def _connection(self, seconds: float, alarm: Alarm) -> "_Connection":
        while (idle := _one_of(self._idle)) is not None:
            if not _has_news(idle.sock):
                alarm.hold(idle.sock)
                return idle
            idle.close()  # the server has ended it meanwhile
        connection = _Connection(self._host, self._port, seconds, self._context, self._name)
        connection.begin(alarm)
        return connection


def _has_news(idle: Any) -> bool:
    """Whether anything, an end too, came over a connection that should be silent."""
    with _Selector() as selector:
        selector.register(idle, selectors.EVENT_READ)
        return bool(selector.select(0))


_Selector: Any = getattr(selectors, "PollSelector", selectors.DefaultSelector)
"""`select` knows no descriptor above 1023, and `epoll` costs one more."""


def _hang_up(idle: "deque[_Connection]") -> None:
    while (connection := _one_of(idle)) is not None:
        connection.close()


def _one_of(idle: "deque[_Connection]") -> "_Connection | None":
    """Taken out, or None: another thread may have been faster."""
    try:
        return idle.pop()
    except IndexError:
        return None


class _Connection(http.client.HTTPConnection):
    """One connection; `http.client` knows no other name for the certificate than the host."""

    auto_open = 0  # by itself it would connect again without TLS

    def __init__(
        self, host: str, port: int, seconds: float, context: ssl.SSLContext | None, name: str | None
    ) -> None:
        super().__init__(host, port, timeout=seconds)
        self.default_port = 443 if context else 80
        self._tls = context
        self._name = name or host

    def begin(self, alarm: Alarm) -> None:
        """Connect, the socket in the hands of `alarm`."""
        try:
            self.sock: Any = socket.create_connection((self.host, self.port), self.timeout)
        except TimeoutError as error:
            raise ConnectTimeout(str(error)) from error
        alarm.hold(self.sock)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            self.sock = self._tls.wrap_socket(self.sock, server_hostname=self._name)


class DirectResponse:
    """An answer whose body is unpacked while it is read."""

    def __init__(self, answer: http.client.HTTPResponse, connection: _Connection, pool: DirectPool) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self.chunked = answer.chunked
        self._answer = answer
        self._connection = connection
        self._pool = pool

    def stream(self, size: int, *, decode_content: bool) -> Iterator[bytes]:
        """The body in pieces. Raises one of `DirectPool.errors` if it does not come to its end."""
        packed = self.headers.get("Content-Encoding", "").strip().lower()
        pieces = self._pieces(size)
        yield from _unpacked(pieces) if decode_content and packed in ("gzip", "x-gzip") else pieces

    def _pieces(self, size: int) -> Iterator[bytes]:
        while piece := self._answer.read(size):
            yield piece
        if self._answer.length:
            raise http.client.IncompleteRead(b"", self._answer.length)

    def isclosed(self) -> bool:
        """Whether the body was read to its end."""
        return self._answer.isclosed()

    def release_conn(self) -> None:
        if self._connection.sock is not None:
            self._pool.keep(self._connection)

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What gzip members, one after the other, hold."""
    member = None
    for piece in pieces:
        while piece:
            member = member or zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
            if data := member.decompress(piece):
                yield data
            piece = member.unused_data
            if member.eof:
                member = None
    if member is not None:
        raise zlib.error("the packed body ends before its end")
