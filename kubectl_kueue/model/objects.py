"""The Kueue and Kubernetes objects that the scheduler reads, in v1beta2 names.

Only fields that decide or explain something are kept; unknown fields are ignored here (lint reads
the raw documents). Every struct is frozen: one object of the cluster at one moment.
Quantities stay as written (`QuantityText`); model/quantity.py turns them into exact integers.
Times stay RFC 3339 text (`TimeText`); model/timestamp.py turns them into microseconds.
What the types promise (syntax, ranges, enumerations) holds for every object that was decoded.
An enumeration has "" where the API server's default may be missing.

There are three views of an object, since three questions are asked of it. Here: what decides; checked,
complete, and so too slow for a list of 100,000. slim.py: what a line of a table shows; nothing is checked,
since a list shows what no server would take, and both versions are read under one name. carried.py: what a
snapshot keeps beyond what is here; its structs are never made, only looked at for their fields.
"""

from collections.abc import Callable
from itertools import repeat
from typing import Annotated, Any, Literal

import msgspec

# `extra` names the syntax of a text: model/syntax.py checks it, model/faults.py explains it.
QuantityText = Annotated[str, msgspec.Meta(extra={"syntax": "quantity"})] | int | float
TimeText = Annotated[str, msgspec.Meta(extra={"syntax": "time"})]
ResourceList = dict[str, QuantityText]
Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Count64 = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]

ConditionStatus = Literal["True", "False", "Unknown"]
SelectorOperator = Literal["In", "NotIn", "Exists", "DoesNotExist"]
TaintEffect = Literal["", "NoSchedule", "PreferNoSchedule", "NoExecute"]
DelayedTopologyRequest = Literal["", "Pending", "Ready"]
CheckState = Literal["Pending", "Ready", "Retry", "Rejected"]
GatePosition = Literal["", "Open", "Closed"]
QueueingStrategy = Literal["", "BestEffortFIFO", "StrictFIFO"]
StopPolicy = Literal["", "None", "Hold", "HoldAndDrain"]
WithinClusterQueue = Literal["", "Never", "LowerPriority", "LowerOrNewerEqualPriority"]
# The API takes Never, LowerPriority and Any here; recorded worlds also hold the fourth.
ReclaimWithinCohort = Literal["", "Never", "LowerPriority", "Any", "LowerOrNewerEqualPriority"]
BorrowPolicy = Literal["", "Never", "LowerPriority"]
FungibilityPolicy = Literal["", "MayStopSearch", "TryNextFlavor"]
FungibilityPreference = Literal["", "BorrowingOverPreemption", "PreemptionOverBorrowing"]
AdmissionMode = Literal["", "UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing"]
MigrationMode = Literal["", "TryPreferredFlavors", "RetainFirstAdmission"]


# A workload has some fifteen empty lists and maps; sharing one of each halves the time of decoding
# and the memory. Like every value of the model they are read, never changed.
_no_items: Callable[[], list[Any]] = repeat([]).__next__
_no_entries: Callable[[], dict[str, Any]] = repeat({}).__next__
NO_ITEMS: Any = msgspec.field(default_factory=_no_items)
NO_ENTRIES: Any = msgspec.field(default_factory=_no_entries)


class Object(msgspec.Struct, rename="camel", kw_only=True, frozen=True, omit_defaults=True, gc=False):
    """Base of every struct below: camelCase on the wire, scalar defaults left out when encoded.

    Decoded JSON holds no cycles, so the cyclic garbage collector need not follow these.
    """


class OwnerReference(Object, frozen=True):
    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool = False


class ObjectMeta(Object, frozen=True):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    creation_timestamp: TimeText | None = None
    deletion_timestamp: TimeText | None = None
    generation: int = 1
    resource_version: str = ""
    labels: dict[str, str] = NO_ENTRIES
    annotations: dict[str, str] = NO_ENTRIES
    owner_references: list[OwnerReference] = NO_ITEMS


class Condition(Object, frozen=True):
    type: str
    status: ConditionStatus
    reason: str = ""
    message: str = ""
    last_transition_time: TimeText | None = None
    observed_generation: int = 0


class LabelSelectorRequirement(Object, frozen=True):
    key: str
    operator: SelectorOperator
    values: list[str] = NO_ITEMS


class LabelSelector(Object, frozen=True):
    match_labels: dict[str, str] = NO_ENTRIES
    match_expressions: list[LabelSelectorRequirement] = NO_ITEMS


# --- pods -------------------------------------------------------------------------------------


class Toleration(Object, frozen=True):
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class Taint(Object, frozen=True):
    key: str
    effect: TaintEffect = ""
    value: str = ""


class ResourceRequirements(Object, frozen=True):
    requests: ResourceList = NO_ENTRIES
    limits: ResourceList = NO_ENTRIES
    claims: list[dict[str, Any]] = NO_ITEMS


class ContainerPort(Object, frozen=True):
    container_port: int = 0
    host_port: int = 0
    host_ip: str = msgspec.field(default="", name="hostIP")
    protocol: str = ""
    name: str = ""


class Container(Object, frozen=True):
    name: str = ""
    resources: ResourceRequirements = ResourceRequirements()
    restart_policy: str = ""
    ports: list[ContainerPort] = NO_ITEMS


class NodeSelectorRequirement(Object, frozen=True):
    key: str
    operator: str
    values: list[str] = NO_ITEMS


class NodeSelectorTerm(Object, frozen=True):
    match_expressions: list[NodeSelectorRequirement] = NO_ITEMS
    match_fields: list[NodeSelectorRequirement] = NO_ITEMS


class NodeSelector(Object, frozen=True):
    node_selector_terms: list[NodeSelectorTerm] = NO_ITEMS


class PreferredSchedulingTerm(Object, frozen=True):
    weight: int = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(Object, frozen=True):
    required: NodeSelector | None = msgspec.field(
        default=None, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: list[PreferredSchedulingTerm] = msgspec.field(
        default_factory=_no_items, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class Affinity(Object, frozen=True):
    node_affinity: NodeAffinity | None = None
    pod_affinity: dict[str, Any] | None = None
    pod_anti_affinity: dict[str, Any] | None = None


class PodResourceClaim(Object, frozen=True):
    name: str = ""
    resource_claim_name: str = ""
    resource_claim_template_name: str = ""


class PodSpec(Object, frozen=True):
    containers: list[Container] = NO_ITEMS
    init_containers: list[Container] = NO_ITEMS
    node_selector: dict[str, str] = NO_ENTRIES
    affinity: Affinity | None = None
    tolerations: list[Toleration] = NO_ITEMS
    runtime_class_name: str | None = None
    priority_class_name: str = ""
    priority: Int32 | None = None
    overhead: ResourceList = NO_ENTRIES
    resources: ResourceRequirements | None = None
    resource_claims: list[PodResourceClaim] = NO_ITEMS
    topology_spread_constraints: list[dict[str, Any]] = NO_ITEMS
    node_name: str = ""


class PodTemplate(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


# --- workloads --------------------------------------------------------------------------------


class SliceConstraint(Object, frozen=True):
    topology: str
    size: Int32


class PodSetTopologyRequest(Object, frozen=True):
    required: str | None = None
    preferred: str | None = None
    unconstrained: bool | None = None
    pod_set_group_name: str | None = None
    pod_set_slice_required_topology: str | None = None
    pod_set_slice_size: Int32 | None = None
    slice_constraints: list[SliceConstraint] = msgspec.field(
        default_factory=_no_items, name="podsetSliceRequiredTopologyConstraints"
    )
    pod_index_label: str | None = None
    sub_group_index_label: str | None = None
    sub_group_count: Int32 | None = None


class PodSet(Object, frozen=True):
    name: str = "main"
    count: Count = 1
    min_count: Count | None = None
    template: PodTemplate = PodTemplate()
    topology_request: PodSetTopologyRequest | None = None


class PriorityClassRef(Object, frozen=True):
    group: str = ""
    kind: str = ""
    name: str = ""


class PreemptionGate(Object, frozen=True):
    name: str = ""


class WorkloadSpec(Object, frozen=True):
    pod_sets: list[PodSet] = NO_ITEMS
    queue_name: str = ""
    priority: Int32 | None = None
    priority_class_ref: PriorityClassRef | None = None
    active: bool = True
    maximum_execution_time_seconds: Int32 | None = None
    preemption_gates: list[PreemptionGate] = NO_ITEMS


class TopologyValues(Object, frozen=True):
    prefix: str = ""
    suffix: str = ""
    roots: list[str] = NO_ITEMS


class TopologyLevelValues(Object, frozen=True):
    universal: str | None = None
    individual: TopologyValues | None = None


class TopologyPodCounts(Object, frozen=True):
    universal: Count | None = None
    individual: list[Count] = NO_ITEMS


class TopologySlice(Object, frozen=True):
    domain_count: Count = 0
    values_per_level: list[TopologyLevelValues] = NO_ITEMS
    pod_counts: TopologyPodCounts = TopologyPodCounts()


class TopologyAssignment(Object, frozen=True):
    levels: list[str] = NO_ITEMS
    slices: list[TopologySlice] = NO_ITEMS


class PodSetAssignment(Object, frozen=True):
    name: str = "main"
    flavors: dict[str, str] = NO_ENTRIES
    resource_usage: ResourceList = NO_ENTRIES
    count: Count | None = None
    topology_assignment: TopologyAssignment | None = None
    delayed_topology_request: DelayedTopologyRequest = ""


class Admission(Object, frozen=True):
    cluster_queue: str
    pod_set_assignments: list[PodSetAssignment] = NO_ITEMS


class PodSetUpdate(Object, frozen=True):
    name: str = ""
    labels: dict[str, str] = NO_ENTRIES
    annotations: dict[str, str] = NO_ENTRIES
    node_selector: dict[str, str] = NO_ENTRIES
    tolerations: list[Toleration] = NO_ITEMS


class AdmissionCheckState(Object, frozen=True):
    name: str
    state: CheckState = "Pending"
    message: str = ""
    last_transition_time: TimeText | None = None
    retry_count: Count = 0
    requeue_after_seconds: Int32 | None = None
    pod_set_updates: list[PodSetUpdate] = NO_ITEMS


class RequeueState(Object, frozen=True):
    count: Count = 0
    requeue_at: TimeText | None = None


class ReclaimablePod(Object, frozen=True):
    name: str
    count: Count = 0


class UnhealthyNode(Object, frozen=True):
    name: str


class PreemptionGateState(Object, frozen=True):
    name: str = ""
    position: GatePosition = ""
    last_transition_time: TimeText | None = None


class EvictionCount(Object, frozen=True):
    reason: str = ""
    underlying_cause: str = ""
    count: Count = 0


class SchedulingStats(Object, frozen=True):
    evictions: list[EvictionCount] = NO_ITEMS


class WorkloadStatus(Object, frozen=True):
    conditions: list[Condition] = NO_ITEMS
    admission: Admission | None = None
    requeue_state: RequeueState | None = None
    reclaimable_pods: list[ReclaimablePod] = NO_ITEMS
    admission_checks: list[AdmissionCheckState] = NO_ITEMS
    accumulated_past_execution_time_seconds: Int32 | None = None
    scheduling_stats: SchedulingStats | None = None
    unhealthy_nodes: list[UnhealthyNode] = NO_ITEMS
    preemption_gates: list[PreemptionGateState] = NO_ITEMS
    cluster_name: str | None = None
    nominated_cluster_names: list[str] = NO_ITEMS


class Workload(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()


# --- queues and quota -------------------------------------------------------------------------


class ResourceQuota(Object, frozen=True):
    name: str
    nominal_quota: QuantityText = 0
    borrowing_limit: QuantityText | None = None
    lending_limit: QuantityText | None = None


class FlavorQuotas(Object, frozen=True):
    name: str
    resources: list[ResourceQuota] = NO_ITEMS


class ResourceGroup(Object, frozen=True):
    covered_resources: list[str] = NO_ITEMS
    flavors: list[FlavorQuotas] = NO_ITEMS


class BorrowWithinCohort(Object, frozen=True):
    policy: BorrowPolicy = ""
    max_priority_threshold: Int32 | None = None


class ClusterQueuePreemption(Object, frozen=True):
    reclaim_within_cohort: ReclaimWithinCohort = ""
    within_cluster_queue: WithinClusterQueue = ""
    borrow_within_cohort: BorrowWithinCohort | None = None


class FlavorFungibility(Object, frozen=True):
    when_can_borrow: FungibilityPolicy = ""
    when_can_preempt: FungibilityPolicy = ""
    preference: FungibilityPreference = ""


class AdmissionCheckStrategyRule(Object, frozen=True):
    name: str
    on_flavors: list[str] = NO_ITEMS


class AdmissionChecksStrategy(Object, frozen=True):
    admission_checks: list[AdmissionCheckStrategyRule] = NO_ITEMS


class FairSharing(Object, frozen=True):
    weight: QuantityText | None = None


class AdmissionScope(Object, frozen=True):
    admission_mode: AdmissionMode = ""


class MigrationConstraints(Object, frozen=True):
    last_acceptable_flavor_name: str = ""


class Migration(Object, frozen=True):
    mode: MigrationMode = ""
    constraints: MigrationConstraints | None = None


class ConcurrentAdmissionPolicy(Object, frozen=True):
    migration: Migration | None = None


class ClusterQueueSpec(Object, frozen=True):
    resource_groups: list[ResourceGroup] = NO_ITEMS
    cohort_name: str = ""
    queueing_strategy: QueueingStrategy = "BestEffortFIFO"
    namespace_selector: LabelSelector | None = None
    flavor_fungibility: FlavorFungibility | None = None
    preemption: ClusterQueuePreemption | None = None
    admission_checks_strategy: AdmissionChecksStrategy | None = None
    stop_policy: StopPolicy = "None"
    fair_sharing: FairSharing | None = None
    admission_scope: AdmissionScope | None = None
    concurrent_admission_policy: ConcurrentAdmissionPolicy | None = None


class FlavorResourceUsage(Object, frozen=True):
    name: str
    total: QuantityText = 0
    borrowed: QuantityText = 0


class FlavorUsage(Object, frozen=True):
    name: str
    resources: list[FlavorResourceUsage] = NO_ITEMS


class FairSharingStatus(Object, frozen=True):
    weighted_share: int = 0


class QueueStatus(Object, frozen=True):
    """What a ClusterQueue and a LocalQueue tell alike."""

    conditions: list[Condition] = NO_ITEMS
    flavors_reservation: list[FlavorUsage] = NO_ITEMS
    flavors_usage: list[FlavorUsage] = NO_ITEMS
    pending_workloads: int = 0
    reserving_workloads: int = 0
    admitted_workloads: int = 0


class ClusterQueueStatus(QueueStatus, frozen=True):
    fair_sharing: FairSharingStatus | None = None


class ClusterQueue(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ClusterQueueSpec = ClusterQueueSpec()
    status: ClusterQueueStatus = ClusterQueueStatus()


class CohortSpec(Object, frozen=True):
    parent_name: str = ""
    resource_groups: list[ResourceGroup] = NO_ITEMS
    fair_sharing: FairSharing | None = None


class Cohort(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: CohortSpec = CohortSpec()


class AdmissionFairSharingStatus(Object, frozen=True):
    consumed_resources: ResourceList = NO_ENTRIES
    last_update: TimeText | None = None


class LocalQueueFairSharingStatus(Object, frozen=True):
    weighted_share: int = 0
    admission_fair_sharing_status: AdmissionFairSharingStatus | None = None


class LocalQueueSpec(Object, frozen=True):
    cluster_queue: str = ""
    stop_policy: StopPolicy = "None"
    fair_sharing: FairSharing | None = None


class LocalQueueStatus(QueueStatus, frozen=True):
    fair_sharing: LocalQueueFairSharingStatus | None = None


class LocalQueue(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: LocalQueueSpec = LocalQueueSpec()
    status: LocalQueueStatus = LocalQueueStatus()


class ResourceFlavorSpec(Object, frozen=True):
    node_labels: dict[str, str] = NO_ENTRIES
    node_taints: list[Taint] = NO_ITEMS
    tolerations: list[Toleration] = NO_ITEMS
    topology_name: str | None = None


class ResourceFlavor(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceFlavorSpec = ResourceFlavorSpec()


class AdmissionCheckParameters(Object, frozen=True):
    api_group: str = ""
    kind: str = ""
    name: str = ""


class AdmissionCheckSpec(Object, frozen=True):
    controller_name: str = ""
    parameters: AdmissionCheckParameters | None = None


class AdmissionCheckStatus(Object, frozen=True):
    conditions: list[Condition] = NO_ITEMS


class AdmissionCheck(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: AdmissionCheckSpec = AdmissionCheckSpec()
    status: AdmissionCheckStatus = AdmissionCheckStatus()


class ProvisioningRequestRetryStrategy(Object, frozen=True):
    backoff_limit_count: Int32 | None = None


class ProvisioningRequestConfigSpec(Object, frozen=True):
    retry_strategy: ProvisioningRequestRetryStrategy | None = None


class ProvisioningRequestConfig(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ProvisioningRequestConfigSpec = ProvisioningRequestConfigSpec()


class TopologyLevel(Object, frozen=True):
    node_label: str


class TopologySpec(Object, frozen=True):
    levels: list[TopologyLevel] = NO_ITEMS


class Topology(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: TopologySpec = TopologySpec()


class WorkloadPriorityClass(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    value: Int32 = 0
    description: str = ""


# --- Kubernetes' own --------------------------------------------------------------------------


class PriorityClass(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    value: Int32 = 0
    global_default: bool = False


class Namespace(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()


class LimitRangeItem(Object, frozen=True):
    type: str = ""
    max: ResourceList = NO_ENTRIES
    min: ResourceList = NO_ENTRIES
    default: ResourceList = NO_ENTRIES
    default_request: ResourceList = NO_ENTRIES
    max_limit_request_ratio: ResourceList = NO_ENTRIES


class LimitRangeSpec(Object, frozen=True):
    limits: list[LimitRangeItem] = NO_ITEMS


class LimitRange(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: LimitRangeSpec = LimitRangeSpec()


class RuntimeClassOverhead(Object, frozen=True):
    pod_fixed: ResourceList = NO_ENTRIES


class RuntimeClass(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    overhead: RuntimeClassOverhead | None = None


class DeviceClassSpec(Object, frozen=True):
    extended_resource_name: str = ""


class DeviceClass(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()


class ExactDeviceRequest(Object, frozen=True):
    device_class_name: str = ""
    selectors: list[dict[str, Any]] = NO_ITEMS
    allocation_mode: str = ""
    count: Count64 = 0
    admin_access: bool = False


class DeviceRequest(Object, frozen=True):
    name: str = ""
    exactly: ExactDeviceRequest | None = None
    first_available: list[dict[str, Any]] = NO_ITEMS


class DeviceClaim(Object, frozen=True):
    requests: list[DeviceRequest] = NO_ITEMS


class ResourceClaimSpec(Object, frozen=True):
    devices: DeviceClaim = DeviceClaim()


class ResourceClaimTemplateSpec(Object, frozen=True):
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


class NodeSpec(Object, frozen=True):
    unschedulable: bool = False
    taints: list[Taint] = NO_ITEMS


class NodeStatus(Object, frozen=True):
    allocatable: ResourceList = NO_ENTRIES
    conditions: list[Condition] = NO_ITEMS


class Node(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()


class PodStatus(Object, frozen=True):
    phase: str = ""


class Pod(Object, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()
