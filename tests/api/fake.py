"""A small API server that forgets everything, and fails when it is told to.

    with FakeServer(folder, faults=[Fault("*/workloads", "cut", times=1)]) as server:
        kubeconfig = server.kubeconfig(tmp_path / "config")

The folder holds what it serves:

    json/PLURAL[.GROUP].json                  Lists of objects
    table/PLURAL.json                         the Tables for `as=Table` (optional)
    discovery/api.json, apis.json, api_v1.json, apis_GROUP_VERSION.json, apis-aggregated.json, version.json
    visibility/cq-NAME.json, lq-NAMESPACE-NAME.json    PendingWorkloadsSummary

Selectors, paging, watches and writes work on copies in memory, as far as a client can see: merge patches and
JSON patches, dry runs, conflicts of resourceVersion, 404 and 409. There is no validation, and no conversion
between versions: an object has the version that is asked for.
"""

import base64
import contextlib
import copy
import gzip
import json
import re
import socket
import ssl
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

OBJECTS = Path(__file__).parent / "objects"
OLD_OBJECTS = Path(__file__).parent / "objects-v1beta1"

MAX_WATCH_SECONDS = 10.0


class Fault(NamedTuple):
    """What goes wrong on paths like `path` (fnmatch), the next `times` requests (-1: always).

    what        value
    slow        seconds before the answer begins
    trickle     seconds over which the body is spread
    cut         nothing: half of the body, then the connection ends
    drop        nothing: the connection ends before any byte
    gone        for requests with `continue` only: 410; True: its Status carries a token to go on with
    status      an HTTP status with the Status object that API servers send with it
    retry       (429 or 503, seconds): that status with Retry-After
    plain       (status, text): that status without a Status object
    body        bytes that are sent instead, with 200
    redirect    the Location of a 302
    warning     the text of a Warning header
    run         a callable(server) that is called before the answer is made
    """

    path: str
    what: str
    value: Any = None
    times: int = -1
    method: str = "*"


class Request(NamedTuple):
    """One request as it came in."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # names in lower case; several values joined by ", "
    body: bytes

    @property
    def values(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


class FakeServer:
    """Serves one folder on the loopback until the `with` block ends. Its `objects` may be changed."""

    def __init__(
        self,
        folder: Path | str = OBJECTS,
        *,
        faults: Iterable[Fault] = (),
        token: str = "",
        tls: ssl.SSLContext | None = None,
        gzip_from: int = 4096,
        watch_seconds: float = 0.2,
        groups: Callable[[str], bool] = lambda group: True,
    ) -> None:
        self.folder = Path(folder)
        self.faults = [[fault, fault.times] for fault in faults]
        self.token = token  # asked for, unless empty
        self.gzip_from = gzip_from
        self.watch_seconds = watch_seconds  # how long a watch stays open without timeoutSeconds
        self.requests: deque[Request] = deque(maxlen=100_000)
        self.serves = groups  # which groups are installed
        self.objects: dict[str, list[dict[str, Any]]] = {}  # by "plural" or "plural.group", as the files are
        self.log: list[tuple[int, str, str, dict[str, Any]]] = []  # version, resource, type, object
        self.version = 10_000
        self.lock = threading.Condition(threading.RLock())
        for path in sorted((self.folder / "json").glob("*.json")):
            self.objects[path.stem] = json.loads(path.read_bytes())["items"]
        self._http = _Listener(("127.0.0.1", 0), _Handler)
        self._http.fake = self
        self._http.tls = tls
        self.port = self._http.server_address[1]
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"

    def __enter__(self) -> "FakeServer":
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._http.shutdown()
        self._http.close_connections()
        self._http.server_close()

    def kubeconfig(
        self,
        path: Path | str,
        *,
        namespace: str = "",
        user: Mapping[str, Any] | None = None,
        cluster: Mapping[str, Any] | None = None,
    ) -> str:
        """Write a kubeconfig with one context, "fake", that leads here; returns its path."""
        context = {"cluster": "fake", "user": "fake", **({"namespace": namespace} if namespace else {})}
        login = user if user is not None else {"token": self.token} if self.token else {}
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "fake",
            "contexts": [{"name": "fake", "context": context}],
            "clusters": [{"name": "fake", "cluster": {"server": self.url, **(cluster or {})}}],
            "users": [{"name": "fake", "user": login}],
        }
        Path(path).write_text(json.dumps(document))  # JSON is YAML
        return str(path)

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._http.open_connections)

    def paths(self, method: str = "*") -> list[str]:
        """The paths asked for so far."""
        return [request.path for request in list(self.requests) if fnmatchcase(request.method, method)]

    def find(self, resource: str, name: str, namespace: str = "") -> dict[str, Any] | None:
        """The object as it is stored now."""
        for item in self.objects.get(resource, ()):
            if item["metadata"]["name"] == name and item["metadata"].get("namespace", "") == namespace:
                return item
        return None

    def change(self, resource: str, item: dict[str, Any], event: str = "MODIFIED") -> None:
        """Store an object (event ADDED, MODIFIED, DELETED) and tell the watches."""
        with self.lock:
            items = self.objects.setdefault(resource, [])
            at = [index for index, other in enumerate(items) if _key(other) == _key(item)]
            self.version += 1
            item["metadata"]["resourceVersion"] = str(self.version)
            if event == "DELETED":
                del items[at[0]]
            elif at:
                items[at[0]] = item
            else:
                items.append(item)
                items.sort(key=lambda stored: "/".join(_key(stored)))
            self.log.append((self.version, resource, event, copy.deepcopy(item)))
            self.lock.notify_all()

    def fault(self, request: Request) -> list[Fault]:
        """The faults that this request meets; each is counted once."""
        met = []
        with self.lock:
            for entry in self.faults:
                fault, left = entry
                if left == 0 or not fnmatchcase(request.path, fault.path):
                    continue
                if not fnmatchcase(request.method, fault.method):
                    continue
                if fault.what == "gone" and "continue" not in request.query:
                    continue
                entry[1] = left - 1
                met.append(fault)
        return met


def _key(item: Mapping[str, Any]) -> tuple[str, str]:
    return item["metadata"].get("namespace", ""), item["metadata"]["name"]


# --- HTTP ---------------------------------------------------------------------------------------


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    fake: FakeServer
    tls: ssl.SSLContext | None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.open_connections: set[socket.socket] = set()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        connection.settimeout(30)
        if self.tls is not None:
            try:
                connection = self.tls.wrap_socket(connection, server_side=True)
            except (OSError, ssl.SSLError):
                connection.close()
                raise OSError("no TLS") from None
        self.open_connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self.open_connections.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        for connection in list(self.open_connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Answer(NamedTuple):
    """A response: `body` is bytes, or lines for a watch."""

    status: int
    body: bytes | Iterator[bytes]
    headers: Mapping[str, str] = {}
    type: str = "application/json"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def log_message(self, *arguments: Any) -> None:
        pass

    def handle_any(self) -> None:
        request = self._request()
        fake = self.server.fake
        fake.requests.append(request)
        faults = fake.fault(request)
        headers: dict[str, str] = {}
        answer = None
        for fault in faults:
            if fault.what == "slow":
                time.sleep(fault.value)
            elif fault.what == "run":
                fault.value(fake)
            elif fault.what == "drop":
                self.close_connection = True
                with contextlib.suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)
                return
            elif fault.what == "warning":
                text = fault.value.replace("\\", "\\\\").replace('"', '\\"')
                headers["Warning"] = f'299 - "{text}"'
            else:
                answer = answer or _failing(request, fault)
        if answer is None:
            with fake.lock:
                answer = _route(fake, request)
        self._send(answer, headers, {fault.what: fault.value for fault in faults})

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

    def _request(self) -> Request:
        parts = urlsplit(self.path)
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            key = name.lower()
            headers[key] = f"{headers[key]}, {value}" if key in headers else value
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return Request(self.command, parts.path, query, headers, body)

    def _send(self, answer: Answer, headers: Mapping[str, str], faults: Mapping[str, Any]) -> None:
        self.send_response(answer.status)
        for name, value in {**answer.headers, **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.type)
        if not isinstance(answer.body, bytes):
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._stream(answer.body, "cut" in faults)
            return
        body = answer.body
        packed = "gzip" in self.headers.get("Accept-Encoding", "") and len(body) >= self.server.fake.gzip_from
        if packed:
            body = gzip.compress(body, 1)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if "cut" in faults:
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        elif "trickle" in faults:
            step = max(1, len(body) // 20)
            for at in range(0, len(body), step):
                self.wfile.write(body[at : at + step])
                self.wfile.flush()
                time.sleep(faults["trickle"] / 20)
        else:
            self.wfile.write(body)

    def _stream(self, lines: Iterator[bytes], cut: bool) -> None:
        for line in lines:
            if cut:
                line = line[: len(line) // 2]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
            self.wfile.flush()
            if cut:
                self.close_connection = True
                return
        self.wfile.write(b"0\r\n\r\n")


# --- answers ------------------------------------------------------------------------------------

_REASONS = {
    400: ("BadRequest", "the server rejected our request"),
    401: ("Unauthorized", "Unauthorized"),
    403: ("Forbidden", 'resource is forbidden: User "nobody" cannot do that'),
    404: ("NotFound", "the server could not find the requested resource"),
    405: ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
    406: ("NotAcceptable", "only the following media types are accepted: application/json, application/yaml"),
    409: ("Conflict", "the object has been modified; please apply your changes to the latest version"),
    410: ("Expired", "The provided continue parameter is too old to display a consistent list result."),
    422: ("Invalid", "the object is invalid"),
    429: ("TooManyRequests", "Too many requests, please try again later."),
    500: ("InternalError", "Internal error occurred: something broke"),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
    504: ("Timeout", "Timeout: request did not complete within the allotted timeout"),
}


def _json(status: int, value: Any, **headers: str) -> Answer:
    return Answer(status, json.dumps(value).encode(), {k.replace("_", "-"): v for k, v in headers.items()})


def status_answer(
    code: int, message: str = "", details: Mapping[str, Any] | None = None, **headers: str
) -> Answer:
    """A Status object of an API server."""
    reason, text = _REASONS.get(code, ("", f"status {code}"))
    value = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message or text,
        "reason": reason,
        "code": code,
        **({"details": details} if details else {}),
    }
    return _json(code, value, **headers)


def _failing(request: Request, fault: Fault) -> Answer | None:
    if fault.what == "status":
        return status_answer(fault.value)
    if fault.what == "retry":
        code, seconds = fault.value
        return status_answer(code, "", {"retryAfterSeconds": seconds}, Retry_After=str(seconds))
    if fault.what == "plain":
        code, text = fault.value
        return Answer(code, text.encode(), {}, "text/plain; charset=utf-8")
    if fault.what == "body":
        return Answer(200, fault.value)
    if fault.what == "redirect":
        return Answer(302, b"", {"Location": fault.value}, "text/plain")
    if fault.what == "gone":
        answer = status_answer(410)
        if fault.value:
            value = json.loads(answer.body)
            value["metadata"] = {"continue": request.query["continue"]}
            answer = _json(410, value)
        return answer
    return None


_NO_PAGE = Answer(404, b"404 page not found\n", {}, "text/plain; charset=utf-8")
_RESOURCE = re.compile(
    r"/(?:api/(?P<core>v1)|apis/(?P<group>[^/]+)/(?P<version>[^/]+))"
    r"(?:/namespaces/(?P<namespace>[^/]+)(?=/))?/(?P<plural>[^/]+)(?:/(?P<name>[^/]+))?(?:/(?P<sub>[^/]+))?"
)


class Target(NamedTuple):
    """What a path names."""

    group: str
    version: str
    namespace: str
    plural: str
    name: str
    sub: str

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version


def _route(fake: FakeServer, request: Request) -> Answer:
    if fake.token and request.headers.get("authorization") != f"Bearer {fake.token}":
        return status_answer(401)
    document = _discovery(fake, request.path)
    if document is not None:
        return _json(200, document)
    match = _RESOURCE.fullmatch(request.path)
    if match is None:
        return _NO_PAGE
    group = unquote(match["group"] or "")
    target = Target(
        group,
        match["core"] or match["version"],
        unquote(match["namespace"] or ""),
        match["plural"],
        unquote(match["name"] or ""),
        match["sub"] or "",
    )
    entry = _entry(fake, target)
    if entry is None:
        return _NO_PAGE
    if group == "visibility.kueue.x-k8s.io":
        return _pending(fake, target, request)
    return _serve(fake, target, entry, request)


def _discovery(fake: FakeServer, path: str) -> Any:
    name = path.strip("/").replace("/", "_")
    file = fake.folder / "discovery" / f"{name}.json"
    parts = path.strip("/").split("/")
    if len(parts) > 1 and parts[0] == "apis" and not fake.serves(parts[1]):
        return None
    if path == "/apis":
        groups = json.loads(file.read_bytes())
        groups["groups"] = [group for group in groups["groups"] if fake.serves(group["name"])]
        return groups
    if parts[0] in ("api", "apis", "version") and len(parts) <= 3 and file.is_file():
        return json.loads(file.read_bytes())
    return _from_aggregated(fake, parts[1], parts[2]) if len(parts) == 3 and parts[0] == "apis" else None


def _from_aggregated(fake: FakeServer, group: str, version: str) -> Any:
    file = fake.folder / "discovery" / "apis-aggregated.json"
    if not file.is_file():
        return None
    for item in json.loads(file.read_bytes())["items"]:
        for served in item["versions"] if item["metadata"]["name"] == group else ():
            if served["version"] == version:
                resources = [_resource(entry) for entry in served["resources"]]
                return {
                    "kind": "APIResourceList",
                    "apiVersion": "v1",
                    "groupVersion": f"{group}/{version}",
                    "resources": resources,
                }
    return None


def _resource(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": entry["resource"],
        "singularName": entry.get("singularResource", ""),
        "namespaced": entry["scope"] == "Namespaced",
        "kind": entry["responseKind"]["kind"],
        "verbs": entry["verbs"],
        **({"shortNames": entry["shortNames"]} if "shortNames" in entry else {}),
    }


def _entry(fake: FakeServer, target: Target) -> Mapping[str, Any] | None:
    """The discovery entry of the resource, or None if this version does not serve it."""
    path = f"/apis/{target.api_version}" if target.group else f"/api/{target.version}"
    document = _discovery(fake, path)
    for entry in document["resources"] if document else ():
        if entry["name"] == target.plural:
            return entry
    return None


def _pending(fake: FakeServer, target: Target, request: Request) -> Answer:
    if target.sub != "pendingworkloads":
        return status_answer(404)
    short = f"lq-{target.namespace}-{target.name}" if target.namespace else f"cq-{target.name}"
    file = fake.folder / "visibility" / f"{short}.json"
    if not file.is_file():
        kind = "localqueue" if target.namespace else "clusterqueue"
        return status_answer(404, f'{kind}.visibility.kueue.x-k8s.io "{target.name}" not found')
    summary = json.loads(file.read_bytes())
    offset, limit = int(request.query.get("offset", 0)), int(request.query.get("limit", 0)) or 1000
    summary["items"] = (summary.get("items") or [])[offset : offset + limit]
    summary["apiVersion"] = target.api_version
    return _json(200, summary)


def _serve(fake: FakeServer, target: Target, entry: Mapping[str, Any], request: Request) -> Answer:
    resource = f"{target.plural}.{target.group}"
    if resource not in fake.objects and (target.plural in fake.objects or target.group in _OWN_FILES):
        resource = target.plural
    if request.method == "POST":
        return _create(fake, target, resource, entry, request)
    if not target.name:
        return _list(fake, target, resource, entry, request)
    item = fake.find(resource, target.name, target.namespace)
    if item is None:
        return _not_found(target)
    if request.method == "GET":
        if _table_wanted(request):
            return _json(200, _table(fake, target, [item]))
        return _json(200, _shown(target, entry, item))
    if request.method == "DELETE":
        return _delete(fake, target, resource, item, request)
    return _update(fake, target, resource, entry, item, request)


_OWN_FILES = ("", "kueue.x-k8s.io")  # groups whose files are named after the plural alone


def _not_found(target: Target) -> Answer:
    resource = f"{target.plural}.{target.group}" if target.group else target.plural
    details = {"name": target.name, "group": target.group, "kind": target.plural}
    return status_answer(404, f'{resource} "{target.name}" not found', details)


def _shown(target: Target, entry: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    return {**item, "apiVersion": target.api_version, "kind": entry["kind"]}


def _table_wanted(request: Request) -> bool:
    return "as=Table" in request.headers.get("accept", "").split(",")[0]


def _list(
    fake: FakeServer, target: Target, resource: str, entry: Mapping[str, Any], request: Request
) -> Answer:
    query = request.query
    items = [
        item
        for item in fake.objects.get(resource, ())
        if not target.namespace or item["metadata"].get("namespace") == target.namespace
    ]
    try:
        items = [item for item in items if _selected(item, query)]
    except ValueError as error:
        return status_answer(400, str(error))
    if query.get("watch") in ("true", "1"):
        return Answer(200, _watch(fake, target, resource, entry, items, query))
    start = 0
    if query.get("continue"):
        try:
            start = int(base64.urlsafe_b64decode(query["continue"]))
        except ValueError:
            return status_answer(400, "continue key is not valid: illegal base64 data")
    limit = int(query.get("limit") or 0)
    page = items[start : start + limit] if limit else items[start:]
    metadata: dict[str, Any] = {"resourceVersion": str(fake.version)}
    left = len(items) - start - len(page)
    if left > 0:
        metadata["continue"] = base64.urlsafe_b64encode(str(start + len(page)).encode()).decode()
        if not (query.get("labelSelector") or query.get("fieldSelector")):
            metadata["remainingItemCount"] = left
    if _table_wanted(request):
        return _json(200, {**_table(fake, target, page), "metadata": metadata})
    shown = [_shown(target, entry, item) for item in page]
    kind = f"{entry['kind']}List"
    return _json(200, {"apiVersion": target.api_version, "kind": kind, "metadata": metadata, "items": shown})


def _table(fake: FakeServer, target: Target, items: list[dict[str, Any]]) -> dict[str, Any]:
    file = fake.folder / "table" / f"{target.plural}.json"
    table: dict[str, Any] = {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {},
        "columnDefinitions": [{"name": "Name", "type": "string", "format": "name", "priority": 0}],
        "rows": [],
    }
    rows = {}
    if file.is_file():
        table = json.loads(file.read_bytes())
        rows = {_key(row["object"]): row for row in table["rows"]}
    cells = [None] * (len(table["columnDefinitions"]) - 1)
    table["rows"] = [
        rows.get(_key(item))
        or {
            "cells": [item["metadata"]["name"], *cells],
            "object": {
                "kind": "PartialObjectMetadata",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": item["metadata"],
            },
        }
        for item in items
    ]
    return table


def _watch(
    fake: FakeServer,
    target: Target,
    resource: str,
    entry: Mapping[str, Any],
    items: list[dict[str, Any]],
    query: Mapping[str, str],
) -> Iterator[bytes]:
    def line(event: str, item: Mapping[str, Any]) -> bytes:
        return json.dumps({"type": event, "object": _shown(target, entry, item)}).encode() + b"\n"

    known = fake.version
    if query.get("resourceVersion") in (None, "", "0"):
        for item in copy.deepcopy(items):
            yield line("ADDED", item)
    else:
        known = int(query["resourceVersion"])
    end = time.monotonic() + min(float(query.get("timeoutSeconds") or fake.watch_seconds), MAX_WATCH_SECONDS)
    while True:
        with fake.lock:
            news = [entry for entry in fake.log if entry[0] > known and entry[1] == resource]
            if not news:
                left = end - time.monotonic()
                if left <= 0:
                    return
                fake.lock.wait(left)
                continue
        for version, _, event, item in news:
            known = version
            inside = not target.namespace or item["metadata"].get("namespace") == target.namespace
            if inside and _selected(item, query):
                yield line(event, item)


# --- writes -------------------------------------------------------------------------------------


def _create(
    fake: FakeServer, target: Target, resource: str, entry: Mapping[str, Any], request: Request
) -> Answer:
    try:
        item = json.loads(request.body)
    except ValueError as error:
        return status_answer(400, f"couldn't read the body: {error}")
    metadata = item.setdefault("metadata", {})
    if not metadata.get("name"):
        return status_answer(422, f'{entry["kind"]} "" is invalid: metadata.name: Required value')
    if target.namespace:
        metadata["namespace"] = target.namespace
    target = target._replace(name=metadata["name"])
    if fake.find(resource, target.name, target.namespace) is not None:
        full = f"{target.plural}.{target.group}" if target.group else target.plural
        answer = status_answer(409, f'{full} "{target.name}" already exists')
        return answer._replace(body=answer.body.replace(b'"Conflict"', b'"AlreadyExists"'))  # type: ignore[union-attr]
    metadata.update(uid=str(uuid.uuid4()), creationTimestamp="2026-11-29T15:00:00Z", generation=1)
    if not _dry(request):
        fake.change(resource, item, "ADDED")
    return _json(201, _shown(target, entry, item))


def _update(
    fake: FakeServer,
    target: Target,
    resource: str,
    entry: Mapping[str, Any],
    item: dict[str, Any],
    request: Request,
) -> Answer:
    kind = request.headers.get("content-type", "").partition(";")[0]
    try:
        values = json.loads(request.body)
        if request.method == "PUT":
            changed = values
        elif kind == "application/json-patch+json":
            import jsonpatch

            changed = jsonpatch.apply_patch(copy.deepcopy(item), values)
        elif kind in ("application/merge-patch+json", "application/strategic-merge-patch+json"):
            changed = merge_patch(copy.deepcopy(item), values)
        else:
            return status_answer(415, f"the body of the request was in an unknown format: {kind}")
    except Exception as error:
        return status_answer(400, f"the patch cannot be applied: {error}")
    wanted = changed["metadata"].get("resourceVersion")
    if wanted and wanted != item["metadata"].get("resourceVersion"):
        full = f"{target.plural}.{target.group}" if target.group else target.plural
        return status_answer(
            409,
            f'Operation cannot be fulfilled on {full} "{target.name}": the object has been modified; '
            "please apply your changes to the latest version and try again",
        )
    if not _dry(request):
        fake.change(resource, changed)
    return _json(200, _shown(target, entry, changed))


def merge_patch(value: Any, patch: Any) -> Any:
    """RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    result = value if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), change)
    return result


def _delete(
    fake: FakeServer, target: Target, resource: str, item: dict[str, Any], request: Request
) -> Answer:
    if not _dry(request):
        fake.change(resource, item, "DELETED")
    details = {"name": target.name, "group": target.group, "kind": target.plural}
    details["uid"] = item["metadata"].get("uid", "")
    return _json(
        200,
        {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details},
    )


def _dry(request: Request) -> bool:
    if request.query.get("dryRun") == "All":
        return True
    if request.method == "DELETE" and request.body:
        return json.loads(request.body).get("dryRun") == ["All"]
    return False


# --- selectors ----------------------------------------------------------------------------------

_REQUIREMENT = re.compile(
    r"\s*(?:(?P<not>!)\s*(?P<absent>[\w./-]+)"
    r"|(?P<key>[\w./-]+)\s*(?:(?P<op>==|=|!=)\s*(?P<value>[\w./-]*)"
    r"|(?P<set>in|notin)\s*\((?P<values>[^)]*)\))?)\s*(?:,|$)"
)


def _selected(item: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    return _labelled(item, query.get("labelSelector", "")) and _has_fields(
        item, query.get("fieldSelector", "")
    )


def _labelled(item: Mapping[str, Any], selector: str) -> bool:
    labels = item["metadata"].get("labels") or {}
    at = 0
    while at < len(selector):
        match = _REQUIREMENT.match(selector, at)
        if match is None or match.end() == at:
            raise ValueError(f"unable to parse requirement: {selector}")
        at = match.end()
        if match["absent"]:
            good = match["absent"] not in labels
        elif match["set"]:
            inside = labels.get(match["key"]) in [value.strip() for value in match["values"].split(",")]
            good = inside == (match["set"] == "in")
        elif match["op"]:
            good = (labels.get(match["key"]) == match["value"]) == (match["op"] != "!=")
        else:
            good = match["key"] in labels
        if not good:
            return False
    return True


_FIELDS: Mapping[str, tuple[str, ...]] = {
    "metadata.name": ("metadata", "name"),
    "metadata.namespace": ("metadata", "namespace"),
    "status.admission.clusterQueue": ("status", "admission", "clusterQueue"),
    "status.phase": ("status", "phase"),
    "involvedObject.name": ("involvedObject", "name"),
    "involvedObject.namespace": ("involvedObject", "namespace"),
    "involvedObject.kind": ("involvedObject", "kind"),
    "involvedObject.uid": ("involvedObject", "uid"),
}


def _has_fields(item: Mapping[str, Any], selector: str) -> bool:
    for term in filter(None, selector.split(",")):
        match = re.fullmatch(r"([\w.]+)(==|=|!=)(.*)", term)
        if match is None:
            raise ValueError(f"invalid selector: '{term}'; can't understand '{term}'")
        field, operator, wanted = match.groups()
        if field not in _FIELDS:
            raise ValueError(f"field label not supported: {field}")
        value: Any = item
        for step in _FIELDS[field]:
            value = (value or {}).get(step)
        if ((value or "") == wanted) != (operator != "!="):
            return False
    return True


if __name__ == "__main__":  # python tests/api/fake.py FOLDER [KUBECONFIG]
    with FakeServer(sys.argv[1] if len(sys.argv) > 1 else OBJECTS) as running:
        print(running.kubeconfig(sys.argv[2]) if len(sys.argv) > 2 else running.url, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
