"""What quotas promise of each flavor, and the nodes that would have to keep it."""

from collections.abc import Iterator

from kubectl_kueue.engine.snapshot import PROVISIONING
from kubectl_kueue.engine.taints import tolerates
from kubectl_kueue.model.objects import Node, ResourceFlavor, ResourceGroup
from kubectl_kueue.model.quantity import UNLIMITED, quota
from kubectl_kueue.model.world import World


class Promise:
    """Quota of one flavor and resource: the sum (canonical units), and who gives it."""

    __slots__ = ("amount", "cohorts", "queues")

    def __init__(self) -> None:
        self.amount = 0
        self.queues: list[str] = []
        self.cohorts: list[str] = []


def belongs(node: Node, flavor: ResourceFlavor) -> bool:
    """Whether pods of the flavor can go to the node: it works, has the labels, no taint keeps them off."""
    labels = node.metadata.labels
    if not usable(node) or any(labels.get(key) != value for key, value in flavor.spec.node_labels.items()):
        return False
    taints = {(t.key, t.value, t.effect) for t in flavor.spec.node_taints}
    return all(
        taint.effect == "PreferNoSchedule"
        or (taint.key, taint.value, taint.effect) in taints
        or any(tolerates(toleration, taint) for toleration in flavor.spec.tolerations)
        for taint in node.spec.taints
    )


def usable(node: Node) -> bool:
    """Whether pods may be put on it: ready, and not cordoned."""
    ready = next((c for c in node.status.conditions if c.type == "Ready"), None)
    return not node.spec.unschedulable and (ready is None or ready.status == "True")


def nodes_of(world: World) -> dict[str, list[Node]]:
    """The nodes of each flavor: of those that have its rarest label. Equal flavors share one list."""
    every = [node for node in world.nodes.values() if usable(node)]
    having: dict[tuple[str, str], list[Node]] = {}
    for node in every:
        for label in node.metadata.labels.items():
            having.setdefault(label, []).append(node)
    found: dict[str, list[Node]] = {}
    alike: dict[str, list[Node]] = {}
    for name, flavor in world.resource_flavors.items():
        spec = flavor.spec
        key = repr((sorted(spec.node_labels.items()), spec.node_taints, spec.tolerations))
        if key not in alike:
            near = min((having.get(each, []) for each in spec.node_labels.items()), key=len, default=every)
            alike[key] = [node for node in near if belongs(node, flavor)]
        found[name] = alike[key]
    return found


def promises_of(world: World) -> dict[tuple[str, str], Promise]:
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


def allocatable(node: Node, resource: str) -> int:
    """What pods can have of it in all, in canonical units."""
    return quota(resource, node.status.allocatable.get(resource, 0))


def reported(world: World, resource: str) -> bool:
    """Whether any node has it: credits and devices of DRA are resources of Kueue alone."""
    return any(resource in node.status.allocatable for node in world.nodes.values())


def provisioned(world: World) -> frozenset[str]:
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
