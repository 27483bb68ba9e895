"""Documents -> World: which objects are there, at which moment, under which settings?"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace as replaced

from kubectl_kueue.errors import InputError
from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.config import Configuration, Document, Gates
from kubectl_kueue.model.defaults import as_stored
from kubectl_kueue.model.documents import Parcel, SourceDocument, document_place, open_document
from kubectl_kueue.model.forms import Form
from kubectl_kueue.model.gather import gather
from kubectl_kueue.model.moment import find_moment
from kubectl_kueue.model.settings import SETTING_KINDS, Settings, unknown_gates
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.model.world import World


def decode_world(documents: Iterable[SourceDocument], *, now: int | None = None) -> World:
    """The world that the documents describe together.

    Its time is what a document says (`now`, or a comment `# now: …`), else `now` (microseconds since
    1970), else the newest time in the objects. Objects outside of a snapshot document get the API
    server's defaults. Raises InputError, one line, at whatever is no snapshot or not consistent.
    """
    parcels = [open_document(document) for document in documents]
    head = _only_head(parcels)
    notes = list(head.notes)
    moment = find_moment(parcels, now, notes)
    created = format_time(moment)
    harvest = gather(parcels, lambda form, value: as_stored(form.kind, value, created=created), notes)
    _set_priorities(harvest.objects["workloads"], harvest.objects, notes)
    config, gates = _settings(head, harvest.settings, notes)
    return World(
        now=moment,
        name=head.name,
        mode=head.mode,
        max_cycles=head.max_cycles,
        gates=gates,
        config=config,
        missing=head.missing,
        notes=tuple(notes),
        steady=not head.origin,
        **harvest.objects,
    )


def decode_live(
    documents: Iterable[SourceDocument], *, now: int, missing: Mapping[str, str], notes: tuple[str, ...] = ()
) -> World:
    """The world of a cluster whose lists come as `documents`, taken one by one and not kept.

    `missing` is looked at when all have come. An object that comes twice (a list that was begun anew) counts
    as it came last; no object at all is an empty cluster. Raises InputError for what the engine cannot read.
    """
    told = list(notes)
    created = format_time(now)
    harvest = gather(
        (open_document(document) for document in documents),
        lambda form, value: as_stored(form.kind, value, created=created),
        told,
        live=True,
    )
    _set_priorities(harvest.objects["workloads"], harvest.objects, told)
    config, gates = _settings(Document(origin="live"), harvest.settings, told)
    world = World(now=now, gates=gates, config=config, missing=dict(missing), notes=tuple(told))
    return replaced(world, **harvest.objects)


def add_objects(
    world: World, documents: Iterable[SourceDocument], *, replace: bool = True, namespace: str | None = None
) -> World:
    """The world after `kubectl apply --namespace` of the documents at its `now`.

    An object that names no namespace goes to the given one, else to "default"; one that names another
    than the given one is an InputError.

    An object that is there keeps its uid, its age and (Workloads excepted) its status; an applied
    Workload has no reservation. With `replace` false, an object that is there with other content is an
    InputError.
    """
    parcels = [open_document(document) for document in documents]
    for parcel in parcels:
        if parcel.head is not None:
            place = document_place(parcel.document)
            raise InputError(f"{place}: a whole snapshot cannot be added to another")
    notes = list(world.notes)
    created = format_time(world.now)

    def apply(form: Form, value: Any) -> Any:
        meta = value.metadata
        if form.namespaced and meta.namespace and namespace not in (None, meta.namespace):
            own, asked = bare(meta.namespace), bare(namespace)
            raise InputError(f'it is in namespace "{own}", but --namespace says "{asked}"')
        home = namespace or "default"
        key = f"{meta.namespace or home}/{meta.name}" if form.namespaced else meta.name
        there = getattr(world, form.field).get(key)
        value = as_stored(form.kind, _over(there, value), created=created, namespace=home)
        if not replace and there is not None and there != value:
            raise InputError("it is in the snapshot with different content")
        return value

    harvest = gather(parcels, apply, notes)
    if unread := sorted(harvest.ignored - SETTING_KINDS):
        notes.append(f"ignored among the applied objects: {', '.join(bare(kind) for kind in unread)}")
    objects = {name: {**getattr(world, name), **found} for name, found in harvest.objects.items()}
    _set_priorities(harvest.objects["workloads"], objects, notes)
    objects["workloads"] |= harvest.objects["workloads"]
    config = harvest.settings.config or world.config
    changed = {**(config.feature_gates if config is not world.config else {}), **harvest.settings.gates}
    gates = _gates({**world.gates, **changed}, changed, notes)
    return replaced(world, notes=tuple(notes), config=config, gates=gates, **objects)


def _over(there: Any, value: Any) -> Any:
    """An applied object put over the one that is there, if there is one."""
    if isinstance(value, kinds.Workload):
        value = replaced(value, status=kinds.WorkloadStatus())
    if there is None:
        return value
    old, new = there.metadata, value.metadata
    uid, created = new.uid or old.uid, new.creation_timestamp or old.creation_timestamp
    value = replaced(value, metadata=replaced(new, uid=uid, creation_timestamp=created))
    if isinstance(value, kinds.Workload) or not hasattr(value, "status"):
        return value
    said_nothing = value.status == type(value)().status
    return replaced(value, status=there.status) if said_nothing else value


def _only_head(parcels: list[Parcel]) -> Document:
    """The head of the snapshot document, if there is one. Two cannot be one moment: InputError."""
    with_head = [parcel for parcel in parcels if parcel.head is not None]
    if len(with_head) > 1:
        first, second = (document_place(parcel.document) for parcel in with_head[:2])
        raise InputError(f"{second}: a second snapshot, the first is {first}; give one of them")
    return (with_head and with_head[0].head) or Document(origin="manifests")


def _settings(head: Document, found: Settings, notes: list[str]) -> tuple[Configuration, Gates]:
    """Configuration and gates: what the snapshot says of itself goes before what its objects say."""
    config = head.config if head.config != Configuration() else found.config or head.config
    gates = {**config.feature_gates, **found.gates, **head.features}
    return config, _gates(gates, gates, notes)


def _gates(gates: Mapping[str, bool], told: Mapping[str, bool], notes: list[str]) -> Gates:
    """The gates of a run; those of `told` that Kueue does not know are noted."""
    for name in unknown_gates(told):
        notes.append(f"feature gate {bare(name)} is unknown to Kueue v0.19.2 and has no effect here")
    return Gates(gates)


_CLASS_FIELDS = {
    "WorkloadPriorityClass": "workload_priority_classes",
    "PriorityClass": "priority_classes",
}


def _set_priorities(
    workloads: dict[str, Any], classes: Mapping[str, Mapping[str, Any]], notes: list[str]
) -> None:
    """Give a workload that only names its priority class the value of that class, as Kueue would."""
    absent: dict[str, int] = {}
    for key, workload in workloads.items():
        spec = workload.spec
        ref = spec.priority_class_ref
        if spec.priority is not None or ref is None:
            continue
        kind = ref.kind or "WorkloadPriorityClass"
        priority_class = classes[_CLASS_FIELDS[kind]].get(ref.name) if kind in _CLASS_FIELDS else None
        if priority_class is None:
            absent[f"{kind} {ref.name}"] = absent.get(f"{kind} {ref.name}", 0) + 1
        else:
            workloads[key] = replaced(workload, spec=replaced(spec, priority=priority_class.value))
    for name, count in sorted(absent.items()):
        who = "1 workload" if count == 1 else f"{count} workloads"
        notes.append(f"{bare(name)} is not among the objects: priority 0 assumed for {who}")
