"""May the workload be scheduled at all? The questions before any flavor is looked at.

In Kueue's order: the workload itself, its LocalQueue, its ClusterQueue, its namespace, its requests
(scheduling.md 0.2, 3.7, 4.3).
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.causes import causes_of
from kubectl_kueue.engine.explanation.standing import UnreadNamespace
from kubectl_kueue.engine.explanation.verdict import Gate, GateState
from kubectl_kueue.engine.queues import backoff_over, is_gated
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.taints import UnparsableAffinity, matches_requirement
from kubectl_kueue.engine.validation import Violation, above_limits, outside_limit_ranges
from kubectl_kueue.engine.workload import (
    DEACTIVATION_TARGET,
    EVICTED,
    FINISHED,
    GATED_BY,
    QUOTA_RESERVED,
    REQUEUED,
    WorkloadInfo,
)
from kubectl_kueue.model.objects import LabelSelector, LocalQueue
from kubectl_kueue.model.quantity import nanos, to_int
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.model.world import World

CODES = {
    "active": "Deactivated",
    "admissionGate": "AdmissionGated",
    "hold": "OnHold",
    "devices": "Misconfigured",
    "backOff": "PendingEvaluation",
    "failedChecks": "PendingEvaluation",
    "localQueue": "Misconfigured",
    "localQueueActive": "Suspended",
    "clusterQueue": "Misconfigured",
    "clusterQueueActive": "Suspended",
    "namespaceSelector": "Misconfigured",
    "limits": "Misconfigured",
    "limitRange": "Misconfigured",
}
"""What Kueue's condition QuotaReserved gives as reason, by the first question that failed."""

ASKED_FIRST = frozenset(CODES)
"""Questions about the workload and its queues: none about quota comes before all of them are passed."""

BLOCKING = ASKED_FIRST - {"namespaceSelector", "limits", "limitRange"}
"""Questions that keep the workload from being looked at; after the others it can never be admitted."""


def passed(name: str, value: facts.Facts | None = None) -> Gate:
    return Gate(name, GateState.PASSED, value)


def failed(name: str, value: facts.Facts | None = None) -> Gate:
    return Gate(name, GateState.FAILED, value)


def unknown(name: str, value: facts.Facts | None = None) -> Gate:
    return Gate(name, GateState.UNKNOWN, value)


def _gate(name: str, problem: facts.Facts | None) -> Gate:
    return passed(name) if problem is None else failed(name, problem)


def about_workload(state: State, info: WorkloadInfo) -> Iterator[Gate]:
    """Ended, deactivated, gated, on hold, backing off?"""
    yield passed("workload")
    yield _gate("finished", _finished(info))
    yield _gate("active", _deactivated(info))
    yield _gate("admissionGate", _gated(state, info))
    yield _gate("hold", _on_hold(info))
    yield _gate("devices", _uncountable(info))
    yield _gate("backOff", _broken_reservation(info) or _back_off(state, info))
    yield _gate("failedChecks", _failed_checks(state, info))


def about_queues(state: State, world: World, info: WorkloadInfo) -> Iterator[Gate]:
    """LocalQueue, ClusterQueue, and whether they are in service. `world` is the whole one."""
    local_queue = world.local_queues.get(info.local_queue)
    if local_queue is None:
        here = any(key.startswith(f"{info.namespace}/") for key in world.local_queues)
        unread = "LocalQueue" in world.missing and not here
        yield (unknown if unread else failed)("localQueue", _missing_local_queue(world, info))
        yield from map(unknown, ("localQueueActive", "clusterQueue", "clusterQueueActive"))
        return
    yield passed("localQueue")
    policy = local_queue.spec.stop_policy
    stopped = facts.Stopped(info.obj.spec.queue_name, policy) if policy not in ("None", "") else None
    yield _gate("localQueueActive", stopped)
    name = local_queue.spec.cluster_queue
    queue = state.snapshot.queues.get(name)
    if queue is None:
        yield _missing_cluster_queue(world, local_queue)
        yield unknown("clusterQueueActive")
        return
    yield passed("clusterQueue")
    found = inactive(state, queue)
    yield _gate("clusterQueueActive", found) if found or queue.active else unknown("clusterQueueActive")


def about_requests(state: State, info: WorkloadInfo, queue: QueueNode) -> Iterator[Gate]:
    """Namespace selector, requests against limits, LimitRanges."""
    yield _namespace(state, info, queue)
    yield _gate("limits", _breaches(_above_limits(info)))
    yield _gate("limitRange", _breaches(_outside_limit_ranges(state, info)))


# --- the workload -------------------------------------------------------------------------------


def _finished(info: WorkloadInfo) -> facts.Finished | None:
    condition = info.conditions.get(FINISHED)
    if condition is None or not condition.status:
        return None
    if not any(c.type == FINISHED and c.status == "True" for c in info.obj.status.conditions):
        deleted = info.obj.metadata.deletion_timestamp
        since = parse_time(deleted) if deleted else 0
        return facts.Finished(condition.reason, since=since, why="deleting" if deleted else "ownerless")
    return facts.Finished(condition.reason, condition.message, condition.time)


def _deactivated(info: WorkloadInfo) -> facts.Deactivated | None:
    if info.active and not info.is_true(DEACTIVATION_TARGET):
        return None
    for kind in (DEACTIVATION_TARGET, EVICTED):
        condition = info.conditions.get(kind)
        if condition is not None and condition.status:
            return facts.Deactivated(condition.reason, condition.message)
    return facts.Deactivated()


def _gated(state: State, info: WorkloadInfo) -> facts.Held | None:
    if not is_gated(info, state.snapshot):
        return None
    names = info.obj.metadata.annotations[GATED_BY].split(",")
    return facts.Held(tuple(name.strip() for name in names))


def _on_hold(info: WorkloadInfo) -> facts.Held | None:
    if info.is_true("WaitingForReplacementPods"):
        return facts.Held(
            ("WaitingForReplacementPods",), info.conditions["WaitingForReplacementPods"].message
        )
    reserved = info.conditions.get(QUOTA_RESERVED)
    if reserved is not None and not reserved.status and reserved.reason == "OnHold":
        return facts.Held(("OnHold",), reserved.message)
    return None


def _uncountable(info: WorkloadInfo) -> facts.Uncountable | None:
    """Devices that cannot be counted now; or could not once, which nothing ever lifts (6.4, 6.10)."""
    requeued = info.conditions.get(REQUEUED)
    refused_before = requeued is not None and not requeued.status and requeued.reason == "Inadmissible"
    if info.holds_quota or not (info.uncountable or refused_before):
        return None
    refusals = info.devices.refusals if info.devices is not None else ()
    message = requeued.message if requeued is not None and refused_before else ""
    return facts.Uncountable(tuple(facts.Uncounted(*refusal) for refusal in refusals), message)


_TOLD_ELSEWHERE = ("LocalQueueStopped", "ClusterQueueStopped", "Inadmissible", "Deactivated")


def _back_off(state: State, info: WorkloadInfo) -> facts.BackOff | None:
    if info.holds_quota or backoff_over(info, state.now) or not info.active:
        return None
    requeued = info.conditions.get(REQUEUED)
    held = requeued is not None and not requeued.status
    if held and requeued is not None and requeued.reason in _TOLD_ELSEWHERE and info.requeue_at is None:
        return None
    condition = requeued if held else info.conditions.get(EVICTED)
    return facts.BackOff(
        condition.reason if condition else "",
        condition.message if condition else "",
        info.requeue_count,
        info.requeue_at or 0,
        _most_tries(state, info),
    )


def _most_tries(state: State, info: WorkloadInfo) -> int:
    """The backoffLimitCount of the check that has failed most often, where its configuration was read."""
    failing = max(info.checks, key=lambda check: check.retry_count, default=None)
    if failing is None or not failing.retry_count:
        return 0
    check = state.world.admission_checks.get(failing.name)
    parameters = check.spec.parameters if check is not None else None
    if parameters is None or parameters.kind != "ProvisioningRequestConfig":
        return 0
    config = state.world.provisioning_request_configs.get(parameters.name)
    strategy = config.spec.retry_strategy if config is not None else None
    return (strategy.backoff_limit_count or 0) if strategy is not None else 0


def _broken_reservation(info: WorkloadInfo) -> facts.BrokenReservation | None:
    """It is neither in a queue nor in the cache (0.2)."""
    if not info.is_true(QUOTA_RESERVED) or info.reservation is not None or not info.active:
        return None
    return facts.BrokenReservation(info.conditions[QUOTA_RESERVED].message)


def _failed_checks(state: State, info: WorkloadInfo) -> facts.Checks | None:
    found = tuple(c for c in checks_of(state, info) if c.state in ("Retry", "Rejected"))
    return facts.Checks(found) if found and not info.holds_quota else None


def checks_of(state: State, info: WorkloadInfo) -> Iterator[facts.Check]:
    """The states of its admission checks."""
    for check in sorted(info.checks, key=lambda check: check.name):
        known = state.world.admission_checks.get(check.name)
        controller = known.spec.controller_name if known else ""
        yield facts.Check(check.name, check.state, check.message, check.time, check.retry_count, controller)


# --- the queues ---------------------------------------------------------------------------------


def _missing_local_queue(world: World, info: WorkloadInfo) -> facts.LocalQueueMissing:
    name = info.obj.spec.queue_name
    pairs = [key.partition("/") for key in world.local_queues]
    here = sorted(found for namespace, _, found in pairs if namespace == info.namespace)
    elsewhere = sorted(namespace for namespace, _, found in pairs if found == name)
    targets = {world.local_queues[f"{namespace}/{name}"].spec.cluster_queue for namespace in elsewhere}
    near = get_close_matches(name, here)
    return facts.LocalQueueMissing(
        name, info.namespace, tuple(elsewhere), tuple(sorted(targets)), tuple(here), tuple(near)
    )


def _missing_cluster_queue(world: World, local_queue: LocalQueue) -> Gate:
    name = local_queue.spec.cluster_queue
    near = tuple(get_close_matches(name, sorted(world.cluster_queues)))
    problem = facts.ClusterQueueMissing(name, local_queue.metadata.name, near)
    unread = "ClusterQueue" in world.missing
    return (unknown if unread else failed)("clusterQueue", problem)


def inactive(state: State, queue: QueueNode) -> facts.Inactive | None:
    """Why the ClusterQueue admits nothing, every cause; None if it is active."""
    causes = causes_of(state.world, state.snapshot, queue)
    if not causes:
        return None
    sufferers = sorted(k for k, q in state.world.local_queues.items() if q.spec.cluster_queue == queue.name)
    return facts.Inactive(queue.name, causes, tuple(sufferers))


# --- namespace and requests ---------------------------------------------------------------------


def _namespace(state: State, info: WorkloadInfo, queue: QueueNode) -> Gate:
    name = info.namespace
    if name not in state.world.namespaces:
        missing = facts.Requirement("", "NamespaceMissing")
        return failed("namespaceSelector", facts.NamespaceNotSelected(name, queue.name, (missing,)))
    if state.namespace_matches(name, queue):
        unread = isinstance(state.world.namespaces[name], UnreadNamespace)
        return unknown("namespaceSelector") if unread else passed("namespaceSelector")
    selector = queue.obj.spec.namespace_selector
    labels = {"kubernetes.io/metadata.name": name, **state.world.namespaces[name].metadata.labels}
    unmet = tuple(_unmet(selector, labels)) if selector is not None else ()
    return failed("namespaceSelector", facts.NamespaceNotSelected(name, queue.name, unmet))


def _unmet(selector: LabelSelector, labels: dict[str, str]) -> Iterator[facts.Requirement]:
    for key, value in sorted(selector.match_labels.items()):
        if labels.get(key) != value:
            yield facts.Requirement(key, "In", (value,), labels.get(key))
    for expression in selector.match_expressions:
        try:
            if matches_requirement(expression, labels):
                continue
        except UnparsableAffinity:
            pass
        values = tuple(expression.values)
        yield facts.Requirement(expression.key, expression.operator, values, labels.get(expression.key))


def _breaches(found: Iterable[facts.Breach]) -> facts.Breaches | None:
    breaches = tuple(found)
    return facts.Breaches(breaches) if breaches else None


def _above_limits(info: WorkloadInfo) -> Iterator[facts.Breach]:
    for pod_set, spec in zip(info.obj.spec.pod_sets, info.adjusted, strict=True):
        for violation in above_limits(spec):
            yield facts.Breach(pod_set.name, *violation)


def _outside_limit_ranges(state: State, info: WorkloadInfo) -> Iterator[facts.Breach]:
    limits = state.rules.limits.get(info.namespace)
    if not limits:
        return
    for pod_set, spec in zip(info.obj.spec.pod_sets, info.adjusted, strict=True):
        for violation in outside_limit_ranges(spec, limits):
            yield facts.Breach(pod_set.name, *violation, owner=_limit_range(state, info, violation))


def _limit_range(state: State, info: WorkloadInfo, violation: Violation) -> str:
    """Which LimitRange of the namespace sets the bound."""
    kind = "Pod" if violation.where == "pod" else "Container"
    for key, limit_range in sorted(state.world.limit_ranges.items()):
        if limit_range.metadata.namespace != info.namespace:
            continue
        for item in limit_range.spec.limits:
            bounds = item.max if violation.bound == "max" else item.min
            text = bounds.get(violation.resource)
            if item.type != kind or text is None:
                continue
            if to_int(violation.resource, nanos(text)) == violation.allowed:
                return key.partition("/")[2]
    return ""
