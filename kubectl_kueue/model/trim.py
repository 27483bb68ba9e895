"""Objects of a cluster -> one snapshot document that holds what Kueue's scheduler and the explanations read.

What is carried is listed (shape.py), not what is left out: a field, an annotation or a kind that nobody has
thought of stays behind.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from kubectl_kueue.errors import InputError
from kubectl_kueue.model import carried
from kubectl_kueue.model.config import CONFIG_GROUP, GATE_DEFAULTS, Configuration, Document
from kubectl_kueue.model.convert import to_current
from kubectl_kueue.model.defaults import NAMESPACED
from kubectl_kueue.model.forms import FORMS, Form, find_form
from kubectl_kueue.model.manager import is_kueues
from kubectl_kueue.model.shape import Shape, kept, shape_of
from kubectl_kueue.model.timestamp import HOUR, format_time, parse_time
from kubectl_kueue.model.world import World

_OLD_EVENTS = HOUR


class Trimmed(NamedTuple):
    """The document, and what was left out: objects by kind, and events that are too old or about others."""

    document: dict[str, Any]
    left_out: Mapping[str, int]
    events_left_out: int


def trim(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """An object with only what is read of it; None if nothing is read of its kind."""
    shape = shape_for(value)
    if shape is None:
        return None
    head = {key: value[key] for key in ("apiVersion", "kind") if isinstance(value.get(key), str)}
    rest = kept(shape, {key: each for key, each in value.items() if key not in head})
    return {**head, **rest}


def shape_for(value: Mapping[str, Any]) -> Shape | None:
    """What is carried of an object of this kind, None for nothing."""
    kind, version = value.get("kind"), value.get("apiVersion") or ""
    if not isinstance(kind, str) or not isinstance(version, str):
        return None
    group = version.rpartition("/")[0]
    if (group, kind) in carried.OTHER_KINDS:
        return shape_of(carried.OTHER_KINDS[group, kind])
    if kind in FORMS and (FORMS[kind][0] == group or not version):
        return shape_of(FORMS[kind][2].type)
    if is_manager(value):
        return shape_of(carried.Manager)
    return shape_of(carried.Job) if (group, kind) in carried.JOBS else None


def is_manager(value: Mapping[str, Any]) -> bool:
    """Whether an object is the Deployment of Kueue's manager."""
    meta = value.get("metadata")
    if value.get("kind") != "Deployment" or not isinstance(meta, dict):
        return False
    return is_kueues(meta.get("name"), meta.get("labels"))


def build_document(
    objects: Iterable[Mapping[str, Any]],
    world: World,
    *,
    head: Document | None,
    live: bool,
    missing: Mapping[str, str],
    parse: Callable[[str], object],
) -> Trimmed:
    """The snapshot of `objects`, whose `world` is what they are read to.

    `head` is that of the snapshot that they come from, if they do; `parse` reads the YAML inside of a
    ConfigMap. What the reader of plain manifests fills in is written down, since nothing is filled in when a
    snapshot is read.
    """
    objects = list(objects)
    carried_objects, left_out = [], dict[str, int]()
    for value in objects:
        small = trim(value)
        if small is None:
            kind = str(value.get("kind"))
            left_out[kind] = left_out.get(kind, 0) + 1
        else:
            carried_objects.append(_completed(small, world))
    told = _in_order(_with_recent_events(carried_objects, world.now), world)
    origin = "live" if live else head.origin if head is not None else "manifests"
    first: dict[str, Any] = {"name": world.name} if world.name else {}
    first["now"] = format_time(world.now)
    if head is not None and not origin:
        first |= {"mode": world.mode, "maxCycles": world.max_cycles}
    document = {
        **first,
        "features": _features(world, head),
        "config": _configuration(objects, world, parse),
        **({"kueue": found} if (found := _about_kueue(objects, parse)) else {}),
        "origin": origin,
        "missing": dict(missing),
        "notes": [],
        "objects": told,
    }
    return Trimmed(document, left_out, len(carried_objects) - len(told))


# --- objects ----------------------------------------------------------------------------------------


def _completed(value: dict[str, Any], world: World) -> dict[str, Any]:
    """The object with what the reader put in where it said nothing, which is in `world`."""
    form = find_form(value.get("kind", ""), value.get("apiVersion", ""), [])
    if form is None:
        return value
    there = _in_world(form, value, world)
    here = _typed(form, value)
    if there is None or here is None or here == there:
        return value
    return _filled(value, msgspec.to_builtins(here), msgspec.to_builtins(_without_unread(form, there)))


def _in_world(form: Form, value: Mapping[str, Any], world: World) -> Any:
    meta = value.get("metadata") or {}
    name, namespace = meta.get("name", ""), meta.get("namespace", "")
    found: Mapping[str, Any] = getattr(world, form.field)
    if not form.namespaced:
        return found.get(name)
    return found.get(f"{namespace}/{name}") or (None if namespace else found.get(f"default/{name}"))


def _typed(form: Form, value: dict[str, Any]) -> Any:
    try:
        if form.old:
            value = to_current(form.kind, msgspec.json.decode(msgspec.json.encode(value)))
        return msgspec.convert(value, form.type)
    except (msgspec.ValidationError, InputError):
        return None


def _without_unread(form: Form, value: Any) -> Any:
    """A value of the world as it would be if the object had been trimmed before it was read."""
    return msgspec.convert(kept(shape_of(form.type), msgspec.to_builtins(value)), form.type)


def _filled(value: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """`value` with what is in `after` but not in `before`, two readings of it."""
    filled = dict(value)
    for key, new in after.items():
        old, here = before.get(key), value.get(key)
        if new == old:
            continue
        if isinstance(new, dict) and isinstance(old, dict | None):
            filled[key] = _filled(here if isinstance(here, dict) else {}, old or {}, new)
        elif isinstance(new, list) and isinstance(old, list) and isinstance(here, list):
            if len(new) == len(old) == len(here) and all(isinstance(each, dict) for each in here):
                filled[key] = [_filled(*each) for each in zip(here, old, new, strict=True)]
        else:
            filled[key] = new
    return filled


def _with_recent_events(objects: Sequence[dict[str, Any]], now: int) -> list[dict[str, Any]]:
    there = {_identity(each.get("kind"), each.get("metadata")) for each in objects}
    return [each for each in objects if each.get("kind") != "Event" or _is_wanted(each, there, now)]


def _is_wanted(event: Mapping[str, Any], there: set[tuple[Any, ...]], now: int) -> bool:
    about = event.get("involvedObject") or event.get("regarding") or {}
    if _identity(about.get("kind"), about) not in there:
        return False
    series = event.get("series") or {}
    meta = event.get("metadata") or {}
    texts = (series.get("lastObservedTime"), event.get("lastTimestamp"), event.get("eventTime"))
    text = next(filter(None, (*texts, meta.get("creationTimestamp"))), None)
    try:
        return text is None or now - parse_time(text) <= _OLD_EVENTS
    except InputError:
        return False


def _in_order(objects: Sequence[dict[str, Any]], world: World) -> list[dict[str, Any]]:
    """Kind by kind, each in the order of the world; what the scheduler does not read comes last."""
    keys = [(form.kind, key) for field, form in _FORM_OF_FIELD.items() for key in getattr(world, field)]
    rank = {each: number for number, each in enumerate(keys)}

    def place(value: Mapping[str, Any]) -> int:
        kind, namespace, name = _identity(value.get("kind"), value.get("metadata"))
        key = f"{namespace}/{name}" if kind in NAMESPACED else name
        return rank.get((kind, key), len(rank))

    return sorted(objects, key=place)


def _identity(kind: Any, meta: Any) -> tuple[Any, ...]:
    meta = meta if isinstance(meta, dict) else {}
    return kind, meta.get("namespace") or "", meta.get("name")


# --- Kueue itself -----------------------------------------------------------------------------------


def _features(world: World, head: Document | None) -> dict[str, bool]:
    """Gates that somebody has set: said by a snapshot, or not as in the release that is simulated."""
    changed = {gate: on for gate, on in world.gates.items() if GATE_DEFAULTS.get(gate) is not on}
    return dict(sorted({**(head.features if head is not None else {}), **changed}.items()))


def _configuration(
    objects: Iterable[Mapping[str, Any]], world: World, parse: Callable[[str], object]
) -> dict[str, Any]:
    """What decides of Kueue's Configuration, with what explains jobs that it does not manage."""
    decides = _without_empty_lists(msgspec.to_builtins(world.config))
    if not world.config.feature_gates:
        decides.pop("featureGates", None)
    for value, _ in _configurations(objects, parse):
        whole = _merged(kept(shape_of(Configuration), value), decides)
        try:
            if msgspec.convert(whole, Configuration) == world.config:
                return whole
        except msgspec.ValidationError:
            continue
    return decides


def _without_empty_lists(value: Mapping[str, Any]) -> dict[str, Any]:
    """An empty list of the Configuration is an absent one; an empty object need not be."""
    return {
        key: _without_empty_lists(each) if isinstance(each, dict) else each
        for key, each in value.items()
        if each != []
    }


def _configurations(
    objects: Iterable[Mapping[str, Any]], parse: Callable[[str], object]
) -> Iterator[tuple[dict[str, Any], Mapping[str, Any]]]:
    """Kueue's Configuration as it was written, with the object in which it stands."""
    for value in objects:
        version = str(value.get("apiVersion"))
        if value.get("kind") == "Configuration" and version.startswith(f"{CONFIG_GROUP}/"):
            yield dict(value), value
        elif value.get("kind") == "ConfigMap" and isinstance(value.get("data"), dict):
            for text in value["data"].values():
                if isinstance(text, str) and CONFIG_GROUP in text:
                    found = parse(text)
                    if isinstance(found, dict) and found.get("kind") == "Configuration":
                        yield found, value


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        there = merged.get(key)
        both = isinstance(value, dict) and isinstance(there, dict)
        merged[key] = _merged(there, value) if both and isinstance(there, dict) else value
    return merged


def _about_kueue(objects: Iterable[Mapping[str, Any]], parse: Callable[[str], object]) -> dict[str, Any]:
    """Which Kueue it is, and where that and its Configuration were read."""
    found: dict[str, Any] = {}
    objects = list(objects)
    for value in objects:
        if is_manager(value) and (version := _image_version(value)):
            found |= {"version": version, "manager": _place(value)}
    for _, place in _configurations(objects, parse):
        found["configuration"] = _place(place)
    return found


def _place(value: Mapping[str, Any]) -> dict[str, Any]:
    meta = value.get("metadata") or {}
    place = {"kind": value.get("kind"), "namespace": meta.get("namespace"), "name": meta.get("name")}
    return {key: text for key, text in place.items() if isinstance(text, str)}


def _image_version(deployment: Mapping[str, Any]) -> str:
    small = kept(shape_of(carried.Manager), deployment)
    containers = ((small.get("spec") or {}).get("template") or {}).get("spec") or {}
    for container in containers.get("containers", ()):
        name, colon, tag = str(container.get("image", "")).partition("@")[0].rpartition(":")
        if colon and "kueue" in name and "/" not in tag:
            return tag
    return ""


# --- the same world? --------------------------------------------------------------------------------


def difference(world: World, new: World) -> str | None:
    """What `new`, read from the snapshot of `world`, says otherwise about anything that is carried; None for
    nothing."""
    for field in world.__struct_fields__:
        old, now = getattr(world, field), getattr(new, field)
        if old == now or field == "notes":
            continue
        form = _FORM_OF_FIELD.get(field)
        if form is None:
            return field
        if list(old) != list(now):
            return form.kind
        for key, value in old.items():
            if value != now[key] and _without_unread(form, value) != now[key]:
                return f"{form.kind} {key}"
    return None


_FORM_OF_FIELD: Mapping[str, Form] = {form.field: form for _, _, form in FORMS.values()}
