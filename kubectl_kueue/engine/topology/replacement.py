"""Moving the pods of a failed node elsewhere (topology.md 8)."""

import msgspec

from kubectl_kueue.engine.topology.assignment import TopologyPlacement, without
from kubectl_kueue.engine.topology.counting import Assumed
from kubectl_kueue.engine.topology.placement import Failed, Placed, place
from kubectl_kueue.engine.topology.reasons import NoReplacement, StaleAssignment
from kubectl_kueue.engine.topology.request import (
    PlacementRequest,
    requested_level,
    slice_constraints,
    with_slices,
)
from kubectl_kueue.engine.topology.tree import TopologyTree

Layers = list[tuple[str, int]]  # level key, slice size
Kept = tuple[int, int]  # leaf, pods that stay there


def replace_node(
    tree: TopologyTree,
    request: PlacementRequest,
    current: TopologyPlacement,
    node: str,
    *,
    assumed: Assumed | None = None,
    simulate_empty: bool = False,
    scored: bool = True,
    explain: bool = True,
) -> tuple[Placed | Failed, TopologyPlacement]:
    """The whole new assignment or the failure, and the part of it that is newly placed.

    `current` is the assignment that names the unhealthy node; the workload's own usage, also on that
    node, stays in the tree. A leader is ignored.
    """
    rest = without(current, node)
    moved = current.pods - rest.pods
    nowhere = TopologyPlacement(tree.stored_levels, ())
    kept: list[Kept] = []
    for values, count in rest.domains:
        leaf = tree.leaf(values)
        if leaf is None:
            return Failed(StaleAssignment(values)), nowhere
        kept.append((leaf, count))
    within, request = _confine(tree, request, kept, moved)
    request = msgspec.structs.replace(request, count=moved, leader=None, leader_requests={})
    result = place(
        tree,
        request,
        assumed=assumed,
        within=within,
        simulate_empty=simulate_empty,
        scored=scored,
        explain=explain,
    )
    if isinstance(result, Failed):
        return result, nowhere
    if not result.placement.domains:
        return Failed(NoReplacement(node)), nowhere
    return Placed(tree.merged(rest, result.placement)), result.placement


def _confine(
    tree: TopologyTree, request: PlacementRequest, kept: list[Kept], moved: int
) -> tuple[range | None, PlacementRequest]:
    """The leaves that the pods must stay in (None: any), and the request with the slices they still form."""
    topology = request.topology
    level = requested_level(topology, tree.levels)
    if topology is None or level is None or not kept:
        return None, request
    layers: Layers = [(key, size) for key, size in slice_constraints(topology) if size and key in tree.levels]
    if layers and moved % layers[0][1]:
        within = _broken_slice(tree, layers, kept, moved)
        if within is not None:
            whole = [layer for layer in layers if moved % layer[1] == 0]
            topology = with_slices(topology, whole[-1] if whole else None)
            request = msgspec.structs.replace(request, topology=topology)
        return within, request
    if topology.required is not None and topology.required in tree.levels:
        depth = tree.levels.index(topology.required)
        return _leaves_inside(tree, depth, tree.ancestor(kept[0][0], depth)), request
    return None, request


def _broken_slice(tree: TopologyTree, layers: Layers, kept: list[Kept], moved: int) -> range | None:
    """The domain of the innermost layer whose slices the failure broke: there the pods were missing."""
    key, size = [layer for layer in layers if moved % layer[1]][-1]
    depth = tree.levels.index(key)
    pods: dict[int, int] = {}
    for leaf, count in kept:
        domain = tree.ancestor(leaf, depth)
        pods[domain] = pods.get(domain, 0) + count
    for domain in sorted(pods):
        if (pods[domain] + moved) % size == 0:
            return _leaves_inside(tree, depth, domain)
    return None


def _leaves_inside(tree: TopologyTree, depth: int, domain: int) -> range:
    """Leaves of a domain; none of a host that has levels above it, which is how Kueue compares paths.

    A leaf of a hostname-based tree is known by its hostname alone, the domain by its full path.
    """
    if tree.hostname_based and depth == tree.lowest and depth > 0:
        return range(0)
    return tree.leaf_range(depth, domain)
