"""What became of a head, and what Kueue's codes mean: a clause for each."""

from collections.abc import Mapping

from kubectl_kueue.engine.entry import Entry, Rejection, Skip, Status
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.reasons import ExceedsMaxCapacity, InsufficientUnused, Reason
from kubectl_kueue.engine.taints import UnparsableAffinity
from kubectl_kueue.views.words.numbers import count, several
from kubectl_kueue.views.words.reasons import reason_words

VERDICTS: Mapping[str, str] = {
    "Admit": "fits now",
    "Preempt": "fits after others are evicted",
    "Wait": "fits when others end",
    "Never": "cannot fit until the spec, the quota, the configuration or the nodes change",
    "Blocked": "is not looked at",
    "ChecksPending": "has its quota; admission checks are open",
    "AdmittedNotRunning": "is admitted; its pods do not all run yet",
    "Running": "is admitted and runs",
    "Finished": "has finished",
}

CODES: Mapping[str, str] = {
    "NoMatchingFlavor": "no flavor suits it",
    "ExceedsMaxQuota": "it asks for more than its queue can ever have",
    "WaitingForQuota": "the quota it needs is in use",
    "WaitingForPreemptedWorkloads": "workloads are evicted for it",
    "TopologyPlacementFailed": "its pods find no place",
    "Misconfigured": "it or its queues are set up wrongly",
    "Suspended": "its queue is out of service",
    "Deactivated": "it has been switched off",
    "AdmissionGated": "a gate holds it back",
    "OnHold": "Kueue holds it back",
    "PendingEvaluation": "Kueue has not looked at it",
    "QuotaReserved": "its quota is reserved, or will be at its next turn",
    "Finished": "it has ended",
}

REJECTIONS: Mapping[Rejection, str] = {
    Rejection.FAILED_CHECKS: "an admission check asks for a retry or has refused it",
    Rejection.QUEUE_INACTIVE: "its ClusterQueue is inactive",
    Rejection.NAMESPACE_NOT_FOUND: "its namespace does not exist",
    Rejection.NAMESPACE_MISMATCH: "its ClusterQueue does not take its namespace",
    Rejection.ABOVE_LIMITS: "it requests more than its own limits",
    Rejection.OUTSIDE_LIMIT_RANGE: "a LimitRange of its namespace does not allow its requests",
}

SKIPS: Mapping[Skip, str] = {
    Skip.OVERLAP: "another workload of this cycle evicts the same victims",
    Skip.NO_LONGER_FITS: "workloads ahead of it in the cycle take what it needs",
    Skip.BETTER_VARIANT: "a variant of it on a better flavor is admitted",
}

PREEMPTIONS: Mapping[str, str] = {
    "InClusterQueue": "same ClusterQueue, lower in rank",
    "InCohortReclamation": "its queue borrows what belongs to others",
    "InCohortFairSharing": "its queue has more than its fair share",
    "InCohortReclaimWhileBorrowing": "lower priority; the preemptor borrows too",
    "ReplacedSlice": "replaced by its successor",
}

STATUSES: Mapping[Status, str] = {
    Status.ASSUMED: "is admitted",
    Status.PREEMPTING: "evicts others and waits for their quota",
    Status.DEFERRED: "fits once the evictions of this cycle are complete",
    Status.NO_CANDIDATES: "evicts nobody",
    Status.GATED: "may not evict: a preemption gate is closed",
    Status.EVICTED: "is evicted: its failed node cannot be replaced",
    Status.MIGRATING: "waits for the variant whose place it takes",
    Status.OTHER: "has nothing to evict",
}


def outcome_words(entry: Entry) -> str:
    """How the entry left its cycle, and why."""
    if entry.rejection is not None:
        return REJECTIONS[entry.rejection]
    if entry.skip is not None:
        return SKIPS[entry.skip]
    if entry.status in (Status.NO_FIT, Status.NO_CANDIDATES) or entry.assignment.mode is Mode.NO_FIT:
        told = first_reasons(entry)
        return (
            f"{told}; evicts nobody"
            if entry.status is Status.NO_CANDIDATES and told
            else told or "does not fit"
        )
    if entry.status is Status.PREEMPTING:
        victims = sorted({t.workload.key for t in entry.preempting})
        return f"evicts {several(victims)}"
    return STATUSES[entry.status] if entry.status is not None else "fits"


def first_reasons(entry: Entry, most: int = 2) -> str:
    """Why the entry does not fit: what is short before what does not suit."""
    if not entry.info.obj.spec.pod_sets:
        return "has no pod sets (spec.podSets is empty), so there is nothing to admit"
    clauses: dict[str, None] = {}
    for pod_set in entry.assignment.pod_sets:
        named = f"pod set {pod_set.name} " if len(entry.info.pod_sets) > 1 else ""
        reasons = [r for r in (*pod_set.reasons, pod_set.error) if isinstance(r, Reason)]
        for reason in sorted(reasons, key=_weight):
            clauses.setdefault(named + reason_words(reason))
        if isinstance(pod_set.error, UnparsableAffinity):
            clauses.setdefault(f"{named}has a node affinity that cannot be read ({pod_set.error})")
    shown = list(clauses)[:most]
    rest = len(clauses) - len(shown)
    return "; ".join([*shown, *([count(rest, "more reason")] if rest else [])])


def _weight(reason: Reason) -> int:
    """What can never be had first, then what is in use, then what does not suit."""
    return {ExceedsMaxCapacity: 0, InsufficientUnused: 1}.get(type(reason), 2)
