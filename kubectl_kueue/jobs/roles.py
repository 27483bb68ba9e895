"""Which pods of a group play the same role? Those whose specs agree in what decides where they can run.

The hash of that shape is the name of their pod set (kueuectl.md 6.7, "Role hash"): the fields of API objects
in the order in which the API declares them, names of resources sorted, all of it as compact JSON.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from kubectl_kueue.jobs.reading import at, mapping, objects
from kubectl_kueue.model.canonical import canonical_quantity

_TOLERATION = ("key", "operator", "value", "effect", "tolerationSeconds")
_PORT = ("name", "hostPort", "containerPort", "protocol", "hostIP")
_CLAIM = ("name", "resourceClaimName", "resourceClaimTemplateName")
_SPREAD = (
    "maxSkew",
    "topologyKey",
    "whenUnsatisfiable",
    "labelSelector",
    "minDomains",
    "nodeAffinityPolicy",
    "nodeTaintsPolicy",
    "matchLabelKeys",
)
_AFFINITY = ("nodeAffinity", "podAffinity", "podAntiAffinity")
_INJECTED = [
    {
        "key": f"node.kubernetes.io/{state}",
        "operator": "Exists",
        "effect": "NoExecute",
        "tolerationSeconds": 300,
    }
    for state in ("not-ready", "unreachable")
]


def role_hash(spec: Mapping[str, Any]) -> str:
    """The first eight digits of the hash of a pod's role; the spec as the API server stores it."""
    shape: dict[str, Any] = {
        "affinity": _ordered(spec.get("affinity"), _AFFINITY),
        "containers": _containers(spec, "containers"),
        "initContainers": _containers(spec, "initContainers"),
        "nodeSelector": _sorted(spec.get("nodeSelector")),
        "overhead": _amounts(spec.get("overhead")),
        "priority": spec.get("priority"),
        "resourceClaims": _list(spec.get("resourceClaims"), _CLAIM),
        "runtimeClassName": spec.get("runtimeClassName"),
        "tolerations": _list(spec.get("tolerations"), _TOLERATION),
        "topologySpreadConstraints": _list(spec.get("topologySpreadConstraints"), _SPREAD),
    }
    if spec.get("resources"):
        shape["resources"] = _amounts(at(spec, "resources", "requests")) or {}
    ordered = {key: shape[key] for key in sorted(shape)}
    text = json.dumps({"spec": ordered}, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:8]


def as_admitted(spec: Mapping[str, Any], priority: int) -> dict[str, Any]:
    """A written spec with what decides about roles filled in as the API server would: the priority, two
    tolerations, protocols of ports, and limits as requests where there is none."""
    tolerations = objects(spec, "tolerations")
    known = {(each.get("key"), each.get("effect")) for each in tolerations}
    added = [each for each in _INJECTED if (each["key"], each["effect"]) not in known]
    filled = {"priority": priority, **spec, "tolerations": [*tolerations, *added]}
    for field in ("containers", "initContainers"):
        if containers := objects(spec, field):
            filled[field] = [_container_as_admitted(each) for each in containers]
    return filled


def _container_as_admitted(container: Mapping[str, Any]) -> dict[str, Any]:
    resources = mapping(container, "resources")
    requests = {**mapping(resources, "limits"), **mapping(resources, "requests")}
    ports = [{"protocol": "TCP", **port} for port in objects(container, "ports")]
    return {**container, "ports": ports, "resources": {**resources, "requests": requests}}


def _containers(spec: Mapping[str, Any], field: str) -> list[dict[str, Any]] | None:
    found = objects(spec, field)
    if not found:
        return None
    return [{"ports": _list(objects(each, "ports"), _PORT), "resources": _requests(each)} for each in found]


def _requests(container: Mapping[str, Any]) -> dict[str, Any]:
    amounts = _amounts(mapping(container, "resources", "requests"))
    return {"requests": amounts} if amounts else {}


def _amounts(amounts: Any) -> dict[str, str] | None:
    if not amounts:
        return None
    return {key: canonical_quantity(str(amounts[key])) for key in sorted(amounts)}


def _sorted(found: Any) -> dict[str, Any] | None:
    return {key: found[key] for key in sorted(found)} if found else None


def _list(found: Any, order: Sequence[str]) -> list[Any] | None:
    return [_ordered(each, order) for each in found] if found else None


def _ordered(found: Any, order: Sequence[str]) -> Any:
    """The object with its fields in the API's order; unset ones are left out."""
    if not isinstance(found, dict):
        return None
    first = {key: found[key] for key in order if found.get(key) not in (None, "", [], {})}
    return {**first, **{key: each for key, each in found.items() if key not in order and each is not None}}
