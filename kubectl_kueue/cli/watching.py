"""`get --watch`: what is there, then every change that the server tells, until it or the user ends it."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kubectl_kueue.cli.again import check_watch
from kubectl_kueue.cli.live import items_of
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.surroundings import surroundings
from kubectl_kueue.cli.targets import SERVER_TABLE, Choice, Target, is_table
from kubectl_kueue.cluster.kinds import KUEUE
from kubectl_kueue.errors import ApiError, ConfigError
from kubectl_kueue.views.columns.documents import object_document
from kubectl_kueue.views.columns.items import Item
from kubectl_kueue.views.columns.table import (
    Extras,
    ServerTable,
    object_table,
    read_server_table,
    server_listing,
    steadied,
)
from kubectl_kueue.views.page import Document, Listing


class _Page(msgspec.Struct):
    """A page of a list: only up to which change it goes."""

    metadata: dict[str, Any] = {}


class _Event(msgspec.Struct):
    type: str
    object: msgspec.Raw


def follow(
    session: Session, targets: Sequence[Target], choice: Choice, extras: Extras, *, changes_only: bool
) -> None:
    """Print the objects (not with `changes_only`) and every later change. Raises ConfigError for --snapshot
    and for more than one thing to watch."""
    if len(targets) > 1:
        raise ConfigError("you may only specify a single resource type")
    target = targets[0]
    if len(target.names) > 1:
        raise ConfigError("watch is only supported on individual resources and resource collections")
    check_watch(session)
    if target.names:
        home = choice.namespace if target.kind.namespaced else None
        session.server().get(target.kind, home, target.names[0])  # a watch would wait for what is not there
        choice = choice._replace(fields=f"metadata.name={target.names[0]}")
    as_table = is_table(session) and target.kind.group != KUEUE
    watching = _Watching(session, target, choice, extras, as_table)
    watching.run(changes_only=changes_only)


class _Watching:
    """One watch; the widths of its columns only ever grow."""

    def __init__(
        self, session: Session, target: Target, choice: Choice, extras: Extras, as_table: bool
    ) -> None:
        self._session = session
        self._kind = target.kind
        self._choice = choice
        self._extras = extras
        self._as_table = as_table
        self._table: ServerTable | None = None
        self._widths: list[int] = []
        self._shown = 0

    def run(self, *, changes_only: bool) -> None:
        server, choice = self._session.server(), self._choice
        home = choice.namespace if self._kind.namespaced else None
        asked: dict[str, Any] = {"labels": choice.labels, "fields": choice.fields}
        if self._as_table:
            asked["accept"] = SERVER_TABLE
        version = ""
        for page in server.list(self._kind, home, **asked):
            version = _decode_page(page).metadata.get("resourceVersion", "")
            if not changes_only:
                self._show(page, items_of(page))
        for raw in server.watch(self._kind, home, resource_version=version, **asked):
            event = _decode_event(raw)
            if event.type == "ERROR":
                raise _refusal(event.object)
            if event.type != "BOOKMARK":
                self._show(bytes(event.object), [bytes(event.object)])

    def _show(self, table: bytes, objects: Iterable[bytes]) -> None:
        """Print one step: a table of the server's, or objects."""
        if self._as_table:
            found = read_server_table([table], like=self._table)
            if found is not None:
                self._table = found
                self._print(server_listing(found, self._extras))
                return
        items = [Item(content) for content in objects]
        if is_table(self._session):
            around = surroundings(self._session, self._kind, items, self._choice.namespace)
            self._print(object_table(self._kind.group, self._kind.kind, items, around, self._extras))
            return
        for item in items:
            self._print_document(item)

    def _print(self, listing: Listing) -> None:
        if not listing.rows:
            return
        listing = steadied(listing, self._widths)
        if self._shown:
            listing = listing._replace(header=False)
        self._shown += 1
        self._session.emit(page=lambda: listing, document=lambda: Document({}))
        sys.stdout.flush()

    def _print_document(self, item: Item) -> None:
        if self._shown and self._session.flags.output == "yaml":
            self._session.write("---")
        self._shown += 1
        names = [f"{self._kind.type}/{item.name}"]
        self._session.emit(
            page=lambda: Listing([], []),
            document=lambda: object_document([item.value], names, single=True),
            no_headers=self._shown > 1 or not self._extras.headers,
        )
        sys.stdout.flush()


_decode_page = msgspec.json.Decoder(_Page).decode
_decode_event = msgspec.json.Decoder(_Event).decode


def _refusal(status: bytes) -> ApiError:
    """What the server says when it ends a watch: mostly that too much has happened in between (410)."""
    value = msgspec.json.decode(status)
    message = value.get("message") or "the watch was ended by the server"
    return ApiError(str(message), status=value.get("code") or 0, reason=value.get("reason") or "")
