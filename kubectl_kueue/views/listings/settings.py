"""What an administrator sets up beside the queues, a line each: flavors, classes, checks, topologies."""

from collections.abc import Sequence

from kubectl_kueue.model.slim import (
    AdmissionCheck,
    MultiKueueCluster,
    MultiKueueConfig,
    ProvisioningRequestConfig,
    ResourceFlavor,
    Topology,
    WorkloadPriorityClass,
    find_condition,
)
from kubectl_kueue.views.listings.frame import Cell, Frame


def _resource_flavor(flavor: ResourceFlavor) -> Sequence[Cell]:
    labels = flavor.spec.node_labels or {}
    taints = [
        f"{taint.key}{f'={taint.value}' if taint.value else ''}:{taint.effect}"
        for taint in flavor.spec.node_taints or ()
    ]
    return (
        ", ".join(f"{key}={value}" for key, value in sorted(labels.items())),
        ", ".join(taints),
        flavor.spec.topology_name,
    )


def _priority_class(item: WorkloadPriorityClass) -> Sequence[Cell]:
    return (item.value, item.description)


def _admission_check(check: AdmissionCheck) -> Sequence[Cell]:
    parameters = check.spec.parameters
    named = f"{parameters.kind}/{parameters.name}" if parameters is not None else ""
    return (check.spec.controller_name, named, *_active(check))


def _active(item: AdmissionCheck | MultiKueueCluster) -> tuple[str, str]:
    """Status of the condition Active, and what it says if it does not hold."""
    active = find_condition(item.status.conditions, "Active")
    if active is None:
        return "", ""
    if active.status == "True":
        return "true", ""
    return "false", ": ".join(filter(None, (active.reason, active.message)))


def _topology(topology: Topology) -> Sequence[Cell]:
    return (", ".join(level.node_label for level in topology.spec.levels or ()),)


def _provisioning(config: ProvisioningRequestConfig) -> Sequence[Cell]:
    retry = config.spec.retry_strategy
    return (
        config.spec.provisioning_class_name,
        ", ".join(config.spec.managed_resources or ()),
        retry.backoff_limit_count if retry is not None else None,
    )


def _multikueue_config(config: MultiKueueConfig) -> Sequence[Cell]:
    return (", ".join(config.spec.clusters or ()),)


def _multikueue_cluster(cluster: MultiKueueCluster) -> Sequence[Cell]:
    connected, reason = _active(cluster)
    source = cluster.spec.cluster_source or cluster.spec
    if source.cluster_profile_ref is not None and source.cluster_profile_ref.name:
        where = f"ClusterProfile {source.cluster_profile_ref.name}"
    elif source.kube_config is not None:
        where = f"{source.kube_config.location_type or 'Secret'} {source.kube_config.location}"
    else:
        where = ""
    return (connected, where, reason)


RESOURCE_FLAVOR = Frame(("NODE LABELS",), ("NODE TAINTS", "TOPOLOGY"), _resource_flavor)
WORKLOAD_PRIORITY_CLASS = Frame(("VALUE",), ("DESCRIPTION",), _priority_class)
ADMISSION_CHECK = Frame(("CONTROLLER", "PARAMETERS", "ACTIVE"), ("REASON",), _admission_check)
TOPOLOGY = Frame(("LEVELS",), (), _topology)
PROVISIONING_REQUEST_CONFIG = Frame(
    ("PROVISIONING CLASS", "MANAGED RESOURCES"), ("BACKOFF LIMIT",), _provisioning
)
MULTIKUEUE_CONFIG = Frame(("CLUSTERS",), (), _multikueue_config)
MULTIKUEUE_CLUSTER = Frame(("CONNECTED", "SOURCE"), ("REASON",), _multikueue_cluster)
