"""New objects as the `create` commands make them: flags that were read -> the document that is sent.

Only what was asked for stands in a document, plus the defaults that kueuectl writes itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Document = dict[str, Any]

QUEUEING_STRATEGIES = ("StrictFIFO", "BestEffortFIFO")
RECLAIM_POLICIES = ("Never", "LowerPriority", "Any")
PREEMPTION_POLICIES = ("Never", "LowerPriority", "LowerOrNewerEqualPriority")

_GROUP = "kueue.x-k8s.io"
_OLD_NAMES = {"cohortName": "cohort", "parentName": "parent"}


def cluster_queue(
    name: str,
    *,
    cohort: str = "",
    queueing_strategy: str = "BestEffortFIFO",
    namespace_labels: Mapping[str, str] | None = None,
    reclaim_within_cohort: str = "Never",
    within_cluster_queue: str = "Never",
    resource_groups: Sequence[Mapping[str, Any]] = (),
) -> Document:
    """A ClusterQueue; without labels it takes every namespace."""
    return _draft(
        "ClusterQueue",
        {"name": name},
        {
            "resourceGroups": list(resource_groups) or None,
            "cohortName": cohort or None,
            "queueingStrategy": queueing_strategy,
            "namespaceSelector": {"matchLabels": dict(namespace_labels)} if namespace_labels else {},
            "preemption": {
                "reclaimWithinCohort": reclaim_within_cohort,
                "withinClusterQueue": within_cluster_queue,
            },
        },
    )


def local_queue(name: str, namespace: str, cluster_queue: str) -> Document:
    """A LocalQueue that leads to a ClusterQueue."""
    return _draft("LocalQueue", {"name": name, "namespace": namespace}, {"clusterQueue": cluster_queue})


def resource_flavor(
    name: str,
    *,
    node_labels: Mapping[str, str] | None = None,
    node_taints: Sequence[Mapping[str, str]] = (),
    tolerations: Sequence[Mapping[str, str]] = (),
    topology: str = "",
) -> Document:
    """A ResourceFlavor; without anything it stands for nodes of every sort."""
    return _draft(
        "ResourceFlavor",
        {"name": name},
        {
            "nodeLabels": dict(node_labels or {}) or None,
            "nodeTaints": list(node_taints) or None,
            "tolerations": list(tolerations) or None,
            "topologyName": topology or None,
        },
    )


def cohort(name: str, *, parent: str = "", resource_groups: Sequence[Mapping[str, Any]] = ()) -> Document:
    """A Cohort; without a parent it is the root of a tree."""
    return _draft(
        "Cohort",
        {"name": name},
        {"parentName": parent or None, "resourceGroups": list(resource_groups) or None},
    )


def workload_priority_class(name: str, value: int, description: str = "") -> Document:
    """A WorkloadPriorityClass, which has no spec."""
    document = _draft("WorkloadPriorityClass", {"name": name}, {})
    del document["spec"]
    return {**document, "value": value, **({"description": description} if description else {})}


def admission_check(name: str, controller: str, parameters: tuple[str, str, str] | None = None) -> Document:
    """An AdmissionCheck; `parameters` are the API group, kind and name of its configuration."""
    reference = dict(zip(("apiGroup", "kind", "name"), parameters, strict=True)) if parameters else None
    return _draft("AdmissionCheck", {"name": name}, {"controllerName": controller, "parameters": reference})


def topology(name: str, levels: Sequence[str]) -> Document:
    """A Topology; `levels` are node labels from the widest domain to the narrowest."""
    return _draft("Topology", {"name": name}, {"levels": [{"nodeLabel": level} for level in levels]})


def in_version(document: Document, version: str) -> Document:
    """The document as a server takes it that serves this version: v1beta1 has other names for two fields."""
    converted = {**document, "apiVersion": f"{_GROUP}/{version}"}
    if version == "v1beta1" and "spec" in document:
        converted["spec"] = {_OLD_NAMES.get(name, name): value for name, value in document["spec"].items()}
    return converted


def _draft(kind: str, metadata: Document, spec: Document) -> Document:
    return {
        "apiVersion": f"{_GROUP}/v1beta2",
        "kind": kind,
        "metadata": metadata,
        "spec": {name: value for name, value in spec.items() if value is not None},
    }
