"""Objects of a live cluster: the kinds that a question needs, in parallel, as far as the user may read."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_kueue.cli.contents import (
    BESIDES,
    DEVICES,
    LIVE_PODS,
    PLACES,
    WORLD,
    claims_devices,
    has_topology,
    narrowed,
    refused,
    why_unread,
)
from kubectl_kueue.cli.source import Gathered, Position
from kubectl_kueue.cluster import clock
from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.cluster.kinds import Kind, kind_named
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.cluster.sweep import Page, Refusal, Wanted, sweep
from kubectl_kueue.errors import ApiError
from kubectl_kueue.model.manager import MANAGER_LABELS, config_map_of, manager_among
from kubectl_kueue.model.timestamp import SECOND

if TYPE_CHECKING:
    from kubectl_kueue.cli.positions import Positions
    from kubectl_kueue.model.world import LocalPlace, World

_ESSENTIAL = frozenset({"ClusterQueue", "LocalQueue", "Workload"})
_RECKONED = _ESSENTIAL | {"Cohort", "ResourceFlavor"}
"""Kinds whose server may not fail: an answer without them would be about another cluster."""

SUMMARY = "PendingWorkloadsSummary"
"""What the visibility API calls the places in a queue."""

_KUEUE_NAMESPACE = "kueue-system"


class LiveSource:
    """The objects that `server` has now, seen from `namespace` (None: that of the context)."""

    def __init__(self, server: Server, namespace: str | None, clock: int | None) -> None:
        self._server = server
        self._namespace = namespace
        self._clock = clock
        self.alone: tuple[str, str] | None = None

    @cached_property
    def now(self) -> int:
        """The moment of the first look at it, in whole seconds."""
        return clock.now() // SECOND * SECOND if self._clock is None else self._clock

    @property
    def namespace(self) -> str:
        """--namespace, else that of the context, else "default"."""
        return self._namespace or self._server.namespace

    # --- objects ----------------------------------------------------------------------------------

    def find_kind(self, word: str) -> Kind:
        """The kind that `word` names, by the table, then by discovery. Raises ConfigError."""
        return self._server.find_kind(word)

    def get(self, kind: Kind, namespace: str | None, name: str) -> bytes:
        """One object. Raises ApiError."""
        home = (namespace or self.namespace) if kind.namespaced else None
        return self._server.get(kind, home, name)

    def list(
        self, kind: Kind, namespace: str | None, *, labels: str = "", fields: str = ""
    ) -> Iterator[bytes]:
        """Objects as their pages come. Raises ApiError."""
        for page in self._server.list(
            kind, namespace if kind.namespaced else None, labels=labels, fields=fields, ahead=True
        ):
            yield from items_of(page)

    # --- positions --------------------------------------------------------------------------------

    @cached_property
    def _positions(self) -> "Positions":
        from kubectl_kueue.cli.positions import Positions

        return Positions(self._server)

    def foresee_positions(self, cluster_queue: str) -> None:
        """Begin to ask the visibility API."""
        self._positions.foresee(cluster_queue)

    def positions(self, local_queues: Mapping[str, Sequence[str]]) -> Mapping[str, Position]:
        """What the visibility API says."""
        found, failed = self._positions.of(local_queues)
        if failed:
            from kubectl_kueue.views.words.outside import unplaced_words

            self._server.tell(unplaced_words({name: str(error) for name, error in failed.items()}))
        return found

    # --- everything at once -----------------------------------------------------------------------

    def world(self) -> "World":
        """All that a verdict depends on, read once. Raises ApiError without a right to read Workloads."""
        return self._world

    @cached_property
    def _world(self) -> "World":
        from kubectl_kueue.model.decode import decode_live

        missing: dict[str, str] = {}
        world = decode_live(self._documents(missing), now=self.now, missing=missing)
        if self.alone is not None and "LocalQueue" in missing:
            world = self._with_queue(world, "/".join(self.alone))
        if not missing.keys().isdisjoint(("ClusterQueue", "Workload")):
            places = self._local_places(world, missing)
            world = msgspec.structs.replace(world, local_places=places, missing=missing)
        return world

    def _with_queue(self, world: "World", key: str) -> "World":
        """The world with the LocalQueue of a Workload, if that may be read by its name."""
        from kubectl_kueue.model.decode import add_objects

        workload = world.workloads.get(key)
        name = workload.spec.queue_name if workload is not None else ""
        namespace = key.partition("/")[0]
        if not name or f"{namespace}/{name}" in world.local_queues:
            return world
        kind = kind_named("LocalQueue")
        try:
            content = self._server.get(kind, namespace, name)
        except ApiError:
            return world
        return add_objects(world, [RawDocument(_source(kind), 1, 0, content)])

    def _local_places(self, world: "World", missing: dict[str, str]) -> dict[str, "LocalPlace"]:
        """What the visibility API lets everybody see of the own LocalQueues, or of the one asked about."""
        from kubectl_kueue.model.world import LocalPlace

        asked = world.workloads.get("/".join(self.alone or ()))
        if self.alone is not None and asked is not None:
            queues = [f"{self.alone[0]}/{asked.spec.queue_name}"] if asked.spec.queue_name else []
        else:
            queues = list(world.local_queues)

        answers, failed = self._positions.in_local_queues(queues)
        places: dict[str, LocalPlace] = {}
        for found in answers.values():
            places.update((name, LocalPlace(p.in_local_queue, len(found))) for name, p in found.items())
        missing.update((SUMMARY, why_unread(error)) for error in failed.values())
        return places

    def everything(self) -> Gathered:
        """The same and what explanations show besides, unopened."""
        missing: dict[str, str] = {}
        documents = list(self._documents(missing))
        pages, read = [each.content for each in documents], {each.source for each in documents}
        besides = [each for each in map(self._wanted, BESIDES) if _source(each.kind) not in read]
        besides = [each for each in besides if each.kind.kind not in missing]
        pages.extend(page.content for page in self._swept(besides, missing))
        objects: list[dict[str, Any]] = [msgspec.json.decode(raw) for page in pages for raw in items_of(page)]
        objects.sort(key=_place)  # lists come in no order, and nobody should see that
        return Gathered(objects, missing, self.now)

    def _documents(self, missing: dict[str, str]) -> Iterator[RawDocument]:
        """Pages of what a verdict depends on; nodes, pods and devices only where they matter."""
        placed = claimed = False
        for page in self._swept([self._wanted(name) for name in WORLD], missing):
            placed = placed or has_topology(page.kind.kind, page.content)
            claimed = claimed or claims_devices(page.kind.kind, page.content)
            yield _document(page)
        more = (*(PLACES if placed else ()), *(DEVICES if claimed else ()))
        for page in self._swept([self._wanted(name) for name in more], missing):
            yield _document(page)
        for content in self._settings(missing):
            yield RawDocument("Kueue's settings", 1, 0, content)

    def _wanted(self, name: str) -> Wanted:
        fields = LIVE_PODS if name == "Pod" else ""
        return Wanted(kind_named(name), self.namespace, fields=fields)

    def _swept(self, wanted: Sequence[Wanted], missing: dict[str, str]) -> Iterator[Page]:
        for item in sweep(self._server, wanted):
            if isinstance(item, Page):
                yield item
            elif item.error.status == 403 and item.kind.kind == "Workload" and self._is_outside(item):
                yield Page(item.kind, self._one(item.kind))
                missing["Workload"] = f"forbidden, except for {'/'.join(self.alone or ())}"
            elif item.error.status == 403 and (item.partly or item.kind.kind != "Workload"):
                missing[item.kind.kind] = narrowed(self.namespace) if item.partly else why_unread(item.error)
            elif item.kind.kind in (_RECKONED if item.error.status >= 429 else _ESSENTIAL):
                raise refused(item.error, item.kind.kind) if item.error.status == 403 else item.error
            elif item.error.status >= 429:
                missing[item.kind.kind] = why_unread(item.error)  # a kind that is not served has no objects

    def _is_outside(self, refusal: Refusal) -> bool:
        """Whether the Workload that is asked about is not among those that could be listed."""
        return self.alone is not None and not (refusal.partly and self.alone[0] == self.namespace)

    def _one(self, kind: Kind) -> bytes:
        """The Workload that is asked about. Raises ApiError."""
        namespace, name = self.alone or ("", "")
        try:
            return self._server.get(kind, namespace, name)
        except ApiError as error:
            raise refused(error, kind.kind) if error.status == 403 else error from None

    def _settings(self, missing: dict[str, str]) -> Iterator[bytes]:
        """Kueue's Deployment and its Configuration, if they may be read."""
        try:
            manager = self.manager()
            if manager is None:
                missing["Configuration"] = "no Deployment of Kueue's manager found"
                return
            yield manager
            namespace, name = config_map_of(manager)
            yield self._server.get(kind_named("ConfigMap"), namespace, name)
        except ApiError as error:
            missing["Configuration"] = why_unread(error)

    def manager(self) -> bytes | None:
        """The Deployment of Kueue's manager, wherever it is, or where it usually is for who may not look."""
        deployments = kind_named("Deployment")
        try:
            found = list(self.list(deployments, None, labels=MANAGER_LABELS))
        except ApiError as error:
            if error.status != 403:
                raise
            found = list(self.list(deployments, _KUEUE_NAMESPACE, labels=MANAGER_LABELS))
        return manager_among(found)


def _place(value: dict[str, Any]) -> tuple[str, str, str]:
    meta = value.get("metadata") or {}
    return str(value.get("kind")), str(meta.get("namespace") or ""), str(meta.get("name"))


class _List(msgspec.Struct, rename="camel"):
    items: list[msgspec.Raw] | None = None
    kind: str = ""
    api_version: str = ""


_decode_list = msgspec.json.Decoder(_List).decode


def items_of(page: bytes) -> Iterator[bytes]:
    """The objects of a list, each with its apiVersion and kind; an object that is no list is itself."""
    found = _decode_list(page)
    if found.items is None:
        yield page
        return
    head = msgspec.json.encode({"apiVersion": found.api_version, "kind": found.kind.removesuffix("List")})
    for raw in found.items:
        content = bytes(raw)
        if content.startswith(b'{"apiVersion"') or not content.startswith(b"{"):
            yield content  # what is no object is for the reader to refuse
        else:  # lists of built-in kinds do not repeat what their items are
            fields = content[1:].lstrip()
            yield head if fields == b"}" else head[:-1] + b"," + fields


def _document(page: Page) -> RawDocument:
    return RawDocument(_source(page.kind), 1, 0, page.content)


def _source(kind: Kind) -> str:
    return f"the cluster's {kind.plural}"
