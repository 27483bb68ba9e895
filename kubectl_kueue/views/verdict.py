"""The verdict document: everything a run decided, in the form of the recorded verdicts.

docs/verdict.md describes the form, which is that of the recorded verdicts and does not change.
"""

from collections.abc import Iterable, Mapping
from math import ceil, inf
from typing import Any

import msgspec

from kubectl_kueue.engine.entry import CycleResult, Entry, Status
from kubectl_kueue.engine.fair_sharing import lendable_to, share_of
from kubectl_kueue.engine.flavors import FineMode, FlavorAttempt, Mode, PodSetAssignment
from kubectl_kueue.engine.quota import FlavorResource, Node, available
from kubectl_kueue.engine.reasons import ExceedsMaxCapacity, InsufficientUnused, Reason
from kubectl_kueue.engine.severity import granular_reason
from kubectl_kueue.engine.simulate import Run
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.state import State, state_of
from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.reasons import NotFit, TopologyReason
from kubectl_kueue.engine.workload import QUOTA_RESERVED, WorkloadInfo
from kubectl_kueue.model.quantity import MAX_INT64, format_amount, format_request

MODES = {Mode.NO_FIT: "NoFit", Mode.PREEMPT: "Preempt", Mode.DEFERRED_FIT: "DeferredFit", Mode.FIT: "Fit"}
_ATTEMPTS = {
    FineMode.NO_FIT: ("NoFit", ""),
    FineMode.NO_CANDIDATES: ("Preempt", "NoCandidates"),
    FineMode.PREEMPT: ("Preempt", "Preempt"),
    FineMode.RECLAIM: ("Preempt", "Reclaim"),
    FineMode.FIT: ("Fit", ""),
}


def verdict_document(run: Run) -> dict[str, Any]:
    """The whole run as a document of plain values."""
    state = run.state
    document: dict[str, Any] = {"name": state.world.name, "pendingOrder": run.pending_order}
    if run.inadmissible:
        document["pendingInadmissible"] = run.inadmissible
    document["cycles"] = [_cycle(result, state.snapshot) for result in run.cycles]
    document["stop"] = str(run.stop)
    document["final"] = {key: _final(info, state) for key, info in state.workloads.items()}
    document["usage"] = _usage(state.snapshot)
    return document


# --- cycles -------------------------------------------------------------------------------------


def _cycle(result: CycleResult, snapshot: Snapshot) -> dict[str, Any]:
    out: dict[str, Any] = {
        "cycle": result.cycle,
        "heads": [entry.info.key for entry in result.entries],
        "results": {e.info.key: result_document(e, snapshot) for e in sorted(result, key=_by_key)},
    }
    if result.evicted_after:
        out["evictedAfter"] = result.evicted_after
    return out


def _by_key(entry: Entry) -> str:
    return entry.info.key


def result_document(entry: Entry, snapshot: Snapshot) -> dict[str, Any]:
    """What became of one head in one cycle."""
    out: dict[str, Any] = {"clusterQueue": entry.queue.name, "status": str(entry.status)}
    if entry.rejection is not None:
        out["inadmissibleReason"] = str(entry.rejection)
    if entry.status not in (Status.ASSUMED, Status.EVICTED):
        out["requeueReason"] = str(entry.requeue_reason)
    if entry.rejection is None:
        out.update(_assignment(entry))
    reason = _quota_reserved_reason(entry, snapshot)
    if reason:
        out["quotaReservedReason"] = reason
    return out


def _assignment(entry: Entry) -> dict[str, Any]:
    assignment = entry.assignment
    out: dict[str, Any] = {"mode": MODES[assignment.mode]}
    if entry.nominated_mode is not None:
        out["nominatedMode"] = MODES[entry.nominated_mode]
    if assignment.borrowing:
        out["borrowing"] = assignment.borrowing
    out["podSets"] = [_pod_set(p, assignment.mode) for p in assignment.pod_sets]
    if assignment.usage:
        out["usage"] = by_flavor(assignment.usage)
    reasons = reason_documents(assignment.pod_sets)
    if reasons:
        out["reasons"] = reasons
    targets = {t.workload.key: t.reason for t in _shown_targets(entry)}
    if targets:
        out["targets"] = [{"workload": key, "reason": str(targets[key])} for key in sorted(targets)]
    return out


def _shown_targets(entry: Entry) -> Iterable[Any]:
    """One entry a workload: the last mention counts when preempting, the first otherwise."""
    if entry.status is Status.PREEMPTING:
        replaced = [t for t in entry.targets if t.reason == "ReplacedSlice"]
        return [*replaced, *entry.preempting]
    return reversed(entry.targets)


def _pod_set(pod_set: PodSetAssignment, overall: Mode) -> dict[str, Any]:
    out: dict[str, Any] = {
        "name": pod_set.name,
        "count": pod_set.count,
        "flavors": {r: pod_set.flavors[r].flavor for r in sorted(pod_set.flavors)},
    }
    modes = {r: MODES[_shown_mode(c.mode, overall)] for r, c in sorted(pod_set.flavors.items())}
    modes = {r: mode for r, mode in modes.items() if mode != MODES[overall]}
    if modes:
        out["modes"] = modes
    if not pod_set.flavors and pod_set.requests:
        out["requests"] = {r: format_request(r, pod_set.requests[r]) for r in sorted(pod_set.requests)}
    if pod_set.attempts:
        out["attempts"] = [_attempt(a) for a in sorted(pod_set.attempts, key=lambda a: a.flavor)]
    if pod_set.topology is not None:
        out["topologyAssignment"] = _topology(pod_set.topology)
    if pod_set.delayed:
        out["delayedTopologyRequest"] = pod_set.delayed
    if pod_set.error is not None:
        out["error"] = getattr(pod_set.error, "what", "other-error")
    return out


def _topology(placement: TopologyPlacement) -> dict[str, Any]:
    return {"levels": list(placement.levels), "domains": _domains(placement) or None}


def _domains(placement: TopologyPlacement) -> list[dict[str, Any]]:
    return [{"values": list(values), "count": count} for values, count in placement.domains]


def _shown_mode(mode: Mode, overall: Mode) -> Mode:
    return Mode.DEFERRED_FIT if overall is Mode.DEFERRED_FIT and mode is Mode.FIT else mode


def _attempt(attempt: FlavorAttempt) -> dict[str, Any]:
    mode, possibility = _ATTEMPTS[attempt.mode]
    out: dict[str, Any] = {"flavor": attempt.flavor, "mode": mode}
    if attempt.level:
        out["borrow"] = attempt.level
    if possibility:
        out["preemptionPossibility"] = possibility
    return out


def reason_documents(pod_sets: Iterable[PodSetAssignment]) -> list[dict[str, Any]]:
    """All reasons as plain values, sorted by podSet, flavor, resource and kind, without duplicates."""
    found = {}
    for pod_set in pod_sets:
        for reason in pod_set.reasons:
            document = {"podSet": pod_set.name, **reason_document(reason)}
            key = tuple(str(document.get(k, "")) for k in ("podSet", "flavor", "resource", "kind"))
            found[key, str(document)] = document
    return [found[key] for key in sorted(found)]


def reason_document(reason: Reason) -> dict[str, Any]:
    """One reason as plain values, by its kind."""
    out: dict[str, Any] = msgspec.to_builtins(reason, enc_hook=int)
    if isinstance(reason, TopologyReason):
        return _topology_reason(reason, out)
    if isinstance(reason, InsufficientUnused):
        del out["requested"], out["available"]
        out["needed"] = format_amount(reason.resource, reason.needed)
    elif isinstance(reason, ExceedsMaxCapacity):
        out["previous"] = format_request(reason.resource, reason.previous)
        out["request"] = format_request(reason.resource, reason.request)
        out["capacity"] = format_amount(reason.resource, reason.capacity)
    return out


def _topology_reason(reason: TopologyReason, out: dict[str, Any]) -> dict[str, Any]:
    """Of a placement's refusal the recorded form shows counts only where one level decided."""
    if isinstance(reason, NotFit):
        return out
    return {k: out[k] for k in ("kind", "topology") if k in out}


def _quota_reserved_reason(entry: Entry, snapshot: Snapshot) -> str:
    """The granular reason behind the outcome; of a NoFit only with its gate."""
    if entry.status is Status.NO_FIT and not snapshot.gates["UnadmittedWorkloadsObservability"]:
        return ""
    return granular_reason(entry)


# --- after the run ------------------------------------------------------------------------------


def _final(info: WorkloadInfo, state: State) -> dict[str, Any]:
    word = state_of(info)
    out: dict[str, Any] = {"state": word}
    reservation = info.reservation
    if word != "Finished" and reservation is not None and info.is_true(QUOTA_RESERVED):
        pod_sets = reservation.pod_sets
        out["clusterQueue"] = reservation.cluster_queue
        out["flavors"] = {p.name: dict(sorted(p.flavors.items())) for p in pod_sets}
        out["counts"] = {p.name: p.count for p in pod_sets}
        out["usage"] = {
            p.name: {r: format_request(r, v) for r, v in sorted(p.usage.items())} for p in pod_sets
        }
        topology = {p.name: _domains(p.topology) for p in pod_sets if p.topology and p.topology.domains}
        if topology:
            out["topology"] = topology
    queue = state.queues.where.get(info.key)
    if queue is not None:
        if info.key in queue.inadmissible:
            out["queue"] = "inadmissible"
        elif info.key in queue.heap:
            out["queue"] = "active"
    return out


def by_flavor(usage: Mapping[FlavorResource, int]) -> dict[str, dict[str, str]]:
    """Amounts per flavor and resource, as canonical quantities."""
    out: dict[str, dict[str, str]] = {}
    for flavor, resource in sorted(usage):
        out.setdefault(flavor, {})[resource] = format_amount(
            resource, usage[FlavorResource(flavor, resource)]
        )
    return out


def _usage(snapshot: Snapshot) -> dict[str, Any]:
    resources = {
        node: {fr.resource for fr in node.subtree}
        for node in (*snapshot.cohorts.values(), *snapshot.queues.values())
        if node.parent is None
    }
    return {
        "clusterQueues": {n: _node(q, resources) for n, q in sorted(snapshot.queues.items())},
        "cohorts": {n: _node(c, resources) for n, c in sorted(snapshot.cohorts.items())},
    }


def _node(node: Node, resources: Mapping[Node, set[str]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if node.parent is not None:
        out["parent"] = node.parent.name
    out["active"] = not isinstance(node, QueueNode) or node.active
    if isinstance(node, QueueNode) and node.inactive:
        out["inactiveReason"] = node.inactive[0][0]
    out["quotas"] = _quotas(node)
    share = share_of(node)
    out["fairWeight"] = int(node.weight) if node.weight == int(node.weight) else node.weight
    out["weightedShare"] = "+Inf" if share.weighted == inf else f"{share.weighted:.12g}"
    out["roundedWeightedShare"] = MAX_INT64 if share.weighted == inf else ceil(share.weighted)
    if share.resource:
        out["dominantResource"] = share.resource
    out["reservingWorkloads"] = len(node.workloads) if isinstance(node, QueueNode) else 0
    if node.parent is not None:
        lendable = lendable_to(node.parent)
        amounts = {
            r: format_amount(r, lendable.get(r, 0)) for r in sorted(resources[node.root] | lendable.keys())
        }
        if amounts:
            out["lendable"] = amounts
    return out


def _quotas(node: Node) -> dict[str, Any]:
    out: dict[str, dict[str, Any]] = {}
    used = {fr for fr, amount in node.usage.items() if amount} if node.is_cluster_queue else set()
    for fr in sorted({*node.subtree, *used}):
        out.setdefault(fr.flavor, {})[fr.resource] = _quota(node, fr)
    return out


def _quota(node: Node, fr: FlavorResource) -> dict[str, str]:
    usage, subtree = node.usage.get(fr, 0), node.subtree.get(fr, 0)
    amounts = {
        "nominal": node.nominal.get(fr, 0),
        "borrowingLimit": node.borrowing_limit.get(fr),
        "lendingLimit": node.lending_limit.get(fr),
        "subtreeQuota": subtree,
        "guaranteed": node.local.get(fr) or None,
        "usage": usage,
        "borrowed": usage - subtree if node.parent is not None and usage > subtree else None,
        "available": available(node, fr),
        "potentialAvailable": node.potential.get(fr, 0),
    }
    return {k: format_amount(fr.resource, v) for k, v in amounts.items() if v is not None}
