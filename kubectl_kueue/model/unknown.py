"""Does an object say more than the simulated release of Kueue would hear?

A newer Kueue has fields that the structs of this model have not; what they decide is not simulated, so they
are told. Only what somebody asks for is looked at (`spec`): of a status nothing is decided by fields that are
new, and pod templates have Kubernetes' own schema.

The way of an object without such fields is one more pass of the decoder; only where that fails is the value
walked through.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.shown import bare

if TYPE_CHECKING:
    from msgspec import inspect

Path = tuple[str | int, ...]

# Known to v0.19 but without a say in any verdict, so not in the structs.
_SILENT: Mapping[type, frozenset[str]] = {
    kinds.Taint: frozenset({"timeAdded"}),
    kinds.AdmissionCheckSpec: frozenset({"retryDelayMinutes"}),
    kinds.ProvisioningRequestConfigSpec: frozenset(
        {"provisioningClassName", "parameters", "managedResources", "podSetUpdates", "podSetMergePolicy"}
    ),
    kinds.ProvisioningRequestRetryStrategy: frozenset({"backoffBaseSeconds", "backoffMaxSeconds"}),
}
# Not looked into.
_CLOSED = frozenset({kinds.PodTemplate})
LOOKED_AT: Mapping[str, type] = {
    "ClusterQueue": kinds.ClusterQueueSpec,
    "Cohort": kinds.CohortSpec,
    "LocalQueue": kinds.LocalQueueSpec,
    "ResourceFlavor": kinds.ResourceFlavorSpec,
    "Topology": kinds.TopologySpec,
    "AdmissionCheck": kinds.AdmissionCheckSpec,
    "ProvisioningRequestConfig": kinds.ProvisioningRequestConfigSpec,
    "Workload": kinds.WorkloadSpec,
}
"""The kinds that are looked at, each with the struct of its spec."""
MOST_NAMES = 3
"""Objects that a note names."""


class Strangers:
    """The unknown fields of many objects, by kind and field, with the objects that have them."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[str]] = {}
        self._knows: dict[str, Callable[[bytes], bool]] = {}

    def look(self, kind: str, raw: bytes, name: str) -> None:
        """Look at one object; `name` is "namespace/name"."""
        if kind not in LOOKED_AT:
            return
        if kind not in self._knows:
            self._knows[kind] = _reader(kind)
        if not self._knows[kind](raw):
            try:
                spec = msgspec.json.decode(raw).get("spec")
            except (msgspec.DecodeError, RecursionError):  # 1e999 where nobody reads it
                return
            for path in unknown_paths(spec, LOOKED_AT[kind], _SILENT):
                keys = self._found.setdefault((kind, f"spec.{dotted(path)}"), [])
                if name not in keys[-1:]:
                    keys.append(name)

    def found(self) -> Iterator[tuple[str, str, list[str]]]:
        """Kind, field and objects, in the order of kinds and fields."""
        for (kind, field), names in sorted(self._found.items()):
            yield kind, field, names

    def notes(self) -> Iterator[str]:
        """One sentence a field, without a full stop."""
        for kind, field, names in self.found():
            told = ", ".join(bare(name, 80) for name in names[:MOST_NAMES])
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            what = f"field {bare(field, 120)} of {kind} {told}{more}"
            yield f"{what} is unknown to Kueue v0.19.2 and has no effect here"


def unknown_paths(value: object, type_: type, silent: Mapping[type, frozenset[str]]) -> Iterator[Path]:
    """The way to every field, nulls excepted, that the struct does not have; nothing below it is told."""
    yield from _walk(value, _type_info(type_), silent, ())


def dotted(path: Path) -> str:
    """podSets[].foo: places in lists make no difference."""
    return "".join("[]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _walk(
    value: object, info: "inspect.Type", silent: Mapping[type, frozenset[str]], path: Path
) -> Iterator[Path]:
    for inner in getattr(info, "types", (info,)):
        type_ = getattr(inner, "cls", None)
        if type_ in _CLOSED:
            continue
        if isinstance(value, dict) and type_ is not None:
            known = {field.encode_name: field.type for field in getattr(inner, "fields", ())}
            for name, each in value.items():
                if name in known:
                    yield from _walk(each, known[name], silent, (*path, name))
                elif each is not None and name not in silent.get(type_, ()):
                    yield (*path, name)
        elif isinstance(value, list) and hasattr(inner, "item_type"):
            for index, each in enumerate(value):
                yield from _walk(each, inner.item_type, silent, (*path, index))


@cache
def _type_info(type_: type) -> "inspect.Type":
    from msgspec.inspect import type_info

    return type_info(type_)


# --- the quick look -------------------------------------------------------------------------------


def _reader(kind: str) -> Callable[[bytes], bool]:
    """Says of an object in JSON whether its spec has known fields only, or seems to have others."""
    spec = _strict(_type_info(LOOKED_AT[kind]))
    envelope = msgspec.defstruct(f"{kind}Envelope", [("spec", spec, None)], gc=False)
    decode = msgspec.json.Decoder(envelope).decode

    def knows(raw: bytes) -> bool:
        try:
            decode(raw)
        except (msgspec.DecodeError, RecursionError):
            return False
        return True

    return knows


def _strict(info: "inspect.Type") -> Any:
    """The type with nothing but its fields: unknown ones are refused, values may be anything."""
    for inner in getattr(info, "types", (info,)):
        if hasattr(inner, "item_type"):
            return list[_strict(inner.item_type)] | None  # type: ignore[misc]
        type_ = getattr(inner, "cls", None)
        if type_ is not None and type_ not in _CLOSED:
            return _strict_struct(type_) | None
    return msgspec.Raw


@cache
def _strict_struct(type_: type) -> Any:
    fields: list[tuple[str, Any, Any]] = [
        (field.encode_name, _strict(field.type), None) for field in getattr(_type_info(type_), "fields", ())
    ]
    fields += [(name, msgspec.Raw, None) for name in _SILENT.get(type_, ())]
    return msgspec.defstruct(f"Strict{type_.__name__}", fields, forbid_unknown_fields=True, gc=False)
