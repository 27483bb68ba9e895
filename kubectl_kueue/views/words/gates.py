"""What each question found out: a clause for a gate that failed, one line of inputs for one that did not."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.verdict import Gate, GateState
from kubectl_kueue.engine.reasons import InsufficientUnused
from kubectl_kueue.views.words.causes import causes_words
from kubectl_kueue.views.words.devices import uncountable_words
from kubectl_kueue.views.words.numbers import clock, count, joined, ordinal, requested, several
from kubectl_kueue.views.words.reasons import reason_words, unsuited_words

QUESTIONS: Mapping[str, str] = {
    "workload": "the Workload exists",
    "finished": "it has not finished",
    "active": "it is switched on",
    "admissionGate": "no admission gate",
    "hold": "not on hold",
    "devices": "its devices can be counted",
    "backOff": "no back-off",
    "failedChecks": "no failed admission check",
    "localQueue": "its LocalQueue exists",
    "localQueueActive": "the LocalQueue is in service",
    "clusterQueue": "the ClusterQueue exists",
    "clusterQueueActive": "the ClusterQueue is active",
    "namespaceSelector": "the ClusterQueue takes the namespace",
    "limits": "requests within its own limits",
    "limitRange": "requests within LimitRanges",
    "coverage": "quota is defined for all it asks",
    "flavors": "a flavor suits every pod set",
    "quota": "enough quota is free",
    "preemption": "it may evict for the rest",
    "topology": "its pods find a place",
    "order": "it is its turn",
    "checks": "admission checks are ready",
    "pods": "its pods run",
}
"""The gates in order, each as the statement that holds when it is passed."""


def gate_words(gate: Gate, now: int) -> str:
    """What the gate found out, in a clause; empty if it has no facts."""
    if gate.facts is None:
        return ""
    return FAILURES[type(gate.facts)](gate.facts, now)


# --- the workload -------------------------------------------------------------------------------


def _finished(found: facts.Finished, now: int) -> str:
    if found.why == "ownerless":
        return f"no job owns it any more, so Kueue ends it ({found.reason})"
    if found.why == "deleting":
        since = f", since {clock(now, found.since)}" if found.since else ""
        return f"it is being deleted{since}: Kueue does not look at it any more"
    since = f" at {clock(now, found.since)}" if found.since else ""
    return f"it has ended{since}: {found.reason}"


def _deactivated(found: facts.Deactivated, now: int) -> str:
    cause = found.reason.removeprefix("DeactivatedDueTo")
    why = {
        "": "",
        "Deactivated": "",
        "AdmissionCheck": "an admission check refused it",
        "RequeuingLimitExceeded": "its pods were not ready in time, once too often",
        "MaximumExecutionTimeExceeded": "it ran longer than maximumExecutionTimeSeconds",
    }.get(cause, cause)
    return "it is deactivated (spec.active is false)" + (f": {why}" if why else "")


def _held(found: facts.Held, now: int) -> str:
    if found.by == ("OnHold",):
        return "Kueue holds it back" + (f": {found.message}" if found.message else "")
    if found.by == ("WaitingForReplacementPods",):
        return "it waits for pods that replace failed ones"
    return f"the admission gate {joined(found.by)} is closed (annotation kueue.x-k8s.io/admission-gated-by)"


def _back_off(found: facts.BackOff, now: int) -> str:
    tries = f" after {count(found.tries, 'try').replace('trys', 'tries')}" if found.tries else ""
    if not found.until:
        return f"it was taken out of the queue ({found.reason or 'Requeued=False'}) and not put back"
    why = {
        "AdmissionCheck": "an admission check failed",
        "PodsReadyTimeout": "its pods were not ready in time",
    }.get(found.reason, found.reason or "it was evicted")
    return f"{why}; it backs off{tries} until {clock(now, found.until)}"


def _broken_reservation(found: facts.BrokenReservation, now: int) -> str:
    return "the status says that quota is reserved (QuotaReserved), but not where (no status.admission)"


def checks_words(found: facts.Checks, now: int) -> str:
    """States of admission checks, the open ones first; all ready: how many."""
    open_checks = [c for c in found.checks if c.state != "Ready"]
    if not open_checks:
        return f"{count(len(found.checks), 'check')} ready" if found.checks else "none"
    told = []
    for check in open_checks:
        said = f': "{check.message}"' if check.message else ""
        told.append(f"{check.name} is {check.state}{said}")
    return joined(told)


def pods_words(found: facts.Pods, now: int) -> str:
    """How many pods there are, in which phases."""
    if found.ready:
        return "all pods are ready"
    if not found.pods:
        return f"none of {count(found.expected, 'pod')} is in the data"
    phases: dict[str, int] = {}
    for pod in found.pods:
        phases[pod.phase] = phases.get(pod.phase, 0) + 1
    told = joined(f"{number} {phase}" for phase, number in sorted(phases.items()))
    nowhere = sum(1 for pod in found.pods if not pod.node and pod.phase == "Pending")
    on_no_node = f", {nowhere} of them on no node" if nowhere else ""
    return f"{len(found.pods)} of {found.expected} pods exist: {told}{on_no_node}"


# --- the queues ---------------------------------------------------------------------------------


def _local_queue_missing(found: facts.LocalQueueMissing, now: int) -> str:
    if not found.queue:
        return "it names no LocalQueue (label kueue.x-k8s.io/queue-name)"
    there = f"; one of that name is in {several(found.elsewhere)}" if found.elsewhere else ""
    return f"LocalQueue {found.queue} does not exist in namespace {found.namespace}{there}"


def _stopped(found: facts.Stopped, now: int) -> str:
    return f"LocalQueue {found.queue} is stopped (stopPolicy {found.policy})"


def _cluster_queue_missing(found: facts.ClusterQueueMissing, now: int) -> str:
    near = f"; did you mean {joined(found.near, last='or')}?" if found.near else ""
    return f"LocalQueue {found.local_queue} points to ClusterQueue {found.queue}, which does not exist{near}"


def _inactive(found: facts.Inactive, now: int) -> str:
    return f"ClusterQueue {found.queue} is inactive: {causes_words(found.causes)}"


def requirement_words(found: facts.Requirement) -> str:
    """A requirement on a label: "team in (a, b)", "!team"."""
    match found.operator:
        case "In" if len(found.values) == 1:
            return f"{found.key}={found.values[0]}"
        case "NotIn" if len(found.values) == 1:
            return f"{found.key}!={found.values[0]}"
        case "Exists":
            return f"{found.key} set"
        case "DoesNotExist":
            return f"{found.key} not set"
        case "Gt" | "Lt":
            return f"{found.key} {'>' if found.operator == 'Gt' else '<'} {joined(found.values)}"
    return f"{found.key} {'in' if found.operator == 'In' else 'not in'} ({', '.join(found.values)})"


def _has(found: facts.Requirement) -> str:
    return f"{found.key}={found.has}" if found.has is not None else f"no {found.key}"


def _namespace(found: facts.NamespaceNotSelected, now: int) -> str:
    if not found.unmet:
        return f"ClusterQueue {found.queue} takes no namespace: it has no namespaceSelector ({{}} takes all)"
    if found.unmet[0].operator == "NamespaceMissing":
        return f"namespace {found.namespace} does not exist"
    wanted = joined(map(requirement_words, found.unmet))
    has = joined(dict.fromkeys(map(_has, found.unmet)))
    return f"ClusterQueue {found.queue} takes namespaces with {wanted}; {found.namespace} has {has}"


# --- the requests -------------------------------------------------------------------------------


def _breach(found: facts.Breach) -> str:
    where = "the pod" if found.where == "pod" else f"container {found.where}"
    asked = f"{requested(found.resource, found.asked)} {found.resource}"
    allowed = requested(found.resource, found.allowed)
    if found.bound == "limit":
        return f"{where} of pod set {found.pod_set} requests {asked}, but its limit is {allowed}"
    bound = "at most" if found.bound == "max" else "at least"
    owner = f"LimitRange {found.owner}" if found.owner else "a LimitRange"
    return f"{where} of pod set {found.pod_set} requests {asked}; {owner} wants {bound} {allowed}"


def _breaches(found: facts.Breaches, now: int) -> str:
    return several([_breach(breach) for breach in found.breaches], 2)


def origin_words(found: facts.Origin) -> str:
    """Where a request comes from that no container makes: "LimitRange defaults sets it"."""
    match found.source:
        case "limits":
            return f"the limit of container {found.name} counts, for it has no request"
        case "LimitRange":
            return f"LimitRange {found.name} adds it"
        case "RuntimeClass":
            return f"the overhead of RuntimeClass {found.name} adds it"
        case "transformation":
            return f"Kueue's Configuration makes it of {found.name}"
        case "pods":
            return "the ClusterQueue counts pods"
        case "devices":
            return "it stands for the devices that the pods claim"
    return "it requests it itself"


def _coverage(found: facts.Coverage, now: int) -> str:
    told = []
    for origin in found.uncovered:
        source = f" ({origin_words(origin)})" if origin.source else ""
        told.append(f"pod set {origin.pod_set} asks for {_asks(origin)}{source}")
    covered = f"; the ClusterQueue has quota for {several(found.covered, 8)}" if found.covered else ""
    return f"{several(told)}{covered or '; the ClusterQueue has no quota at all'}"


def _asks(origin: facts.Origin) -> str:
    return f"{requested(origin.resource, origin.asks)} {origin.resource}"


# --- flavors and quota --------------------------------------------------------------------------


def flavor_words(found: facts.FlavorFit) -> str:
    """Why the flavor suits or does not, for one row of a table."""
    if found.why is None:
        return {"fits": "enough is free", "short": "its quota is in use", "never": "its quota is too small"}[
            found.fit
        ]
    if found.selector is not None:
        return f"it has {_has(found.selector)}, wanted is {requirement_words(found.selector)}"
    return unsuited_words(found.why)


def _flavors(found: facts.Flavors, now: int) -> str:
    return listed([f"{f.pod_set} in {f.flavor}: {f.fit}" for f in found.flavors])


def listed(clauses: Sequence[str], most: int = 20) -> str:
    """Clauses one after the other, and how many more there are."""
    rest = [f"and {len(clauses) - most} more"] if len(clauses) > most else []
    return "; ".join([*clauses[:most], *rest])


def shortage_words(rows: tuple[facts.QuotaRow, ...]) -> str:
    """What is missing now, flavor by flavor: "2 cpu and 2Gi memory of flavor a100"."""
    by_flavor: dict[str, dict[str, int]] = {}
    for row in rows:
        if row.before + row.asks <= row.most_ever:
            short = by_flavor.setdefault(row.flavor, {})
            short[row.resource] = max(row.short_by, short.get(row.resource, 0))
    told = [
        f"{joined(f'{requested(r, v)} {r}' for r, v in short.items())} of flavor {flavor}"
        for flavor, short in by_flavor.items()
    ]
    return joined(told, last="or")


def _quota(found: facts.Quota, now: int) -> str:
    if found.short:
        return f"short of {shortage_words(found.short)}" if shortage_words(found.short) else "too much asked"
    return "enough is free"


def _preemption(found: facts.Preemption, now: int) -> str:
    if found.victims:
        return f"evicts {several([v.workload for v in found.victims])}"
    return (
        "; ".join(f"{rule.rule} {rule.policy}: {rule.answer} ({rule.why})" for rule in found.rules)
        or "not needed"
    )


def _topology(found: facts.Topology, now: int) -> str:
    return several([f"pod set {m.pod_set} {reason_words(m.why)}" for m in found.misplaced], 6)


def _turn(found: facts.Turn, now: int) -> str:
    match found.why:
        case "head-of-line":
            return f"its queue is StrictFIFO and {found.head or 'another workload'} is in front{_head(found)}"
        case "equivalent":
            return f"{found.head} has the same shape and was looked at instead"
        case "taken":
            return f"{several([r.workload for r in found.rivals])} come first"
        case "far":
            return "too many workloads are in front to foresee its turn"
    return f"in cycle {found.cycle}" if found.cycle else ""


def _head(found: facts.Turn) -> str:
    """Why the head waits: the quota that it lacks before the flavors that do not suit it."""
    reasons = sorted(found.head_reasons, key=lambda reason: not isinstance(reason, InsufficientUnused))
    return f", which {reason_words(reasons[0])}" if reasons else ""


FAILURES: Mapping[type[facts.Facts], Callable[[Any, int], str]] = {
    facts.Finished: _finished,
    facts.Deactivated: _deactivated,
    facts.Held: _held,
    facts.Uncountable: uncountable_words,
    facts.BackOff: _back_off,
    facts.BrokenReservation: _broken_reservation,
    facts.Checks: checks_words,
    facts.Pods: pods_words,
    facts.LocalQueueMissing: _local_queue_missing,
    facts.Stopped: _stopped,
    facts.ClusterQueueMissing: _cluster_queue_missing,
    facts.Inactive: _inactive,
    facts.NamespaceNotSelected: _namespace,
    facts.Breaches: _breaches,
    facts.Coverage: _coverage,
    facts.Flavors: _flavors,
    facts.Quota: _quota,
    facts.Preemption: _preemption,
    facts.Topology: _topology,
    facts.Turn: _turn,
}


def position_words(position: facts.Position, chain: facts.Chain) -> str:
    """Places as people count them."""
    whole = f"{ordinal(position.in_cluster_queue)} of {position.cluster_queue_pending}"
    part = f"{ordinal(position.in_local_queue)} of {position.local_queue_pending}"
    return f"{whole} in {chain.cluster_queue}, {part} in {chain.local_queue}"


def state_word(state: GateState) -> str:
    """The state of a gate in a table."""
    return {GateState.PASSED: "yes", GateState.FAILED: "NO", GateState.UNKNOWN: "-"}[state]
