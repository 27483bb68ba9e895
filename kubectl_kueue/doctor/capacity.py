"""Is there as much as the quotas promise? Kueue never compares them with nodes."""

from collections.abc import Iterator

from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.finding import Finding, ok, warning
from kubectl_kueue.engine.promises import (
    allocatable,
    belongs,
    nodes_of,
    promises_of,
    provisioned,
    reported,
    usable,
)
from kubectl_kueue.model.quantity import UNLIMITED, format_amount

COMMON = frozenset({"cpu", "memory", "pods", "ephemeral-storage"})
"""Resources that every node has."""


def flavor_nodes(evidence: Evidence) -> Iterator[Finding]:
    """Flavors with quota to which no node belongs."""
    world = evidence.seen
    grown, sound = provisioned(world), True
    used = {flavor for flavor, _ in promises_of(world)}
    for name in sorted(used & world.resource_flavors.keys()):
        flavor = world.resource_flavors[name]
        if name not in grown and not any(belongs(node, flavor) for node in world.nodes.values()):
            sound = False
            queues = sorted({q for (f, _), p in promises_of(world).items() if f == name for q in p.queues})
            labels = [f"{key}={value}" for key, value in flavor.spec.node_labels.items()]
            yield warning("flavor-without-nodes", f"ResourceFlavor/{name}", labels=labels, queues=queues)
    if sound:
        yield ok("flavors-have-nodes", count=len(used), nodes=len(world.nodes))


def quotas(evidence: Evidence) -> Iterator[Finding]:
    """Quota above what the nodes of the flavor have."""
    world = evidence.seen
    grown, sound, compared = provisioned(world), True, 0
    members = nodes_of(world)
    for (name, resource), promise in promises_of(world).items():
        nodes = members.get(name, [])
        if not nodes or name in grown or promise.amount >= UNLIMITED or not reported(world, resource):
            continue
        there = sum(allocatable(node, resource) for node in nodes)
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
    known = {resource for _, resource in promises_of(world)} - COMMON
    lost: dict[str, list[str]] = {}
    for name, node in world.nodes.items():
        if not usable(node) or any(belongs(node, flavor) for flavor in world.resource_flavors.values()):
            continue
        for resource in sorted(known):
            if allocatable(node, resource):
                lost.setdefault(resource, []).append(name)
    for resource, names in lost.items():
        total = sum(allocatable(world.nodes[name], resource) for name in names)
        yield warning(
            "nodes-in-no-flavor",
            f"Node/{names[0]}",
            resource=resource,
            nodes=names,
            amount=format_amount(resource, total),
        )
    if not lost:
        yield ok("nodes-in-flavors", count=len(world.nodes))
