"""ClusterQueues, LocalQueues and Cohorts, a line each."""

from collections.abc import Sequence

from kubectl_kueue.model.slim import ClusterQueue, Cohort, LocalQueue, find_condition, true_condition
from kubectl_kueue.views.listings.frame import Cell, Frame


def _cluster_queue(queue: ClusterQueue) -> Sequence[Cell]:
    return (
        queue.spec.cohort_name,
        queue.status.pending_workloads,
        queue.status.admitted_workloads,
        "true" if true_condition(queue.status.conditions, "Active") else "false",
        queue.spec.queueing_strategy,
        queue.status.reserving_workloads,
        queue.spec.stop_policy,
        _why_inactive(queue),
    )


def _local_queue(queue: LocalQueue) -> Sequence[Cell]:
    return (
        queue.spec.cluster_queue,
        queue.status.pending_workloads,
        queue.status.admitted_workloads,
        "true" if true_condition(queue.status.conditions, "Active") else "false",
        queue.status.reserving_workloads,
        queue.spec.stop_policy,
        _why_inactive(queue),
    )


def _why_inactive(queue: ClusterQueue | LocalQueue) -> str:
    active = find_condition(queue.status.conditions, "Active")
    if active is None or active.status == "True":
        return ""
    return active.message or active.reason


def _cohort(cohort: Cohort) -> Sequence[Cell]:
    groups = cohort.spec.resource_groups or ()
    flavors = [flavor for group in groups for flavor in group.flavors or ()]
    quotas = [
        f"{flavor.name}/{quota.name}={quota.nominal_quota}"
        for flavor in flavors
        for quota in flavor.resources or ()
    ]
    weight = cohort.spec.fair_sharing.weight if cohort.spec.fair_sharing is not None else ""
    return (cohort.spec.parent_name, ", ".join(quotas), str(weight))


CLUSTER_QUEUE = Frame(
    ("COHORT", "PENDING WORKLOADS", "ADMITTED WORKLOADS", "ACTIVE"),
    ("STRATEGY", "RESERVING WORKLOADS", "STOP POLICY", "REASON"),
    _cluster_queue,
)
LOCAL_QUEUE = Frame(
    ("CLUSTERQUEUE", "PENDING WORKLOADS", "ADMITTED WORKLOADS"),
    ("ACTIVE", "RESERVING WORKLOADS", "STOP POLICY", "REASON"),
    _local_queue,
)
COHORT = Frame(("PARENT", "NOMINAL QUOTA"), ("WEIGHT",), _cohort)
