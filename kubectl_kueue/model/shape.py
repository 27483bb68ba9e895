"""The structs of objects.py as a tree of fields: what of a raw object is read, and what each text in it is.

A snapshot keeps what this tree has and nothing else; a redaction renames what the tree calls a name. A text
that nobody has classified is a name, so what is forgotten is renamed, never told.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeGuard, Union, get_args, get_origin

import msgspec

from kubectl_kueue.model import carried
from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.config import DeviceClassMapping, DeviceSource, ResourcesConfig, Transformation

Role = Literal[
    "keep", "name", "podset", "word", "component", "text", "uid", "image", "drop", "labels", "annotations"
]
"""What a text is. `word`: an identifier of the API such as a reason. `component`: a name that Kueue or
Kubernetes may have given. `labels`, `annotations`: a value whose meaning depends on its key."""


class Fields(NamedTuple):
    """An object with these fields; `type` is the struct that says so."""

    type: type[msgspec.Struct]
    fields: "Mapping[str, Shape]"


class Items(NamedTuple):
    """A list."""

    item: "Shape"


class Entries(NamedTuple):
    """A map with free keys; the keys stay as they are."""

    value: "Shape"


class Leaf(NamedTuple):
    """A text, a number or a truth value."""

    role: Role


Shape = Fields | Items | Entries | Leaf
Visit = Callable[[Role, str, str], str]
"""(role, key of a label or "", text) -> the text that stands there instead."""

Q = kinds
_ROLES: Mapping[tuple[type, str], Role] = {
    (Q.ObjectMeta, "uid"): "uid",
    (Q.ObjectMeta, "resource_version"): "keep",
    (Q.ObjectMeta, "labels"): "labels",
    (Q.ObjectMeta, "annotations"): "annotations",
    (Q.OwnerReference, "api_version"): "keep",
    (Q.OwnerReference, "kind"): "keep",
    (Q.OwnerReference, "uid"): "uid",
    (Q.Condition, "type"): "word",
    (Q.Condition, "reason"): "word",
    (Q.Condition, "message"): "text",
    (Q.LabelSelector, "match_labels"): "labels",
    (Q.LabelSelectorRequirement, "key"): "keep",
    (Q.NodeSelectorRequirement, "key"): "keep",
    (Q.NodeSelectorRequirement, "operator"): "word",
    (Q.Toleration, "key"): "keep",
    (Q.Toleration, "operator"): "word",
    (Q.Toleration, "effect"): "word",
    (Q.Taint, "key"): "keep",
    (Q.ContainerPort, "protocol"): "word",
    (Q.Container, "restart_policy"): "word",
    (Q.PodSpec, "node_selector"): "labels",
    (Q.SliceConstraint, "topology"): "keep",
    (Q.PodSetTopologyRequest, "required"): "keep",
    (Q.PodSetTopologyRequest, "preferred"): "keep",
    (Q.PodSetTopologyRequest, "pod_set_slice_required_topology"): "keep",
    (Q.PodSetTopologyRequest, "pod_index_label"): "keep",
    (Q.PodSetTopologyRequest, "sub_group_index_label"): "keep",
    (Q.PodSet, "name"): "podset",
    (Q.PodSetAssignment, "name"): "podset",
    (Q.PodSetUpdate, "name"): "podset",
    (Q.ReclaimablePod, "name"): "podset",
    (Q.PreemptionGate, "name"): "component",
    (Q.PreemptionGateState, "name"): "component",
    (Q.PriorityClassRef, "group"): "keep",
    (Q.PriorityClassRef, "kind"): "keep",
    (Q.TopologyAssignment, "levels"): "keep",
    (Q.PodSetUpdate, "labels"): "labels",
    (Q.PodSetUpdate, "annotations"): "annotations",
    (Q.PodSetUpdate, "node_selector"): "labels",
    (Q.AdmissionCheckState, "message"): "text",
    (Q.EvictionCount, "reason"): "word",
    (Q.EvictionCount, "underlying_cause"): "word",
    (Q.ResourceQuota, "name"): "keep",
    (Q.ResourceGroup, "covered_resources"): "keep",
    (Q.FlavorResourceUsage, "name"): "keep",
    (Q.ResourceFlavorSpec, "node_labels"): "labels",
    (Q.AdmissionCheckParameters, "api_group"): "keep",
    (Q.AdmissionCheckParameters, "kind"): "keep",
    (Q.AdmissionCheckSpec, "controller_name"): "component",
    (Q.TopologyLevel, "node_label"): "keep",
    (Q.WorkloadPriorityClass, "description"): "drop",
    (Q.LimitRangeItem, "type"): "word",
    (Q.DeviceClassSpec, "extended_resource_name"): "keep",
    (Q.ExactDeviceRequest, "allocation_mode"): "word",
    (Q.PodStatus, "phase"): "word",
    (ResourcesConfig, "exclude_resource_prefixes"): "keep",
    (Transformation, "input"): "keep",
    (Transformation, "multiply_by"): "keep",
    (DeviceClassMapping, "name"): "keep",
    (DeviceSource, "name"): "keep",
    (DeviceSource, "driver"): "keep",
    **carried.ROLES,
}

# Where the struct says "any JSON", or is given by hand: the type that tells what of it is carried.
_TYPES: Mapping[tuple[type, str], Any] = {
    (Q.ResourceRequirements, "claims"): list[carried.ClaimUse],
    (Q.Affinity, "pod_affinity"): carried.PodAffinity,
    (Q.Affinity, "pod_anti_affinity"): carried.PodAffinity,
    (Q.PodSpec, "topology_spread_constraints"): list[carried.SpreadConstraint],
    (Q.ExactDeviceRequest, "selectors"): list[carried.DeviceSelector],
    (Q.DeviceRequest, "first_available"): list[carried.SubRequest],
}


@cache
def shape_of(type_: type[msgspec.Struct]) -> Fields:
    """The tree of a struct, with what snapshots carry besides."""
    return Fields(type_, dict(_fields(type_)))


def kept(shape: Shape, value: Any) -> Any:
    """`value` without what the shape does not have, without nulls and without what has another form; None
    if nothing of it has the right form."""
    match shape:
        case Fields(_, fields):
            if not isinstance(value, dict):
                return None
            found = ((key, kept(fields[key], each)) for key, each in value.items() if key in fields)
            return {key: each for key, each in found if each is not None and (each or key != "annotations")}
        case Items(item):
            if not isinstance(value, list):
                return None
            return [each for element in value if (each := kept(item, element)) is not None]
        case Entries(entry):
            if not isinstance(value, dict):
                return None
            known = carried.ANNOTATIONS if entry == _ANNOTATION else value
            found = ((key, kept(entry, each)) for key, each in value.items() if key in known)
            return {key: each for key, each in found if each is not None}
    return value if isinstance(value, str | int | float) else None


def renamed(shape: Shape, value: Any, visit: Visit, key: str = "") -> Any:
    """`value`, which has this shape, with every text put through `visit`. `key` is that of the label whose
    value this is."""
    match shape:
        case Fields(type_, fields):
            special = _BY_KEY.get(type_)
            if special is not None:
                return special(fields, value, visit)
            return {name: renamed(fields[name], each, visit) for name, each in value.items()}
        case Items(item):
            return [renamed(item, each, visit, key) for each in value]
        case Entries(entry):
            return {name: renamed(entry, each, visit, name) for name, each in value.items()}
    return visit(shape.role, key, value) if isinstance(value, str) else value


# --- types -> tree ----------------------------------------------------------------------------------


def _fields(type_: type[msgspec.Struct]) -> list[tuple[str, Shape]]:
    found = []
    for field in msgspec.structs.fields(type_):
        place = (type_, field.name)
        found.append((field.encode_name, _shape(_TYPES.get(place, field.type), _ROLES.get(place))))
    more = carried.MORE.get(type_)
    if more is not None:
        found.extend(shape_of(more).fields.items())
    return found


def _shape(type_: Any, role: Role | None) -> Shape:
    origin, arguments = get_origin(type_), get_args(type_)
    if origin in (Union, UnionType):
        whole = [each for each in arguments if each is not type(None)]
        return _shape(whole[0], role)
    if origin is Annotated:
        syntax = any((meta.extra or {}).get("syntax") for meta in arguments[1:])
        return _shape(arguments[0], "keep" if syntax and role is None else role)
    if origin is list:
        return Items(_shape(arguments[0], role))
    if origin is dict:
        return Entries(_shape(arguments[1], role))
    if _is_struct(type_):
        return shape_of(type_)
    if origin is Literal:
        return Leaf(role or "word")
    return Leaf(role or ("name" if type_ is str else "keep"))


def _is_struct(type_: Any) -> TypeGuard[type[msgspec.Struct]]:
    return isinstance(type_, type) and issubclass(type_, msgspec.Struct)


_ANNOTATION = Leaf("annotations")


# --- texts that mean what a key beside them says ----------------------------------------------------


def _by_key(fields: Mapping[str, Shape], value: Mapping[str, Any], visit: Visit) -> dict[str, Any]:
    """Taints, tolerations, selector requirements: `value` or `values` are those of the label `key`."""
    key = value.get("key", "")
    found = {}
    for name, each in value.items():
        if name == "value":
            found[name] = visit("labels", key, each) if isinstance(each, str) else each
        elif name == "values":
            found[name] = [visit("labels", key, text) for text in each if isinstance(text, str)]
        else:
            found[name] = renamed(fields[name], each, visit)
    return found


def _field_requirement(fields: Mapping[str, Shape], value: Mapping[str, Any], visit: Visit) -> dict[str, Any]:
    """A requirement of a node: a label's, or (matchFields) one on metadata.name, which is a name."""
    if value.get("key") != "metadata.name":
        return _by_key(fields, value, visit)
    return {**value, "values": [visit("name", "", text) for text in value.get("values", ())]}


def _topology(fields: Mapping[str, Shape], value: Mapping[str, Any], visit: Visit) -> dict[str, Any]:
    """Domains by the label of their level. What they share is written out: a cut may be inside of a name."""
    levels = [each for each in value.get("levels", ()) if isinstance(each, str)]
    found = dict(value)
    if "slices" in value:
        found["slices"] = [
            {
                **each,
                "valuesPerLevel": [
                    _level_values(level, values, visit)
                    for level, values in zip(levels, each.get("valuesPerLevel", ()), strict=False)
                ],
            }
            for each in value["slices"]
        ]
    if "domains" in value:
        found["domains"] = [
            {
                **each,
                "values": [
                    visit("labels", level, text)
                    for level, text in zip(levels, each.get("values", ()), strict=False)
                ],
            }
            for each in value["domains"]
        ]
    return found


def _level_values(level: str, values: Mapping[str, Any], visit: Visit) -> dict[str, Any]:
    found = dict(values)
    if "universal" in values:
        found["universal"] = visit("labels", level, values["universal"])
    if "individual" in values:
        own = values["individual"]
        prefix, suffix = own.get("prefix", ""), own.get("suffix", "")
        whole = [f"{prefix}{root}{suffix}" for root in own.get("roots", ())]
        found["individual"] = {"roots": [visit("labels", level, text) for text in whole]}
    return found


def _selected_class(fields: Mapping[str, Shape], value: Mapping[str, Any], visit: Visit) -> dict[str, Any]:
    """A CEL expression may name anything; that there is one is what counts."""
    return {"cel": {"expression": "redacted"}}


_BY_KEY: Mapping[type, Callable[[Mapping[str, Shape], Mapping[str, Any], Visit], dict[str, Any]]] = {
    Q.Toleration: _by_key,
    Q.Taint: _by_key,
    Q.LabelSelectorRequirement: _by_key,
    Q.NodeSelectorRequirement: _field_requirement,
    Q.TopologyAssignment: _topology,
    carried.DeviceSelector: _selected_class,
}
