"""One placement in one tree: the cases of tests/cases/topology, a tree, a request and what comes of it."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.requests import pod_requests
from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyForest, TopologyUsage, with_pod
from kubectl_kueue.engine.topology.placement import Failed, Placed, place
from kubectl_kueue.engine.topology.reasons import TopologyReason
from kubectl_kueue.engine.topology.replacement import replace_node
from kubectl_kueue.engine.topology.request import PlacementRequest, node_filter
from kubectl_kueue.model.objects import PodSetUpdate
from tests.unit.test_topology_trees import forest_of, pod_of, read_cases, topology_of


@pytest.mark.parametrize(
    "case",
    [
        case
        for name in ("pods", "slices", "leader", "nodes", "requests", "balanced")
        for case in read_cases(name)
    ],
    ids=lambda case: case["name"],
)
def test_placement(case: dict[str, Any]) -> None:
    forest = forest_of(case)
    occupy(forest, case.get("used", {}))
    result = place(
        forest.trees["tas"], request_of(case["request"]), simulate_empty=case.get("simulateEmpty", False)
    )
    check(case, result)


@pytest.mark.parametrize("case", read_cases("replacement"), ids=lambda case: case["name"])
def test_replacement(case: dict[str, Any]) -> None:
    forest = forest_of(case)
    tree = forest.trees["tas"]
    current = placement_of(forest, case["current"])
    request = request_of({"count": current.pods, **case["request"]})
    forest.admit([TopologyUsage("tas", current, request.requests)])
    occupy(forest, case.get("used", {}))
    result, added = replace_node(tree, request, current, case["node"])
    check(case, result)
    assert counts_of(added) == case.get("added", {})


def check(case: Mapping[str, Any], result: Placed | Failed) -> None:
    if "fails" in case:
        assert isinstance(result, Failed)
        assert facts_of(result.reason) == case["fails"]
        return
    assert isinstance(result, Placed)
    assert counts_of(result.placement) == case["placed"]
    assert result.placement.pods == sum(case["placed"].values())
    if "leader" in case:
        assert result.leader is not None
        assert counts_of(result.leader) == {case["leader"]: 1}


def request_of(short: Mapping[str, Any]) -> PlacementRequest:
    """`count` pods of 1 cpu unless `pod` says otherwise, with a `leader` pod or none."""
    spec = pod_of(short.get("pod", {"cpu": 1}), **short.get("spec", {}))
    updates = msgspec.convert(short.get("updates", []), list[PodSetUpdate])
    nodes, conflict = node_filter("main", spec, updates)
    leader = short.get("leader")
    return PlacementRequest(
        pod_set="main",
        count=short["count"],
        requests=with_pod(pod_requests(spec)),
        topology=topology_of(short),
        nodes=nodes,
        conflict=conflict,
        leader=None if leader is None else "leader",
        leader_requests={} if leader is None else with_pod(pod_requests(pod_of(leader))),
    )


def occupy(forest: TopologyForest, used: Mapping[str, int]) -> None:
    """Topology-aware pods of 1 cpu that are already there."""
    forest.admit([TopologyUsage("tas", placement_of(forest, used), {"cpu": 1000, "pods": 1})])


def placement_of(forest: TopologyForest, counts: Mapping[str, int]) -> TopologyPlacement:
    levels = forest.trees["tas"].stored_levels
    return TopologyPlacement(levels, tuple((tuple(path.split("/")), n) for path, n in counts.items()))


def counts_of(placement: TopologyPlacement) -> dict[str, int]:
    return {"/".join(values): count for values, count in placement.domains}


def facts_of(reason: TopologyReason) -> dict[str, Any]:
    """Kind and facts; the word for the text where one kind has several."""
    facts = msgspec.json.decode(msgspec.json.encode(reason))
    return {**facts, "what": reason.what} if facts["kind"] in ("topology-other", "other") else facts
