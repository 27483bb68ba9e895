"""Is there as much as the quotas promise? Kueue never compares them with nodes."""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.finding import Finding, ok, warning
from kubectl_kueue.engine.promises import (
    allocatable,
    nodes_of,
    promises_of,
    provisioned,
    usable,
)
from kubectl_kueue.model.objects import Node
from kubectl_kueue.model.quantity import UNLIMITED, format_amount

COMMON = frozenset({"cpu", "memory", "pods", "ephemeral-storage"})
"""Resources that every node has."""


def flavor_nodes(evidence: Evidence) -> Iterator[Finding]:
    """Flavors with quota to which no node belongs."""
    world = evidence.seen
    grown, sound = provisioned(world), True
    members = nodes_of(world)
    used: dict[str, set[str]] = {}
    for (name, _), promise in promises_of(world).items():
        used.setdefault(name, set()).update(promise.queues)
    for name in sorted(used.keys() & members.keys() - grown):
        if not members[name]:
            sound = False
            labels = [
                f"{key}={value}" for key, value in world.resource_flavors[name].spec.node_labels.items()
            ]
            queues = sorted(used[name])
            yield warning("flavor-without-nodes", f"ResourceFlavor/{name}", labels=labels, queues=queues)
    if sound:
        yield ok("flavors-have-nodes", count=len(used), nodes=len(world.nodes))


def quotas(evidence: Evidence) -> Iterator[Finding]:
    """Quota above what the nodes of the flavor have."""
    world = evidence.seen
    grown, sound, compared = provisioned(world), True, 0
    members = nodes_of(world)
    sharing = _sharing(members)
    there_at_all = {resource for node in world.nodes.values() for resource in node.status.allocatable}
    for (name, resource), promise in promises_of(world).items():
        nodes = members.get(name, [])
        if not nodes or name in grown or promise.amount >= UNLIMITED or resource not in there_at_all:
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
                shared_with=sorted(f for f in sharing[_identity(nodes)] if f != name),
            )
    if sound:
        yield ok("quotas-covered", count=compared)


def _sharing(members: Mapping[str, Sequence[Node]]) -> Mapping[frozenset[int], Sequence[str]]:
    """The flavors that have the same nodes."""
    found: dict[frozenset[int], list[str]] = {}
    for name, nodes in members.items():
        found.setdefault(_identity(nodes), []).append(name)
    return found


def _identity(nodes: Sequence[Node]) -> frozenset[int]:
    return frozenset(map(id, nodes))


def nodes(evidence: Evidence) -> Iterator[Finding]:
    """Nodes with a scarce resource that quotas are about, of which no flavor knows."""
    world = evidence.seen
    known = {resource for _, resource in promises_of(world)} - COMMON
    homes = {id(nodes): nodes for nodes in nodes_of(world).values()}
    at_home = {id(node) for nodes in homes.values() for node in nodes}
    lost: dict[str, list[str]] = {}
    for name, node in world.nodes.items():
        if not usable(node) or id(node) in at_home:
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
