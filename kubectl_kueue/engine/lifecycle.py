"""The controllers between two cycles: one pass over one workload, one write a pass (scheduling.md 6.4).

`settle` runs them to quiescence: evictions that have begun complete first, then every workload that
changed is looked at in key order until none wants another write.
"""

from kubectl_kueue.engine.eviction import complete_eviction, evict, release
from kubectl_kueue.engine.queues import is_gated
from kubectl_kueue.engine.reservation import required_checks, sync_admitted
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import (
    ADMITTED,
    DEACTIVATION_TARGET,
    FINISHED,
    JOB_UID,
    QUOTA_RESERVED,
    REQUEUED,
    CheckState,
    WorkloadInfo,
)
from kubectl_kueue.model.timestamp import SECOND


def settle(state: State) -> list[str]:
    """Run the controllers to quiescence; keys of the workloads whose eviction completed, sorted."""
    completed: list[str] = []
    _wake_timers(state)
    while state.dirty:
        keys = sorted(state.dirty)
        state.dirty.clear()
        for key in keys:
            info = state.workloads[key]
            if _eviction_runs(info):
                complete_eviction(state, info)
                completed.append(key)
        for key in keys:
            state.settle_usage(state.workloads[key])
            _reconcile(state, state.workloads[key])
    state.snapshot.settle()
    state.queues.serve_requests()
    return sorted(set(completed))


def _wake_timers(state: State) -> None:
    """Workloads whose back-off or retry delay is over want to be looked at again."""
    due = [key for key, at in state.timers.items() if at <= state.now]
    for key in due:
        del state.timers[key]
        state.dirty.add(key)


def _eviction_runs(info: WorkloadInfo) -> bool:
    return info.evicted and info.reserved_at is not None and not info.is_true(FINISHED)


def _reconcile(state: State, info: WorkloadInfo) -> None:
    """The first step that has something to write writes it and ends the pass."""
    if info.is_true(FINISHED):
        if info.key in _cached(state, info):
            state.ended(info)
        return
    if _orphaned(info):
        info.set_condition(FINISHED, True, "OwnerNotFound", "", state.now)
        state.ended(info)
        return
    fresh = not (info.conditions or info.checks) and info.active and info.requeue_at is None
    for step in _FRESH_STEPS if fresh else _STEPS:
        if step(state, info):
            return


def _cached(state: State, info: WorkloadInfo) -> dict[str, WorkloadInfo]:
    queue = state.snapshot.queues.get(info.cluster_queue)
    return queue.workloads if queue is not None else {}


def _orphaned(info: WorkloadInfo) -> bool:
    meta = info.obj.metadata
    return not meta.owner_references and (meta.deletion_timestamp is not None or JOB_UID in meta.labels)


def _retry_delay(state: State, info: WorkloadInfo) -> bool:
    """Step 2: a check that asks for a retry later moves requeueAt."""
    if not info.checks:
        return False
    delays = [
        check.time + check.requeue_after * SECOND
        for check in info.checks
        if check.state == "Retry" and check.requeue_after is not None
    ]
    if not delays:
        return False
    until = max(delays)
    if until > state.now and (info.requeue_at is None or until > info.requeue_at):
        info.requeue_at = until
        state.updated(info)
        return True
    return False


def _devices(state: State, info: WorkloadInfo) -> bool:
    """Step 3: devices that cannot be counted keep a pending workload out, whatever comes after."""
    if not info.uncountable or info.is_true(QUOTA_RESERVED):
        return False
    told = [
        info.set_condition(kind, False, "Inadmissible", "", state.now) for kind in (QUOTA_RESERVED, REQUEUED)
    ]
    if any(told):
        state.updated(info)
    return True


def _activity(state: State, info: WorkloadInfo) -> bool:
    """Step 4: deactivation, back-off, and what an inactive workload still needs."""
    if not info.active:
        return _deactivate(state, info)
    if info.is_true(DEACTIVATION_TARGET):
        info.active = False
        state.ended(info)
        return True
    if info.requeue_at is not None:
        if info.requeue_at > state.now:
            state.timers[info.key] = info.requeue_at
            return True
        if not info.is_true(QUOTA_RESERVED):
            info.requeue_at = None
            state.updated(info, changed=_template_altered(info))
            return True
    requeued = info.conditions.get(REQUEUED)
    if requeued is not None and not requeued.status:
        again = {
            "Deactivated": "Reactivated",
            "PodsReadyTimeout": "BackoffFinished",
            "AdmissionCheck": "BackoffFinished",
        }.get(requeued.reason)
        if again:
            info.set_condition(REQUEUED, True, again, "", state.now)
            info.requeue_at = None
            state.updated(info)
            return True
    return False


def _template_altered(info: WorkloadInfo) -> bool:
    """Oddity of 4c: a template that defaulting changes counts as a changed spec there."""
    return any(
        adjusted != pod_set.template.spec
        for adjusted, pod_set in zip(info.adjusted, info.obj.spec.pod_sets, strict=True)
    )


def _deactivate(state: State, info: WorkloadInfo) -> bool:
    if info.evicted:
        return True
    target = info.conditions.get(DEACTIVATION_TARGET)
    cause = target.reason if target is not None and target.status else ""
    info.conditions.pop(DEACTIVATION_TARGET, None)
    info.requeue_at, info.requeue_count = None, 0
    evict(state, info, f"DeactivatedDueTo{cause}" if cause else "Deactivated")
    return True


def _queue_restarts(state: State, info: WorkloadInfo) -> bool:
    """Step 5: a LocalQueue that runs again."""
    if info.local_queue in state.queues.local_queues and _requeued_false(info, "LocalQueueStopped"):
        info.set_condition(REQUEUED, True, "LocalQueueRestarted", "", state.now)
        state.updated(info)
        return True
    return False


def _requeued_false(info: WorkloadInfo, reason: str) -> bool:
    requeued = info.conditions.get(REQUEUED)
    return requeued is not None and not requeued.status and requeued.reason == reason


def _gate(state: State, info: WorkloadInfo) -> bool:
    """Step 6: an admission gate takes the quota at once; a lifted one lets the workload in again."""
    reserved = info.conditions.get(QUOTA_RESERVED)
    gated = reserved is not None and not reserved.status and reserved.reason == "AdmissionGated"
    if is_gated(info, state.snapshot):
        if gated:
            return False
        if info.reservation is not None and info.is_true(QUOTA_RESERVED):
            release(state, info, "AdmissionGated")
        else:
            info.set_condition(QUOTA_RESERVED, False, "AdmissionGated", "", state.now)
            state.updated(info)
        return True
    if gated:
        info.set_condition(QUOTA_RESERVED, False, "Pending", "", state.now)
        state.updated(info)
        return True
    return False


def _checks(state: State, info: WorkloadInfo) -> bool:
    """Step 7: the ClusterQueue runs again; the list of checks follows queue and flavors."""
    queue = state.queue_ahead(info)
    if queue is None:
        return False
    if queue.stop_policy == "None" and _requeued_false(info, "ClusterQueueStopped"):
        info.set_condition(REQUEUED, True, "ClusterQueueRestarted", "", state.now)
        state.updated(info)
        return True
    if info.reservation is not None:
        queue = state.snapshot.queues.get(info.cluster_queue, queue)
    wanted = required_checks(info, queue)
    listed = {check.name: check for check in info.checks}
    if wanted == listed.keys():
        return False
    info.checks = [listed.get(name) or CheckState(name, "Pending", state.now) for name in sorted(wanted)]
    state.updated(info)
    return True


def _admission(state: State, info: WorkloadInfo) -> bool:
    """Step 8: what blocks a workload without quota is told; Admitted follows quota and checks."""
    if info.is_true(ADMITTED):
        return False
    blocked = (
        not info.is_true(QUOTA_RESERVED) and _blocked(state, info) and not is_gated(info, state.snapshot)
    )
    if blocked and info.set_condition(QUOTA_RESERVED, False, "Inadmissible", "", state.now):
        state.updated(info)
        return True
    if sync_admitted(info, state.now):
        state.updated(info)
        return True
    return False


def _blocked(state: State, info: WorkloadInfo) -> bool:
    """LocalQueue missing or stopped, ClusterQueue missing or inactive (3.7)."""
    queue = state.queue_ahead(info)
    return queue is None or not queue.active


def _reserved(state: State, info: WorkloadInfo) -> bool:
    """Step 9: failed checks and stopped queues take a reservation away."""
    if not info.is_true(QUOTA_RESERVED) or info.evicted:
        return False
    if any(check.state == "Rejected" for check in info.checks):
        info.set_condition(DEACTIVATION_TARGET, True, "AdmissionCheck", "", state.now)
        state.updated(info)
        return True
    if any(check.state == "Retry" for check in info.checks):
        evict(state, info, "AdmissionCheck")
        return True
    local_queue = state.world.local_queues.get(info.local_queue)
    queue = state.snapshot.queues.get(info.cluster_queue)
    local_stop = (local_queue.spec.stop_policy or "None") if local_queue else "missing"
    stop = queue.stop_policy if queue else "missing"
    if queue is not None and queue.obj.metadata.deletion_timestamp:
        stop = "missing"
    if info.is_true(ADMITTED):
        if local_stop == "HoldAndDrain":
            evict(state, info, "LocalQueueStopped")
            return True
        if stop == "HoldAndDrain" and local_stop == "None":
            evict(state, info, "ClusterQueueStopped")
            return True
        return False
    if local_stop != "None" or stop != "None":
        release(state, info, "Inadmissible")
        return True
    return False


_STEPS = (_retry_delay, _devices, _activity, _queue_restarts, _gate, _checks, _admission, _reserved)
# A workload that nobody has written on yet has nothing for the other steps to react to.
_FRESH_STEPS = (_devices, _gate, _checks, _admission)
