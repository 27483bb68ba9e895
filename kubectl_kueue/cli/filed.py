"""Objects of the files of --snapshot, behind the same questions as those of a cluster."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_kueue.cli.names import several
from kubectl_kueue.cli.source import Gathered, Position
from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.cluster.kinds import Kind, kind_named, known_kind
from kubectl_kueue.errors import ApiError, ConfigError, InputError
from kubectl_kueue.model.documents import Parcel, open_document, open_list
from kubectl_kueue.model.manager import MANAGER_LABELS, manager_among

if TYPE_CHECKING:
    from kubectl_kueue.model.world import World


class _Meta(msgspec.Struct):
    name: str = ""
    namespace: str = ""
    labels: dict[str, str] | None = None


class _Header(msgspec.Struct, rename="camel"):
    api_version: str | None = None
    kind: str | None = None
    metadata: _Meta = msgspec.field(default_factory=_Meta)


class _Object(msgspec.Struct):
    """One object of a file, unopened but for its header."""

    group: str
    kind: str
    namespace: str
    name: str
    labels: Mapping[str, str]
    content: bytes


class _Told(msgspec.Struct):
    config: dict[str, Any] = {}
    features: dict[str, bool] = {}


_decode_header = msgspec.json.Decoder(_Header).decode
_FIELDS = ("metadata.name", "metadata.namespace")
_MORE_FIELDS: Mapping[str, Sequence[str]] = {
    "Workload": ("status.admission.clusterQueue",),
    "Pod": ("spec.nodeName", "status.phase"),
    "Event": ("involvedObject.name", "involvedObject.kind", "involvedObject.uid", "reason"),
}


class FileSource:
    """The documents of `path` (a file, a folder, - for standard input)."""

    def __init__(self, path: str, namespace: str | None, clock: int | None) -> None:
        self._documents = read_source(path)
        self._clock = clock
        self.namespace = namespace
        self.alone: tuple[str, str] | None = None

    # --- the engine's view ------------------------------------------------------------------------

    @cached_property
    def _world(self) -> "World":
        from kubectl_kueue.model.decode import decode_world

        return decode_world(self._documents)

    def world(self) -> "World":
        """All that the engine reads."""
        return self._world

    @cached_property
    def now(self) -> int:
        """The moment of the snapshot, in microseconds since 1970."""
        from kubectl_kueue.model.moment import find_moment

        return self._clock if self._clock is not None else find_moment(self._parcels, None, [])

    def foresee_positions(self, cluster_queue: str) -> None:
        """Nothing has to be fetched."""

    def positions(self, local_queues: Mapping[str, Sequence[str]]) -> Mapping[str, Position]:
        """What the engine says: a file holds no answers of the visibility API."""
        from kubectl_kueue.engine.pending import places

        return {
            key: Position(place.in_local_queue, place.in_cluster_queue)
            for key, place in places(self._world).items()
        }

    def everything(self) -> Gathered:
        """All objects with the head of the snapshot, if it is one."""
        head = next((parcel.head for parcel in self._parcels if parcel.head is not None), None)
        objects = [msgspec.json.decode(each.content) for each in self._objects]
        missing = dict(head.missing) if head is not None else {}
        notes = tuple(head.notes) if head is not None else ()
        return Gathered(objects, missing, self.now, notes, head)

    def told_settings(self) -> dict[str, Any]:
        """Kueue's Configuration and gates as the head of a snapshot has them, empty if there is none."""
        head = next((parcel.document for parcel in self._parcels if parcel.head is not None), None)
        if head is None:
            return {}
        found = msgspec.json.decode(head.content, type=_Told)
        return {
            **found.config,
            "featureGates": {**(found.config.get("featureGates") or {}), **found.features},
        }

    def manager(self) -> bytes | None:
        """Kueue's Deployment, if the files hold it."""
        return manager_among(self.list(kind_named("Deployment"), None, labels=MANAGER_LABELS))

    # --- objects ----------------------------------------------------------------------------------

    @cached_property
    def _parcels(self) -> list[Parcel]:
        return [open_document(document) for document in self._documents]

    @cached_property
    def _objects(self) -> list[_Object]:
        found = [each for parcel in self._parcels for each in _objects(parcel)]
        return sorted(found, key=lambda each: (each.namespace, each.name))

    def find_kind(self, word: str) -> Kind:
        """The kind that `word` names, also one that only the files know."""
        kind = known_kind(word)
        if kind is not None:
            return kind
        for each in self._objects:
            kind = _guessed(each)
            if word.lower() in kind.words or word.lower() == f"{kind.plural}.{kind.versions[0]}.{kind.group}":
                return kind
        raise ConfigError(f'the server doesn\'t have a resource type "{word}"')

    def get(self, kind: Kind, namespace: str | None, name: str) -> bytes:
        """One object; without a namespace the only one of this name. Raises ApiError, status 404."""
        found = [each for each in self._of(kind, namespace) if each.name == name]
        if not found:
            raise ApiError(f'{kind.resource} "{name}" not found', status=404, reason="NotFound")
        if len(found) > 1:
            raise several(kind.singular, name, (each.namespace for each in found))
        return found[0].content

    def list(
        self, kind: Kind, namespace: str | None, *, labels: str = "", fields: str = ""
    ) -> Iterator[bytes]:
        """Objects by namespace and name. Raises ApiError for a selector that the server would refuse."""
        from kubectl_kueue.model.selectors import match_fields, match_labels

        by_label = match_labels(labels) if labels else None
        supported = (*_FIELDS, *_MORE_FIELDS.get(kind.kind, ()))
        by_field = match_fields(fields, supported) if fields else None
        for each in self._of(kind, namespace):
            if by_label is not None and not by_label(each.labels):
                continue
            if by_field is not None and not by_field(_reader(each)):
                continue
            yield each.content

    def _of(self, kind: Kind, namespace: str | None) -> Iterator[_Object]:
        for each in self._objects:
            here = not kind.namespaced or namespace in (None, each.namespace)
            if here and each.kind == kind.kind and each.group == kind.group:
                yield each


def _objects(parcel: Parcel) -> Iterator[_Object]:
    for index, raw in enumerate(parcel.objects):
        header = _header(parcel, index, raw)
        kind, version = header.kind or parcel.kind, header.api_version or parcel.api_version
        if kind.endswith("List") and b'"items"' in bytes(raw):
            yield from _objects(open_list(parcel, index, kind, version))
            continue
        content = bytes(raw) if header.kind and header.api_version else _named(raw, kind, version)
        meta = header.metadata
        yield _Object(version.rpartition("/")[0], kind, meta.namespace, meta.name, meta.labels or {}, content)


def _header(parcel: Parcel, index: int, raw: msgspec.Raw) -> _Header:
    try:
        return _decode_header(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{parcel.place(index)}: {str(error) or 'nested too deeply'}") from None


def _named(raw: msgspec.Raw, kind: str, version: str) -> bytes:
    """Items of the lists of built-in kinds do not say what they are."""
    value: dict[str, Any] = msgspec.json.decode(raw)
    return msgspec.json.encode({"apiVersion": version, "kind": kind, **value})


def _guessed(each: _Object) -> Kind:
    singular = each.kind.lower()
    plural = f"{singular}es" if singular.endswith("s") else f"{singular}s"
    return Kind(each.group, each.kind, plural, bool(each.namespace))


def _reader(each: _Object) -> Callable[[str], str]:
    value = msgspec.json.decode(each.content)

    def read(path: str) -> str:
        found: Any = value
        for part in path.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return "" if found is None else str(found)

    return read
