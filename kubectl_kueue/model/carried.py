"""What a snapshot carries besides what the scheduler decodes: fields of older API versions, and what list,
get, describe and the explanations show. Kinds that objects.py does not have are here too.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.config import (
    Configuration,
    RequeuingStrategy,
    WaitForPodsReadyConfig,
)
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.objects import (
    Condition,
    FlavorUsage,
    LabelSelector,
    ObjectMeta,
    ResourceList,
    TimeText,
)


class _Carried(msgspec.Struct, rename="camel", frozen=True):
    """Base: every field may be absent; none of these is ever made, only looked at for its types."""


# --- fields of older versions -----------------------------------------------------------------------


class OldClusterQueueSpec(_Carried, frozen=True):
    cohort: str = ""
    admission_checks: list[str] = []


class OldCohortSpec(_Carried, frozen=True):
    parent: str = ""


class MoreOfMetadata(_Carried, frozen=True):
    finalizers: list[str] = []


class MoreOfWorkloadSpec(_Carried, frozen=True):
    priority_class_name: str = ""
    priority_class_source: str = ""


class OldDomain(_Carried, frozen=True):
    values: list[str] = []
    count: int = 0


class OldTopologyAssignment(_Carried, frozen=True):
    domains: list[OldDomain] = []


class OldDeviceRequest(_Carried, frozen=True):
    device_class_name: str = ""
    selectors: "list[DeviceSelector]" = []
    allocation_mode: str = ""
    count: int = 0
    admin_access: bool = False


# --- any JSON, of which this is kept ----------------------------------------------------------------


class ClaimUse(_Carried, frozen=True):
    name: str = ""
    request: str = ""


class PodAffinityTerm(_Carried, frozen=True):
    label_selector: LabelSelector | None = None
    namespace_selector: LabelSelector | None = None
    namespaces: list[str] = []
    topology_key: str = ""
    match_label_keys: list[str] = []
    mismatch_label_keys: list[str] = []


class WeightedPodAffinityTerm(_Carried, frozen=True):
    weight: int = 0
    pod_affinity_term: PodAffinityTerm | None = None


class PodAffinity(_Carried, frozen=True):
    required: list[PodAffinityTerm] = msgspec.field(
        default_factory=list, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: list[WeightedPodAffinityTerm] = msgspec.field(
        default_factory=list, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class SpreadConstraint(_Carried, frozen=True):
    max_skew: int = 0
    min_domains: int = 0
    topology_key: str = ""
    when_unsatisfiable: str = ""
    label_selector: LabelSelector | None = None
    match_label_keys: list[str] = []
    node_affinity_policy: str = ""
    node_taints_policy: str = ""


class CelSelector(_Carried, frozen=True):
    expression: str = ""


class DeviceSelector(_Carried, frozen=True):
    cel: CelSelector | None = None


class SubRequest(_Carried, frozen=True):
    name: str = ""
    device_class_name: str = ""
    selectors: list[DeviceSelector] = []
    allocation_mode: str = ""
    count: int = 0


# --- what lists and descriptions show ---------------------------------------------------------------


class MoreOfLocalQueueStatus(_Carried, frozen=True):
    flavor_usage: list[FlavorUsage] = []


class PodSetRequest(_Carried, frozen=True):
    name: str = ""
    resources: ResourceList = {}


class MoreOfWorkloadStatus(_Carried, frozen=True):
    resource_requests: list[PodSetRequest] = []
    accumulated_past_exexcution_time_seconds: int = 0


class MoreOfAdmissionCheckSpec(_Carried, frozen=True):
    retry_delay_minutes: int = 0


class MoreOfNodeStatus(_Carried, frozen=True):
    capacity: ResourceList = {}


class NamespaceStatus(_Carried, frozen=True):
    phase: str = ""


class MoreOfNamespace(_Carried, frozen=True):
    status: NamespaceStatus | None = None


class SchedulingGate(_Carried, frozen=True):
    name: str = ""


class MoreOfPodSpec(_Carried, frozen=True):
    scheduling_gates: list[SchedulingGate] = []


class ContainerReason(_Carried, frozen=True):
    reason: str = ""
    exit_code: int = 0
    started_at: TimeText = ""
    finished_at: TimeText = ""


class ContainerState(_Carried, frozen=True):
    waiting: ContainerReason | None = None
    running: ContainerReason | None = None
    terminated: ContainerReason | None = None


class ContainerStatus(_Carried, frozen=True):
    name: str = ""
    ready: bool = False
    started: bool = False
    restart_count: int = 0
    state: ContainerState | None = None


class MoreOfPodStatus(_Carried, frozen=True):
    conditions: list[Condition] = []
    reason: str = ""
    message: str = ""
    start_time: TimeText = ""
    nominated_node_name: str = ""
    container_statuses: list[ContainerStatus] = []
    init_container_statuses: list[ContainerStatus] = []


class RequeuingBackoff(_Carried, frozen=True):
    backoff_limit_count: int = 0
    backoff_base_seconds: int = 0
    backoff_max_seconds: int = 0


class MoreOfWaitForPodsReady(_Carried, frozen=True):
    timeout: str = ""
    recovery_timeout: str = ""


class Integrations(_Carried, frozen=True):
    frameworks: list[str] = []
    external_frameworks: list[str] = []


class MoreOfConfiguration(_Carried, frozen=True):
    manage_jobs_without_queue_name: bool = False
    managed_jobs_namespace_selector: LabelSelector | None = None
    integrations: Integrations | None = None


MORE: Mapping[type, type[msgspec.Struct]] = {
    kinds.ObjectMeta: MoreOfMetadata,
    kinds.ClusterQueueSpec: OldClusterQueueSpec,
    kinds.CohortSpec: OldCohortSpec,
    kinds.LocalQueueStatus: MoreOfLocalQueueStatus,
    kinds.WorkloadSpec: MoreOfWorkloadSpec,
    kinds.WorkloadStatus: MoreOfWorkloadStatus,
    kinds.TopologyAssignment: OldTopologyAssignment,
    kinds.DeviceRequest: OldDeviceRequest,
    kinds.AdmissionCheckSpec: MoreOfAdmissionCheckSpec,
    kinds.NodeStatus: MoreOfNodeStatus,
    kinds.Namespace: MoreOfNamespace,
    kinds.PodSpec: MoreOfPodSpec,
    kinds.PodStatus: MoreOfPodStatus,
    RequeuingStrategy: RequeuingBackoff,
    WaitForPodsReadyConfig: MoreOfWaitForPodsReady,
    Configuration: MoreOfConfiguration,
}


# --- kinds that the scheduler does not decode -------------------------------------------------------


class RunPolicy(_Carried, frozen=True):
    suspend: bool = False


class JobSpec(_Carried, frozen=True):
    suspend: bool = False
    parallelism: int = 0
    completions: int = 0
    completion_mode: str = ""
    backoff_limit: int = 0
    replicas: int = 0
    run_policy: RunPolicy | None = None
    managed_by: str = ""


class ActiveService(_Carried, frozen=True):
    ray_cluster_name: str = ""


class JobStatus(_Carried, frozen=True):
    conditions: list[Condition] = []
    active: int = 0
    ready: int = 0
    succeeded: int = 0
    failed: int = 0
    terminating: int = 0
    replicas: int = 0
    ready_replicas: int = 0
    available_replicas: int = 0
    start_time: TimeText = ""
    completion_time: TimeText = ""
    phase: str = ""
    job_status: str = ""
    job_deployment_status: str = ""
    ray_cluster_name: str = ""
    active_service_status: ActiveService | None = None


class Job(_Carried, frozen=True):
    """A job of any kind."""

    metadata: ObjectMeta
    spec: JobSpec | None = None
    status: JobStatus | None = None


class ManagerContainer(_Carried, frozen=True):
    name: str = ""
    image: str = ""


class ManagerPodSpec(_Carried, frozen=True):
    containers: list[ManagerContainer] = []


class ManagerTemplate(_Carried, frozen=True):
    spec: ManagerPodSpec | None = None


class ManagerSpec(_Carried, frozen=True):
    replicas: int = 0
    template: ManagerTemplate | None = None


class Manager(_Carried, frozen=True):
    """The Deployment of Kueue's manager."""

    metadata: ObjectMeta
    spec: ManagerSpec | None = None
    status: JobStatus | None = None


class ObjectReference(_Carried, frozen=True):
    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""


class EventSource(_Carried, frozen=True):
    component: str = ""


class EventSeries(_Carried, frozen=True):
    count: int = 0
    last_observed_time: TimeText = ""


class Event(_Carried, frozen=True):
    metadata: ObjectMeta
    involved_object: ObjectReference | None = None
    regarding: ObjectReference | None = None
    reason: str = ""
    message: str = ""
    note: str = ""
    type: str = ""
    action: str = ""
    count: int = 0
    first_timestamp: TimeText = ""
    last_timestamp: TimeText = ""
    event_time: TimeText = ""
    series: EventSeries | None = None
    source: EventSource | None = None
    reporting_component: str = ""
    reporting_controller: str = ""


class MultiKueueConfigSpec(_Carried, frozen=True):
    clusters: list[str] = []


class MultiKueueConfig(_Carried, frozen=True):
    metadata: ObjectMeta
    spec: MultiKueueConfigSpec | None = None


class KubeConfig(_Carried, frozen=True):
    """Where it is, is left out: it is the name of a secret."""

    location_type: str = ""


class MultiKueueClusterSpec(_Carried, frozen=True):
    kube_config: KubeConfig | None = None


class ConditionsOnly(_Carried, frozen=True):
    conditions: list[Condition] = []


class MultiKueueCluster(_Carried, frozen=True):
    metadata: ObjectMeta
    spec: MultiKueueClusterSpec | None = None
    status: ConditionsOnly | None = None


class ProvisioningRequestConfigSpec(_Carried, frozen=True):
    provisioning_class_name: str = ""
    managed_resources: list[str] = []
    retry_strategy: RequeuingBackoff | None = None
    pod_set_merge_policy: str = ""


class ProvisioningRequestConfig(_Carried, frozen=True):
    metadata: ObjectMeta
    spec: ProvisioningRequestConfigSpec | None = None


class Place(_Carried, frozen=True):
    kind: str = ""
    namespace: str = ""
    name: str = ""


class KueueFound(_Carried, frozen=True):
    """What was found out about Kueue itself, and where."""

    version: str = ""
    manager: Place | None = None
    configuration: Place | None = None


ROLES: Mapping[tuple[type, str], Any] = {
    (MoreOfMetadata, "finalizers"): "component",
    (MoreOfWorkloadSpec, "priority_class_source"): "keep",
    (PodAffinityTerm, "topology_key"): "keep",
    (PodAffinityTerm, "match_label_keys"): "keep",
    (PodAffinityTerm, "mismatch_label_keys"): "keep",
    (SpreadConstraint, "topology_key"): "keep",
    (SpreadConstraint, "match_label_keys"): "keep",
    (SpreadConstraint, "when_unsatisfiable"): "word",
    (SpreadConstraint, "node_affinity_policy"): "word",
    (SpreadConstraint, "node_taints_policy"): "word",
    (SubRequest, "allocation_mode"): "word",
    (PodSetRequest, "name"): "podset",
    (OldDeviceRequest, "allocation_mode"): "word",
    (NamespaceStatus, "phase"): "word",
    (SchedulingGate, "name"): "component",
    (ContainerReason, "reason"): "word",
    (MoreOfPodStatus, "reason"): "word",
    (MoreOfPodStatus, "message"): "text",
    (MoreOfWaitForPodsReady, "timeout"): "keep",
    (MoreOfWaitForPodsReady, "recovery_timeout"): "keep",
    (Integrations, "frameworks"): "keep",
    (Integrations, "external_frameworks"): "keep",
    (JobSpec, "completion_mode"): "word",
    (JobSpec, "managed_by"): "component",
    (JobStatus, "phase"): "word",
    (JobStatus, "job_status"): "word",
    (JobStatus, "job_deployment_status"): "word",
    (ManagerContainer, "image"): "image",
    (ObjectReference, "api_version"): "keep",
    (ObjectReference, "kind"): "keep",
    (ObjectReference, "uid"): "uid",
    (EventSource, "component"): "component",
    (Event, "reason"): "word",
    (Event, "message"): "text",
    (Event, "note"): "text",
    (Event, "type"): "word",
    (Event, "action"): "word",
    (Event, "reporting_component"): "component",
    (Event, "reporting_controller"): "component",
    (KubeConfig, "location_type"): "word",
    (ProvisioningRequestConfigSpec, "managed_resources"): "keep",
    (ProvisioningRequestConfigSpec, "pod_set_merge_policy"): "word",
    (ProvisioningRequestConfigSpec, "provisioning_class_name"): "name",
    (Place, "kind"): "word",
    (KueueFound, "version"): "keep",
}

OTHER_KINDS: Mapping[tuple[str, str], type[msgspec.Struct]] = {
    ("", "Event"): Event,
    ("events.k8s.io", "Event"): Event,
    ("kueue.x-k8s.io", "MultiKueueConfig"): MultiKueueConfig,
    ("kueue.x-k8s.io", "MultiKueueCluster"): MultiKueueCluster,
    ("kueue.x-k8s.io", "ProvisioningRequestConfig"): ProvisioningRequestConfig,
}
JOBS = frozenset(FRAMEWORKS) - {("", "Pod")} | {("apps", "ReplicaSet")}
"""Kinds of jobs, and what may stand between one and its pods."""

_OF_KUEUE = (
    "admission-gated-by",
    "component-workload-index",
    "concurrent-admission-parent",
    "elastic-job",
    "is-group-workload",
    "job-completions-equal-parallelism",
    "job-min-parallelism",
    "job-owner-gvk",
    "job-owner-name",
    "managed",
    "pod-group-fast-admission",
    "pod-group-name",
    "pod-group-pod-index-label",
    "pod-group-serving",
    "pod-group-total-count",
    "pod-index-offset",
    "pod-suspending-parent",
    "podset",
    "podset-group-name",
    "podset-preferred-topology",
    "podset-required-topology",
    "podset-slice-required-topology",
    "podset-slice-required-topology-constraints",
    "podset-slice-size",
    "podset-unconstrained-topology",
    "prebuilt-workload-name",
    "priority-boost",
    "queue-name",
    "retriable-in-group",
    "role-hash",
    "stopping",
    "tas",
    "workload",
    "workload-allowed-resource-flavors",
    "workload-slice-name",
    "workload-slice-replacement-for",
)
ANNOTATIONS: frozenset[str] = frozenset(f"kueue.x-k8s.io/{name}" for name in _OF_KUEUE)
"""The annotations that Kueue, its scheduler or an explanation reads. No other is carried."""
