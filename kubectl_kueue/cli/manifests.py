"""Jobs among the manifests of -f, replaced by the Workloads that Kueue would make of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_kueue.errors import InputError
from kubectl_kueue.jobs import Conversion, is_job, workloads_of
from kubectl_kueue.model.documents import Parcel, open_document, open_list

if TYPE_CHECKING:
    from kubectl_kueue.cluster.files import RawDocument
    from kubectl_kueue.model.world import World

_FOR_ITSELF = ("Pod", "Deployment")
"""Kinds that the engine reads too: a pod that Kueue does not queue, the Deployment of its manager."""


class Taken(NamedTuple):
    """The documents with Workloads in place of jobs; what was refused and what is assumed, in sentences."""

    documents: Sequence["RawDocument"]
    refused: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()


class Found(NamedTuple):
    """One object of a document; `line` is where it begins, 0 if unknown."""

    document: int
    value: dict[str, Any]
    line: int = 0


def add_manifests(
    world: "World", manifests: Sequence[str], namespace: str | None, warn: Callable[[str], None]
) -> tuple["World", list[str]]:
    """The world after `kubectl apply --namespace` of the files, folders or -, and the keys of the Workloads
    that came in. Raises InputError.
    """
    from kubectl_kueue.cluster.files import read_source
    from kubectl_kueue.model.decode import add_objects

    before = world.workloads
    for manifest in manifests:
        taken = with_jobs(read_source(manifest), world, namespace=namespace)
        for line in taken.refused:
            warn(line)
        world = add_objects(world, taken.documents, namespace=namespace)
        world = msgspec.structs.replace(world, notes=(*world.notes, *taken.assumed))
    return world, [key for key, each in world.workloads.items() if before.get(key) is not each]


def with_jobs(
    documents: Sequence["RawDocument"], world: "World | None", *, namespace: str | None = None
) -> Taken:
    """Replace the jobs in the documents. Raises InputError if nothing is left that could be looked at."""
    if not any(_has_job(open_document(document)) for document in documents):
        return Taken(documents)
    from kubectl_kueue.views.convert import assumed_words, refused_words

    found = objects_of(documents, namespace)
    conversion = workloads_of([each.value for each in found], world, namespace=namespace or "default")
    refused, assumed = tuple(refused_words(conversion)), tuple(assumed_words(conversion))
    kept = _without_jobs(found, conversion)
    if not conversion.made and not any(_is_read(each.value) for each in kept.values()):
        why = next(iter((*refused, *assumed)), f"{documents[0].source}: no job that Kueue queues")
        raise InputError(f"{why}; kubectl kueue lint -f {documents[0].source} looks closer")
    for made in conversion.made:
        first = found[made.indexes[0]]
        kept.setdefault(made.indexes[0], first)
    return Taken(_rewritten(documents, found, kept, conversion), refused, assumed)


def objects_of(documents: Sequence["RawDocument"], namespace: str | None) -> list[Found]:
    """The objects of all documents, those of lists too. Raises InputError for one of another namespace."""
    found = []
    for index, document in enumerate(documents):
        parcel = open_document(document)
        if parcel.head is None:
            found += [Found(index, value, line) for value, line in _values(parcel, document)]
    for each in found:
        meta = each.value.get("metadata")
        own = meta.get("namespace") if isinstance(meta, dict) else None
        if own and namespace not in (None, own) and is_job(*_type(each.value)):
            place = documents[each.document].source
            raise InputError(f'{place}: it is in namespace "{own}", but --namespace says "{namespace}"')
    return found


# --- reading --------------------------------------------------------------------------------------


class _TypeMeta(msgspec.Struct, rename="camel"):
    kind: Any = None
    api_version: Any = None


_decode_type = msgspec.json.Decoder(_TypeMeta).decode


def _has_job(parcel: Parcel) -> bool:
    if parcel.head is not None:
        return False
    for index, raw in enumerate(parcel.objects):
        try:
            meta = _decode_type(raw)
        except msgspec.DecodeError:
            continue  # what it is, the engine's reader tells
        kind = str(meta.kind or parcel.kind)
        version = str(meta.api_version or parcel.api_version)
        if is_job(kind, version):
            return True
        if _is_list(kind, raw) and _has_job(open_list(parcel, index, kind, version)):
            return True
    return False


def _is_list(kind: str, raw: msgspec.Raw) -> bool:
    return kind.endswith("List") and b'"items"' in bytes(raw)


def _values(parcel: Parcel, document: "RawDocument") -> Iterator[tuple[dict[str, Any], int]]:
    lines = () if parcel.outer else document.item_lines
    for index, raw in enumerate(parcel.objects):
        value = msgspec.json.decode(raw)
        if not isinstance(value, dict):
            continue
        kind = str(value.get("kind") or parcel.kind)
        version = str(value.get("apiVersion") or parcel.api_version)
        if _is_list(kind, raw):
            yield from _values(open_list(parcel, index, kind, version), document)
        else:
            yield {**value, "apiVersion": version, "kind": kind}, lines[index] if index < len(lines) else 0


def _type(value: Mapping[str, Any]) -> tuple[str, str]:
    return str(value.get("kind")), str(value.get("apiVersion"))


# --- rewriting ------------------------------------------------------------------------------------


def _without_jobs(found: Sequence[Found], conversion: Conversion) -> dict[int, Found]:
    """Objects that stay as they are, by index."""
    gone = {index for made in conversion.made for index in made.indexes}
    gone.update(refusal.subject.place for refusal in conversion.refusals)
    return {
        index: each
        for index, each in enumerate(found)
        if index not in gone and (each.value["kind"] in _FOR_ITSELF or not is_job(*_type(each.value)))
    }


def _is_read(value: Mapping[str, Any]) -> bool:
    from kubectl_kueue.model.forms import find_form

    return find_form(*_type(value), []) is not None


def _rewritten(
    documents: Sequence["RawDocument"],
    found: Sequence[Found],
    kept: Mapping[int, Found],
    conversion: Conversion,
) -> list["RawDocument"]:
    """The documents as lists of what stays and of the Workloads, in the old order."""
    workloads: dict[int, list[dict[str, Any]]] = {}
    for made in conversion.made:
        workloads.setdefault(made.indexes[0], []).append(made.workload)
    items: dict[int, list[tuple[dict[str, Any], int]]] = {}
    for index in sorted(kept):
        each = found[index]
        for value in workloads.get(index, [each.value]):
            items.setdefault(each.document, []).append((value, each.line))
    return [
        _list_document(document, items[index]) if index in items else document
        for index, document in enumerate(documents)
        if index in items or open_document(document).head is not None
    ]


def _list_document(document: "RawDocument", items: Sequence[tuple[dict[str, Any], int]]) -> "RawDocument":
    content = msgspec.json.encode(
        {"apiVersion": "v1", "kind": "List", "items": [value for value, _ in items]}
    )
    lines = [line for _, line in items]
    return msgspec.structs.replace(document, content=content, item_lines=lines if all(lines) else ())
