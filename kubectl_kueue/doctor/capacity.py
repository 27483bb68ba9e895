"""Is there as much as the quotas promise? Kueue never compares them with nodes."""

from collections.abc import Iterator

from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.finding import Finding, ok, warning
from kubectl_kueue.engine.snapshot import PROVISIONING
from kubectl_kueue.engine.taints import tolerates
from kubectl_kueue.model.objects import Node, ResourceFlavor, ResourceGroup
from kubectl_kueue.model.quantity import UNLIMITED, format_amount, quota
from kubectl_kueue.model.world import World

COMMON = frozenset({"cpu", "memory", "pods", "ephemeral-storage"})
"""Resources that every node has."""


class Promise:
    """Quota of one flavor and resource: the sum (canonical units), and who gives it."""

    __slots__ = ("amount", "cohorts", "queues")

    def __init__(self) -> None:
        self.amount = 0
        self.queues: list[str] = []
        self.cohorts: list[str] = []


def flavor_nodes(evidence: Evidence) -> Iterator[Finding]:
    """Flavors with quota to which no node belongs."""
    world = evidence.seen
    grown, sound = _provisioned(world), True
    used = {flavor for flavor, _ in _promises(world)}
    for name in sorted(used & world.resource_flavors.keys()):
        flavor = world.resource_flavors[name]
        if name not in grown and not any(belongs(node, flavor) for node in world.nodes.values()):
            sound = False
            queues = sorted({q for (f, _), p in _promises(world).items() if f == name for q in p.queues})
            labels = [f"{key}={value}" for key, value in flavor.spec.node_labels.items()]
            yield warning("flavor-without-nodes", f"ResourceFlavor/{name}", labels=labels, queues=queues)
    if sound:
        yield ok("flavors-have-nodes", count=len(used), nodes=len(world.nodes))


def quotas(evidence: Evidence) -> Iterator[Finding]:
    """Quota above what the nodes of the flavor have."""
    world = evidence.seen
    grown, sound, compared = _provisioned(world), True, 0
    members = _members(world)
    for (name, resource), promise in _promises(world).items():
        nodes = members.get(name, [])
        if not nodes or name in grown or promise.amount >= UNLIMITED or not _reported(world, resource):
            continue
        there = sum(_allocatable(node, resource) for node in nodes)
        compared += 1
        if promise.amount > there:
            sound = False
            yield warning(
                "quota-above-nodes",
                f"ResourceFlavor/{name}",
                resource=resource,
                quota=format_amount(resource, promise.amount),
                allocatable=format_amount(resource, there),
                queues=promise.queues,
                cohorts=promise.cohorts,
                nodes=len(nodes),
                topology=world.resource_flavors[name].spec.topology_name or "",
                shared_with=sorted(f for f, other in members.items() if f != name and other == nodes),
            )
    if sound:
        yield ok("quotas-covered", count=compared)


def nodes(evidence: Evidence) -> Iterator[Finding]:
    """Nodes with a scarce resource that quotas are about, of which no flavor knows."""
    world = evidence.seen
    known = {resource for _, resource in _promises(world)} - COMMON
    lost: dict[str, list[str]] = {}
    for name, node in world.nodes.items():
        if not _usable(node) or any(belongs(node, flavor) for flavor in world.resource_flavors.values()):
            continue
        for resource in sorted(known):
            if _allocatable(node, resource):
                lost.setdefault(resource, []).append(name)
    for resource, names in lost.items():
        total = sum(_allocatable(world.nodes[name], resource) for name in names)
        yield warning(
            "nodes-in-no-flavor",
            f"Node/{names[0]}",
            resource=resource,
            nodes=names,
            amount=format_amount(resource, total),
        )
    if not lost:
        yield ok("nodes-in-flavors", count=len(world.nodes))


def belongs(node: Node, flavor: ResourceFlavor) -> bool:
    """Whether pods of the flavor can go to the node: it works, has the labels, no taint keeps them off."""
    labels = node.metadata.labels
    if not _usable(node) or any(labels.get(key) != value for key, value in flavor.spec.node_labels.items()):
        return False
    taints = {(t.key, t.value, t.effect) for t in flavor.spec.node_taints}
    return all(
        taint.effect == "PreferNoSchedule"
        or (taint.key, taint.value, taint.effect) in taints
        or any(tolerates(toleration, taint) for toleration in flavor.spec.tolerations)
        for taint in node.spec.taints
    )


def _usable(node: Node) -> bool:
    ready = next((c for c in node.status.conditions if c.type == "Ready"), None)
    return not node.spec.unschedulable and (ready is None or ready.status == "True")


def _members(world: World) -> dict[str, list[Node]]:
    return {
        name: [node for node in world.nodes.values() if belongs(node, flavor)]
        for name, flavor in world.resource_flavors.items()
    }


def _promises(world: World) -> dict[tuple[str, str], Promise]:
    """Nominal quotas of ClusterQueues and Cohorts by flavor and resource, as far as there are any."""
    found: dict[tuple[str, str], Promise] = {}
    for name, queue in world.cluster_queues.items():
        for promise, amount in _each(found, queue.spec.resource_groups):
            promise.amount = min(promise.amount + amount, UNLIMITED)
            promise.queues.append(name)
    for name, cohort in world.cohorts.items():
        for promise, amount in _each(found, cohort.spec.resource_groups):
            promise.amount = min(promise.amount + amount, UNLIMITED)
            promise.cohorts.append(name)
    return found


def _each(
    found: dict[tuple[str, str], Promise], groups: list[ResourceGroup]
) -> Iterator[tuple[Promise, int]]:
    for group in groups:
        for flavor in group.flavors:
            for each in flavor.resources:
                if amount := quota(each.name, each.nominal_quota):
                    yield found.setdefault((flavor.name, each.name), Promise()), amount


def _allocatable(node: Node, resource: str) -> int:
    return quota(resource, node.status.allocatable.get(resource, 0))


def _reported(world: World, resource: str) -> bool:
    """Whether any node has it: credits and devices of DRA are resources of Kueue alone."""
    return any(resource in node.status.allocatable for node in world.nodes.values())


def _provisioned(world: World) -> frozenset[str]:
    """Flavors whose nodes are made when they are needed."""
    checks = {n for n, c in world.admission_checks.items() if c.spec.controller_name == PROVISIONING}
    found: set[str] = set()
    for queue in world.cluster_queues.values():
        strategy = queue.spec.admission_checks_strategy
        own = {f.name for group in queue.spec.resource_groups for f in group.flavors}
        for rule in strategy.admission_checks if strategy is not None else ():
            if rule.name in checks:
                found |= set(rule.on_flavors) or own
    return frozenset(found)
