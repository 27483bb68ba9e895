"""A ResourceFlavor: which nodes it means, who has quota of it and uses it, and does the quota fit the nodes?

And the reverse of a workload's question: what keeps this flavor from that workload?
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.engine.inquiries.records import FlavorFor, FlavorTotal, FlavorUser, NodeMatch
from kubectl_kueue.engine.inquiries.unseen import charge_unseen
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.taints import first_untolerated
from kubectl_kueue.model.objects import ClusterQueue, Node, ResourceFlavor, ResourceGroup
from kubectl_kueue.model.quantity import nanos, quota, to_int
from kubectl_kueue.model.world import World


class FlavorInquiry(NamedTuple):
    """The answer about a ResourceFlavor. `nodes` None: they could not be read. `topology_missing`: its
    Topology does not exist."""

    name: str
    flavor: ResourceFlavor
    nodes: tuple[NodeMatch, ...] | None
    topology_missing: bool
    totals: tuple[FlavorTotal, ...]
    users: tuple[FlavorUser, ...]
    asked: FlavorFor | None
    now: int


def inquire_flavor(world: World, name: str, workload: str = "") -> FlavorInquiry:
    """The answer; `workload` ("namespace/name") asks what keeps the flavor from it. Raises KeyError."""
    flavor = world.resource_flavors[name]
    matching = None if not world.nodes else [n for n in world.nodes.values() if _carries(n, flavor)]
    users = tuple(_users(world, name))
    topology = flavor.spec.topology_name
    return FlavorInquiry(
        name,
        flavor,
        None if matching is None else tuple(_match(node, flavor) for node in _by_name(matching)),
        bool(topology) and topology not in world.topologies and "Topology" not in world.missing,
        tuple(_totals(users, matching)),
        users,
        _asked(world, name, workload) if workload else None,
        world.now,
    )


def _carries(node: Node, flavor: ResourceFlavor) -> bool:
    return flavor.spec.node_labels.items() <= node.metadata.labels.items()


def _by_name(nodes: Iterable[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: node.metadata.name)


def _match(node: Node, flavor: ResourceFlavor) -> NodeMatch:
    """The flavor's own taints count for pods, so that only what it does not mention keeps them off."""
    spec = flavor.spec
    declared = {(t.key, t.value, t.effect) for t in spec.node_taints}
    rest = [t for t in node.spec.taints if (t.key, t.value, t.effect) not in declared]
    taint = first_untolerated(rest, spec.tolerations)
    ready = any(c.type == "Ready" and c.status == "True" for c in node.status.conditions)
    shown = f"{taint.key}{f'={taint.value}' if taint.value else ''}:{taint.effect}" if taint else ""
    return NodeMatch(node.metadata.name, ready, node.spec.unschedulable, shown)


def _usable(node: Node) -> bool:
    ready = any(c.type == "Ready" and c.status == "True" for c in node.status.conditions)
    return ready and not node.spec.unschedulable


# --- quota ----------------------------------------------------------------------------------------


def _users(world: World, name: str) -> Iterator[FlavorUser]:
    snapshot = State(as_it_stands(world)).snapshot
    charge_unseen(world, snapshot)
    for queue_name, queue in sorted(snapshot.queues.items()):
        holders = sum(any(fr.flavor == name for fr in info.usage) for info in queue.workloads.values())
        for fr, nominal in queue.nominal.items():
            if fr.flavor == name:
                used = queue.usage.get(fr, 0)
                borrowed = max(0, used - nominal) if queue.parent is not None else 0
                yield FlavorUser("ClusterQueue", queue_name, fr.resource, nominal, used, borrowed, holders)
    for cohort_name, cohort in sorted(world.cohorts.items()):
        for resource, nominal in _nominal(cohort.spec.resource_groups, name):
            yield FlavorUser("Cohort", cohort_name, resource, nominal)


def _nominal(groups: Iterable[ResourceGroup], name: str) -> Iterator[tuple[str, int]]:
    for group in groups:
        for flavor in group.flavors:
            if flavor.name == name:
                yield from ((each.name, quota(each.name, each.nominal_quota)) for each in flavor.resources)


def _totals(users: Iterable[FlavorUser], nodes: list[Node] | None) -> Iterator[FlavorTotal]:
    sums: dict[str, tuple[int, int]] = {}
    for user in users:
        nominal, used = sums.get(user.resource, (0, 0))
        sums[user.resource] = nominal + user.nominal, used + user.used
    for resource, (nominal, used) in sums.items():
        yield FlavorTotal(
            resource, nominal, used, None if nodes is None else sum(_allocatable(n, resource) for n in nodes)
        )


def _allocatable(node: Node, resource: str) -> int:
    text = node.status.allocatable.get(resource)
    return to_int(resource, nanos(text)) if text is not None and _usable(node) else 0


# --- the reverse question -------------------------------------------------------------------------


def _asked(world: World, flavor: str, key: str) -> FlavorFor:
    verdict = explain(world, key)
    queue = verdict.chain.cluster_queue
    found = world.cluster_queues.get(queue)
    offered = _flavors(found) if found is not None else ()
    decisive = verdict.decisive
    gate = decisive.name if decisive is not None else ""
    fits = _fits(verdict, flavor)
    rows = tuple(row for row in verdict.table if row.flavor == flavor)
    return FlavorFor(
        key,
        queue,
        _why(verdict, flavor, fits, offered),
        gate,
        str(verdict.state),
        offered,
        fits,
        rows,
        next((fit.selector for fit in fits if fit.selector is not None), None),
    )


def _fits(verdict: Verdict, flavor: str) -> tuple[facts.FlavorFit, ...]:
    gate = verdict.gate("flavors")
    found = gate.facts if gate is not None else None
    return tuple(f for f in found.flavors if f.flavor == flavor) if isinstance(found, facts.Flavors) else ()


def _why(
    verdict: Verdict,
    flavor: str,
    fits: tuple[facts.FlavorFit, ...],
    offered: tuple[str, ...],
) -> str:
    if offered and flavor not in offered:
        return "not-in-queue"
    waits = verdict.state in (Word.WAIT, Word.BLOCKED, Word.NEVER)
    if not waits and any(flavor in flavors.values() for flavors in verdict.flavors.values()):
        return ""
    for fit in ("unsuited", "never", "short"):
        if any(each.fit == fit for each in fits):
            return fit
    return "gate" if waits or not verdict.flavors else "taken"


def _flavors(queue: ClusterQueue) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f.name for g in queue.spec.resource_groups for f in g.flavors))
