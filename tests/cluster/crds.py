"""CustomResourceDefinitions of Kueue, made of the structs of the model, and those of the real Kueue.

The own ones know the fields of the model and let all others pass; names, scopes, short names, columns and
selectable fields are Kueue's. Of v1beta1 they know only that there is a spec and a status.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec.inspect
import yaml

from kubectl_kueue.cluster.kinds import KINDS, KUEUE, Kind
from kubectl_kueue.model import objects

RECORDED = Path(__file__).parents[3] / "shared" / "crds"
"""The CRDs of Kueue v0.19.2."""

STRUCTS: dict[str, type[objects.Object]] = {
    "ClusterQueue": objects.ClusterQueue,
    "LocalQueue": objects.LocalQueue,
    "Workload": objects.Workload,
    "Cohort": objects.Cohort,
    "ResourceFlavor": objects.ResourceFlavor,
    "WorkloadPriorityClass": objects.WorkloadPriorityClass,
    "AdmissionCheck": objects.AdmissionCheck,
    "Topology": objects.Topology,
}

SHORT_NAMES = {"Workload": ["kwl", "kueueworkload", "kueueworkloads"]}
"""Where the program takes more words than the server."""

WITH_STATUS = {"ClusterQueue", "LocalQueue", "Workload", "Cohort", "AdmissionCheck"}


class Column(NamedTuple):
    """A column of the server's table; priority 1 is for `-o wide` only."""

    name: str
    path: str
    type: str = "string"
    priority: int = 0


COLUMNS: dict[str, list[Column]] = {
    "ClusterQueue": [
        Column("Cohort", ".spec.cohortName"),
        Column("Strategy", ".spec.queueingStrategy", priority=1),
        Column("Pending Workloads", ".status.pendingWorkloads", "integer"),
        Column("Admitted Workloads", ".status.admittedWorkloads", "integer", 1),
    ],
    "LocalQueue": [
        Column("ClusterQueue", ".spec.clusterQueue"),
        Column("Pending Workloads", ".status.pendingWorkloads", "integer"),
        Column("Admitted Workloads", ".status.admittedWorkloads", "integer"),
    ],
    "Workload": [
        Column("Queue", ".spec.queueName"),
        Column("Reserved in", ".status.admission.clusterQueue"),
        Column("Admitted", ".status.conditions[?(@.type=='Admitted')].status"),
        Column("Finished", ".status.conditions[?(@.type=='Finished')].status"),
        Column("Age", ".metadata.creationTimestamp", "date"),
    ],
    "WorkloadPriorityClass": [Column("Value", ".value", "integer")],
}

ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}


def own_crds(versions: tuple[str, ...]) -> list[dict[str, Any]]:
    """Definitions that serve these versions and store the first."""
    return [_definition(kind, versions) for kind in KINDS if kind.group == KUEUE and kind.kind in STRUCTS]


def recorded_crds() -> list[dict[str, Any]]:
    """Kueue's own definitions, fit for a server without Kueue's webhooks."""
    # The C loader where there is one: these are long.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    crds = [yaml.load(file.read_text(), loader) for file in sorted(RECORDED.glob("*.yaml"))]  # noqa: S506
    for crd in crds:
        crd["spec"]["conversion"] = {"strategy": "None"}
        for version in crd["spec"]["versions"]:
            version["storage"] = version["name"] == "v1beta2"
    return crds


def _definition(kind: Kind, versions: tuple[str, ...]) -> dict[str, Any]:
    names = {
        "kind": kind.kind,
        "listKind": f"{kind.kind}List",
        "plural": kind.plural,
        "singular": kind.singular,
    }
    names["shortNames"] = SHORT_NAMES.get(kind.kind, list(kind.short))  # type: ignore[assignment]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": kind.resource},
        "spec": {
            "group": kind.group,
            "names": names,
            "scope": "Namespaced" if kind.namespaced else "Cluster",
            "conversion": {"strategy": "None"},
            "versions": [_version(kind.kind, version, version == versions[0]) for version in versions],
        },
    }


def _version(kind: str, name: str, stored: bool) -> dict[str, Any]:
    columns = [
        {
            "name": column.name,
            "jsonPath": _path(column, name),
            "type": column.type,
            "priority": column.priority,
        }
        for column in COLUMNS.get(kind, ())
    ]
    version: dict[str, Any] = {
        "name": name,
        "served": True,
        "storage": stored,
        "deprecated": name == "v1beta1" and not stored,
        "schema": {"openAPIV3Schema": _schema(kind) if name == "v1beta2" else {"type": "object", **ANYTHING}},
        "additionalPrinterColumns": columns,
    }
    if kind in WITH_STATUS:
        version["subresources"] = {"status": {}}
    if kind == "Workload" and name == "v1beta2":
        version["selectableFields"] = [{"jsonPath": ".status.admission.clusterQueue"}]
    return version


def _path(column: Column, version: str) -> str:
    return ".spec.cohort" if version == "v1beta1" and column.name == "Cohort" else column.path


def _schema(kind: str) -> dict[str, Any]:
    schema = _type(msgspec.inspect.type_info(STRUCTS[kind]))
    schema["properties"]["metadata"] = {"type": "object"}  # the server has its own idea of it
    return schema


def _type(info: msgspec.inspect.Type) -> dict[str, Any]:
    """The structural schema of one type of the model."""
    match info:
        case msgspec.inspect.Metadata():
            return _type(info.type)
        case msgspec.inspect.StructType(cls=objects.ObjectMeta):
            return {"type": "object", **ANYTHING}
        case msgspec.inspect.StructType():
            return {
                "type": "object",
                "properties": {field.encode_name: _field(field) for field in info.fields},
                **ANYTHING,
            }
        case msgspec.inspect.ListType():
            return {"type": "array", "items": _type(info.item_type)}
        case msgspec.inspect.DictType():
            return {"type": "object", "additionalProperties": _type(info.value_type)}
        case msgspec.inspect.UnionType():
            return _union(info)
        case msgspec.inspect.LiteralType():
            return {"type": "string", "enum": list(info.values)}
        case msgspec.inspect.IntType():
            return {"type": "integer", "format": "int64", "minimum": info.ge, "maximum": info.le}
        case msgspec.inspect.StrType():
            return {"type": "string"}
        case msgspec.inspect.BoolType():
            return {"type": "boolean"}
        case msgspec.inspect.AnyType():
            return dict(ANYTHING)
    raise TypeError(f"CustomResourceDefinitions have no schema for {info}")


def _union(info: msgspec.inspect.UnionType) -> dict[str, Any]:
    """A quantity, or something that may be null."""
    members = [member for member in info.types if not isinstance(member, msgspec.inspect.NoneType)]
    schema = {"x-kubernetes-int-or-string": True} if len(members) > 1 else _type(members[0])
    return {**schema, "nullable": True} if len(members) < len(info.types) else schema


def _field(field: msgspec.inspect.Field) -> dict[str, Any]:
    """A field with its default where that says more than "not there"."""
    schema = {key: value for key, value in _type(field.type).items() if value is not None}
    if isinstance(field.default, str | bool | int) and field.default:
        schema["default"] = field.default
    return schema
