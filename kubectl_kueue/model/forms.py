"""Which kinds does the scheduler read, in which API versions, and where do they go in a World?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.convert import OLD_VERSIONS
from kubectl_kueue.model.defaults import NAMESPACED
from kubectl_kueue.model.shown import bare


@dataclass(frozen=True, slots=True)
class Form:
    """One kind: its field in World and how it is decoded; `old` versions are converted first."""

    kind: str
    field: str
    type: type[kinds.Object]
    decode: Callable[[msgspec.Raw], Any]
    namespaced: bool
    old: bool = False


def find_form(kind: str, api_version: str, notes: list[str]) -> Form | None:
    """How to decode the kind; None if the scheduler does not read it. Notes a version that is unknown."""
    group, version, form = FORMS.get(kind, ("", "", None))
    if form is None or not api_version:
        return form
    own_group, _, own_version = api_version.rpartition("/")
    if own_group != group:
        return None
    if own_version in OLD_VERSIONS.get(group, ()) and (own_version != "v1alpha1" or kind in _ALPHA):
        return replace(form, old=True)
    if own_version != version and own_version not in _ALIKE.get(group, ()):
        notes.append(f"{kind} of {bare(api_version)} is read as {version}; its fields may differ")
    return form


_KUEUE = "kueue.x-k8s.io"
_DRA = "resource.k8s.io"
_ALPHA = frozenset({"Cohort", "Topology"})  # the kinds that Kueue ever had in v1alpha1
_ALIKE: Mapping[str, frozenset[str]] = {_DRA: frozenset({"v1beta2"})}
_KINDS: Sequence[tuple[str, str, str, str, type[kinds.Object]]] = (
    (_KUEUE, "v1beta2", "ClusterQueue", "cluster_queues", kinds.ClusterQueue),
    (_KUEUE, "v1beta2", "Cohort", "cohorts", kinds.Cohort),
    (_KUEUE, "v1beta2", "ResourceFlavor", "resource_flavors", kinds.ResourceFlavor),
    (_KUEUE, "v1beta2", "AdmissionCheck", "admission_checks", kinds.AdmissionCheck),
    (
        *(_KUEUE, "v1beta2", "ProvisioningRequestConfig"),
        *("provisioning_request_configs", kinds.ProvisioningRequestConfig),
    ),
    (_KUEUE, "v1beta2", "Topology", "topologies", kinds.Topology),
    (_KUEUE, "v1beta2", "LocalQueue", "local_queues", kinds.LocalQueue),
    (_KUEUE, "v1beta2", "Workload", "workloads", kinds.Workload),
    (_KUEUE, "v1beta2", "WorkloadPriorityClass", "workload_priority_classes", kinds.WorkloadPriorityClass),
    ("scheduling.k8s.io", "v1", "PriorityClass", "priority_classes", kinds.PriorityClass),
    ("", "v1", "Namespace", "namespaces", kinds.Namespace),
    ("", "v1", "LimitRange", "limit_ranges", kinds.LimitRange),
    ("node.k8s.io", "v1", "RuntimeClass", "runtime_classes", kinds.RuntimeClass),
    (_DRA, "v1", "DeviceClass", "device_classes", kinds.DeviceClass),
    (_DRA, "v1", "ResourceClaimTemplate", "resource_claim_templates", kinds.ResourceClaimTemplate),
    ("", "v1", "Node", "nodes", kinds.Node),
    ("", "v1", "Pod", "pods", kinds.Pod),
)
FORMS: Mapping[str, tuple[str, str, Form]] = {
    kind: (group, version, Form(kind, name, type_, msgspec.json.Decoder(type_).decode, kind in NAMESPACED))
    for group, version, kind, name, type_ in _KINDS
}
