"""A Workload during a run: the state that the scheduler and the controllers change.

The object that was read is never touched. `WorkloadInfo` holds what of its status may change in a
run, together with what is derived from it once and renewed only by an event on that workload.
Times are microseconds since 1970.
"""

from typing import Any

import msgspec

from kubectl_kueue.engine.devices import Devices
from kubectl_kueue.engine.quota import FlavorResource, column
from kubectl_kueue.engine.requests import Amounts, PodSetRequests, in_order
from kubectl_kueue.engine.topology.assignment import TopologyPlacement, expand
from kubectl_kueue.engine.topology.forest import TopologyUsage
from kubectl_kueue.engine.topology.request import requests_topology
from kubectl_kueue.model.config import Configuration, Gates
from kubectl_kueue.model.objects import AdmissionCheckState, PodSpec, Workload
from kubectl_kueue.model.quantity import nanos, request
from kubectl_kueue.model.timestamp import MILLISECOND, parse_time
from kubectl_kueue.model.whole_number import whole_number

PRIORITY_BOOST = "kueue.x-k8s.io/priority-boost"
GATED_BY = "kueue.x-k8s.io/admission-gated-by"
REPLACEMENT_FOR = "kueue.x-k8s.io/workload-slice-replacement-for"
ALLOWED_FLAVORS = "kueue.x-k8s.io/workload-allowed-resource-flavors"
JOB_UID = "kueue.x-k8s.io/job-uid"

QUOTA_RESERVED = "QuotaReserved"
ADMITTED = "Admitted"
EVICTED = "Evicted"
PREEMPTED = "Preempted"
REQUEUED = "Requeued"
FINISHED = "Finished"
DEACTIVATION_TARGET = "DeactivationTarget"
PODS_READY = "PodsReady"


Order = tuple[int, int, str, str]  # -priority, queue timestamp, UID, key
VictimKey = tuple[bool, int, int, str]  # not evicted, priority, -reservation time, UID


class ConditionState:
    """One condition: `time` moves only when `status` does."""

    __slots__ = ("message", "reason", "status", "time")

    def __init__(self, status: bool, reason: str, message: str, time: int) -> None:
        self.status = status
        self.reason = reason
        self.message = message
        self.time = time


class CheckState:
    """The state of one admission check of a workload."""

    __slots__ = ("message", "name", "requeue_after", "retry_count", "state", "time", "updates")

    def __init__(self, name: str, state: str, time: int, origin: AdmissionCheckState | None = None) -> None:
        self.name = name
        self.state = state
        self.time = time
        self.message = origin.message if origin else ""
        self.requeue_after = origin.requeue_after_seconds if origin else None
        self.retry_count = origin.retry_count if origin else 0
        self.updates = origin.pod_set_updates if origin else []


class AdmittedPodSet:
    """One podSet of a reservation: flavors per resource, and the amounts charged for its pods."""

    __slots__ = ("count", "delayed", "flavors", "name", "topology", "usage")

    def __init__(self, name: str, count: int, flavors: dict[str, str], usage: Amounts) -> None:
        self.name = name
        self.count = count
        self.flavors = flavors
        self.usage = usage
        self.delayed = ""
        self.topology: TopologyPlacement | None = None


class Reservation:
    """Where a workload holds quota."""

    __slots__ = ("cluster_queue", "pod_sets")

    def __init__(self, cluster_queue: str, pod_sets: list[AdmittedPodSet]) -> None:
        self.cluster_queue = cluster_queue
        self.pod_sets = pod_sets


class LastAssignment:
    """How far the flavors were scanned at the last nomination (5.7)."""

    __slots__ = ("cycle", "generation", "indexes", "shape")

    def __init__(self, indexes: list[dict[str, int]], generation: int, cycle: int, shape: object) -> None:
        self.indexes = indexes
        self.generation = generation
        self.cycle = cycle
        self.shape = shape

    @property
    def pending_flavors(self) -> bool:
        return any(index != -1 for pod_set in self.indexes for index in pod_set.values())


class WorkloadInfo:
    """A workload of the run; see the module's first lines."""

    __slots__ = (
        "active",
        "adjusted",
        "checks",
        "conditions",
        "created",
        "devices",
        "evaluated_generation",
        "evicted",
        "generation",
        "key",
        "last_assignment",
        "local_queue",
        "match_keys",
        "name",
        "namespace",
        "obj",
        "order",
        "pending_note",
        "placements",
        "pod_sets",
        "priority",
        "queue_time",
        "reclaimable",
        "requeue_at",
        "requeue_count",
        "reservation",
        "reserved_at",
        "shape",
        "uid",
        "unhealthy_nodes",
        "usage",
        "victim_key",
        "wants_topology",
    )

    def __init__(self, key: str, obj: Workload) -> None:
        meta, status = obj.metadata, obj.status
        self.key = key
        self.namespace = meta.namespace
        self.name = meta.name
        self.uid = meta.uid
        self.obj = obj
        self.generation = meta.generation
        self.created = parse_time(meta.creation_timestamp) if meta.creation_timestamp else 0
        self.local_queue = f"{meta.namespace}/{obj.spec.queue_name}"
        self.active = obj.spec.active
        self.conditions = {
            c.type: ConditionState(
                c.status == "True",
                c.reason,
                c.message,
                parse_time(c.last_transition_time) if c.last_transition_time else 0,
            )
            for c in status.conditions
        }
        self.checks = [
            CheckState(
                c.name, c.state, parse_time(c.last_transition_time) if c.last_transition_time else 0, c
            )
            for c in status.admission_checks
        ]
        requeue = status.requeue_state
        self.requeue_at = parse_time(requeue.requeue_at) if requeue and requeue.requeue_at else None
        self.requeue_count = requeue.count if requeue else 0
        self.reclaimable = (
            {r.name: r.count for r in status.reclaimable_pods} if status.reclaimable_pods else {}
        )
        self.unhealthy_nodes = [n.name for n in status.unhealthy_nodes]
        self.reservation = _read_reservation(obj)
        self.last_assignment: LastAssignment | None = None
        self.evaluated_generation = 0
        self.pending_note: object = None
        self.priority = 0
        self.queue_time = self.created
        self.order: Order = (0, 0, "", "")
        self.victim_key: VictimKey = (True, 0, 0, "")
        self.pod_sets: list[PodSetRequests] = []
        self.adjusted: list[PodSpec] = []
        self.devices: Devices | None = None
        self.shape: object = None
        self.match_keys: list[bytes] = []
        self.usage: dict[FlavorResource, int] = {}
        self.placements: list[TopologyUsage] = []
        self.wants_topology = any(requests_topology(p.topology_request) for p in obj.spec.pod_sets)
        self.renew()

    @property
    def cluster_queue(self) -> str:
        """Name of the ClusterQueue that it holds quota in; empty without a reservation."""
        return self.reservation.cluster_queue if self.reservation is not None else ""

    def asks(self) -> dict[str, int]:
        """What it asks for of each resource, all podSets together."""
        total: dict[str, int] = {}
        for pod_set in self.pod_sets:
            for resource, amount in pod_set.requests.items():
                total[resource] = total.get(resource, 0) + amount
        return total

    def is_true(self, kind: str) -> bool:
        condition = self.conditions.get(kind)
        return condition is not None and condition.status

    def is_false(self, kind: str) -> bool:
        condition = self.conditions.get(kind)
        return condition is not None and not condition.status

    def set_condition(self, kind: str, status: bool, reason: str, message: str, now: int) -> bool:
        """Write a condition; whether anything changed."""
        old = self.conditions.get(kind)
        if old is None:
            self.conditions[kind] = ConditionState(status, reason, message, now)
            return True
        if old.status == status and old.reason == reason and old.message == message:
            return False
        if old.status != status:
            old.time = now
        old.status, old.reason, old.message = status, reason, message
        return True

    def renew(self) -> None:
        """Recompute what depends on the conditions."""
        self.evicted = self.is_true(EVICTED)
        reserved = self.conditions.get(QUOTA_RESERVED)
        self.reserved_at = reserved.time if reserved is not None and reserved.status else None

    @property
    def uncountable(self) -> bool:
        """Whether it asks for devices that Kueue refuses to count (1.7)."""
        return self.devices is not None and bool(self.devices.refusals)

    @property
    def holds_quota(self) -> bool:
        """Whether the scheduler's cache knows it (0.2)."""
        return (
            self.reserved_at is not None
            and self.reservation is not None
            and self.active
            and not self.is_true(FINISHED)
        )


def _read_reservation(obj: Workload) -> Reservation | None:
    admission = obj.status.admission
    if admission is None:
        return None
    counts = {p.name: p.count for p in obj.spec.pod_sets}
    pod_sets = []
    for assignment in admission.pod_set_assignments:
        count = counts.get(assignment.name, 0) if assignment.count is None else assignment.count
        usage = in_order({r: request(r, q) for r, q in assignment.resource_usage.items()})
        pod_set = AdmittedPodSet(assignment.name, count, assignment.flavors, usage)
        pod_set.delayed = assignment.delayed_topology_request
        if assignment.topology_assignment is not None:
            pod_set.topology = expand(assignment.topology_assignment)
        pod_sets.append(pod_set)
    return Reservation(admission.cluster_queue, pod_sets)


def reserved_pod_sets(info: WorkloadInfo, gates: Gates) -> list[PodSetRequests]:
    """What each podSet of a reservation counts for: what was charged, less reclaimable pods (1.6)."""
    assert info.reservation is not None
    spec_counts = {p.name: p.count for p in info.obj.spec.pod_sets}
    reclaimable = info.reclaimable if gates["ReclaimablePods"] else {}
    out = []
    for pod_set in info.reservation.pod_sets:
        count, usage = pod_set.count, pod_set.usage
        whole = spec_counts.get(pod_set.name, count)
        left = whole - min(reclaimable.get(pod_set.name, 0), whole)
        if left < count:
            usage = {r: (v // count) * left for r, v in usage.items()}
            count = left
        out.append(PodSetRequests(pod_set.name, count, usage))
    return out


def reserved_usage(info: WorkloadInfo, gates: Gates) -> dict[FlavorResource, int]:
    """Quota that the reservation takes, per flavor and resource; zero entries stay (1.6)."""
    assert info.reservation is not None
    usage: dict[FlavorResource, int] = {}
    for pod_set, counted in zip(info.reservation.pod_sets, reserved_pod_sets(info, gates), strict=True):
        for resource, flavor in pod_set.flavors.items():
            fr = column(flavor, resource)
            usage[fr] = usage.get(fr, 0) + counted.requests.get(resource, 0)
    return usage


def effective_priority(info: WorkloadInfo, gates: Gates) -> int:
    """spec.priority, plus the boost annotation behind its gate (3.3)."""
    priority = info.obj.spec.priority or 0
    if gates["PriorityBoost"]:
        priority += whole_number(info.obj.metadata.annotations.get(PRIORITY_BOOST, "")) or 0
    return priority


def queue_timestamp(info: WorkloadInfo, config: Configuration, gates: Gates) -> int:
    """The time that counts in the queue order (3.3): mostly the creation time."""
    if info.evicted:
        evicted = info.conditions[EVICTED]
        if evicted.reason == "PodsReadyTimeout" and config.eviction_moves_timestamp:
            return evicted.time
        if evicted.reason == "AdmissionCheck":
            return evicted.time
    if not gates["PrioritySortingWithinCohort"]:
        preempted = info.conditions.get(PREEMPTED)
        if preempted and preempted.status and preempted.reason == "InCohortReclaimWhileBorrowing":
            return preempted.time + MILLISECOND
    return info.created


def scheduling_shape(info: WorkloadInfo) -> bytes:
    """What makes two workloads equal for the scheduler (3.5, "shape hash"), as comparable bytes."""
    pod_sets = [
        (
            p.name,
            r.count,
            [(k, str(v)) for k, v in r.requests.items()],
            p.min_count,
            p.topology_request,
            _pod_shape(spec),
        )
        for p, r, spec in zip(info.obj.spec.pod_sets, info.pod_sets, info.adjusted, strict=True)
    ]
    return msgspec.json.encode((info.priority, pod_sets), order="deterministic")


def _pod_shape(spec: PodSpec) -> Any:
    containers = [
        [({r: str(nanos(q)) for r, q in c.resources.requests.items()}, c.ports) for c in containers]
        for containers in (spec.init_containers, spec.containers)
    ]
    return (
        containers,
        spec.node_selector,
        spec.affinity,
        spec.tolerations,
        spec.runtime_class_name,
        spec.priority,
        spec.topology_spread_constraints,
        spec.overhead,
        spec.resource_claims,
        spec.resources.requests if spec.resources else None,
    )
