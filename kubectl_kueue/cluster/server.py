"""One live API server: objects out and in, as the bytes that it sends.

Every failure is an ApiError with the server's own words, or a ConfigError for what was given wrong.
"""

import json
import os
import threading
from collections.abc import Callable, Iterator
from urllib.parse import quote

from kubectl_kueue.cluster.connection import Connection, parse_timeout
from kubectl_kueue.cluster.discovery import Discovery, cache_folder
from kubectl_kueue.cluster.kinds import VISIBILITY, Kind, known_kind
from kubectl_kueue.cluster.kubeconfig import Login, find_login
from kubectl_kueue.cluster.pages import check_json, count_items, read_pages
from kubectl_kueue.cluster.transport import JSON, Call, Transport
from kubectl_kueue.errors import ApiError, ConfigError

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
LIMIT = 500
PENDING_LIMIT = 1000
CONFLICTS = 4

Pages = list[bytes]
Names = list[str]
"""Names for them, as Server has a method called list."""

_PENDING = {
    False: Kind(VISIBILITY, "PendingWorkloadsSummary", "clusterqueues", False, (), ("v1beta2", "v1beta1")),
    True: Kind(VISIBILITY, "PendingWorkloadsSummary", "localqueues", True, (), ("v1beta2", "v1beta1")),
}


class Server:
    """The server that a Connection leads to. Nothing is read before it is needed; threads may share one.

    `warn` gets each warning of the API server once; `progress` the kind and the number of objects of every
    page that was read.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        warn: Callable[[str], None] | None = None,
        progress: Callable[[Kind, int], None] | None = None,
    ) -> None:
        parse_timeout(connection.request_timeout)
        self.connection = connection
        self._warn = warn or (lambda text: None)
        self._progress = progress
        self._told: set[str] = set()
        self._lock = threading.RLock()
        self._login_found: Login | None = None
        self._transport_made: Transport | None = None
        self._discovery_made: Discovery | None = None

    @property
    def namespace(self) -> str:
        """--namespace, else that of the context, else "default"."""
        return self._login.namespace

    @property
    def url(self) -> str:
        """The address of the server."""
        return self._login.server

    def close(self) -> None:
        """Let go of the connections; a later request makes new ones."""
        if self._transport_made is not None:
            self._transport_made.hang_up()

    def tell(self, text: str) -> None:
        """Warn of what could not be asked, once."""
        with self._lock:
            if text in self._told:
                return
            self._told.add(text)
        self._warn(text)

    @property
    def configured(self) -> bool:
        """Whether any kubeconfig, flag or service account says which server is meant."""
        return self._login.found

    def find_kind(self, word: str) -> Kind:
        """The kind that a word names: kind, plural, singular, short name, with .GROUP or .VERSION.GROUP.

        Raises ConfigError (`the server doesn't have a resource type "x"`).
        """
        return known_kind(word) or self._discovery.find(word)

    def find_resource(self, api_version: str, kind: str) -> Kind | None:
        """The kind of an owner reference, or None if the server does not serve it."""
        return self._discovery.find_resource(api_version, kind)

    def version_of(self, kind: Kind) -> str:
        """The served version that is read. Raises ApiError, status 404, for a kind that is not served."""
        return self._discovery.version_of(kind)

    def served(self, group: str) -> Names:
        """The versions of a group of the API that are served, the server's favourite first."""
        return self._discovery.versions(group)

    def get(self, kind: Kind, namespace: str | None, name: str, *, accept: str = JSON) -> bytes:
        """One object, or a Table of it."""
        call = Call("GET", "", accept=accept, what=_what(kind, name))
        return check_json(self._read(call, kind, namespace, name))

    def list(
        self,
        kind: Kind,
        namespace: str | None,
        *,
        labels: str = "",
        fields: str = "",
        accept: str = JSON,
        limit: int | None = None,
        ahead: bool = False,
    ) -> Iterator[bytes]:
        """Pages of a List (or Table), asked for as they are taken, or one `ahead`.

        `limit` objects each; 0: all in one; None: $KUEUECTL_LIST_REQUEST_LIMIT, else 500. No object comes
        twice, whatever happens in between.
        """
        size = _list_limit() if limit is None else limit
        query = _selectors(labels, fields)

        def ask(token: str) -> bytes:
            paging = ([("limit", str(size))] if size else []) + ([("continue", token)] if token else [])
            call = Call("GET", "", [*query, *paging], accept, what=_what(kind))
            return self._read(call, kind, namespace)

        def pages() -> Iterator[bytes]:
            for page in read_pages(ask, ahead=ahead):
                if self._progress is not None:
                    self._progress(kind, count_items(page))
                yield page

        return pages()

    def watch(
        self,
        kind: Kind,
        namespace: str | None,
        *,
        labels: str = "",
        fields: str = "",
        resource_version: str = "",
        accept: str = JSON,
    ) -> Iterator[bytes]:
        """Events, one line of JSON each ({"type","object"}), until the server ends the stream."""
        query = [*_selectors(labels, fields), ("watch", "true")]
        if resource_version:
            query.append(("resourceVersion", resource_version))
        path = self._path(kind, namespace)
        call = Call("GET", path, query, accept, what=_what(kind), endless=True)
        return self._transport.open(call).lines()

    def pending(
        self, cluster_queue: str | None = None, local_queue: tuple[str, str] | None = None
    ) -> Pages | None:
        """Pages of the PendingWorkloadsSummary of a ClusterQueue, or of a LocalQueue (namespace, name).

        None if the queue, or the whole API, is not there. The queue may move between two pages, so that an
        item comes twice.
        """
        namespace, name = local_queue or (None, cluster_queue or "")
        kind = _PENDING[local_queue is not None]
        pages: Pages = []
        try:
            while True:
                query = [("offset", str(len(pages) * PENDING_LIMIT)), ("limit", str(PENDING_LIMIT))]
                call = Call("GET", "", query, what=_what(kind, name))
                page = self._read(call, kind, namespace, name, "/pendingworkloads")
                count = count_items(page)
                if count or not pages:
                    pages.append(page)
                if count < PENDING_LIMIT:
                    return pages
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def create(self, kind: Kind, namespace: str | None, body: bytes, *, dry_run: bool = False) -> bytes:
        """The object as it was stored."""
        call = Call("POST", "", _dry(dry_run), body=body, what=_what(kind))
        return check_json(self._read(call, kind, namespace))

    def patch(
        self,
        kind: Kind,
        namespace: str | None,
        name: str,
        body: bytes,
        *,
        content_type: str,
        dry_run: bool = False,
    ) -> bytes:
        """The object as it is now. A patch that says nothing of a resourceVersion means the same whatever
        was changed meanwhile, so a conflict is tried again."""
        call = Call("PATCH", "", _dry(dry_run), JSON, body, content_type, _what(kind, name))
        tries = 1 if b"resourceVersion" in body else CONFLICTS
        while True:
            tries -= 1
            try:
                return check_json(self._read(call, kind, namespace, name))
            except ApiError as error:
                if error.reason != "Conflict" or not tries:
                    raise

    def delete(
        self,
        kind: Kind,
        namespace: str | None,
        name: str,
        *,
        dry_run: bool = False,
        propagation: str = "Background",
    ) -> bytes:
        """The server's answer: a Status, or the object while something still holds it."""
        options = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": propagation}
        body = json.dumps({**options, **({"dryRun": ["All"]} if dry_run else {})}).encode()
        call = Call("DELETE", "", _dry(dry_run), body=body, what=_what(kind, name))
        return check_json(self._read(call, kind, namespace, name))

    def raw(self, path: str) -> bytes:
        """The answer to GET on a path (/version)."""
        path, _, query = path.partition("?")
        from urllib.parse import parse_qsl

        return self._transport.read(Call("GET", path, parse_qsl(query, keep_blank_values=True)))

    # --- how ------------------------------------------------------------------------------------

    def _read(self, call: Call, kind: Kind, namespace: str | None, name: str = "", sub: str = "") -> bytes:
        """Send, once more if the version that was known is served no longer."""
        try:
            return self._transport.read(call._replace(path=self._path(kind, namespace, name) + sub))
        except ApiError as error:
            if error.status != 404 or not _is_path(error, name) or not self._discovery.refresh():
                raise
        return self._transport.read(call._replace(path=self._path(kind, namespace, name) + sub))

    def _path(self, kind: Kind, namespace: str | None, name: str = "") -> str:
        version = self.version_of(kind)
        path = f"/apis/{kind.group}/{version}" if kind.group else f"/api/{version}"
        if namespace and kind.namespaced:
            path += f"/namespaces/{_segment(namespace)}"
        path += f"/{kind.plural}"
        return f"{path}/{_segment(name)}" if name else path

    @property
    def _login(self) -> Login:
        with self._lock:
            if self._login_found is None:
                self._login_found = find_login(self.connection)
            return self._login_found

    @property
    def _transport(self) -> Transport:
        with self._lock:
            if self._transport_made is None:
                self._transport_made = Transport(self.connection, self._login, self._warn)
            return self._transport_made

    @property
    def _discovery(self) -> Discovery:
        with self._lock:
            if self._discovery_made is None:
                folder = cache_folder(self.connection.cache_dir, self._login.server)
                self._discovery_made = Discovery(self.raw, folder)
            return self._discovery_made


def _is_path(error: ApiError, name: str) -> bool:
    """Whether a 404 is about the path, not about an object (whose name would be in the message)."""
    return not name or f'"{name}"' not in str(error)


def _what(kind: Kind, name: str = "") -> str:
    return f"{kind.resource} {name}" if name else kind.resource


def _segment(name: str) -> str:
    if name in (".", "..") or "/" in name or "%" in name:
        raise ConfigError(
            f'invalid resource name "{name}": it may not be "." or "..", nor contain "/" or "%"'
        )
    return quote(name, safe="")


def _selectors(labels: str, fields: str) -> list[tuple[str, str]]:
    pairs = (("labelSelector", labels), ("fieldSelector", fields))
    return [(name, value) for name, value in pairs if value]


def _dry(dry_run: bool) -> list[tuple[str, str]]:
    return [("dryRun", "All")] if dry_run else []


def _list_limit() -> int:
    """$KUEUECTL_LIST_REQUEST_LIMIT, else 500."""
    text = os.environ.get("KUEUECTL_LIST_REQUEST_LIMIT")
    if not text:
        return LIMIT
    digits = text[1:] if text[0] in "+-" else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 30 or int(digits) >= 2**63:
        raise ConfigError("invalid list request limit")
    return max(0, int(text))
