"""A field that a kind does not have: what was meant, and where does it go?

First the table of what people write, then the other version, then what is spelled like it.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from kubectl_kueue.lint.found import Found, Operation, add, found, move, remove
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.schema.kinds import NEWEST, OLDER, VERSIONS
from kubectl_kueue.lint.schema.shapes import Shape
from kubectl_kueue.lint.values import dig, sequence
from kubectl_kueue.model.pointer import pointer


class Right(NamedTuple):
    """What to do about a wrong field: `move` it to a dotted path, `remove` it, or nothing that is certain.

    `hint` names the sentence that says what was meant.
    """

    hint: str
    move: str = ""
    remove: bool = False


# Kind -> dotted path, indexes written [] -> what was meant.
TABLE: Mapping[str, Mapping[str, Right]] = {
    "ResourceFlavor": {
        "spec.taints": Right("renamed", "spec.nodeTaints"),
        "spec.nodeSelector": Right("renamed", "spec.nodeLabels"),
        "spec.labels": Right("renamed", "spec.nodeLabels"),
        "spec.topology": Right("renamed", "spec.topologyName"),
        "spec.clusterQueue": Right("flavor-clusterqueue", remove=True),
        "spec.clusterQueues": Right("flavor-clusterqueue", remove=True),
        "spec.cohort": Right("flavor-clusterqueue", remove=True),
        "spec.resources": Right("flavor-quota"),
        "spec.nominalQuota": Right("flavor-quota"),
        "nodeLabels": Right("into-spec", "spec.nodeLabels"),
        "nodeTaints": Right("into-spec", "spec.nodeTaints"),
        "tolerations": Right("into-spec", "spec.tolerations"),
        "taints": Right("into-spec", "spec.nodeTaints"),
    },
    "ClusterQueue": {
        "spec.nominalUsageRatio": Right("weight", remove=True),
        "spec.minResources": Right("minimum"),
        "spec.maxResources": Right("maximum"),
        "spec.weight": Right("weight"),
        "spec.weights": Right("own-weight"),
        "spec.localQueues": Right("localqueues"),
        "spec.namespaces": Right("namespaces"),
        "spec.namespace": Right("namespaces"),
        "spec.resources": Right("groups"),
        "spec.flavors": Right("groups"),
        "spec.quota": Right("groups"),
        "spec.quotas": Right("groups"),
        "spec.requestableResources": Right("groups"),
        "spec.parent": Right("cohort"),
        "spec.parentName": Right("cohort"),
        "spec.cohortRef": Right("cohort"),
        "spec.strategy": Right("renamed", "spec.queueingStrategy"),
        "spec.queueStrategy": Right("renamed", "spec.queueingStrategy"),
        "spec.fairSharingWeight": Right("weight"),
        "spec.priority": Right("priority"),
        "spec.priorityClass": Right("priority"),
        "spec.borrowingLimit": Right("per-resource"),
        "spec.lendingLimit": Right("per-resource"),
        "spec.nominalQuota": Right("per-resource"),
        "spec.resourceGroups[].flavors[].borrowingLimit": Right("per-resource"),
        "spec.resourceGroups[].flavors[].lendingLimit": Right("per-resource"),
        "spec.resourceGroups[].flavors[].nominalQuota": Right("per-resource"),
        "spec.resourceGroups[].flavors[].nodeLabels": Right("flavor-object"),
        "spec.resourceGroups[].flavors[].resources[].quota": Right("renamed", "nominalQuota"),
        "spec.resourceGroups[].flavors[].resources[].nominal": Right("renamed", "nominalQuota"),
        "spec.resourceGroups[].flavors[].resources[].value": Right("renamed", "nominalQuota"),
        "spec.resourceGroups[].flavors[].resources[].min": Right("minimum"),
        "spec.resourceGroups[].flavors[].resources[].max": Right("maximum"),
        "spec.resourceGroups[].flavors[].resources[].limit": Right("maximum"),
        "spec.preemption.policy": Right("preemption"),
        "spec.preemption.enabled": Right("preemption"),
        "spec.preemptionPolicy": Right("preemption"),
    },
    "Cohort": {
        "spec.parent": Right("renamed", "spec.parentName"),
        "spec.cohort": Right("renamed", "spec.parentName"),
        "spec.cohortName": Right("renamed", "spec.parentName"),
        "spec.clusterQueues": Right("members", remove=True),
        "spec.members": Right("members", remove=True),
        "spec.children": Right("members", remove=True),
        "spec.weight": Right("weight"),
        "spec.resources": Right("groups"),
    },
    "LocalQueue": {
        "spec.priorityClass": Right("job-priority", remove=True),
        "spec.priorityClassName": Right("job-priority", remove=True),
        "spec.priority": Right("job-priority", remove=True),
        "spec.clusterQueueName": Right("renamed", "spec.clusterQueue"),
        "spec.clusterQueueRef": Right("renamed", "spec.clusterQueue"),
        "spec.queue": Right("renamed", "spec.clusterQueue"),
        "spec.cluster_queue": Right("renamed", "spec.clusterQueue"),
        "clusterQueue": Right("into-spec", "spec.clusterQueue"),
        "spec.namespace": Right("own-namespace", remove=True),
        "spec.weight": Right("weight"),
        "spec.resourceGroups": Right("local-quota"),
        "spec.resources": Right("local-quota"),
        "spec.quota": Right("local-quota"),
        "spec.cohort": Right("local-quota"),
    },
    "Workload": {
        "spec.queue": Right("renamed", "spec.queueName"),
        "spec.localQueue": Right("renamed", "spec.queueName"),
        "spec.suspend": Right("active"),
        "spec.podsets": Right("renamed", "spec.podSets"),
        "spec.maxExecutionTimeSeconds": Right("renamed", "spec.maximumExecutionTimeSeconds"),
        "spec.podSets[].replicas": Right("renamed", "count"),
        "spec.podSets[].spec": Right("template"),
    },
    "WorkloadPriorityClass": {
        "preemptionPolicy": Right("class-preemption", remove=True),
        "globalDefault": Right("class-default", remove=True),
        "spec": Right("class-top-level"),
        "priority": Right("renamed", "value"),
    },
    "AdmissionCheck": {
        "spec.strategy": Right("check-strategy", remove=True),
        "spec.retryDelayMinutes": Right("retry-delay", remove=True),
        "spec.controller": Right("renamed", "spec.controllerName"),
        "spec.parametersRef": Right("renamed", "spec.parameters"),
        "spec.onFlavors": Right("check-strategy"),
    },
    "Topology": {
        "spec.levels[].name": Right("renamed", "nodeLabel"),
        "spec.levels[].label": Right("renamed", "nodeLabel"),
        "spec.levels[].key": Right("renamed", "nodeLabel"),
        "levels": Right("into-spec", "spec.levels"),
    },
    "ProvisioningRequestConfig": {
        "spec.className": Right("renamed", "spec.provisioningClassName"),
        "spec.provisioningClass": Right("renamed", "spec.provisioningClassName"),
    },
}
# The same thing under two names: what v1beta2 calls otherwise than v1beta1, and back.
_VERSIONED: Mapping[tuple[str, str, str], Right] = {
    ("ClusterQueue", NEWEST, "spec.cohort"): Right("older-cohort", "spec.cohortName"),
    ("ClusterQueue", OLDER, "spec.cohortName"): Right("newer", "spec.cohort"),
    ("ClusterQueue", NEWEST, "spec.admissionChecks"): Right("older-checks"),
    ("Workload", NEWEST, "spec.priorityClassName"): Right("older-priority"),
    ("Workload", NEWEST, "spec.priorityClassSource"): Right("older-priority"),
    ("Workload", OLDER, "spec.priorityClassRef"): Right("newer-priority"),
    ("MultiKueueCluster", NEWEST, "spec.kubeConfig"): Right("older", "spec.clusterSource.kubeConfig"),
    ("MultiKueueCluster", NEWEST, "spec.clusterProfileRef"): Right(
        "older", "spec.clusterSource.clusterProfileRef"
    ),
    ("MultiKueueCluster", OLDER, "spec.clusterSource"): Right("newer-source"),
    ("LocalQueue", OLDER, "status.flavorsUsage"): Right("newer", "status.flavorUsage"),
    ("LocalQueue", NEWEST, "status.flavorUsage"): Right("older", "status.flavorsUsage"),
}


def unknown_field(item: Item, path: Sequence[str | int], name: str, shape: Shape) -> Found:
    """The finding about a field `name` that the object at `path` does not have."""
    here = [*path, name]
    right = _meant(item, here, name, shape)
    target = _target(right, here)
    return found(
        "api-field",
        pointer(*here),
        patch=_patch(item, right, here, target),
        field=_text(here),
        version=item.version,
        hint=right.hint if right else "none",
        right=_text(target),
        other=OLDER if item.version == NEWEST else NEWEST,
        kind=item.kind,
    )


def _meant(item: Item, here: Sequence[str | int], name: str, shape: Shape) -> Right | None:
    dotted = _general(here)
    right = _VERSIONED.get((item.kind, item.version, dotted))
    # An entry of the table may be a field of this version, or lead to one that is not.
    right = right or TABLE.get(item.kind, {}).get(dotted)
    if right is not None:
        return right
    fields = list(shape.fields or {})
    if (alike := _alike(name, fields)) is not None:
        return Right("renamed", alike if _inside_list(here) else _joined(here[:-1], alike))
    other = OLDER if item.version == NEWEST else NEWEST
    if dotted in _paths(VERSIONS[other][item.kind]):
        return Right("other-version")
    places = [path for path in _paths(VERSIONS[item.version][item.kind]) if path.rpartition(".")[2] == name]
    if len(places) == 1 and not places[0].startswith(("status", "metadata")) and "[]" not in places[0]:
        return Right("elsewhere", places[0])
    return None


def _alike(name: str, fields: Sequence[str]) -> str | None:
    """The one field that is spelled almost like this."""
    lower = {field.lower(): field for field in fields}
    plain = name.lower().replace("_", "").replace("-", "")
    if plain in lower:
        return lower[plain]
    near = get_close_matches(plain, lower, n=2, cutoff=0.82)
    return lower[near[0]] if len(near) == 1 else None


def _paths(shape: Shape, path: str = "") -> Iterator[str]:
    for name, field in (shape.fields or {}).items():
        here = f"{path}.{name}" if path else name
        yield here
        yield from _paths(field, here)
    if shape.item is not None:
        yield from _paths(shape.item, f"{path}[]")


def _target(right: Right | None, here: Sequence[str | int]) -> list[str | int]:
    """The whole path of the right field; a bare name stands beside the wrong one."""
    if right is None or not right.move:
        return []
    words: list[str | int] = [*right.move.split(".")]
    beside = right.hint == "renamed" and len(words) == 1
    return [*here[:-1], *words] if beside else words


def _patch(
    item: Item, right: Right | None, here: Sequence[str | int], target: Sequence[str | int]
) -> list[Operation]:
    if right is None:
        return []
    where, value = pointer(*here), dig(item.value, *here)
    if right.remove:
        return [remove(where)]
    if right.hint == "older-checks":
        return _strategy(item, where)
    if right.hint == "class-top-level":
        return _raised(value)
    if not target or dig(item.value, *target) is not None:
        return []
    operations = []
    for depth in range(1, len(target)):
        if dig(item.value, *target[:depth]) is None:
            operations.append(add(pointer(*target[:depth]), {}))
    return [*operations, move(where, pointer(*target))]


def _strategy(item: Item, where: str) -> list[Operation]:
    """v1beta1's list of names as v1beta2's list of objects."""
    names = sequence(item.spec, "admissionChecks")
    if "admissionChecksStrategy" in item.spec or not all(isinstance(name, str) for name in names):
        return []
    if not names:
        return [remove(where)]
    strategy = {"admissionChecks": [{"name": name} for name in names]}
    return [remove(where), add("/spec/admissionChecksStrategy", strategy)]


def _raised(value: Any) -> list[Operation]:
    """The fields of a spec that there is not, at the top of the object."""
    if not isinstance(value, dict) or not set(value) <= {"value", "description"}:
        return []
    return [*(move(f"/spec/{name}", f"/{name}") for name in value), remove("/spec")]


def _inside_list(here: Sequence[str | int]) -> bool:
    return any(isinstance(key, int) for key in here)


def _joined(path: Sequence[str | int], name: str) -> str:
    return ".".join([*(str(key) for key in path), name])


def _general(path: Sequence[str | int]) -> str:
    return "".join("[]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _text(path: Sequence[str | int]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")
