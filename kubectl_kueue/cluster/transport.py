"""HTTP with one API server: requests out, bytes in; every failure is an ApiError of one line.

The connections (TLS, proxies, libraries) are those of cluster/pools.py.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from kubectl_kueue import __version__
from kubectl_kueue.cluster import failures
from kubectl_kueue.cluster.alarm import Alarm
from kubectl_kueue.cluster.connection import Connection, parse_timeout
from kubectl_kueue.cluster.credentials import Credentials
from kubectl_kueue.cluster.direct import Outgoing
from kubectl_kueue.cluster.kubeconfig import Login
from kubectl_kueue.cluster.pools import check_files, library_pool, plain_pool
from kubectl_kueue.errors import ApiError, ConfigError

JSON = "application/json"
CONNECT_SECONDS = 30.0
SILENCE_SECONDS = 120.0
"""How long a server may say nothing, or take to say how it answers, when there is no --request-timeout
(watches: for ever)."""
MAX_RETRIES = 3
MAX_WAIT = 30.0
"""Seconds spent on waiting for one answer as 429 and 503 ask for."""

Query = Iterable[tuple[str, str]]


class Call(NamedTuple):
    """One request. `what` ("workloads.kueue.x-k8s.io job-1") stands in messages that we make."""

    method: str
    path: str
    query: Query = ()
    accept: str = JSON
    body: bytes | None = None
    content_type: str = JSON
    what: str = ""
    endless: bool = False


class Transport:
    """Requests to the server of a login. `warn` gets each text of a Warning header once."""

    def __init__(self, connection: Connection, login: Login, warn: Callable[[str], None]) -> None:
        self.login = login
        self._warn = warn
        self._timeout = parse_timeout(connection.request_timeout)
        self._packed = not (connection.disable_compression or login.cluster.get("disable-compression"))
        self._credentials = Credentials(login)
        self._impersonation = _impersonation(login)
        self._warned: set[str] = set()
        self._lock = threading.Lock()
        self._pools: dict[bool, Any] = {}

    def read(self, call: Call) -> bytes:
        """The whole body of a good answer."""
        response = self.open(call)
        try:
            return b"".join(response.chunks())
        finally:
            response.close()

    def open(self, call: Call) -> "Response":
        """A good answer whose body is still to be read. Raises ApiError, ConfigError."""
        self._connect(call)  # what loading the library and plugins take is not the server's time
        deadline = _Deadline(self._timeout)
        refreshed = dropped = False
        retries, waited = 0, 0.0
        while True:
            try:
                response = self._send(call, deadline, authorization := self._credentials.authorization())
            except _CutError as error:
                if dropped or call.method != "GET":
                    raise ApiError(str(error)) from None
                dropped = True
                continue
            self._pass_warnings(response)
            if 200 <= response.status < 300:
                return response
            if response.status == 401 and not refreshed and self._refresh(authorization):
                response.close()
                refreshed = True
                continue
            wait = _wait_asked(response, call.method)
            if (
                wait is not None
                and retries < MAX_RETRIES
                and waited + wait <= MAX_WAIT
                and deadline.leaves(wait)
            ):
                response.close()
                time.sleep(wait)
                retries, waited = retries + 1, waited + wait
                continue
            raise _refusal(call, response)

    def url(self, call: Call) -> str:
        """As it is shown in messages: without the query, without a password."""
        parts = urlsplit(self.login.server)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}{call.path}"

    def _send(self, call: Call, deadline: "_Deadline", authorization: str) -> "Response":
        pool = self._connect(call)
        query = urlencode(list(call.query), quote_via=quote)
        request = Outgoing(
            call.method,
            self.login.server + call.path + (f"?{query}" if query else ""),
            self._headers(call, authorization),
            call.body,
            connect=min(CONNECT_SECONDS, deadline.left() or CONNECT_SECONDS),
            read=deadline.left() or (None if call.endless else SILENCE_SECONDS),
            alarm=Alarm(deadline.left() or (None if call.endless else SILENCE_SECONDS)),
        )
        title = f'{call.method.capitalize()} "{self.url(call)}"'
        try:
            raw = pool.send(request)
            if request.alarm.late:
                raise TimeoutError  # half a head can look like a whole one
        except pool.errors as error:
            request.alarm.cancel()
            raise self._failure(error, request, deadline, title) from None
        if not deadline.seconds:
            request.alarm.cancel()
        unsure = "" if call.method == "GET" else _UNSURE
        return Response(raw, pool.errors, title, deadline, request.alarm, unsure)

    def _failure(self, error: Exception, request: Outgoing, deadline: "_Deadline", title: str) -> Exception:
        """What is to be raised when no answer began."""
        alarm = request.alarm
        unsure = _UNSURE if request.method != "GET" and alarm.connected else ""
        if alarm.late or failures.is_late(error):
            if alarm.late or alarm.connected or request.connect < CONNECT_SECONDS:
                return ApiError(f"{title}: {failures.late(deadline.seconds or SILENCE_SECONDS)}{unsure}")
            return ApiError(f"{title}: {failures.unfinished(CONNECT_SECONDS)}")
        cause = failures.cause(error, self.login.server)
        if failures.is_cut(error):
            return _CutError(f"{title}: {cause}{unsure}")
        return ApiError(f"{title}: {cause}{'' if self.login.found else _NO_KUBECONFIG}")

    def _headers(self, call: Call, authorization: str) -> list[tuple[str, str]]:
        headers = [
            ("Accept", call.accept),
            ("User-Agent", f"kubectl-kueue/{__version__}"),
            ("Accept-Encoding", "gzip" if self._packed else "identity"),
        ]
        if call.body is not None:
            headers.append(("Content-Type", call.content_type))
        if authorization:
            headers.append(("Authorization", _header_value(authorization, "the credentials have")))
        headers += [
            (name, _header_value(value, "the impersonated user has")) for name, value in self._impersonation
        ]
        return headers

    def _connect(self, call: Call) -> Any:
        """Reads go the short way; what changes something or stays open goes through the client library."""
        short = call.method == "GET" and not call.endless
        with self._lock:
            if short not in self._pools:
                certificate = self._credentials.certificate()
                check_files(self.login, certificate)
                pool = plain_pool(self.login, certificate) if short else None
                self._pools[short] = pool or library_pool(self.login, certificate)
            return self._pools[short]

    def hang_up(self) -> None:
        """Close the connections that are kept open."""
        with self._lock:
            for pool in self._pools.values():
                pool.clear()
            self._pools.clear()

    def _refresh(self, refused: str) -> bool:
        if not self._credentials.refresh(refused):
            return False
        with self._lock:
            self._pools.clear()  # a plugin may give certificates
        return True

    def _pass_warnings(self, response: "Response") -> None:
        for text in response.warnings():
            with self._lock:
                new = text not in self._warned and len(self._warned) < 1000
                self._warned.add(text)
            if new:
                self._warn(text)


_NO_KUBECONFIG = "; no kubeconfig was found: set KUBECONFIG, or pass --kubeconfig or --server"

_UNSURE = "; whether the server did it is not known: look before you try again"


class _CutError(Exception):
    """The connection ended before the first byte of an answer."""


class _Deadline:
    """The end of --request-timeout; 0 seconds: there is none."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds, at least a moment; None for no limit."""
        return max(0.001, self._end - time.monotonic()) if self.seconds else None

    def leaves(self, seconds: float) -> bool:
        left = self.left()
        return left is None or left > seconds


class Response:
    """A body that is read piece by piece."""

    def __init__(
        self,
        raw: Any,
        errors: tuple[type[Exception], ...],
        title: str,
        deadline: _Deadline,
        alarm: Alarm,
        unsure: str,
    ) -> None:
        self.status: int = raw.status
        self.headers: Mapping[str, str] = raw.headers
        self._raw = raw
        self._errors: tuple[type[Exception], ...] = (
            *errors,
            AttributeError,
        )  # what a library answers when its socket goes meanwhile
        self._title = title
        self._unsure = unsure  # what is to be said when the end of the answer to a change is missing
        self._deadline = deadline
        self._alarm = alarm

    def chunks(self, size: int = 65536) -> Iterator[bytes]:
        """The body, unpacked. Raises ApiError if it does not come to its end."""
        packed = self.headers.get("Content-Encoding", "").strip().lower()
        if packed not in ("", "identity", "gzip", "x-gzip"):
            raise ApiError(f"{self._title}: the answer is encoded as {packed}, which was not asked for")
        read = 0
        try:
            for chunk in self._raw.stream(size, decode_content=True):
                read += len(chunk)
                yield chunk
        except self._errors as error:
            if self._alarm.late or failures.is_late(error):
                limit = self._deadline.seconds or SILENCE_SECONDS
                raise ApiError(f"{self._title}: {failures.late(limit)}{self._unsure}") from None
            advice = self._unsure or "; try again"
            raise ApiError(f"{self._title}: the answer was cut off after {read} bytes{advice}") from None
        if self._alarm.late:
            raise ApiError(f"{self._title}: {failures.late(self._deadline.seconds)}{self._unsure}")

    def lines(self) -> Iterator[bytes]:
        """The lines of the body as they come; a last one without its end is left out."""
        rest = b""
        try:
            for chunk in self.chunks(1 if self._raw.chunked is False else 65536):
                *whole, rest = (rest + chunk).split(b"\n")
                yield from filter(None, whole)
        finally:
            self.close()

    def warnings(self) -> Iterator[str]:
        """The texts of the API server's Warning headers."""
        for value in self._raw.headers.get_all("Warning") or ():
            yield from failures.warning_texts(value)

    def close(self) -> None:
        """Give the connection back if it is read to its end, else close it."""
        self._alarm.cancel()
        try:
            if self._raw.isclosed():
                self._raw.release_conn()
            else:
                self._raw.close()
        except Exception:  # noqa: S110 - it is being thrown away
            pass  # nosec B110


# --- what goes out ------------------------------------------------------------------------------


def _impersonation(login: Login) -> list[tuple[str, str]]:
    user = login.user
    names = {"as-uid": "Impersonate-Uid"}
    headers = [(header, str(user[name])) for name, header in names.items() if user.get(name)]
    headers += [("Impersonate-Group", str(group)) for group in user.get("as-groups") or ()]
    for key, values in (user.get("as-user-extra") or {}).items():
        name = f"Impersonate-Extra-{quote(key.lower(), safe='!#$&+-.^_`|~*' + chr(39))}"
        headers += [(name, str(value)) for value in values]
    if user.get("as"):
        return [("Impersonate-User", str(user["as"])), *headers]
    if headers:
        raise ConfigError("requesting uid, groups or user-extra without impersonating a user: add --as")
    return []


def _header_value(text: str, whose: str) -> str:
    """HTTP carries bytes; the library takes them as Latin-1."""
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise ConfigError(f"{whose} control characters in it, which HTTP cannot carry")
    return text.encode(errors="surrogateescape").decode("latin-1")


# --- what comes back ----------------------------------------------------------------------------


def _wait_asked(response: Response, method: str) -> float | None:
    """Seconds after which the server wants to be asked again, None if it must not be."""
    if response.status != 429 and not (response.status == 503 and method == "GET"):
        return None
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def _refusal(call: Call, response: Response) -> ApiError:
    body = b""
    try:
        for chunk in response.chunks():
            body += chunk
            if len(body) > 1_000_000:
                break
    except ApiError:
        pass
    finally:
        response.close()
    if 300 <= response.status < 400:
        place = failures.told(response.headers.get("Location", "nowhere"))
        return ApiError(
            f"{response._title}: the server redirects to {place}, and credentials are not sent elsewhere; "
            "is this the address of the API server?",
            status=response.status,
        )
    return failures.refusal(response.status, body, call.method, call.what)
