"""What a topology tree looks like to a request, for people: free space, best domains, excluded nodes.

Nothing here decides; it retells the numbers that placement.py decides by, with names.
"""

from collections.abc import Iterable

import msgspec

from kubectl_kueue.engine.topology.assignment import Values
from kubectl_kueue.engine.topology.counting import Assumed, LevelCounts, count_fits, scarcest_resource
from kubectl_kueue.engine.topology.filters import judge_leaves
from kubectl_kueue.engine.topology.forest import usable
from kubectl_kueue.engine.topology.reasons import InvalidSelector, TopologyReason
from kubectl_kueue.engine.topology.request import PlacementRequest, Shape, resolve_shape
from kubectl_kueue.engine.topology.search import Search
from kubectl_kueue.engine.topology.tree import TopologyTree
from kubectl_kueue.model.objects import Node, ResourceFlavor


class DomainSummary(msgspec.Struct, frozen=True):
    """One domain, amounts per resource in canonical units.

    capacity = plain (pods without topology) + used (topology-aware pods) + remaining, which may be
    negative. `pods`, `slices` and `leaders` are what fits of the request, 0 without one.
    """

    values: Values
    nodes: int
    capacity: dict[str, int]
    plain: dict[str, int]
    used: dict[str, int]
    remaining: dict[str, int]
    pods: int = 0
    slices: int = 0
    leaders: int = 0


class TreeSummary(msgspec.Struct, frozen=True):
    """All domains by level, widest first, in the order of their values.

    `level` is the requested level (None: the request makes no sense in this tree) and `best` the
    domain there that comes first for the request. `excluded` maps each class of NotFit to the leaves
    that take no pod for that reason.
    """

    levels: tuple[str, ...]
    domains: list[list[DomainSummary]]
    level: int | None = None
    best: int | None = None
    excluded: dict[str, list[Values]] = {}


def summarize(
    tree: TopologyTree, request: PlacementRequest | None = None, assumed: Assumed | None = None
) -> TreeSummary:
    """The tree in its present state, for a request if one is given (only its resources are told then)."""
    resources = sorted(tree.remaining) if request is None else sorted(request.requests)
    shape = resolve_shape(tree, request.topology) if request is not None else None
    verdicts = judge_leaves(tree, request.nodes) if request is not None else None
    if (
        request is None
        or shape is None
        or verdicts is None
        or isinstance(shape, TopologyReason)
        or isinstance(verdicts, InvalidSelector)
    ):
        return TreeSummary(tree.levels, _domains(tree, resources, None))
    counts = count_fits(tree, request, shape, tree.remaining, assumed or {}, verdicts, None)
    excluded: dict[str, list[Values]] = {}
    for leaf, pods in enumerate(counts[-1].pods):
        why = verdicts.excluded.get(leaf)
        if why is None and pods == 0:
            scarce = scarcest_resource(request.requests, tree.remaining, leaf, (assumed or {}).get(leaf))
            why = f"resource:{scarce}" if scarce else None
        if why is not None:
            excluded.setdefault(why, []).append(tree.values[-1][leaf])
    return TreeSummary(
        tree.levels,
        _domains(tree, resources, counts),
        shape.level,
        _best(tree, request, shape, counts),
        excluded,
    )


def _domains(
    tree: TopologyTree, resources: list[str], counts: list[LevelCounts] | None
) -> list[list[DomainSummary]]:
    levels = []
    for level, values in enumerate(tree.values):
        level_counts = counts[level] if counts else None
        levels.append([_domain(tree, level, i, resources, level_counts) for i in range(len(values))])
    return levels


def _domain(
    tree: TopologyTree, level: int, domain: int, resources: list[str], counts: LevelCounts | None
) -> DomainSummary:
    leaves = tree.leaf_range(level, domain)
    here = slice(leaves.start, leaves.stop)

    def total(columns: dict[str, list[int]]) -> dict[str, int]:
        return {r: sum(columns[r][here]) if r in columns else 0 for r in resources}

    capacity, free, remaining = total(tree.capacity), total(tree.free), total(tree.remaining)
    return DomainSummary(
        values=tree.values[level][domain],
        nodes=len(leaves),
        capacity=capacity,
        plain={r: capacity[r] - free[r] for r in resources},
        used={r: free[r] - remaining[r] for r in resources},
        remaining=remaining,
        pods=counts.pods[domain] if counts else 0,
        slices=counts.slices[domain] if counts else 0,
        leaders=counts.leaders[domain] if counts else 0,
    )


def _best(tree: TopologyTree, request: PlacementRequest, shape: Shape, counts: list[LevelCounts]) -> int:
    search = Search(tree, shape, counts, request.count, 1 if request.leader is not None else 0)
    search.best_fit = True  # the roomiest first, also where LeastFree would start with the smallest
    return search.ordered_for_leader(shape.level, range(len(tree.values[shape.level])))[0]


def hidden_nodes(tree: TopologyTree, flavor: ResourceFlavor, nodes: Iterable[Node]) -> dict[str, str]:
    """Nodes that do not exist for a flavor (1), each with the first reason.

    `unschedulable`, `not-ready`, `label:KEY` (a node label of the flavor is missing or another) or
    `level:KEY` (a level of the Topology is missing, trap T17).
    """
    hidden: dict[str, str] = {}
    for node in nodes:
        why = _why_hidden(tree, flavor, node)
        if why is not None:
            hidden[node.metadata.name] = why
    return hidden


def _why_hidden(tree: TopologyTree, flavor: ResourceFlavor, node: Node) -> str | None:
    if node.spec.unschedulable:
        return "unschedulable"
    if not usable(node):
        return "not-ready"
    labels = node.metadata.labels
    for key, value in flavor.spec.node_labels.items():
        if labels.get(key) != value:
            return f"label:{key}"
    for key in tree.levels:
        if key not in labels:
            return f"level:{key}"
    return None
