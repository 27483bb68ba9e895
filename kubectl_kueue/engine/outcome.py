"""A cycle's decisions become real: reservations, preemptions, requeues (scheduling.md 4.7)."""

from collections.abc import Collection

from kubectl_kueue.engine import concurrent
from kubectl_kueue.engine.entry import Entry, Status
from kubectl_kueue.engine.eviction import evict, finish_replaced, preempt
from kubectl_kueue.engine.queues import is_admissible
from kubectl_kueue.engine.reservation import place_delayed, reserve
from kubectl_kueue.engine.snapshot import Snapshot
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import QUOTA_RESERVED, Reservation, WorkloadInfo


def carry_out(state: State, entries: Collection[Entry]) -> None:
    """Write what the entries were granted, in processing order."""
    replaced: dict[str, Reservation] = {}  # by second passes of this cycle
    checks = {entry.info.key: entry.info.checks for entry in entries if entry.second_pass}
    for entry in entries:
        info = entry.info
        if entry.status is Status.ASSUMED and entry.second_pass:
            assert info.reservation is not None
            replaced[info.key] = info.reservation
            place_delayed(state, info, entry.assignment, checks[info.key])
        elif entry.status is Status.ASSUMED:
            reserve(state, info, entry.queue, entry.assignment)
            if entry.replaced is not None:
                finish_replaced(state, entry.replaced.info)
        elif entry.status is Status.PREEMPTING:
            for target in entry.preempting:
                if target.workload.key in replaced:
                    _restore(state, target.workload, replaced[target.workload.key])
                preempt(state, target)
        elif entry.status is Status.EVICTED:
            evict(state, info, "NodeFailures")
        elif entry.status is Status.MIGRATING:
            concurrent.evict_worse_variants(state, info, entry.queue)


def _restore(state: State, info: WorkloadInfo, before: Reservation) -> None:
    """An eviction writes the reservation back as it was before the cycle (topology.md T33)."""
    state.snapshot.remove(info)
    info.reservation = before
    state.placed(info)


def requeue(state: State, entry: Entry) -> None:
    """Back to its queue with whoever did not get what it asked for, and tell it why."""
    info = entry.info
    if entry.second_pass:
        if entry.status not in (Status.ASSUMED, Status.EVICTED):
            state.second_pass.retry(info, state.now)
        return
    if entry.status is not Status.ASSUMED:
        state.queues.requeue(info, entry.requeue_reason)
        _report_pending(state, entry)


def preemption_gate_closed(info: WorkloadInfo, snapshot: Snapshot) -> bool:
    """Whether a gate keeps the workload from preempting (off by default)."""
    gates = snapshot.gates
    if not (gates["ConcurrentAdmission"] or gates["MultiKueueOrchestratedPreemption"]):
        return False
    opened = {g.name for g in info.obj.status.preemption_gates if g.position == "Open"}
    return any(g.name not in opened for g in info.obj.spec.preemption_gates)


def _report_pending(state: State, entry: Entry) -> None:
    """The scheduler tells a head why it is still pending; a write only if the words change."""
    info = entry.info
    note = (
        entry.status,
        entry.rejection,
        entry.skip,
        len(entry.preempting),
        [(p.name, p.reasons) for p in entry.assignment.pod_sets],
    )
    if note == info.pending_note:
        return
    info.pending_note = note
    reserved = info.conditions.get(QUOTA_RESERVED)
    if reserved is None or not reserved.status:
        info.set_condition(QUOTA_RESERVED, False, "Pending", "", state.now)
    state.dirty.add(info.key)
    if is_admissible(info, state.snapshot):
        if not state.snapshot.gates["FlavorFungibilityPreserveScanProgress"]:
            info.last_assignment = None
        state.queues.put(info)
