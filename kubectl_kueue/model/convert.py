"""Objects of older API versions, as they would look in the current one: v1beta2 of Kueue's kinds
(kueuectl.md 6.3, scheduling.md 9.4), v1 of a ResourceClaimTemplate.

Works on plain JSON values before they are typed, and leaves alone what has an unexpected shape: the
decoder then says what is wrong with it.
"""

from collections.abc import Callable, Mapping
from typing import Any

OLD_VERSIONS: Mapping[str, frozenset[str]] = {
    "kueue.x-k8s.io": frozenset({"v1alpha1", "v1beta1"}),
    "resource.k8s.io": frozenset({"v1alpha3", "v1beta1"}),
}

_REFERENCES: Mapping[str, tuple[str, str]] = {
    "kueue.x-k8s.io/workloadpriorityclass": ("kueue.x-k8s.io", "WorkloadPriorityClass"),
    "scheduling.k8s.io/priorityclass": ("scheduling.k8s.io", "PriorityClass"),
}
# Where a fault that is found after the conversion stands in the object as it was written.
_ORIGINAL_POINTERS: Mapping[str, Mapping[str, str]] = {
    "ClusterQueue": {
        "/spec/cohortName": "/spec/cohort",
        "/spec/admissionChecksStrategy/admissionChecks": "/spec/admissionChecks",
    },
    "Cohort": {"/spec/parentName": "/spec/parent"},
    "LocalQueue": {"/status/flavorsUsage": "/status/flavorUsage"},
    "Workload": {
        "/spec/priorityClassRef/name": "/spec/priorityClassName",
        "/status/accumulatedPastExecutionTimeSeconds": "/status/accumulatedPastExexcutionTimeSeconds",
    },
}


def to_current(kind: str, value: Any) -> Any:
    """The object (JSON value of an old version, changed in place) with the fields of the current one."""
    change = _CHANGES.get(kind)
    if change is not None:
        change(_part(value, "spec"), _part(value, "status"))
    return value


def original_pointer(kind: str, pointer: str) -> str:
    """The JSON pointer (with what follows it) into the object before `to_current`."""
    if kind == "ResourceClaimTemplate":
        return pointer.replace("/exactly/", "/", 1)
    for new, old in _ORIGINAL_POINTERS.get(kind, {}).items():
        if pointer.startswith(new):
            return old + pointer.removeprefix(new)
    return pointer


def _cluster_queue(spec: dict[str, Any], status: dict[str, Any]) -> None:
    _rename(spec, "cohort", "cohortName")
    if isinstance(names := spec.pop("admissionChecks", None), list) and names:
        spec["admissionChecksStrategy"] = {"admissionChecks": [{"name": name} for name in names]}
    fungibility = _part(spec, "flavorFungibility")
    for field, word in (("whenCanBorrow", "Borrow"), ("whenCanPreempt", "Preempt")):
        if fungibility.get(field) == word:
            fungibility[field] = "MayStopSearch"
    scope = _part(spec, "admissionScope")
    if isinstance(mode := scope.get("admissionMode"), str) and mode != "UsageBasedAdmissionFairSharing":
        scope["admissionMode"] = "NoAdmissionFairSharing"


def _cohort(spec: dict[str, Any], status: dict[str, Any]) -> None:
    if "parent" in spec:
        _rename(spec, "parent", "parentName")


def _local_queue(spec: dict[str, Any], status: dict[str, Any]) -> None:
    _rename(status, "flavorUsage", "flavorsUsage")


def _workload(spec: dict[str, Any], status: dict[str, Any]) -> None:
    name, source = spec.pop("priorityClassName", ""), spec.pop("priorityClassSource", "")
    spec.pop("priorityClassRef", None)
    if name and isinstance(source, str) and source in _REFERENCES:
        group, kind = _REFERENCES[source]
        spec["priorityClassRef"] = {"group": group, "kind": kind, "name": name}
    _rename(status, "accumulatedPastExexcutionTimeSeconds", "accumulatedPastExecutionTimeSeconds")
    assignments = _part(status, "admission").get("podSetAssignments")
    for assignment in assignments if isinstance(assignments, list) else ():
        _topology_assignment(_part(assignment, "topologyAssignment"))


def _resource_claim_template(spec: dict[str, Any], status: dict[str, Any]) -> None:
    """What a request asks for stood in the request itself."""
    requests = _part(_part(spec, "spec"), "devices").get("requests")
    for request in requests if isinstance(requests, list) else ():
        if isinstance(request, dict) and not request.get("firstAvailable"):
            asked = {key: request.pop(key) for key in list(request) if key not in ("name", "firstAvailable")}
            request["exactly"] = asked


_CHANGES: Mapping[str, Callable[[dict[str, Any], dict[str, Any]], None]] = {
    "ClusterQueue": _cluster_queue,
    "Cohort": _cohort,
    "LocalQueue": _local_queue,
    "Workload": _workload,
    "ResourceClaimTemplate": _resource_claim_template,
}


def _topology_assignment(assignment: dict[str, Any]) -> None:
    """`domains` [{values, count}] as one slice of v1beta2."""
    domains = assignment.pop("domains", None)
    if not isinstance(domains, list) or not domains:
        return
    values = [domain.get("values") for domain in domains if isinstance(domain, dict)]
    counts = [domain.get("count", 0) for domain in domains if isinstance(domain, dict)]
    if len(values) < len(domains) or not all(_is_path(path, len(values[0] or ())) for path in values):
        return
    assignment["slices"] = [
        {
            "domainCount": len(domains),
            "valuesPerLevel": [_level(list(column)) for column in zip(*values, strict=True)],
            "podCounts": {"universal": counts[0]} if _all_equal(counts) else {"individual": counts},
        }
    ]


def _level(values: list[str]) -> dict[str, Any]:
    """One level of a slice: the value of all its domains, or what differs between prefix and suffix."""
    if _all_equal(values):
        return {"universal": values[0]}
    prefix = _common_start(values)
    rests = [value[len(prefix) :] for value in values]
    suffix = _common_start([rest[::-1] for rest in rests])[::-1]
    roots = [rest[: len(rest) - len(suffix)] for rest in rests]
    affixes = {"prefix": prefix, "suffix": suffix}
    return {"individual": {**{key: text for key, text in affixes.items() if text}, "roots": roots}}


def _common_start(texts: list[str]) -> str:
    first, last = min(texts), max(texts)  # what these two share, all between them share
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:length]


def _is_path(values: Any, length: int) -> bool:
    return isinstance(values, list) and len(values) == length and all(isinstance(v, str) for v in values)


def _all_equal(values: list[Any]) -> bool:
    return all(value == values[0] for value in values)


def _rename(fields: dict[str, Any], old: str, new: str) -> None:
    """Move a field. What an old object has under the new name is unknown to its version: dropped."""
    fields.pop(new, None)
    if old in fields:
        fields[new] = fields.pop(old)


def _part(value: Any, key: str) -> dict[str, Any]:
    """The object under a key; a detached empty one if there is none."""
    part = value.get(key) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}
