"""What holds for every placement, whatever the tree and the request."""

from collections.abc import Iterator
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.counting import LevelCounts, count_fits, times
from kubectl_kueue.engine.topology.filters import LeafVerdicts
from kubectl_kueue.engine.topology.forest import TopologyForest, TopologyUsage
from kubectl_kueue.engine.topology.placement import Failed, Placed, place
from kubectl_kueue.engine.topology.reasons import NotFit
from kubectl_kueue.engine.topology.request import PlacementRequest, Shape, resolve_shape
from kubectl_kueue.engine.topology.tree import TopologyTree
from tests.unit.test_topology_trees import KEYS, LEVELS, forest_of, topology_of

HOST = KEYS["host"]
GATES = st.fixed_dictionaries({"TASProfileMixed": st.booleans(), "TASBalancedPlacement": st.booleans()})


@st.composite
def forests(draw: st.DrawFn) -> TopologyForest:
    """Up to 12 hosts in up to 3 blocks of up to 3 racks, partly used, some beyond what they have."""
    hosts = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=12))
    nodes = {
        f"b{block}/r{rack}/x{i}": {"cpu": draw(st.integers(0, 6)), "pods": draw(st.sampled_from([2, 4, 110]))}
        for i, (block, rack) in enumerate(hosts)
    }
    forest = forest_of({"nodes": nodes, "gates": draw(GATES)})
    used = draw(st.dictionaries(st.integers(0, len(hosts) - 1), st.integers(1, 3), max_size=4))
    domains = tuple(((f"x{i}",), pods) for i, pods in used.items())
    forest.admit([TopologyUsage("tas", TopologyPlacement((HOST,), domains), {"cpu": 1000, "pods": 1})])
    return forest


@st.composite
def requests(draw: st.DrawFn, leaders: bool = True) -> PlacementRequest:
    """Any well-formed request: required, preferred or unconstrained; slices, layers or a leader."""
    level = draw(st.integers(0, 2))
    kind = draw(st.sampled_from(["required", "preferred", "unconstrained", "implied"]))
    short: dict[str, Any] = {}
    if kind in ("required", "preferred"):
        short = {kind: LEVELS[level]}
    elif kind == "unconstrained":
        short, level = {"unconstrained": True}, 2
    else:
        level = 2
    leader = leaders and kind in ("required", "preferred") and draw(st.booleans())
    size = 1
    if kind in ("required", "preferred") and not leader and draw(st.booleans()):
        slice_level = draw(st.integers(level, 2))
        size = draw(st.integers(1, 4))
        layers = [[LEVELS[slice_level], size]]
        if slice_level < 2:
            inner = draw(st.sampled_from([d for d in range(1, size + 1) if size % d == 0]))
            layers.append([LEVELS[draw(st.integers(slice_level + 1, 2))], inner])
        short["layers"] = layers
    return PlacementRequest(
        pod_set="workers",
        count=size * draw(st.integers(1, 10)),
        requests={"cpu": draw(st.sampled_from([500, 1000, 2000])), "pods": 1},
        topology=topology_of(short),
        leader="leader" if leader else None,
        leader_requests={"cpu": draw(st.sampled_from([0, 1000, 3000])), "pods": 1} if leader else {},
    )


def shape_of(tree: TopologyTree, request: PlacementRequest) -> Shape:
    shape = resolve_shape(tree, request.topology)
    assert isinstance(shape, Shape)
    return shape


def placed_leaves(tree: TopologyTree, placement: TopologyPlacement | None) -> Iterator[tuple[int, int]]:
    for values, count in placement.domains if placement else ():
        leaf = tree.leaf(values)
        assert leaf is not None
        yield leaf, count


@given(forests(), requests())
def test_what_is_placed_fits_and_is_complete(forest: TopologyForest, request: PlacementRequest) -> None:
    tree = forest.trees["tas"]
    result = place(tree, request)
    assume(isinstance(result, Placed))
    assert isinstance(result, Placed)
    shape = shape_of(tree, request)
    assert result.placement.pods == request.count
    assert all(count > 0 for _, count in result.placement.domains)
    taken: dict[int, dict[str, int]] = {}
    for placement, requested in (
        (result.placement, request.requests),
        (result.leader, request.leader_requests),
    ):
        for leaf, count in placed_leaves(tree, placement):
            used = taken.setdefault(leaf, {})
            for resource, amount in requested.items():
                used[resource] = used.get(resource, 0) + amount * count
    for leaf, used in taken.items():
        assert all(tree.remaining[r][leaf] >= amount for r, amount in used.items() if amount)
    if request.leader is not None:
        assert result.leader is not None
        assert result.leader.pods == 1
    if shape.required:
        assert len({tree.ancestor(leaf, shape.level) for leaf in taken}) == 1


@given(forests(), requests(leaders=False))
def test_slices_are_whole_in_every_domain(forest: TopologyForest, request: PlacementRequest) -> None:
    tree = forest.trees["tas"]
    result = place(tree, request)
    assume(isinstance(result, Placed))
    assert isinstance(result, Placed)
    shape = shape_of(tree, request)
    for level, size in shape.layers:
        pods: dict[int, int] = {}
        for leaf, count in placed_leaves(tree, result.placement):
            domain = tree.ancestor(leaf, level)
            pods[domain] = pods.get(domain, 0) + count
        assert all(count % size == 0 for count in pods.values())


@given(forests(), requests(leaders=False))
def test_a_refusal_means_that_there_is_no_room(forest: TopologyForest, request: PlacementRequest) -> None:
    """Without leader and layers: a required request needs one domain, any other the whole tree."""
    tree = forest.trees["tas"]
    shape = shape_of(tree, request)
    assume(len(shape.layers) < 2)
    result = place(tree, request)
    levels = counts_of(tree, request, shape)
    slices = levels[shape.level].slices
    room = max(slices) if shape.required else sum(slices)
    need = request.count // shape.slice_size
    assert isinstance(result, Failed) == (room < need)
    if isinstance(result, Failed):
        assert isinstance(result.reason, NotFit)
        assert (result.reason.fit, result.reason.total) == (room, need)


def counts_of(tree: TopologyTree, request: PlacementRequest, shape: Shape) -> list[LevelCounts]:
    return count_fits(tree, request, shape, tree.remaining, {}, LeafVerdicts({}, None), None)


@given(forests(), requests())
def test_counts_equal_those_of_the_definition(forest: TopologyForest, request: PlacementRequest) -> None:
    tree = forest.trees["tas"]
    shape = shape_of(tree, request)
    levels = counts_of(tree, request, shape)
    for level in range(3):
        counts = levels[level]
        for domain in range(len(tree.values[level])):
            found = (
                counts.pods[domain],
                counts.slices[domain],
                counts.pods_led[domain],
                counts.slices_led[domain],
                counts.leaders[domain],
            )
            assert found == defined(tree, request, shape, level, domain)


def defined(
    tree: TopologyTree, request: PlacementRequest, shape: Shape, level: int, domain: int
) -> tuple[int, int, int, int, int]:
    """pods, slices, the same beside a leader, and leaders, written down as topology.md 3 has it."""
    size = shape.slice_size
    if level == 2:
        pods = beside = times(request.requests, tree.remaining, domain)
        leader = 0
        if request.leader is not None and times(request.leader_requests, tree.remaining, domain) > 0:
            leader = 1
            beside = times(request.requests, tree.remaining, domain, request.leader_requests)
        slices, slices_beside = pods // size, beside // size
    else:
        below = [defined(tree, request, shape, level + 1, c) for c in range(*tree.children[level][domain])]
        unit = shape.inner.get(level + 1, 1)
        whole = [(p - p % unit, b - b % unit) for p, _, b, _, _ in below]
        able = [i for i, child in enumerate(below) if child[4] or request.leader is None]
        pods, slices = sum(p for p, _ in whole), sum(child[1] for child in below)
        leader = max(child[4] for child in below)
        beside = slices_beside = 0
        if able:
            beside = pods - min(whole[i][0] - whole[i][1] for i in able)
            slices_beside = slices - min(below[i][1] - below[i][3] for i in able)
        if level == shape.slice_level:
            slices, slices_beside = pods // size, beside // size
    if level > shape.slice_level:
        slices = slices_beside = 0
    return pods, slices, beside, slices_beside, leader


@given(forests(), requests(), st.data())
def test_simulations_leave_no_trace(
    forest: TopologyForest, request: PlacementRequest, data: st.DataObject
) -> None:
    tree = forest.trees["tas"]
    before = {resource: list(column) for resource, column in tree.remaining.items()}
    marks: list[tuple[int, dict[str, list[int]]]] = []
    for _ in range(data.draw(st.integers(1, 5))):
        marks.append((forest.mark(), {r: list(column) for r, column in tree.remaining.items()}))
        host = data.draw(st.sampled_from([values[-1] for values in tree.values[-1]] + ["gone"]))
        placement = TopologyPlacement((HOST,), (((host,), data.draw(st.integers(1, 3))),))
        change = forest.add if data.draw(st.booleans()) else forest.remove
        change([TopologyUsage("tas", placement, request.requests)])
        place(tree, request)
    mark, state = data.draw(st.sampled_from(marks))
    forest.undo(mark)
    assert tree.remaining == state
    forest.undo()
    assert tree.remaining == before


@given(forests(), requests())
def test_an_empty_cluster_takes_at_least_as_much(forest: TopologyForest, request: PlacementRequest) -> None:
    """Best fit and balance may choose otherwise, but what fits beside others fits alone."""
    tree = forest.trees["tas"]
    if isinstance(place(tree, request), Placed):
        assert isinstance(place(tree, request, simulate_empty=True), Placed)
