"""Every kind of Kueue in every version that is served (the spec of kueuectl, 6.1 to 6.3)."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from kubectl_kueue.lint.schema import others, queues
from kubectl_kueue.lint.schema.parts import CONDITIONS, CONSUMED, NODE_LABELS, TAINTS, flavor_usage
from kubectl_kueue.lint.schema.shapes import (
    INT32,
    INT64,
    SUBDOMAIN,
    TEXT,
    TIME,
    Shape,
    count,
    demanding,
    each,
    obj,
    one_of,
    revised,
    text,
)
from kubectl_kueue.lint.schema.workload import WORKLOAD
from kubectl_kueue.model import objects as model

GROUP = "kueue.x-k8s.io"
NEWEST = "v1beta2"
OLDER = "v1beta1"

NEWEST_KINDS: Mapping[str, Shape] = {
    "ClusterQueue": queues.CLUSTER_QUEUE,
    "LocalQueue": queues.LOCAL_QUEUE,
    "Cohort": queues.COHORT,
    "Workload": WORKLOAD,
    "ResourceFlavor": others.RESOURCE_FLAVOR,
    "Topology": others.TOPOLOGY,
    "WorkloadPriorityClass": others.WORKLOAD_PRIORITY_CLASS,
    "AdmissionCheck": others.ADMISSION_CHECK,
    "ProvisioningRequestConfig": others.PROVISIONING_REQUEST_CONFIG,
    "MultiKueueConfig": others.MULTI_KUEUE_CONFIG,
    "MultiKueueCluster": others.MULTI_KUEUE_CLUSTER,
}

_MANY_CONDITIONS = replace(CONDITIONS, most=None)
_CONSUMED = {"status.fairSharing.admissionFairSharingStatus": CONSUMED}


def _cluster_queue() -> Shape:
    check = obj("name", name=text(most=316), onFlavors=each(SUBDOMAIN))
    changes = {
        "spec.cohortName": None,
        "spec.cohort": SUBDOMAIN,
        "spec.concurrentAdmissionPolicy": None,
        "spec.admissionChecks": each(text(most=316)),
        "spec.admissionChecksStrategy": obj(admissionChecks=each(check)),
        "spec.admissionScope.admissionMode": TEXT,
        "spec.flavorFungibility.whenCanBorrow": one_of(model.FungibilityPolicy, "Borrow"),
        "spec.flavorFungibility.whenCanPreempt": one_of(model.FungibilityPolicy, "Preempt"),
        "status.conditions": _MANY_CONDITIONS,
        "status.pendingWorkloadsStatus": obj(
            "lastChangeTime",
            lastChangeTime=TIME,
            clusterQueuePendingWorkload=each(obj("name namespace", name=TEXT, namespace=TEXT)),
        ),
        **_CONSUMED,
    }
    return revised(queues.CLUSTER_QUEUE, changes)


def _local_queue() -> Shape:
    flavor = obj(
        "name",
        name=SUBDOMAIN,
        resources=each(TEXT, most=64, unique="="),
        nodeLabels=NODE_LABELS,
        nodeTaints=TAINTS,
        topology=obj("levels name", name=SUBDOMAIN, levels=each(TEXT, 1, 16)),
    )
    changes = {
        "status.conditions": _MANY_CONDITIONS,
        "status.flavorsUsage": None,
        "status.flavorUsage": flavor_usage(borrowed=False),
        "status.flavors": each(flavor, most=64, unique="name"),
    }
    return revised(queues.LOCAL_QUEUE, changes)


def _workload() -> Shape:
    request = "spec.podSets[].topologyRequest"
    assignment = "status.admission.podSetAssignments[].topologyAssignment"
    texts = [
        *("required", "preferred", "podSetSliceRequiredTopology"),
        *("podIndexLabel", "subGroupIndexLabel", "podSetGroupName"),
    ]
    domains = each(obj("count values", count=count(1), values=each(TEXT, 1, 16)))
    changes: dict[str, Shape | None] = {
        **{f"{request}.{name}": TEXT for name in texts},
        f"{request}.podsetSliceRequiredTopologyConstraints": None,
        "spec.preemptionGates": None,
        "spec.priorityClassRef": None,
        "spec.priorityClassName": SUBDOMAIN,
        "spec.priorityClassSource": Shape("text", options=(*_SOURCES, "")),
        "status.accumulatedPastExecutionTimeSeconds": None,
        "status.accumulatedPastExexcutionTimeSeconds": INT32,
        "status.preemptionGates": None,
        f"{assignment}": obj("domains levels", domains=domains, levels=each(TEXT, 1, 16)),
        "status.admission.podSetAssignments[].delayedTopologyRequest": TEXT,
        "status.admissionChecks[].name": text(most=316),
        "status.clusterName": TEXT,
        "status.conditions": _MANY_CONDITIONS,
        "status.nominatedClusterNames[]": TEXT,
        "status.unhealthyNodes": each(obj("name", name=TEXT)),
    }
    shape = revised(WORKLOAD, changes)
    shape = demanding(shape, "spec", "podSets")
    shape = demanding(shape, "spec.podSets[]", "count template")
    shape = demanding(shape, "status.admission", "clusterQueue podSetAssignments")
    shape = demanding(shape, "status.admission.podSetAssignments[]", "name")
    evictions = (shape.fields or {})["status"].fields or {}
    stats = (evictions["schedulingStats"].fields or {})["evictions"]
    return revised(shape, {"status.schedulingStats.evictions": replace(stats, most=None)})


_SOURCES = ("kueue.x-k8s.io/workloadpriorityclass", "scheduling.k8s.io/priorityclass")


def _admission_check() -> Shape:
    parameters = obj(
        "apiGroup kind name",
        apiGroup=SUBDOMAIN,
        kind=Shape("text", most=63, syntax="kind"),
        name=Shape("text", most=63, syntax="dns-label"),
    )
    changes = {
        "spec.controllerName": TEXT,
        "spec.parameters": parameters,
        "spec.retryDelayMinutes": INT64,
        "status.conditions": _MANY_CONDITIONS,
    }
    return revised(others.ADMISSION_CHECK, changes)


def _provisioning_request_config() -> Shape:
    selector = (
        ((others.PROVISIONING_REQUEST_CONFIG.fields or {})["spec"].fields or {})["podSetUpdates"].fields or {}
    )["nodeSelector"]
    changes = {
        "spec.provisioningClassName": SUBDOMAIN,
        "spec.podSetUpdates.nodeSelector": replace(selector, unique=()),
    }
    return revised(others.PROVISIONING_REQUEST_CONFIG, changes)


def _multi_kueue_cluster() -> Shape:
    kube_config = obj("location locationType", location=TEXT, locationType=one_of("Secret", "Path"))
    spec = obj("kubeConfig", kubeConfig=kube_config, clusterProfileRef=others.PROFILE)
    changes = {"spec": spec, "status.conditions": _MANY_CONDITIONS}
    return revised(others.MULTI_KUEUE_CLUSTER, changes)


OLDER_KINDS: Mapping[str, Shape] = {
    **NEWEST_KINDS,
    "ClusterQueue": _cluster_queue(),
    "LocalQueue": _local_queue(),
    "Cohort": revised(queues.COHORT, _CONSUMED),
    "Workload": _workload(),
    "AdmissionCheck": _admission_check(),
    "WorkloadPriorityClass": revised(others.WORKLOAD_PRIORITY_CLASS, {"description": TEXT}),
    "ProvisioningRequestConfig": _provisioning_request_config(),
    "MultiKueueConfig": revised(
        others.MULTI_KUEUE_CONFIG, {"spec.quotaManagement": None, "spec.clusters[]": TEXT}
    ),
    "MultiKueueCluster": _multi_kueue_cluster(),
}
VERSIONS: Mapping[str, Mapping[str, Shape]] = {NEWEST: NEWEST_KINDS, OLDER: OLDER_KINDS}

# Kinds that people look for in Kueue's group, and the one that is meant.
_MEANT = {
    "PriorityClass": "WorkloadPriorityClass",
    "Queue": "LocalQueue",
    "Flavor": "ResourceFlavor",
    "QueuedWorkload": "Workload",
}


def meant_kind(kind: str) -> str:
    """The kind of Kueue that one that it does not have stands for; empty if there is none like it."""
    near = get_close_matches(kind, NEWEST_KINDS, n=1)
    return _MEANT.get(kind) or (near[0] if near else "")
