"""The answer in one sentence, and what follows from it: the first lines that somebody reads."""

from collections.abc import Iterator

from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation import verdict as facts
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.views.words.devices import device_steps
from kubectl_kueue.views.words.gates import FAILURES, pods_words, shortage_words
from kubectl_kueue.views.words.numbers import amount, clock, count, joined, quantity, several
from kubectl_kueue.views.words.outcomes import CODES, first_reasons
from kubectl_kueue.views.words.reasons import reason_words


def headline(verdict: Verdict) -> str:
    """One sentence (or two) after the verdict word."""
    match verdict.state:
        case Word.ADMIT:
            return _sentence(_admit(verdict))
        case Word.PREEMPT:
            return _sentence(_preempt(verdict))
        case Word.WAIT:
            return _sentence(_wait(verdict))
        case Word.NEVER:
            return _sentence(_never(verdict))
        case Word.CHECKS_PENDING | Word.NOT_RUNNING | Word.RUNNING:
            return _sentence(_reserved(verdict))
    return _sentence(_decisive_words(verdict))


def _sentence(text: str) -> str:
    """Begins with a capital, unless with a name, and ends with a full stop."""
    first = text.partition(" ")[0]
    if first in {"it", "its", "quota", "the", "an", "a", "no", "nobody", "none", "all", "pod", "container", "only", "once"}:
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) or "kubectl " in text else f"{text}."


def _decisive_words(verdict: Verdict) -> str:
    gate = verdict.decisive
    if gate is None or gate.facts is None:
        return f"it {CODES.get(verdict.reason, verdict.reason)}"
    told = FAILURES[type(gate.facts)](gate.facts, verdict.now)
    if gate.name == "order" and isinstance(gate.facts, facts.Turn) and gate.facts.fits_alone:
        return f"it would fit now{where_words(verdict)}, but {told}"
    return told


# --- it gets in ---------------------------------------------------------------------------------


def where_words(verdict: Verdict) -> str:
    """Its flavors: " in a100", or pod set by pod set if they differ; empty if it has none."""
    by_pod_set = {name: joined(sorted(set(flavors.values()))) for name, flavors in verdict.flavors.items()}
    places = {place for place in by_pod_set.values() if place}
    if not places:
        return ""
    if len(places) == 1:
        return f" in {places.pop()}"
    return " with " + joined(f"{name} in {place}" for name, place in by_pod_set.items() if place)


def _borrowed(verdict: Verdict) -> str:
    entry = verdict.entry
    if entry is None or not verdict.borrowing:
        return ", within its own quota" if verdict.table else ""
    own_free = {(row.flavor, row.resource): row.own_free for row in verdict.table}
    over = [
        amount(fr.resource, used - own_free.get((fr.flavor, fr.resource), used))
        for fr, used in sorted(entry.assignment.usage.items())
        if used > own_free.get((fr.flavor, fr.resource), used)
    ]
    return f", borrowing {joined(over)}" if over else ", borrowing from its cohort"


def _admit(verdict: Verdict) -> str:
    fits = f"it fits now{where_words(verdict)}{_borrowed(verdict)}"
    if verdict.reason != "QuotaReserved":
        return (
            f"it fits{where_words(verdict)}{_borrowed(verdict)}, but only at a second look: Kueue first stops at "
            f"flavors where it {CODES[verdict.reason].removeprefix('it ')}, then goes on with the next ones"
        )
    return fits


def _preempt(verdict: Verdict) -> str:
    names = [victim.workload for victim in verdict.victims]
    gone = "is evicted" if len(names) == 1 else "are evicted"
    if all(victim.evicting for victim in verdict.victims):
        gone = "has given back its quota" if len(names) == 1 else "have given back their quota"
        return f"it fits{where_words(verdict)} once {several(names)}, already being evicted, {gone}"
    return f"it fits{where_words(verdict)} once {several(names)} {gone}{_borrowed(verdict)}"


# --- it does not --------------------------------------------------------------------------------


def _wait(verdict: Verdict) -> str:
    gate = verdict.decisive
    found = gate.facts if gate is not None else None
    match found:
        case facts.Quota() if shortage_words(found.short):
            return f"it lacks {shortage_words(found.short)}{_nobody_goes(verdict)}"
        case facts.Turn(why="taken"):
            return _taken(verdict, found)
        case facts.Topology():
            return f"its quota is free, but {_misplaced(found)}{_nobody_goes(verdict)}"
        case facts.Turn(why="far"):
            return f"it fits now{where_words(verdict)}, but more are in front than were looked at"
    told = first_reasons(verdict.entry) if verdict.entry is not None else ""
    return f"it {told}" if told else _decisive_words(verdict)


def _nobody_goes(verdict: Verdict) -> str:
    gate = verdict.gate("preemption")
    if gate is None or not isinstance(gate.facts, facts.Preemption) or gate.facts.victims:
        return ""
    return ", and it may evict nobody" if any(r.answer == "no" for r in gate.facts.rules) else ""


def _misplaced(found: facts.Topology) -> str:
    several_sets = len({m.pod_set for m in found.misplaced}) > 1
    return joined((f"{m.pod_set} " if several_sets else "it ") + reason_words(m.why) for m in found.misplaced)


def _taken(verdict: Verdict, turn: facts.Turn) -> str:
    keepers = [r for r in turn.rivals if r.status == Status.NO_CANDIDATES]
    names = several([r.workload for r in keepers or turn.rivals])
    alone = f"it would fit alone{where_words(verdict)}, but "
    if not keepers:
        come = "comes" if len(turn.rivals) == 1 else "come"
        return f"{alone}{names} {come} first and {'leaves' if come == 'comes' else 'leave'} too little"
    waits = "waits" if len(keepers) == 1 else "wait"
    return (
        f"{alone}{names}, ahead of it, {waits} for more, and ClusterQueue {keepers[0].cluster_queue} keeps its "
        f"free quota for {'it' if waits == 'waits' else 'them'}"
    )


def _never(verdict: Verdict) -> str:
    gate = verdict.decisive
    found = gate.facts if gate is not None else None
    if isinstance(found, facts.Flavors):
        return _no_flavor(found)
    quota = verdict.gate("quota")
    if quota is not None and isinstance(quota.facts, facts.Quota) and quota.facts.ceilings:
        if not isinstance(found, facts.Topology | facts.Coverage):
            return _too_much(verdict, quota.facts.ceilings)
    if isinstance(found, facts.Topology):
        return f"its quota is free, but {_misplaced(found)}, not even in an otherwise empty cluster"
    if isinstance(found, facts.Quota) or found is None:
        told = first_reasons(verdict.entry) if verdict.entry is not None else ""
        return f"it {told}" if told else f"it {CODES.get(verdict.reason, verdict.reason)}"
    return FAILURES[type(found)](found, verdict.now)


def _no_flavor(found: facts.Flavors) -> str:
    pod_sets = {f.pod_set for f in found.flavors}
    unsuited = [
        name for name in sorted(pod_sets) if all(f.fit == "unsuited" for f in found.flavors if f.pod_set == name)
    ]
    flavors = sorted({f.flavor for f in found.flavors if f.pod_set in unsuited})
    whom = f"pod set {joined(unsuited)}" if len(pod_sets) > 1 else "it"
    if len(flavors) == 1:
        why = next(f.why for f in found.flavors if f.flavor == flavors[0] and f.why is not None)
        return f"no flavor suits {whom}: it {reason_words(why)}"
    return f"no flavor suits {whom}, neither {joined(flavors, last='nor')}"


def _too_much(verdict: Verdict, ceilings: tuple[facts.Ceiling, ...]) -> str:
    first = ceilings[0]
    queue = verdict.chain.cluster_queue
    asks = amount(first.resource, first.asks)
    whom = f"its pod set {first.pod_set}" if first.before else "it"
    besides = f" (after {quantity(first.resource, first.before)} for its earlier pod sets)" if first.before else ""
    flavors = sorted({c.flavor for c in ceilings if c.resource == first.resource})
    most = max(c.most for c in ceilings if c.resource == first.resource)
    where = f"flavor {first.flavor}" if len(flavors) == 1 else f"any flavor ({several(flavors)})"
    return f"{whom} asks for {asks}{besides}; {queue} can never have more than {quantity(first.resource, most)} of {where}"


# --- it has its quota ---------------------------------------------------------------------------


def _reserved(verdict: Verdict) -> str:
    since = next((s.since for s in verdict.sayings if s.type == "QuotaReserved" and s.status == "True"), 0)
    when = f" since {clock(verdict.now, since)}" if since else ""
    if verdict.state is Word.CHECKS_PENDING:
        gate = verdict.gate("checks")
        names = [c.name for c in gate.facts.checks if c.state != "Ready"] if gate and isinstance(gate.facts, facts.Checks) else []
        what = f"it waits for {count(len(names), 'admission check')}: {several(names)}" if names else "it is not admitted yet"
        return f"its quota{where_words(verdict)} is reserved{when}; {what}"
    gate = verdict.gate("pods")
    pods = pods_words(gate.facts, verdict.now) if gate and isinstance(gate.facts, facts.Pods) else ""
    if gate and isinstance(gate.facts, facts.Pods) and gate.facts.ownerless:
        return f"it holds its quota{where_words(verdict)}{when} and is being evicted, but no job owns it: this never ends"
    return f"Kueue has admitted it{where_words(verdict)}{when}; {pods}"


# --- what to do ---------------------------------------------------------------------------------


def next_steps(verdict: Verdict) -> list[str]:
    """What the limit that was named calls for; nothing that would have to be tried out first."""
    gate = verdict.decisive
    if gate is None:
        return []
    return [_sentence(step) for step in _steps(verdict, gate.facts)]


def _steps(verdict: Verdict, found: facts.Facts | None) -> Iterator[str]:
    namespace, _, name = verdict.workload.partition("/")
    queue = verdict.chain.cluster_queue
    match found:
        case facts.LocalQueueMissing():
            yield from _find_a_queue(found)
        case facts.Stopped():
            yield f"kubectl kueue resume localqueue {found.queue} -n {namespace}"
        case facts.ClusterQueueMissing():
            yield f"Create ClusterQueue {found.queue}, or point LocalQueue {found.local_queue} at one that exists"
        case facts.Inactive():
            yield from _mend_queue(found)
        case facts.Deactivated():
            if found.reason.startswith("DeactivatedDueTo"):
                yield "Kueue itself switched it off: setting spec.active does not bring it back; submit the job again"
            else:
                yield f"kubectl kueue resume workload {name} -n {namespace}"
        case facts.Held() if found.by not in (("OnHold",), ("WaitingForReplacementPods",)):
            yield "Whoever set the annotation has to clear it; Kueue never does"
        case facts.Uncountable():
            yield from device_steps(found, namespace)
        case facts.BackOff() if found.until:
            yield "Nothing needs to be done: Kueue tries again by itself. What failed stands below in Kueue's words"
        case facts.NamespaceNotSelected():
            yield from _let_namespace_in(found)
        case facts.Breaches():
            yield from _stay_in_bounds(found)
        case facts.Coverage():
            yield from _cover(found, queue)
        case facts.Flavors():
            yield from _suit_a_flavor(found, queue)
        case facts.Quota():
            yield from _about_quota(verdict, found)
        case facts.Topology() if found.outsiders:
            yield f"Kueue cannot evict pods that it does not manage: {several(found.outsiders)}"
        case facts.Turn(why="head-of-line"):
            yield f"It starts when {found.head} has started or left the queue; a higher priority puts it in front"
            yield f"With queueingStrategy BestEffortFIFO of ClusterQueue {queue} it would not have to wait for its turn"
        case facts.Turn(why="taken"):
            yield from _keepers(found)
        case facts.Pods(ownerless=True):
            yield f"kubectl delete workload {name} -n {namespace}"
        case facts.Pods(pods=pods) if verdict.state is Word.NOT_RUNNING:
            waiting = next((pod.name for pod in pods if pod.phase == "Pending"), "")
            yield "Kueue's part is done: it counts quota, not nodes" if waiting else "Kueue's part is done"
            if waiting:
                yield f"See why the pod waits: kubectl describe pod {waiting} -n {namespace}"


def _find_a_queue(found: facts.LocalQueueMissing) -> Iterator[str]:
    if not found.queue:
        use = f" (there is {several(found.here)})" if found.here else ""
        yield f"Set the label kueue.x-k8s.io/queue-name to a LocalQueue of namespace {found.namespace}{use}"
        if "default" not in found.here:
            yield "Or create a LocalQueue named default there: jobs without the label use it"
        return
    if found.near or found.here:
        yield f"Use a LocalQueue of namespace {found.namespace}: {several(found.near or found.here)}"
    at = f" that points at ClusterQueue {joined(found.targets, last='or')}" if found.targets else ""
    yield f"{'Or create' if found.here else 'Create'} LocalQueue {found.queue} in namespace {found.namespace}{at}"
    if found.elsewhere:
        yield "A LocalQueue serves its own namespace only"


def _mend_queue(found: facts.Inactive) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for cause in found.causes:
        names.setdefault(cause.code, []).append(cause.name)
    for code, objects in names.items():
        match code:
            case "Stopped":
                yield f"kubectl kueue resume clusterqueue {found.queue}"
            case "FlavorNotFound":
                yield f"Create ResourceFlavor {joined(objects)}, or take {_them(objects)} out of ClusterQueue {found.queue}"
            case "AdmissionCheckNotFound":
                yield f"Create AdmissionCheck {joined(objects)}, or take {_them(objects)} out of ClusterQueue {found.queue}"
            case "AdmissionCheckInactive":
                for cause in (c for c in found.causes if c.code == code):
                    said = f"it says: {cause.message}" if cause.message else "its controller has never reported: is it running?"
                    yield f"See why AdmissionCheck {cause.name} is not active; {said}"
            case "TopologyNotFound":
                yield f"Create Topology {joined(objects)}, or take it out of the flavors of ClusterQueue {found.queue}"
            case "CohortCycle":
                yield f"Change parentName of one of the cohorts above {found.queue}"
    if len(found.local_queues) > 1:
        yield f"The same holds for every workload of LocalQueue {several(found.local_queues)}"


def _them(objects: list[str]) -> str:
    return "it" if len(objects) == 1 else "them"


def _let_namespace_in(found: facts.NamespaceNotSelected) -> Iterator[str]:
    labels = [f"{r.key}={joined(r.values, last='or')}" for r in found.unmet if r.operator == "In"]
    if labels:
        yield f"Label namespace {found.namespace} with {joined(labels)}, or change namespaceSelector of {found.queue}"
    else:
        yield f"Change namespaceSelector of ClusterQueue {found.queue}, or use a queue that takes {found.namespace}"


def _stay_in_bounds(found: facts.Breaches) -> Iterator[str]:
    first = found.breaches[0]
    if first.bound == "limit":
        yield f"Lower the request for {first.resource}, or raise the limit of the same container"
        return
    change = "Lower" if first.bound == "max" else "Raise"
    owner = f"LimitRange {first.owner}" if first.owner else "the LimitRange"
    yield f"{change} the request for {first.resource}, or change {owner} (which by itself does not wake the workload)"


def _cover(found: facts.Coverage, queue: str) -> Iterator[str]:
    names = sorted({o.resource for o in found.uncovered})
    yield f"Add {joined(names)} to coveredResources of ClusterQueue {queue}, with a quota"
    for origin in found.uncovered:
        if origin.source == "LimitRange":
            yield f"Or take the default for {origin.resource} out of LimitRange {origin.name}; the job itself does not ask for it"
    yield (
        f"Or let Kueue pass over it: resources.excludeResourcePrefixes [{', '.join(names)}] or "
        "resources.quotaCheckStrategy IgnoreUndeclared in its Configuration"
    )


def _suit_a_flavor(found: facts.Flavors, queue: str) -> Iterator[str]:
    taints = {f.flavor: f.why for f in found.flavors if f.why is not None and hasattr(f.why, "taint")}
    for flavor, why in sorted(taints.items()):
        yield f"Tolerate {why.taint} in the pod template"
        yield f"Or add the toleration to ResourceFlavor {flavor}: then every workload of its queues may use it"
    wanted = [f for f in found.flavors if f.selector is not None and f.selector.has is not None]
    keys = sorted({f.selector.key for f in wanted if f.selector})
    for key in keys:
        has = sorted({f.selector.has or "" for f in wanted if f.selector and f.selector.key == key})
        yield f"Ask for {key}={joined(has, last='or')}, or drop the selector"
    if found.flavors:
        yield f"Or add a flavor that suits it to ClusterQueue {queue}"


def _about_quota(verdict: Verdict, found: facts.Quota) -> Iterator[str]:
    if verdict.state is Word.NEVER:
        for ceiling in found.ceilings[:3]:
            yield _raise(verdict, ceiling)
        return
    for holder in verdict.holders:
        if holder.ownerless:
            namespace, _, name = holder.workload.partition("/")
            yield (
                f"{holder.workload} is being evicted but has no owner, so nobody ends it: "
                f"kubectl delete workload {name} -n {namespace}"
            )


def _raise(verdict: Verdict, ceiling: facts.Ceiling) -> str:
    least = amount(ceiling.resource, ceiling.before + ceiling.asks - ceiling.most)
    name = verdict.chain.cluster_queue
    ask = f"Ask for at most {amount(ceiling.resource, max(0, ceiling.most - ceiling.before))} in {ceiling.flavor}"
    match ceiling.limit:
        case "nominalQuota":
            return f"{ask}, or raise nominalQuota of {name} by {least}; it is in no cohort, so it cannot borrow"
        case "borrowingLimit":
            return f"{ask}, or raise borrowingLimit of {ceiling.owner_kind} {ceiling.owner} by {least}"
    keeping = [n for n in ceiling.neighbours if n.lends < n.quota]
    lenders = f", or lendingLimit of {several([n.name for n in keeping])}" if keeping else ""
    return f"{ask}, or raise nominalQuota of {name} by {least}{lenders}"


def _keepers(found: facts.Turn) -> Iterator[str]:
    for rival in found.rivals:
        if rival.status == Status.NO_CANDIDATES:
            yield (
                f"ClusterQueue {rival.cluster_queue} has reclaimWithinCohort {rival.reclaim_policy}: it could not "
                "get its quota back, so Kueue does not lend it out while its own workload waits"
            )
