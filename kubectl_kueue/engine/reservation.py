"""Quota is reserved: what the scheduler writes, and which checks still stand before admission
(scheduling.md 6.1, 6.3)."""

from collections.abc import Set

from kubectl_kueue.engine.flavors import Assignment
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import (
    ADMITTED,
    EVICTED,
    PREEMPTED,
    QUOTA_RESERVED,
    AdmittedPodSet,
    CheckState,
    Reservation,
    WorkloadInfo,
)


def reserve(state: State, info: WorkloadInfo, queue: QueueNode, assignment: Assignment) -> None:
    """Write the reservation; admit in the same write if no check is open."""
    now = state.now
    info.reservation = _reservation(queue.name, assignment)
    info.set_condition(QUOTA_RESERVED, True, "QuotaReserved", f"quota reserved in {queue.name}", now)
    for kind in (EVICTED, PREEMPTED, "BlockedOnPreemptionGates"):
        if info.is_true(kind):
            info.set_condition(kind, False, "QuotaReserved", "", now)
    info.pending_note = None
    listed = {check.name for check in info.checks}
    if required_checks(info, queue) <= listed:
        sync_admitted(info, now)
    state.reserved(info)


def place_delayed(state: State, info: WorkloadInfo, assignment: Assignment, checks: list[CheckState]) -> None:
    """A second pass found places: the admission is written anew, less reclaimable pods (topology.md 7.1).

    `checks` are those that the cycle began with.
    """
    state.snapshot.remove(info)
    info.reservation = _reservation(info.cluster_queue, assignment)
    info.unhealthy_nodes = []
    if info.is_true(EVICTED):  # written from the copy that the cycle began with: the eviction is lost
        del info.conditions[EVICTED]
        info.conditions.pop(PREEMPTED, None)
        info.checks = checks
    sync_admitted(info, state.now)
    state.placed(info)


def _reservation(cluster_queue: str, assignment: Assignment) -> Reservation:
    pod_sets = []
    for assigned in assignment.pod_sets:
        flavors = {r: choice.flavor for r, choice in assigned.flavors.items()}
        usage = {r: assigned.requests.get(r, 0) for r in flavors}
        pod_set = AdmittedPodSet(assigned.name, assigned.count, flavors, usage)
        pod_set.topology, pod_set.delayed = assigned.topology, assigned.delayed
        pod_sets.append(pod_set)
    return Reservation(cluster_queue, pod_sets)


def required_checks(info: WorkloadInfo, queue: QueueNode) -> Set[str]:
    """Names of the checks that apply: to the assigned flavors, or, before that, to every flavor."""
    if info.reservation is None or not queue.checks:
        return queue.checks_for_all
    flavors = {flavor for p in info.reservation.pod_sets for flavor in p.flavors.values()}
    return {name for name, on in queue.checks if not flavors.isdisjoint(on)}


def sync_admitted(info: WorkloadInfo, now: int) -> bool:
    """Recompute the Admitted condition; whether it changed (it is written only when its truth does)."""
    reserved = info.is_true(QUOTA_RESERVED)
    ready = all(check.state == "Ready" for check in info.checks)
    delayed = info.reservation is not None and any(
        p.delayed == "Pending" and p.topology is None for p in info.reservation.pod_sets
    )
    if reserved and ready and not delayed:
        if info.is_true(ADMITTED):
            return False
        return info.set_condition(ADMITTED, True, "Admitted", "", now)
    if not info.is_true(ADMITTED):
        return False
    if not reserved:
        reason = "NoReservation" if ready else "NoReservationUnsatisfiedChecks"
    else:
        reason = "UnsatisfiedChecks" if not ready else "PendingDelayedTopologyRequests"
    return info.set_condition(ADMITTED, False, reason, "", now)
