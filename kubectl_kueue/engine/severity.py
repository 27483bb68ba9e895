"""How bad is a NoFit? The class that Kueue reports behind a gate (scheduling.md 5.10)."""

from kubectl_kueue.engine.flavors import Assignment, FineMode, FlavorAttempt, Mode, PodSetAssignment

_ORDER = ("NoMatchingFlavor", "ExceedsMaxQuota", "WaitingForQuota", "TopologyPlacementFailed")


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
