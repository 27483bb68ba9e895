"""Concurrent admission: variants of one workload on different flavors (gate, off by default;
preemption page 7.3)."""

from kubectl_kueue.engine.eviction import evict
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import ADMITTED, ALLOWED_FLAVORS, EVICTED, WorkloadInfo


def variant_parent(info: WorkloadInfo, snapshot: Snapshot) -> str | None:
    """UID of the Workload whose variant this is, if the gate is on and there is one."""
    if not snapshot.gates["ConcurrentAdmission"]:
        return None
    for owner in info.obj.metadata.owner_references:
        if owner.controller and owner.kind == "Workload":
            return owner.uid
    return None


def better_variant_admitted(info: WorkloadInfo, queue: QueueNode, snapshot: Snapshot) -> bool:
    """Whether an admitted sibling sits on an earlier flavor than any this variant may use."""
    if not snapshot.gates["ConcurrentAdmission"]:
        return False
    mine = _index(info, queue)
    return any(_index(other, queue) < mine for other in _admitted_siblings(info, queue, snapshot))


def migrates(info: WorkloadInfo, queue: QueueNode, snapshot: Snapshot) -> bool:
    """Whether admitting the variant means moving a sibling off a later flavor first."""
    if not snapshot.gates["ConcurrentAdmission"]:
        return False
    mine = _index(info, queue)
    policy = queue.obj.spec.concurrent_admission_policy
    constraints = policy.migration.constraints if policy and policy.migration else None
    if constraints and constraints.last_acceptable_flavor_name:
        last = constraints.last_acceptable_flavor_name
        flavors = queue.groups[0].flavors if queue.groups else []
        if last in flavors and mine > flavors.index(last):
            return False
    return any(_index(other, queue) > mine for other in _admitted_siblings(info, queue, snapshot))


def evict_worse_variants(state: State, info: WorkloadInfo, queue: QueueNode) -> None:
    """Evict the admitted sibling that the variant will take the place of."""
    mine = _index(info, queue)
    for other in _admitted_siblings(info, queue, state.snapshot):
        if _index(other, queue) > mine and not other.is_true(EVICTED):
            evict(state, other, "FlavorMigration")


def _admitted_siblings(info: WorkloadInfo, queue: QueueNode, snapshot: Snapshot) -> list[WorkloadInfo]:
    parent = variant_parent(info, snapshot)
    if parent is None:
        return []
    return [
        other
        for other in queue.workloads.values()
        if other is not info and variant_parent(other, snapshot) == parent and other.is_true(ADMITTED)
    ]


def _index(info: WorkloadInfo, queue: QueueNode) -> int:
    """Position of the variant's flavor in the first resource group."""
    flavors = queue.groups[0].flavors if queue.groups else []
    allowed = [f.strip() for f in info.obj.metadata.annotations.get(ALLOWED_FLAVORS, "").split(",")]
    return min((flavors.index(f) for f in allowed if f in flavors), default=len(flavors))
