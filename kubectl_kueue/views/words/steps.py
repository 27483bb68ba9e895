"""What to do about it: what the limit that was named calls for.

Nothing here would have to be tried out first; what would help, proved by simulation, is another answer.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.engine.reasons import (
    InsufficientUnused,
    TopologyOnlyFlavor,
    TopologyUnsupported,
    UntoleratedTaint,
)
from kubectl_kueue.model.quantity import request
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.causes import causes_steps
from kubectl_kueue.views.words.commands import HANGS, delete_workload, kueue
from kubectl_kueue.views.words.devices import device_steps
from kubectl_kueue.views.words.numbers import amount, count, joined, quantity, requested, several, verb
from kubectl_kueue.views.words.reasons import reason_words

Steps = Iterator[str]


def next_steps(verdict: Verdict) -> list[str]:
    """Sentences and commands, most direct first; empty where there is nothing to do but wait."""
    return [sentence(step) for step in (*_about_the_answer(verdict), *_besides(verdict))]


def _about_the_answer(verdict: Verdict) -> Steps:
    gate = verdict.decisive
    if verdict.first_turn is not None and verdict.state is Word.ADMIT and len(verdict.flavors) == 2:
        yield from _other_order(verdict)
    elif gate is not None and gate.facts is not None and type(gate.facts) in _STEPS:
        yield from _STEPS[type(gate.facts)](verdict, gate.facts)


def _besides(verdict: Verdict) -> Steps:
    """What is worth mending though it does not decide."""
    flavors, turn = verdict.gate("flavors"), verdict.gate("order")
    if flavors is not None and isinstance(flavors.facts, facts.Flavors):
        yield from _taints_without_effect(verdict, flavors.facts)
        if verdict.state in (Word.NEVER, Word.WAIT):
            yield from _kinds_of_flavors(verdict, flavors.facts)
    if turn is not None and isinstance(turn.facts, facts.Turn):
        yield from _in_vain(turn.facts)


# --- the workload -------------------------------------------------------------------------------


def _namespace_and_name(verdict: Verdict) -> tuple[str, str]:
    namespace, _, name = verdict.workload.partition("/")
    return namespace, name


def _reactivate(verdict: Verdict, found: facts.Deactivated) -> Steps:
    if found.reason.startswith("DeactivatedDueTo"):
        yield "Kueue itself switched it off, and setting spec.active does not bring it back"
        yield "Remove the cause and submit the job again"
    else:
        yield kueue("resume", "workload", verdict.workload)


def _mend_status(verdict: Verdict, found: facts.BrokenReservation) -> Steps:
    yield "Whoever writes the status has to add status.admission, or set QuotaReserved to False"


def _let_go(verdict: Verdict, found: facts.Held) -> Steps:
    if found.by not in (("OnHold",), ("WaitingForReplacementPods",)):
        yield "Whoever set the annotation has to clear it; Kueue never does"


def _devices(verdict: Verdict, found: facts.Uncountable) -> Steps:
    yield from device_steps(found, _namespace_and_name(verdict)[0])


def _try_again(verdict: Verdict, found: facts.BackOff) -> Steps:
    if found.reason == "AdmissionCheck":
        for check in verdict.obj.status.admission_checks:
            if check.retry_count:
                times = count(check.retry_count, "time")
                failed = f"AdmissionCheck {check.name} has failed {times}"
                yield f"{failed}: a limit of its controller, not of quota"
        if found.most_tries:
            yield f"It is given up after {found.most_tries} tries (retryStrategy.backoffLimitCount)"
        if found.message:
            yield f"It said last: {found.message.partition(': ')[2] or found.message}"
    if found.until:
        yield "Nothing needs to be done: Kueue tries again by itself"


def _look_at_pods(verdict: Verdict, found: facts.Pods) -> Steps:
    namespace, _ = _namespace_and_name(verdict)
    if found.ownerless:
        yield delete_workload(verdict.workload)
        return
    waiting = next((pod.name for pod in found.pods if pod.phase == "Pending"), "")
    if waiting:
        yield "Kueue's part is done: it counts quota, not nodes"
        yield from map(_unkept, found.promised)
        if found.promised:
            yield (
                "With a higher pod priority kube-scheduler would evict running pods for it, whatever Kueue's "
                "preemption policies say"
            )
        yield f"See why the pod waits: kubectl describe pod {waiting} -n {namespace}"


def _unkept(promised: facts.Promised) -> str:
    owners = [*promised.queues, *(f"cohort {name}" for name in promised.cohorts)]
    there = quantity(promised.resource, promised.allocatable)
    have = f"its {count(promised.nodes, 'node')} {verb(promised.nodes, 'have')} {there}"
    whose = f"the quotas of {several(owners)}"
    return f"Flavor {promised.flavor}: {whose} add up to {amount(promised.resource, promised.quota)}, {have}"


def _ask_checks(verdict: Verdict, found: facts.Checks) -> Steps:
    held: dict[str, int] = {}
    reserved = verdict.obj.status.admission
    for pod_set in reserved.pod_set_assignments if reserved is not None else ():
        for resource, text in pod_set.resource_usage.items():
            held[resource] = held.get(resource, 0) + request(resource, text)
    told = several([amount(resource, value) for resource, value in held.items()]) or "the quota"
    for check in found.checks:
        if check.state != "Ready" and check.controller:
            up_to = f"AdmissionCheck {check.name} is up to {check.controller}"
            yield f"{up_to}; nobody else can use its quota meanwhile: {told}"


# --- its queues ---------------------------------------------------------------------------------


def _find_a_queue(verdict: Verdict, found: facts.LocalQueueMissing) -> Steps:
    if not found.queue:
        use = f" (there is {several(found.here)})" if found.here else ""
        yield f"Set the label kueue.x-k8s.io/queue-name to a LocalQueue of namespace {found.namespace}{use}"
        if "default" not in found.here:
            yield "Or create a LocalQueue named default there: jobs without the label use it"
        yield "Kueue with manageJobsWithoutQueueName holds jobs without a queue; it picks none for them"
        return
    if found.here:
        yield f"Use a LocalQueue of namespace {found.namespace}: {several(found.near or found.here)}"
    at = f" that points at ClusterQueue {joined(found.targets, last='or')}" if found.targets else ""
    create = "Or create" if found.here else "Create"
    yield f"{create} LocalQueue {found.queue} in namespace {found.namespace}{at}"
    if found.elsewhere:
        yield "A LocalQueue serves its own namespace only"


def _start_local_queue(verdict: Verdict, found: facts.Stopped) -> Steps:
    yield kueue("resume", "localqueue", f"{_namespace_and_name(verdict)[0]}/{found.queue}")


def _point_elsewhere(verdict: Verdict, found: facts.ClusterQueueMissing) -> Steps:
    there = f": {joined(found.near, last='or')}" if found.near else ""
    point = f"point LocalQueue {found.local_queue} at one that exists{there}"
    yield f"Create ClusterQueue {found.queue}, or {point}"


def _mend_queue(verdict: Verdict, found: facts.Inactive) -> Steps:
    yield from causes_steps(found.queue, found.causes)
    if found.local_queues:
        yield f"The same holds for every workload of LocalQueue {several(found.local_queues)}"


# --- its namespace and requests -----------------------------------------------------------------


def _let_namespace_in(verdict: Verdict, found: facts.NamespaceNotSelected) -> Steps:
    labels = [f"{r.key}={joined(r.values, last='or')}" for r in found.unmet if r.operator == "In"]
    if labels:
        yield (
            f"Label namespace {found.namespace} with {joined(labels)}, or change namespaceSelector of "
            f"ClusterQueue {found.queue}"
        )
    else:
        use = f"use one that takes {found.namespace}"
        yield f"Change namespaceSelector of ClusterQueue {found.queue}, or {use}"


def _stay_in_bounds(verdict: Verdict, found: facts.Breaches) -> Steps:
    first = found.breaches[0]
    if first.bound == "limit":
        yield f"Lower the request for {first.resource}, or raise the limit of the same container"
        return
    change = "Lower" if first.bound == "max" else "Raise"
    owner = f"LimitRange {first.owner}" if first.owner else "the LimitRange"
    yield f"{change} the request for {first.resource}, or change {owner}"
    yield f"Changing {owner} alone does not wake the workload"


def _cover(verdict: Verdict, found: facts.Coverage) -> Steps:
    names = sorted({origin.resource for origin in found.uncovered})
    queue = verdict.chain.cluster_queue
    yield f"Add {several(names, 8)} to coveredResources of ClusterQueue {queue}, with a quota"
    prefixes = ", ".join(names[:8] + (["…"] if len(names) > 8 else []))
    defaults = {(o.name, o.resource): o for o in found.uncovered if o.source == "LimitRange"}
    for origin in list(defaults.values())[:8]:
        default = f"the default for {origin.resource} out of LimitRange {origin.name}"
        yield f"Or take {default}; the job itself asks for none"
    yield (
        f"Or let Kueue pass over it: resources.excludeResourcePrefixes [{prefixes}] or "
        "resources.quotaCheckStrategy IgnoreUndeclared in its Configuration"
    )


# --- flavors and quota --------------------------------------------------------------------------


def _suit_a_flavor(verdict: Verdict, found: facts.Flavors) -> Steps:
    taints = {f.flavor: f.why.taint for f in found.flavors if isinstance(f.why, UntoleratedTaint)}
    for flavor, taint in sorted(taints.items()):
        yield f"Tolerate {taint} in the pod template"
        yield f"Or tolerate it in ResourceFlavor {flavor}: then every workload of its queues may use it"
    has: dict[str, set[str]] = {}
    for selector in (f.selector for f in found.flavors):
        if selector is not None and selector.has is not None:
            has.setdefault(selector.key, set()).add(selector.has)
    for key, values in sorted(has.items()):
        yield f"Ask for {key}={joined(sorted(values), last='or')}, or drop the selector"
    yield f"Or add a flavor that suits it to ClusterQueue {verdict.chain.cluster_queue}"


def _about_quota(verdict: Verdict, found: facts.Quota) -> Steps:
    if verdict.state is Word.NEVER:
        yield from list(dict.fromkeys(_raise(verdict, ceiling) for ceiling in found.ceilings))[:3]
        return
    for holder in verdict.holders:
        if holder.ownerless:
            yield (
                f"{holder.workload} is being evicted but has no owner, so nobody ends it: "
                f"{delete_workload(holder.workload)}{HANGS}"
            )


def _raise(verdict: Verdict, ceiling: facts.Ceiling) -> str:
    least = f"{requested(ceiling.resource, ceiling.before + ceiling.asks - ceiling.most)} {ceiling.resource}"
    name = verdict.chain.cluster_queue
    most = amount(ceiling.resource, max(0, ceiling.most - ceiling.before))
    ask = f"Ask for at most {most} in {ceiling.flavor}"
    match ceiling.limit:
        case "nominalQuota":
            return f"{ask}, or raise nominalQuota of {name} by {least}; in no cohort, it cannot borrow"
        case "borrowingLimit":
            return f"{ask}, or raise borrowingLimit of {ceiling.owner_kind} {ceiling.owner} by {least}"
    keeping = [n.name for n in ceiling.neighbours if n.lends < n.quota]
    lenders = f", or lendingLimit of {several(keeping)}" if keeping else ""
    return f"{ask}, or raise nominalQuota of {name} by {least}{lenders}"


def _outsiders(verdict: Verdict, found: facts.Topology) -> Steps:
    if found.outsiders:
        pods = several(found.outsiders)
        yield f"Kueue cannot preempt pods that it does not manage, whatever their priority: {pods}"
        if found.in_the_way:
            which = "it" if len(found.outsiders) == 1 else "those on nodes that it needs"
            yield f"Delete {which}, or move {which} to another node"


def _other_order(verdict: Verdict) -> Steps:
    """Pod sets choose one after the other; the first took what a later one needed."""
    name = next(iter(verdict.flavors))
    flavors = joined(sorted(set(verdict.flavors[name].values())))
    queue = verdict.chain.cluster_queue
    yield f"Its pod sets choose flavors one after the other: list {flavors} first in ClusterQueue {queue}"
    yield f"Or pin them with a nodeSelector: pod set {name} to {flavors}"


# --- its turn -----------------------------------------------------------------------------------


def _come_first(verdict: Verdict, found: facts.Turn) -> Steps:
    if found.why == "head-of-line":
        yield f"It starts when {found.head} has started or left the queue; a higher priority puts it in front"
        queue = verdict.chain.cluster_queue
        yield f"With queueingStrategy BestEffortFIFO of ClusterQueue {queue} it need not wait for that"
        own = {flavor for flavors in verdict.flavors.values() for flavor in flavors.values()}
        heads = {reason.flavor for reason in found.head_reasons if isinstance(reason, InsufficientUnused)}
        if heads and not heads & own:
            yield "Nor with a ClusterQueue of its own for each flavor, all in one cohort"
    for rival in found.rivals:
        if rival.status == Status.NO_CANDIDATES:
            policy = f"ClusterQueue {rival.cluster_queue} has reclaimWithinCohort {rival.reclaim_policy}"
            yield (
                f"{policy}: it could not get its quota back, so Kueue does not lend it out while its own "
                "workload waits"
            )
            yield (
                f"With reclaimWithinCohort Any it would lend it, and take it back by eviction once "
                f"{rival.workload} fits"
            )


# --- besides ------------------------------------------------------------------------------------


def _taints_without_effect(verdict: Verdict, found: facts.Flavors) -> Steps:
    """Flavors that it gets only because they tolerate their own taints."""
    mine = {flavor for flavors in verdict.flavors.values() for flavor in flavors.values()}
    waived = {f.flavor: f.waived for f in found.flavors if f.waived and f.flavor in mine}
    for flavor, taint in waived.items():
        yield (
            f"ResourceFlavor {flavor} tolerates its own taint {taint}, which keeps no workload off then; "
            "without that toleration only pods that tolerate the taint get it"
        )


def _kinds_of_flavors(verdict: Verdict, found: facts.Flavors) -> Steps:
    """Where only some flavors of the queue have a Topology: which of them it can use, and why."""
    plain = {f.flavor for f in found.flavors if isinstance(f.why, TopologyUnsupported)}
    only = {f.flavor for f in found.flavors if isinstance(f.why, TopologyOnlyFlavor)}
    if not plain and not only:
        return
    usable = [f.flavor for f in found.flavors if f.fit != "unsuited"]
    use = f"{several(list(dict.fromkeys(usable)))} only" if usable else "none of them"
    asks = "a topology" if plain else "no topology"
    yield f"It asks for {asks}, so of the flavors of {verdict.chain.cluster_queue} it can use {use}"
    yield (
        "No pod set can use flavors with and without topologyName: a topology is implied only if every "
        "flavor of the queue has one"
    )


def _in_vain(found: facts.Turn) -> Steps:
    """Those in front that can never get in."""
    for each in found.hopeless:
        yield (
            f"{each.workload} in front of it can never get in: it {reason_words(each.why)}; tell its owner, "
            "it takes turns of the queue"
        )


_STEPS: Mapping[type[facts.Facts], Callable[[Verdict, Any], Steps]] = {
    facts.BackOff: _try_again,
    facts.Breaches: _stay_in_bounds,
    facts.BrokenReservation: _mend_status,
    facts.Checks: _ask_checks,
    facts.ClusterQueueMissing: _point_elsewhere,
    facts.Coverage: _cover,
    facts.Deactivated: _reactivate,
    facts.Flavors: _suit_a_flavor,
    facts.Held: _let_go,
    facts.Inactive: _mend_queue,
    facts.LocalQueueMissing: _find_a_queue,
    facts.NamespaceNotSelected: _let_namespace_in,
    facts.Pods: _look_at_pods,
    facts.Quota: _about_quota,
    facts.Stopped: _start_local_queue,
    facts.Topology: _outsiders,
    facts.Turn: _come_first,
    facts.Uncountable: _devices,
}
