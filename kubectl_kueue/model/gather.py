"""Opened documents -> the objects that the scheduler reads, each decoded once, none twice.

An object goes straight from its bytes into its struct. Only when that fails is it looked at again,
slowly: nulls count as absent, and what is still wrong is told with its JSON pointer.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from kubectl_kueue.errors import InputError
from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.convert import original_pointer, to_current
from kubectl_kueue.model.demands import check_demands, find_anonymous, find_refusal
from kubectl_kueue.model.documents import Parcel, open_list
from kubectl_kueue.model.faults import find_fault, without_nulls
from kubectl_kueue.model.forms import FORMS, Form, find_form
from kubectl_kueue.model.settings import SETTING_KINDS, Settings
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.syntax import check_syntax
from kubectl_kueue.model.unknown import Strangers

Settle = Callable[[Form, Any], Any]


@dataclass(slots=True)
class Harvest:
    """What the documents hold: objects by field of World and key, settings, and other kinds by name."""

    objects: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {form.field: {} for _, _, form in FORMS.values()}
    )
    settings: Settings = field(default_factory=Settings)
    ignored: set[str] = field(default_factory=set)


class _TypeMeta(msgspec.Struct, rename="camel", gc=False):
    api_version: str | None = None
    kind: str | None = None


_decode_type = msgspec.json.Decoder(_TypeMeta).decode


def gather(parcels: Iterable[Parcel], settle: Settle, notes: list[str], *, live: bool = False) -> Harvest:
    """Decode every object that is needed; `settle` completes those that a person may have written.

    Raises InputError if an object is wrong, if two differ under one name, or if there is none at all; the
    last two are no errors in pages of a `live` cluster, which are not kept either.
    """
    harvest = Harvest()
    forms: dict[tuple[str, str], Form | None] = {}
    inner: deque[Parcel] = deque()  # lists inside of lists come behind the last
    seen: list[Parcel] = []
    strangers = Strangers()
    for parcel in chain(parcels, _popped(inner)):
        if not live:
            seen.append(parcel)
        for index, raw in enumerate(parcel.objects):
            try:
                meta = _decode_type(raw)
            except (msgspec.DecodeError, RecursionError):
                raise _no_object(parcel, index) from None
            named = (meta.kind or parcel.kind, meta.api_version or parcel.api_version)
            try:
                form = forms[named]
            except KeyError:
                form = forms[named] = find_form(*named, notes)
            if form is None and named[0].endswith("List"):
                inner.append(open_list(parcel, index, *named))
            elif form is None:
                _pass_by(harvest, named, parcel, index)
            else:
                value = _decode(form, parcel, index)
                if form.kind in _COMPLETE:
                    value = _COMPLETE[form.kind](value)
                if not parcel.recorded:
                    value = _settled(settle, form, value, parcel, index)
                elif form.kind in _NAMED and (fault := find_anonymous(value)) is not None:
                    raise InputError(f"{_object_place(parcel, index, form.kind)}: {fault}")
                name = value.metadata.name
                key = f"{value.metadata.namespace}/{name}" if form.namespaced else name
                if not form.old:
                    strangers.look(form.kind, parcel.objects[index], key)
                objects = harvest.objects[form.field]
                if live:
                    objects[key] = value
                elif objects.setdefault(key, value) is not value and objects[key] != value:
                    raise _twice(seen, form, key, parcel, index)
    if not live and not any(harvest.objects.values()) and harvest.settings.config is None:
        raise _nothing(seen, harvest)
    notes.extend((*strangers.notes(), *harvest.settings.notes))
    return harvest


def _popped(parcels: deque[Parcel]) -> Iterator[Parcel]:
    while parcels:
        yield parcels.popleft()


def _pass_by(harvest: Harvest, named: tuple[str, str], parcel: Parcel, index: int) -> None:
    """An object that the scheduler does not read; it may still tell how Kueue is configured."""
    kind, api_version = named
    if not kind:
        raise InputError(f"{parcel.place(index)}: the object has no kind")
    if kind in SETTING_KINDS:
        place = _object_place(parcel, index, kind)
        harvest.settings.read(kind, api_version, parcel.objects[index], place, parcel)
    harvest.ignored.add(kind)


def _decode(form: Form, parcel: Parcel, index: int) -> Any:
    if form.old:
        return _decode_with_care(form, parcel, index)
    try:
        value = form.decode(parcel.objects[index])
        check_syntax(value)
        check_demands(value)
        return value
    except (msgspec.DecodeError, InputError, RecursionError):
        return _decode_with_care(form, parcel, index)


def _decode_with_care(form: Form, parcel: Parcel, index: int) -> Any:
    """Decode an object that is old, has nulls, or is wrong: then raise InputError with the pointer."""
    try:
        value = without_nulls(msgspec.json.decode(parcel.objects[index]))
        if form.old:
            value = to_current(form.kind, value)
        return typed(value, form.type)
    except RecursionError:
        fault = "nested too deeply"
    except msgspec.DecodeError as error:
        fault = str(error).partition(" - at ")[0]
    except InputError as error:
        fault = original_pointer(form.kind, str(error)) if form.old else str(error)
    raise InputError(f"{_object_place(parcel, index, form.kind)}: {fault}")


def typed(value: Any, type_: type[Any]) -> Any:
    """The struct of a JSON value. Raises InputError with the pointer of what is wrong."""
    try:
        converted = msgspec.convert(value, type_)
        check_syntax(converted)
        check_demands(converted)
        return converted
    except (msgspec.ValidationError, InputError) as error:
        raise InputError(find_fault(value, type_) or str(error)) from None


def _settled(settle: Settle, form: Form, value: Any, parcel: Parcel, index: int) -> Any:
    fault = find_refusal(value)
    if fault is None:
        try:
            return settle(form, value)
        except InputError as error:
            fault = str(error)
    raise InputError(f"{_object_place(parcel, index, form.kind)}: {fault}")


def _complete_queue(queue: Any) -> Any:
    if queue.spec.stop_policy == "":
        queue = replace(queue, spec=replace(queue.spec, stop_policy="None"))
    if isinstance(queue, kinds.ClusterQueue) and queue.spec.queueing_strategy == "":
        queue = replace(queue, spec=replace(queue.spec, queueing_strategy="BestEffortFIFO"))
    return queue


def _complete_namespace(namespace: kinds.Namespace) -> kinds.Namespace:
    meta = namespace.metadata
    if "kubernetes.io/metadata.name" in meta.labels:
        return namespace
    labels = {"kubernetes.io/metadata.name": meta.name, **meta.labels}
    return replace(namespace, metadata=replace(meta, labels=labels))


# What holds for recorded worlds too.
_COMPLETE: Mapping[str, Callable[[Any], Any]] = {
    "ClusterQueue": _complete_queue,
    "LocalQueue": _complete_queue,
    "Namespace": _complete_namespace,
}
# Nothing can be said about these without a name; a recorded Cohort may have none.
_NAMED = frozenset({"LocalQueue", "Workload"})


# --- words ------------------------------------------------------------------------------------


class _Name(msgspec.Struct):
    name: Any = ""
    namespace: Any = ""


class _Named(msgspec.Struct):
    kind: Any = ""
    metadata: _Name = msgspec.field(default_factory=_Name)


def _name(parcel: Parcel, index: int) -> tuple[str, str, str]:
    """Kind, namespace and name of an object that may be wrong anywhere."""
    try:
        named = msgspec.json.decode(parcel.objects[index], type=_Named)
    except (msgspec.DecodeError, RecursionError):
        return parcel.kind, "", ""
    words = (named.kind, named.metadata.namespace, named.metadata.name)
    kind, namespace, name = (word if isinstance(word, str) else "" for word in words)
    return kind or parcel.kind, namespace, name


def _object_place(parcel: Parcel, index: int, kind: str) -> str:
    """Document, object, kind and namespace/name."""
    name = "/".join(part for part in _name(parcel, index)[1:] if part)
    return f"{parcel.place(index)}, {kind} {bare(name)}".rstrip()


def _twice(parcels: list[Parcel], form: Form, key: str, parcel: Parcel, index: int) -> InputError:
    """The object `index` of `parcel` differs from one that came before it."""
    places = (
        other.place(i)
        for other in parcels
        for i in range(len(other.objects))
        if _has_key(other, i, form, key)
    )
    here = _object_place(parcel, index, form.kind)
    return InputError(f"{here}: differs from the same object in {next(places, 'another document')}")


def _has_key(parcel: Parcel, index: int, form: Form, key: str) -> bool:
    kind, namespace, name = _name(parcel, index)
    if kind != form.kind:
        return False
    if not form.namespaced:
        return name == key
    return f"{namespace}/{name}" == key or (not namespace and key.endswith(f"/{name}"))


def _no_object(parcel: Parcel, index: int) -> InputError:
    try:
        value = without_nulls(msgspec.json.decode(parcel.objects[index]))
        fault = find_fault(value, _TypeMeta) or "not a Kubernetes object"
    except RecursionError:
        fault = "nested too deeply"
    except msgspec.DecodeError as error:
        fault = str(error)
    return InputError(f"{parcel.place(index)}: {fault}")


def _nothing(parcels: list[Parcel], harvest: Harvest) -> InputError:
    sources = list(dict.fromkeys(parcel.document.source for parcel in parcels))
    where = sources[0] if sources else "the input"
    if len(sources) > 1:
        where += f" and {len(sources) - 1} more"
    if not harvest.ignored:
        return InputError(f"{where}: no objects")
    names = [bare(name) for name in sorted(harvest.ignored)]
    listed = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    return InputError(f"{where}: no object that Kueue's scheduler reads (found {listed})")
