"""Which single changes could help? Taken from the facts of the verdict; nothing is tried here.

Each is a function of the question that yields trials, the smallest change first.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from kubectl_kueue.engine.counterfactual.remedies import Remedy, Trial, quota_added, setting
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.objects import ClusterQueue, ClusterQueuePreemption, ResourceQuota, Workload
from kubectl_kueue.model.quantity import quota, request
from kubectl_kueue.model.world import World

MOST_HOLDERS = 6
"""Holders whose end is tried one by one."""

MOST_RIVALS = 3
"""Workloads in front of it whose end is tried."""

MOST_LEVELS = 2
"""Priorities that are tried together with another policy."""

Amounts = tuple[facts.Holding, ...]


class Question(msgspec.Struct, frozen=True):
    """The world, the verdict on one workload in it, its ClusterQueue, and all ClusterQueues of the same tree.

    `usage` is what each of those uses of a flavor and resource.
    """

    world: World
    verdict: Verdict
    queue: ClusterQueue
    tree: Mapping[str, ClusterQueue]
    usage: Mapping[str, Mapping[FlavorResource, int]]

    @property
    def name(self) -> str:
        """The ClusterQueue."""
        return self.queue.metadata.name or self.verdict.chain.cluster_queue

    @property
    def key(self) -> str:
        """The workload."""
        return self.verdict.workload


def ask(world: World, verdict: Verdict) -> Question | None:
    """The question about a workload whose ClusterQueue exists; None without one."""
    queue = world.cluster_queues.get(verdict.chain.cluster_queue)
    if queue is None:
        return None
    near = around(as_it_stands(world), queue.metadata.name, verdict.workload)
    snapshot = State(near).snapshot
    tree = near.cluster_queues if queue.spec.cohort_name else {queue.metadata.name: queue}
    usage = {name: dict(node.usage) for name, node in snapshot.queues.items()}
    return Question(world, verdict, queue, tree, usage)


def shortages(question: Question) -> list[Amounts]:
    """What is missing, one way for each flavor that suits: amounts by flavor and resource.

    A resource group has one flavor for a podSet; where there are several groups, the others take the flavor
    in which the least is missing.
    """
    verdict = question.verdict
    suited = _suited(verdict)
    missing: dict[tuple[int, str], dict[tuple[str, str], int]] = {}
    groups = {
        resource: index
        for index, group in enumerate(question.queue.spec.resource_groups)
        for resource in group.covered_resources
    }
    for row in verdict.table:
        if (row.pod_set, row.flavor) in suited:
            place = missing.setdefault((groups.get(row.resource, 0), row.flavor), {})
            key = (row.flavor, row.resource)
            place[key] = max(place.get(key, 0), row.short_by)
    by_group: dict[int, list[dict[tuple[str, str], int]]] = {}
    for (group, _), amounts in missing.items():
        by_group.setdefault(group, []).append(amounts)
    return list(_ways(list(by_group.values())))


def whole_request(question: Question) -> Amounts:
    """All that it asks for, in the flavors that it would get: for one that fits but is not let in."""
    chosen = question.verdict.flavors
    asks: dict[tuple[str, str], int] = {}
    for row in question.verdict.table:
        if chosen.get(row.pod_set, {}).get(row.resource) == row.flavor:
            asks[row.flavor, row.resource] = asks.get((row.flavor, row.resource), 0) + row.asks
    return tuple(facts.Holding(flavor, resource, ask) for (flavor, resource), ask in asks.items() if ask)


def with_rivals(question: Question, amounts: Amounts) -> Amounts:
    """The amounts, and what all who wait in its ClusterQueue ask for besides: enough for all in front."""
    asks: dict[str, int] = {}
    for key, workload in question.world.workloads.items():
        local = question.world.local_queues.get(f"{key.partition('/')[0]}/{workload.spec.queue_name}")
        waits = workload.status.admission is None and workload.spec.active
        if waits and local is not None and local.spec.cluster_queue == question.name:
            for resource, amount in _requests(workload):
                asks[resource] = asks.get(resource, 0) + amount
    return tuple(
        facts.Holding(each.flavor, each.resource, each.amount + asks.get(each.resource, 0))
        for each in amounts
    )


def _requests(workload: Workload) -> Iterator[tuple[str, int]]:
    """What its containers ask for; an upper bound that is made smaller afterwards need not be exact."""
    for pod_set in workload.spec.pod_sets:
        for container in pod_set.template.spec.containers:
            for resource, text in container.resources.requests.items():
                yield resource, request(resource, text) * pod_set.count


def _suited(verdict: Verdict) -> set[tuple[str, str]]:
    gate = verdict.gate("flavors")
    if gate is None or not isinstance(gate.facts, facts.Flavors):
        return {(row.pod_set, row.flavor) for row in verdict.table if row.suits}
    return {(each.pod_set, each.flavor) for each in gate.facts.flavors if each.fit != "unsuited"}


def _ways(groups: Sequence[Sequence[dict[tuple[str, str], int]]]) -> Iterator[Amounts]:
    least = [min(options, key=lambda option: sum(map(bool, option.values()))) for options in groups]
    seen = set()
    for index, options in enumerate(groups):
        for option in options:
            chosen = [option if other == index else least[other] for other in range(len(groups))]
            way = tuple(
                facts.Holding(flavor, resource, amount)
                for amounts in chosen
                for (flavor, resource), amount in amounts.items()
                if amount > 0
            )
            if way and way not in seen:
                seen.add(way)
                yield way


# --- quota ----------------------------------------------------------------------------------------


def raise_quota(question: Question, amounts: Amounts) -> Trial:
    """More nominal quota of its own."""
    remedy = Remedy("raise-quota", question.name, "ClusterQueue", amounts=amounts)
    return Trial((remedy,), quota_added("ClusterQueue", question.name, "nominalQuota", amounts))


def move_quota(question: Question, source: str, amounts: Amounts) -> Trial:
    """The same, taken from a sibling that does not use it."""
    remedy = Remedy("move-quota", question.name, "ClusterQueue", source, amounts)
    taken = tuple(facts.Holding(a.flavor, a.resource, -a.amount) for a in amounts)
    changes = quota_added("ClusterQueue", question.name, "nominalQuota", amounts)
    return Trial((remedy,), changes + quota_added("ClusterQueue", source, "nominalQuota", taken))


def raise_limit(field: str, queue: str, amounts: Amounts) -> Trial:
    """A borrowing limit of its own, or the lending limit of a sibling."""
    code = "raise-borrowing-limit" if field == "borrowingLimit" else "raise-lending-limit"
    remedy = Remedy(code, queue, "ClusterQueue", amounts=amounts)
    return Trial((remedy,), quota_added("ClusterQueue", queue, field, amounts))


def siblings_with_idle_quota(question: Question, amounts: Amounts) -> list[str]:
    """ClusterQueues of the tree that use less than their nominal quota by these amounts, idlest first."""
    found = []
    for name, other in question.tree.items():
        spare = [_idle(question, name, other, each) for each in amounts]
        if name != question.name and all(
            idle >= each.amount for idle, each in zip(spare, amounts, strict=True)
        ):
            found.append((-min(spare), name))
    return [name for _, name in sorted(found)]


def lenders_with_limits(question: Question, amount: facts.Holding) -> list[tuple[str, int]]:
    """ClusterQueues of the tree whose lending limit keeps quota of the flavor and resource back, how much."""
    found = []
    for name, other in question.tree.items():
        entry = _entry(other, amount)
        if name != question.name and entry is not None and entry.lending_limit is not None:
            kept = quota(amount.resource, entry.nominal_quota) - quota(amount.resource, entry.lending_limit)
            if kept > 0:
                found.append((name, kept))
    return sorted(found, key=lambda each: -each[1])


def own_borrowing_limits(question: Question, amounts: Amounts) -> Amounts:
    """Those of the amounts for which its own ClusterQueue has a borrowing limit."""
    entries = [(each, _entry(question.queue, each)) for each in amounts]
    return tuple(each for each, entry in entries if entry is not None and entry.borrowing_limit is not None)


def _entry(queue: ClusterQueue, amount: facts.Holding) -> ResourceQuota | None:
    return next(
        (
            resource
            for group in queue.spec.resource_groups
            for flavor in group.flavors
            if flavor.name == amount.flavor
            for resource in flavor.resources
            if resource.name == amount.resource
        ),
        None,
    )


def _idle(question: Question, name: str, queue: ClusterQueue, amount: facts.Holding) -> int:
    entry = _entry(queue, amount)
    if entry is None:
        return -1
    used = question.usage.get(name, {}).get(FlavorResource(amount.flavor, amount.resource), 0)
    return quota(amount.resource, entry.nominal_quota) - used


# --- policies -------------------------------------------------------------------------------------


def policies(question: Question) -> Iterator[Trial]:
    """Other preemption policies of its ClusterQueue, the mildest first; then of those that wait in front."""
    name = question.name
    now = question.queue.spec.preemption or ClusterQueuePreemption()
    within = now.within_cluster_queue or "Never"
    reclaim = now.reclaim_within_cohort or "Never"
    for value in _stronger(("Never", "LowerPriority", "LowerOrNewerEqualPriority"), within):
        yield _policy(name, "withinClusterQueue", value)
    if question.queue.spec.cohort_name:
        for value in _stronger(("Never", "LowerPriority", "Any"), reclaim):
            yield _policy(name, "reclaimWithinCohort", value)
        if now.borrow_within_cohort is None or now.borrow_within_cohort.policy in ("", "Never"):
            lower = _policy(name, "borrowWithinCohort.policy", "LowerPriority")
            if reclaim == "Never":
                lower = _policy(name, "reclaimWithinCohort", "LowerPriority") + lower
            yield lower
            for level in priority_levels(question)[:MOST_LEVELS]:
                yield lower + priority(question, level)
    for rival in _rivals(question.verdict):
        other = question.world.cluster_queues.get(rival.cluster_queue)
        if other is not None and rival.cluster_queue != name:
            held = other.spec.preemption
            if (held.reclaim_within_cohort if held is not None else "") != "Any":
                yield _policy(rival.cluster_queue, "reclaimWithinCohort", "Any")


def _policy(queue: str, field: str, value: str) -> Trial:
    remedy = Remedy("policy", queue, "ClusterQueue", field=f"preemption.{field}", value=value)
    return Trial((remedy,), (setting("ClusterQueue", queue, f"preemption.{field}", value),))


def _stronger(ladder: Sequence[str], now: str) -> Sequence[str]:
    return ladder[ladder.index(now) + 1 :] if now in ladder else ()


def strategy(question: Question) -> Iterator[Trial]:
    """BestEffortFIFO for a queue whose head blocks."""
    if question.queue.spec.queueing_strategy == "StrictFIFO":
        change = setting("ClusterQueue", question.name, "queueingStrategy", "BestEffortFIFO")
        remedy = Remedy(
            "policy", question.name, "ClusterQueue", field="queueingStrategy", value="BestEffortFIFO"
        )
        yield Trial((remedy,), (change,))


def other_order(question: Question) -> Iterator[Trial]:
    """Each flavor of a group put in front."""
    for index, group in enumerate(question.queue.spec.resource_groups):
        for flavor in group.flavors[1:]:
            flavors = [flavor, *(each for each in group.flavors if each is not flavor)]
            value = msgspec.to_builtins(flavors)
            change = setting("ClusterQueue", question.name, f"resourceGroups[{index}].flavors", value)
            remedy = Remedy("flavor-first", question.name, "ClusterQueue", value=flavor.name)
            yield Trial((remedy,), (change,))


def other_cohorts(question: Question) -> Iterator[Trial]:
    """Joining a cohort, for a ClusterQueue that is in none."""
    if question.queue.spec.cohort_name:
        return
    for cohort in sorted({q.spec.cohort_name for q in question.world.cluster_queues.values()} - {""}):
        change = setting("ClusterQueue", question.name, "cohortName", cohort)
        yield Trial((Remedy("join-cohort", question.name, "ClusterQueue", value=cohort),), (change,))


# --- the workload itself --------------------------------------------------------------------------


def priority_levels(question: Question) -> list[int]:
    """Priorities at which something may change: one above each holder, rival and head in front, ascending."""
    verdict = question.verdict
    others = {holder.priority for holder in verdict.holders}
    for name in {rival.workload for rival in _rivals(verdict)} | {_head(verdict)}:
        if name in question.world.workloads:
            others.add(question.world.workloads[name].spec.priority or 0)
    return sorted(level + 1 for level in others if level + 1 > verdict.priority)


def priority(question: Question, level: int) -> Trial:
    """This priority; the WorkloadPriorityClass is the one with the lowest value that gives at least that."""
    classes = question.world.workload_priority_classes
    named = min(
        ((each.value, name) for name, each in classes.items() if each.value >= level), default=(0, "")
    )
    remedy = Remedy("priority", number=level, value=named[1])
    return Trial((remedy,), (setting("Workload", question.key, "priority", level),))


def fewer_pods(question: Question, pod_set: str, count: int) -> Trial:
    """Fewer pods in one podSet."""
    remedy = Remedy("fewer-pods", pod_set=pod_set, number=count)
    return Trial((remedy,), (setting("Workload", question.key, f"podSets[name={pod_set}].count", count),))


def flavors_opened(question: Question) -> Iterator[Trial]:
    """A toleration or another node selector for flavors that do not suit."""
    gate = question.verdict.gate("flavors")
    if gate is None or not isinstance(gate.facts, facts.Flavors):
        return
    for each in gate.facts.flavors:
        if each.fit != "unsuited":
            continue
        template = f"podSets[name={each.pod_set}].template.spec"
        taint = getattr(each.why, "taint", "")
        if taint:
            change = setting(
                "Workload", question.key, f"{template}.tolerations", _toleration(taint), adds=True
            )
            yield Trial(
                (Remedy("tolerate", each.flavor, "ResourceFlavor", value=taint, pod_set=each.pod_set),),
                (change,),
            )
        elif each.selector is not None and each.selector.operator == "In":
            yield from _other_selectors(question, each, template)


def _other_selectors(question: Question, fit: facts.FlavorFit, template: str) -> Iterator[Trial]:
    selector = fit.selector
    assert selector is not None
    path = f'{template}.nodeSelector["{selector.key}"]'
    flavor = question.world.resource_flavors.get(fit.flavor)
    wanted = flavor.spec.node_labels.get(selector.key) if flavor is not None else None
    drop = Remedy("drop-selector", field=selector.key, pod_set=fit.pod_set)
    yield Trial((drop,), (setting("Workload", question.key, path, None),))
    if wanted is not None:
        other = Remedy("change-selector", field=selector.key, value=wanted, pod_set=fit.pod_set)
        yield Trial((other,), (setting("Workload", question.key, path, wanted),))


def _toleration(taint: str) -> dict[str, str]:
    """The toleration of a taint written key=value:effect."""
    key, _, effect = taint.rpartition(":")
    key, equals, value = key.partition("=")
    found = {"key": key, "operator": "Equal" if equals else "Exists", "effect": effect}
    return {**found, "value": value} if equals else found


# --- others ---------------------------------------------------------------------------------------


def ends(question: Question) -> Iterator[Trial]:
    """The end of one of those who hold what is missing, or who wait in front."""
    verdict = question.verdict
    holders = {h.workload: "delete" if h.ownerless else "end" for h in verdict.holders[:MOST_HOLDERS]}
    rivals = [rival.workload for rival in _rivals(verdict)[:MOST_RIVALS]]
    for name in dict.fromkeys([*holders, _head(verdict), *rivals]):
        if name and name != question.key:
            remedy = Remedy(holders.get(name, "leave"), workloads=(name,))
            yield Trial((remedy,), ends=remedy.workloads)


def back_in_service(world: World, verdict: Verdict) -> Iterator[Trial]:
    """Queues resumed, the workload made active, a resource left out of account, a namespace taken."""
    gate = verdict.decisive
    if gate is None:
        return
    chain, key = verdict.chain, verdict.workload
    local = f"{key.partition('/')[0]}/{chain.local_queue}"
    match gate.facts:
        case facts.Deactivated():
            yield Trial((Remedy("reactivate"),), (setting("Workload", key, "active", True),))
        case facts.Stopped():
            change = setting("LocalQueue", local, "stopPolicy", "None")
            yield Trial((Remedy("resume", chain.local_queue, "LocalQueue"),), (change,))
        case facts.Inactive(causes=causes) if all(cause.code == "Stopped" for cause in causes):
            change = setting("ClusterQueue", chain.cluster_queue, "stopPolicy", "None")
            yield Trial((Remedy("resume", chain.cluster_queue, "ClusterQueue"),), (change,))
        case facts.NamespaceNotSelected(queue=queue):
            change = setting("ClusterQueue", queue, "namespaceSelector", {})
            yield Trial(
                (Remedy("policy", queue, "ClusterQueue", field="namespaceSelector", value="{}"),), (change,)
            )
        case facts.Coverage(uncovered=uncovered):
            names = sorted({origin.resource for origin in uncovered})
            prefixes = [*world.config.resources.exclude_resource_prefixes, *names]
            change = setting("configuration", "", "resources.excludeResourcePrefixes", prefixes)
            yield Trial((Remedy("exclude-resource", value=", ".join(names)),), (change,))


def _rivals(verdict: Verdict) -> tuple[facts.Rival, ...]:
    turn = _turn(verdict)
    return turn.rivals if turn is not None else ()


def _head(verdict: Verdict) -> str:
    turn = _turn(verdict)
    return turn.head if turn is not None and turn.why == "head-of-line" else ""


def _turn(verdict: Verdict) -> facts.Turn | None:
    gate = verdict.gate("order")
    return gate.facts if gate is not None and isinstance(gate.facts, facts.Turn) else None
