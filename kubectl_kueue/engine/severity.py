"""Kueue's granular reason for what became of a head; of a NoFit, how bad it is (scheduling.md 4.7, 5.10)."""

from kubectl_kueue.engine.entry import Entry, Rejection, Skip, Status
from kubectl_kueue.engine.flavors import Assignment, FineMode, FlavorAttempt, Mode, PodSetAssignment

_ORDER = ("NoMatchingFlavor", "ExceedsMaxQuota", "WaitingForQuota", "TopologyPlacementFailed")


_REASONS = {
    Status.NO_CANDIDATES: "WaitingForQuota",
    Status.SKIPPED: "WaitingForQuota",
    Status.PREEMPTING: "WaitingForPreemptedWorkloads",
    Status.DEFERRED: "WaitingForPreemptedWorkloads",
    Status.MIGRATING: "WaitingForPreemptedWorkloads",
    Status.GATED: "AdmissionGated",
}


def granular_reason(entry: Entry) -> str:
    """The reason of the condition QuotaReserved; empty where quota was reserved or nothing is told."""
    if entry.rejection is not None:
        if entry.rejection is Rejection.FAILED_CHECKS:
            return "PendingEvaluation"
        if entry.rejection is Rejection.NAMESPACE_NOT_FOUND:
            return ""  # a lookup that failed: nothing is written
        return "Suspended" if entry.rejection is Rejection.QUEUE_INACTIVE else "Misconfigured"
    if entry.skip is Skip.BETTER_VARIANT:
        return "PendingEvaluation"
    if entry.status is Status.NO_FIT:
        return severity_class(entry.assignment)
    return _REASONS.get(entry.status, "") if entry.status is not None else ""


def severity_class(assignment: Assignment) -> str:
    """The most severe class over the podSets that do not fit; empty without podSets."""
    classes = [c for p in assignment.pod_sets if p.mode is Mode.NO_FIT for c in _classes(p)]
    return min(classes, key=_ORDER.index, default="")


def _classes(pod_set: PodSetAssignment) -> list[str]:
    """Per resource group the least severe of the flavors that do not fit."""
    if not pod_set.attempts:
        return ["NoMatchingFlavor"]
    out = []
    for scan in pod_set.scans:
        failed = [_class(attempt) for attempt in scan if attempt.mode is FineMode.NO_FIT]
        if failed:
            out.append(max(failed, key=_ORDER.index))
    return out


def _class(attempt: FlavorAttempt) -> str:
    if attempt.mismatched:
        return "NoMatchingFlavor"
    return "ExceedsMaxQuota" if attempt.over else "WaitingForQuota"
