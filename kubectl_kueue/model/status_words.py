"""In which state is a workload? In kueuectl's four words, and in words that tell the whole truth.

kueuectl looks at three conditions only, so stopped, evicted, gated and held workloads all read PENDING.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.slim import Condition, LocalQueue, Workload, find_condition, true_condition
from kubectl_kueue.model.timestamp import parse_time

KUEUECTL_WORDS = ("FINISHED", "ADMITTED", "QUOTARESERVED", "PENDING")
TRUE_WORDS = (
    "Pending",
    "Inactive",
    "Held",
    "Evicting",
    "Requeuing",
    "QuotaReserved",
    "Admitted",
    "Running",
    "Finished",
    "Failed",
)


class Status(NamedTuple):
    """One of TRUE_WORDS; `detail` says more, often in Kueue's own words, and may be empty."""

    word: str
    detail: str = ""


def kueuectl_status(conditions: Iterable[Condition] | None) -> str:
    """FINISHED, ADMITTED, QUOTARESERVED or PENDING, the first that holds."""
    held = {each.type for each in conditions or () if each.status == "True"}
    if "Finished" in held:
        return "FINISHED"
    if "Admitted" in held:
        return "ADMITTED"
    return "QUOTARESERVED" if "QuotaReserved" in held else "PENDING"


def true_status(workload: Workload, now: int, queue_stopped: bool | str = False) -> Status:
    """What the workload does now. `queue_stopped`: its queue lets nobody in; a text says why.

    `now` is in microseconds since 1970.
    """
    conditions = workload.status.conditions or ()
    if finished := true_condition(conditions, "Finished"):
        word = "Failed" if finished.reason in _FAILURES else "Finished"
        return Status(word, _both(finished))
    if true_condition(conditions, "QuotaReserved"):
        return _holding(workload, conditions)
    return _waiting(workload, conditions, now, queue_stopped)


def queue_stop(queue: LocalQueue | None) -> str:
    """Why the LocalQueue lets nobody in: stopped itself, or its ClusterQueue inactive; "" if it does."""
    if queue is None:
        return ""
    if queue.spec.stop_policy not in ("", "None"):
        return f"LocalQueue {queue.metadata.name} is stopped ({queue.spec.stop_policy})"
    active = find_condition(queue.status.conditions, "Active")
    if active is not None and active.status == "False" and active.reason == "ClusterQueueIsInactive":
        return f"ClusterQueue {queue.spec.cluster_queue} is inactive"
    return ""


_FAILURES = frozenset({"Failed", "FailedToStart"})


def _holding(workload: Workload, conditions: Sequence[Condition]) -> Status:
    """With quota: an eviction takes it away only when the job has stopped."""
    if evicted := true_condition(conditions, "Evicted"):
        return Status("Evicting", _both(evicted))
    if not true_condition(conditions, "Admitted"):
        return Status("QuotaReserved", _unmet(workload))
    ready = find_condition(conditions, "PodsReady")
    if ready is not None and ready.status == "True":
        return Status("Running")
    return Status("Admitted", ready.message if ready is not None else "")


def _unmet(workload: Workload) -> str:
    checks = [each for each in workload.status.admission_checks or () if each.state != "Ready"]
    if not checks:
        return _message(find_condition(workload.status.conditions, "Admitted"))
    names = ", ".join(f"{each.name} ({each.state or 'Pending'})" for each in checks)
    return f"waiting for check{'s' if len(checks) > 1 else ''} {names}"


def _waiting(
    workload: Workload, conditions: Sequence[Condition], now: int, queue_stopped: bool | str
) -> Status:
    """Without quota: in the queue, or what keeps it out."""
    reserved = find_condition(conditions, "QuotaReserved")
    evicted = true_condition(conditions, "Evicted")
    if not workload.spec.active:
        return Status("Inactive", _both(evicted) if evicted else "deactivated")
    if reserved is not None and reserved.reason in ("OnHold", "AdmissionGated"):
        return Status("Held", _both(reserved))
    if gated := true_condition(conditions, "BlockedOnPreemptionGates"):
        return Status("Held", _both(gated))
    if queue_stopped:
        return Status("Held", queue_stopped if isinstance(queue_stopped, str) else "its queue is stopped")
    if when := _requeue_time(workload, now):
        return Status("Requeuing", f"at {when}" + (f" after {_both(evicted)}" if evicted else ""))
    requeued = find_condition(conditions, "Requeued")
    if evicted and requeued is not None and requeued.status == "False":
        return Status("Requeuing", _both(evicted))
    if reserved is not None and reserved.message:
        return Status("Pending", reserved.message)
    if evicted:
        return Status("Pending", f"evicted: {_both(evicted)}")
    return Status("Pending", "" if workload.spec.queue_name else "it names no LocalQueue")


def _requeue_time(workload: Workload, now: int) -> str:
    """The end of the back-off, RFC 3339, if it lies ahead."""
    state = workload.status.requeue_state
    if state is None or not state.requeue_at:
        return ""
    try:
        return state.requeue_at if parse_time(state.requeue_at) > now else ""
    except InputError:
        return ""


def _both(condition: Condition) -> str:
    return ": ".join(filter(None, (condition.reason, condition.message)))


def _message(condition: Condition | None) -> str:
    return condition.message if condition is not None else ""
