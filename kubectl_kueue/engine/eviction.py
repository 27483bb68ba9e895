"""How a workload loses its quota: preempted, replaced, evicted, and what is written on whom
(preemption page 5.1, scheduling.md 6.5)."""

from kubectl_kueue.engine.preemption.candidates import Target
from kubectl_kueue.engine.reservation import sync_admitted
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import (
    EVICTED,
    FINISHED,
    PREEMPTED,
    QUOTA_RESERVED,
    REQUEUED,
    CheckState,
    WorkloadInfo,
)


def preempt(state: State, target: Target) -> None:
    """Mark a target as preempted; one that is evicted already keeps its first reason."""
    info = target.workload
    if info.evicted:
        return
    info.set_condition(PREEMPTED, True, target.reason, "", state.now)
    evict(state, info, "Preempted")


def evict(state: State, info: WorkloadInfo, reason: str) -> None:
    """Begin an eviction: it releases no quota yet (6.5)."""
    now = state.now
    info.set_condition(EVICTED, True, reason, "", now)
    info.checks = [check if check.state == "Pending" else _asked_again(check, now) for check in info.checks]
    info.unhealthy_nodes = []
    state.updated(info)


def _asked_again(check: CheckState, now: int) -> CheckState:
    """A new state: a second pass of the same cycle may write the old one back (topology.md T33)."""
    again = CheckState(check.name, "Pending", now)
    again.message = check.message
    again.retry_count = check.retry_count + 1 if check.state == "Retry" else 0
    return again


def complete_eviction(state: State, info: WorkloadInfo) -> None:
    """The job has stopped: the reservation goes, the workload is pending again (6.5)."""
    now = state.now
    reason = info.conditions[EVICTED].reason
    info.set_condition(REQUEUED, reason in ("Preempted", "NodeFailures"), reason, "", now)
    release(state, info, "Pending")


def release(state: State, info: WorkloadInfo, reason: str) -> None:
    """Remove the reservation."""
    now = state.now
    info.set_condition(QUOTA_RESERVED, False, reason, "", now)
    held = info.reservation
    info.reservation, reservation = None, held
    sync_admitted(info, now)
    info.reservation = reservation
    if info.active:
        state.released(info)
    else:
        info.reservation = None
        state.updated(info)


def finish_replaced(state: State, info: WorkloadInfo) -> None:
    """A replaced slice is finished, not evicted (preemption page 7.1)."""
    info.set_condition(FINISHED, True, "WorkloadSliceReplaced", "", state.now)
    state.dirty.add(info.key)
