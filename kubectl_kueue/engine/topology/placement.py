"""Where do the pods of one podSet go? One placement in one tree (topology.md 3, 4, 6, 10)."""

import msgspec

from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.balanced import place_balanced
from kubectl_kueue.engine.topology.counting import Assumed, count_fits, scarcest_resource
from kubectl_kueue.engine.topology.filters import LeafVerdicts, judge_leaves
from kubectl_kueue.engine.topology.reasons import (
    InvalidSelector,
    LayerFit,
    NotFit,
    NotFitMultilayer,
    TopologyReason,
)
from kubectl_kueue.engine.topology.request import PlacementRequest, resolve_shape
from kubectl_kueue.engine.topology.search import (
    Search,
    Share,
    Shortage,
    descend,
    find_domains,
    share_start,
)
from kubectl_kueue.engine.topology.tree import TopologyTree


class Placed(msgspec.Struct, frozen=True):
    """Domains of the workers, and of the leader if there is one."""

    placement: TopologyPlacement
    leader: TopologyPlacement | None = None


class Failed(msgspec.Struct, frozen=True):
    """The placement is not possible, and why."""

    reason: TopologyReason


def place(
    tree: TopologyTree,
    request: PlacementRequest,
    *,
    simulate_empty: bool = False,
    assumed: Assumed | None = None,
    within: range | None = None,
    scored: bool = True,
    explain: bool = True,
) -> Placed | Failed:
    """Place a podSet (or a group) on the free leaves of a tree; the tree is not changed.

    `simulate_empty` counts as if no topology-aware pod were there. `assumed` is what other podSets of
    the workload take, leaf -> requests. `within` restricts the pods to a range of leaves. `scored`
    lets preferred affinity count. Without `explain` a failure does not say which leaves were excluded.
    """
    if request.conflict is not None:
        return Failed(request.conflict)
    shape = resolve_shape(tree, request.topology)
    if isinstance(shape, TopologyReason):
        return Failed(shape)
    verdicts = judge_leaves(tree, request.nodes)
    if isinstance(verdicts, InvalidSelector):
        return Failed(verdicts)
    if verdicts.scores is not None and not scored:
        verdicts = LeafVerdicts(verdicts.excluded, None)
    state = tree.free if simulate_empty else tree.remaining
    taken = assumed or {}
    levels = count_fits(tree, request, shape, state, taken, verdicts, within)
    search = Search(tree, shape, levels, request.count, 1 if request.leader is not None else 0)
    shares = _search_shares(search)
    if not isinstance(shares, Shortage):
        return _placed(tree, shares, request.leader is not None)
    excluded = {}
    if explain:
        excluded = _exclusions(tree, request, search, verdicts, within, simulate_empty, taken)
    return Failed(_shortage_reason(search, shares, excluded))


def _search_shares(search: Search) -> list[Share] | Shortage:
    shape = search.shape
    if search.tree.gates["TASBalancedPlacement"] and not shape.required and not shape.unconstrained:
        shares = place_balanced(search)
        if shares is not None:
            return shares
    start = find_domains(search, shape.level)
    if isinstance(start, Shortage):
        return start
    return descend(search, start.level, share_start(search, start))


def _placed(tree: TopologyTree, shares: list[Share], with_leader: bool) -> Placed:
    levels = tree.stored_levels
    shares = sorted(shares, key=lambda share: share.domain)
    workers = TopologyPlacement(
        levels, tuple((tree.stored_values(s.domain), s.pods) for s in shares if s.pods > 0)
    )
    if not with_leader:
        return Placed(workers)
    leader = tuple((tree.stored_values(s.domain), s.leaders) for s in shares if s.leaders > 0)
    return Placed(workers, TopologyPlacement(levels, leader))


def _shortage_reason(search: Search, shortage: Shortage, excluded: dict[str, int]) -> TopologyReason:
    tree, shape = search.tree, search.shape
    nodes = tree.leaves if excluded else 0
    if len(shape.layers) > 1:
        layers = _layer_fits(search, shortage.level)
        return NotFitMultilayer(tree.topology, layers, nodes, excluded)
    unit = "slice" if shape.slice_size > 1 else "pod"
    total = search.count // shape.slice_size
    return NotFit(tree.topology, shortage.fit, total, unit, nodes, excluded)


def _layer_fits(search: Search, level: int) -> tuple[LayerFit, ...]:
    """Slices of each layer that fit in the domain with the most outer slices."""
    slices = search.levels[level].slices
    best = max(range(len(slices)), key=slices.__getitem__)
    found = []
    for depth, size in search.shape.layers:
        first, last = best, best + 1
        for children in search.tree.children[level:depth]:
            first, last = children[first][0], children[last - 1][1]
        fit = sum(n // size for n in search.levels[depth].pods[first:last])
        found.append(LayerFit(search.tree.levels[depth], fit, search.count // size))
    return tuple(found)


def _exclusions(
    tree: TopologyTree,
    request: PlacementRequest,
    search: Search,
    verdicts: LeafVerdicts,
    within: range | None,
    simulate_empty: bool,
    assumed: Assumed,
) -> dict[str, int]:
    """Class -> leaves that take no pod for that reason, each leaf in the first class that applies."""
    tally = verdicts.tally()
    state = tree.free if simulate_empty else tree.remaining
    for leaf, pods in enumerate(search.levels[-1].pods):
        if pods or leaf in verdicts.excluded:
            continue
        if within is not None and leaf not in within:
            tally["topologyDomain"] += 1
            continue
        scarce = scarcest_resource(request.requests, state, leaf, assumed.get(leaf))
        if scarce is not None:
            tally[f"resource:{scarce}"] += 1
    return dict(sorted(tally.items()))
