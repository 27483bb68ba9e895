"""Objects cut down to what a line of a table needs: small, quick to decode, content with what it finds.

Unlike model/objects.py nothing is checked here: a list shows what is there, also what no server would take.
Times stay RFC 3339 text. Objects of v1beta1 are read under the names of v1beta2.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from kubectl_kueue.errors import InputError


class Slim(msgspec.Struct, rename="camel", kw_only=True, gc=False):
    """Base of all below: camelCase on the wire."""


class Owner(Slim):
    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool = False


class Meta(Slim):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    owner_references: list[Owner] | None = None

    @property
    def owners(self) -> Sequence[Owner]:
        """The owner references; none if there are none."""
        return self.owner_references or ()

    def mark(self, key: str) -> str:
        """The annotation `key`, else the label: Kueue reads both, in this order; "" without."""
        return (self.annotations or {}).get(key) or (self.labels or {}).get(key) or ""


class Condition(Slim):
    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    last_transition_time: str | None = None


Conditions = list[Condition] | None


def find_condition(conditions: Iterable[Condition] | None, type_: str) -> Condition | None:
    """The condition of this type. Conditions have no order."""
    return next((each for each in conditions or () if each.type == type_), None)


def true_condition(conditions: Iterable[Condition] | None, type_: str) -> Condition | None:
    """The condition of this type if it holds."""
    found = find_condition(conditions, type_)
    return found if found is not None and found.status == "True" else None


class Anything(Slim):
    """Any object: only what all have."""

    api_version: str = ""
    kind: str = ""
    metadata: Meta = msgspec.field(default_factory=Meta)


# --- queues -------------------------------------------------------------------------------------


class QueueStatus(Slim):
    pending_workloads: int = 0
    reserving_workloads: int = 0
    admitted_workloads: int = 0
    conditions: Conditions = None


class ClusterQueueSpec(Slim):
    cohort_name: str = ""
    queueing_strategy: str = ""
    stop_policy: str = ""


class ClusterQueue(Anything):
    spec: ClusterQueueSpec = msgspec.field(default_factory=ClusterQueueSpec)
    status: QueueStatus = msgspec.field(default_factory=QueueStatus)


class LocalQueueSpec(Slim):
    cluster_queue: str = ""
    stop_policy: str = ""


class LocalQueue(Anything):
    spec: LocalQueueSpec = msgspec.field(default_factory=LocalQueueSpec)
    status: QueueStatus = msgspec.field(default_factory=QueueStatus)


# --- workloads ----------------------------------------------------------------------------------


class Named(Slim):
    name: str = ""


class WorkloadSpec(Slim):
    queue_name: str = ""
    priority: int = 0
    priority_class_ref: Named | None = None
    active: bool = True


class Admission(Slim):
    cluster_queue: str = ""


class RequeueState(Slim):
    count: int = 0
    requeue_at: str | None = None


class CheckState(Slim):
    name: str = ""
    state: str = ""
    message: str = ""


class WorkloadStatus(Slim):
    conditions: Conditions = None
    admission: Admission | None = None
    requeue_state: RequeueState | None = None
    admission_checks: list[CheckState] | None = None


class Workload(Anything):
    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)
    status: WorkloadStatus = msgspec.field(default_factory=WorkloadStatus)


# --- the rest -----------------------------------------------------------------------------------


class Taint(Slim):
    key: str = ""
    value: str = ""
    effect: str = ""


class ResourceFlavorSpec(Slim):
    node_labels: dict[str, str] | None = None
    node_taints: list[Taint] | None = None
    topology_name: str = ""


class ResourceFlavor(Anything):
    spec: ResourceFlavorSpec = msgspec.field(default_factory=ResourceFlavorSpec)


class Quota(Slim):
    name: str = ""
    nominal_quota: str | int | float = 0


class FlavorQuotas(Slim):
    name: str = ""
    resources: list[Quota] | None = None


class ResourceGroup(Slim):
    flavors: list[FlavorQuotas] | None = None


class Weight(Slim):
    weight: str | int | float = ""


class CohortSpec(Slim):
    parent_name: str = ""
    resource_groups: list[ResourceGroup] | None = None
    fair_sharing: Weight | None = None


class Cohort(Anything):
    spec: CohortSpec = msgspec.field(default_factory=CohortSpec)


class WorkloadPriorityClass(Anything):
    value: int = 0
    description: str = ""


class Parameters(Slim):
    api_group: str = ""
    kind: str = ""
    name: str = ""


class AdmissionCheckSpec(Slim):
    controller_name: str = ""
    parameters: Parameters | None = None


class ConditionsOnly(Slim):
    conditions: Conditions = None


class AdmissionCheck(Anything):
    spec: AdmissionCheckSpec = msgspec.field(default_factory=AdmissionCheckSpec)
    status: ConditionsOnly = msgspec.field(default_factory=ConditionsOnly)


class Level(Slim):
    node_label: str = ""


class TopologySpec(Slim):
    levels: list[Level] | None = None


class Topology(Anything):
    spec: TopologySpec = msgspec.field(default_factory=TopologySpec)


class RetryStrategy(Slim):
    backoff_limit_count: int | None = None


class ProvisioningRequestConfigSpec(Slim):
    provisioning_class_name: str = ""
    managed_resources: list[str] | None = None
    retry_strategy: RetryStrategy | None = None


class ProvisioningRequestConfig(Anything):
    spec: ProvisioningRequestConfigSpec = msgspec.field(default_factory=ProvisioningRequestConfigSpec)


class MultiKueueConfigSpec(Slim):
    clusters: list[str] | None = None


class MultiKueueConfig(Anything):
    spec: MultiKueueConfigSpec = msgspec.field(default_factory=MultiKueueConfigSpec)


class KubeConfig(Slim):
    location: str = ""
    location_type: str = ""


class ClusterSource(Slim):
    kube_config: KubeConfig | None = None
    cluster_profile_ref: Named | None = None


class MultiKueueClusterSpec(ClusterSource):
    """What v1beta2 has in `clusterSource` v1beta1 has here."""

    cluster_source: ClusterSource | None = None


class MultiKueueCluster(Anything):
    spec: MultiKueueClusterSpec = msgspec.field(default_factory=MultiKueueClusterSpec)
    status: ConditionsOnly = msgspec.field(default_factory=ConditionsOnly)


# --- pods ---------------------------------------------------------------------------------------


class Container(Slim):
    name: str = ""
    restart_policy: str = ""


class Gate(Slim):
    condition_type: str = ""


class PodSpec(Slim):
    node_name: str = ""
    containers: list[Container] | None = None
    init_containers: list[Container] | None = None
    readiness_gates: list[Gate] | None = None


class Waiting(Slim):
    reason: str = ""


class Running(Slim):
    started_at: str | None = None


class Terminated(Slim):
    reason: str = ""
    signal: int = 0
    exit_code: int = 0
    finished_at: str | None = None


class ContainerState(Slim):
    waiting: Waiting | None = None
    running: Running | None = None
    terminated: Terminated | None = None


class ContainerStatus(Slim):
    name: str = ""
    ready: bool = False
    started: bool | None = None
    restart_count: int = 0
    state: ContainerState | None = None
    last_state: ContainerState | None = None


class Address(Slim):
    ip: str = ""


class PodStatus(Slim):
    phase: str = ""
    reason: str = ""
    conditions: Conditions = None
    container_statuses: list[ContainerStatus] | None = None
    init_container_statuses: list[ContainerStatus] | None = None
    pod_ip: str = msgspec.field(default="", name="podIP")
    pod_ips: list[Address] | None = msgspec.field(default=None, name="podIPs")
    nominated_node_name: str = ""


class Pod(Anything):
    spec: PodSpec = msgspec.field(default_factory=PodSpec)
    status: PodStatus = msgspec.field(default_factory=PodStatus)


# --- decoding -----------------------------------------------------------------------------------

SLIM: dict[str, type[Anything]] = {
    type_.__name__: type_
    for type_ in (
        AdmissionCheck,
        ClusterQueue,
        Cohort,
        LocalQueue,
        MultiKueueCluster,
        MultiKueueConfig,
        Pod,
        ProvisioningRequestConfig,
        ResourceFlavor,
        Topology,
        Workload,
        WorkloadPriorityClass,
    )
}

S = TypeVar("S", bound=Anything)


def read_slim(content: bytes, type_: type[S]) -> S:
    """One object from its JSON. Raises InputError if its fields have other types than the API's."""
    try:
        found = _decoder(type_).decode(content)
    except msgspec.DecodeError:
        return _read_odd(content, type_)
    return _read_odd(content, type_) if _is_old(found.api_version) else found


_DECODERS: dict[type[Any], Any] = {}


def _is_old(api_version: str) -> bool:
    """Whether it is one of Kueue's versions before v1beta2."""
    return api_version in ("kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1alpha1")


def _decoder(type_: type[S]) -> "msgspec.json.Decoder[S]":
    decoder: msgspec.json.Decoder[S] | None = _DECODERS.get(type_)
    if decoder is None:
        decoder = _DECODERS[type_] = msgspec.json.Decoder(type_)
    return decoder


def _read_odd(content: bytes, type_: type[S]) -> S:
    """An object that holds nulls or is of an old version."""
    from kubectl_kueue.model.faults import without_nulls

    try:
        value = without_nulls(msgspec.json.decode(content))
    except msgspec.DecodeError as error:
        raise InputError(f"{type_.__name__}: not JSON: {error}") from None
    return from_value(value, type_)


def from_value(value: Any, type_: type[S]) -> S:
    """One object from the JSON value that it is. Raises InputError as `read_slim`."""
    if isinstance(value, dict) and _is_old(str(value.get("apiVersion"))):
        from kubectl_kueue.model.convert import to_current

        value = to_current(type_.__name__, _copied(value))
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        from kubectl_kueue.model.faults import find_fault

        meta = value.get("metadata") if isinstance(value, dict) else None
        name = meta.get("name", "") if isinstance(meta, dict) else ""
        fault = find_fault(value, type_) or str(error)
        raise InputError(f'{type_.__name__} "{name}": {fault}') from None


def _copied(value: dict[str, Any]) -> dict[str, Any]:
    """So deep that `to_current` does not change the original: what it changes stands in spec and status."""
    copy: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return copy
