"""All objects of one moment, and what could not be read.

The world is the engine's only input besides a question. It is frozen: a run copies what it changes.
"""

from collections.abc import Mapping

import msgspec

from kubectl_kueue.model.config import Configuration, Gates
from kubectl_kueue.model.objects import (
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    DeviceClass,
    LimitRange,
    LocalQueue,
    Namespace,
    Node,
    Pod,
    PriorityClass,
    ProvisioningRequestConfig,
    ResourceClaimTemplate,
    ResourceFlavor,
    RuntimeClass,
    Topology,
    Workload,
    WorkloadPriorityClass,
)


class LocalPlace(msgspec.Struct, frozen=True):
    """Place of a pending workload in its LocalQueue, from 0, and how many wait there."""

    index: int
    of: int


class World(msgspec.Struct, frozen=True, kw_only=True):
    """What was read. Cluster-scoped kinds are keyed by name, namespaced ones by "namespace/name".

    `now` is in microseconds since 1970 and stands for the clock in every computation.
    `missing` maps a kind to the reason why it could not be read (403, absent CRD, not in the file).
    `notes` are remarks of the reader that an answer must repeat (unknown gates, guessed times).
    `local_places` are what the visibility API said to somebody who may not see the queues themselves.
    `steady` is true for a recorded scenario: nothing consumed before (admission fair sharing).
    """

    now: int
    name: str = ""
    mode: str = "until-idle"
    max_cycles: int = 16
    gates: Gates = Gates()
    config: Configuration = Configuration()
    cluster_queues: Mapping[str, ClusterQueue] = {}
    cohorts: Mapping[str, Cohort] = {}
    resource_flavors: Mapping[str, ResourceFlavor] = {}
    admission_checks: Mapping[str, AdmissionCheck] = {}
    provisioning_request_configs: Mapping[str, ProvisioningRequestConfig] = {}
    topologies: Mapping[str, Topology] = {}
    local_queues: Mapping[str, LocalQueue] = {}
    workloads: Mapping[str, Workload] = {}
    workload_priority_classes: Mapping[str, WorkloadPriorityClass] = {}
    priority_classes: Mapping[str, PriorityClass] = {}
    namespaces: Mapping[str, Namespace] = {}
    limit_ranges: Mapping[str, LimitRange] = {}
    runtime_classes: Mapping[str, RuntimeClass] = {}
    device_classes: Mapping[str, DeviceClass] = {}
    resource_claim_templates: Mapping[str, ResourceClaimTemplate] = {}
    nodes: Mapping[str, Node] = {}
    pods: Mapping[str, Pod] = {}
    local_places: Mapping[str, LocalPlace] = {}
    missing: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()
    steady: bool = False
