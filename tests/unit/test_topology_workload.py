"""Placing whole workloads: which podSets, where, in which order, and who is named when it fails.

Cases of tests/cases/topology/workloads.yaml; a podSet is written like a request of the other files,
with its name and flavors.
"""

from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyForest, TopologyUsage
from kubectl_kueue.engine.topology.plan import (
    PlacementPlan,
    PodSetToPlace,
    QueueTopology,
    plan_placements,
)
from kubectl_kueue.engine.topology.workload import place_workload
from kubectl_kueue.model.objects import PodSetUpdate
from tests.unit.test_topology_placement import counts_of, facts_of
from tests.unit.test_topology_trees import forest_of, pod_of, read_cases, topology_of


@pytest.mark.parametrize("case", read_cases("workloads"), ids=lambda case: case["name"])
def test_workload(case: dict[str, Any]) -> None:
    forest = forest_of(case)
    hold(forest, case)
    plan = plan_of(forest, case)
    assert {name: error.what for name, error in plan.errors.items()} == case.get("errors", {})
    assert list(plan.delayed) == case.get("delayed", [])
    result = place_workload(forest, plan, simulate_empty=case.get("simulateEmpty", False))
    assert {name: counts_of(usage.placement) for name, usage in result.placed.items()} == case.get(
        "placed", {}
    )
    assert result.failed == case.get("failed")
    if "why" in case:
        assert facts_of(result.failures[case["failed"]]) == case["why"]
    assert list(result.failures) == case.get("failures", [case["failed"]] if "failed" in case else [])


def plan_of(forest: TopologyForest, case: dict[str, Any]) -> PlacementPlan:
    queue = msgspec.convert({"flavors": list(forest.trees), **case.get("queue", {})}, QueueTopology)
    return plan_placements(
        forest,
        queue,
        "default/w",
        [pod_set_of(short) for short in case["podSets"]],
        reserved=case.get("reserved", False),
        unhealthy=case.get("unhealthy", ()),
        elastic=case.get("elastic", False),
    )


def pod_set_of(short: dict[str, Any]) -> PodSetToPlace:
    return PodSetToPlace(
        name=short["name"],
        count=short.get("count", 1),
        spec=pod_of(short.get("pod", {"cpu": 1}), **short.get("spec", {})),
        topology=topology_of(short),
        flavors=short.get("flavors", {"cpu": "tas"}),
        updates=msgspec.convert(short.get("updates", []), list[PodSetUpdate]),
        current=placement(short.get("current")),
        previous=placement(short.get("previous")),
    )


def placement(counts: dict[str, int] | None) -> TopologyPlacement | None:
    if counts is None:
        return None
    return TopologyPlacement(("kubernetes.io/hostname",), tuple(((host,), n) for host, n in counts.items()))


def hold(forest: TopologyForest, case: dict[str, Any]) -> None:
    """What the workload, or the slice that it replaces, holds already: pods of 1 cpu."""
    held = [placement(p.get("current") or p.get("previous")) for p in case["podSets"]]
    forest.admit(TopologyUsage("tas", p, {"cpu": 1000, "pods": 1}) for p in held if p is not None)


def test_preferred_affinity_counts_once_in_a_cycle() -> None:
    prefers = {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}
    case = {
        "nodes": {"b1/r1/x1": 4, "b1/r1/x2": {"cpu": 4, "labels": {"disk": "ssd"}}},
        "gates": {"TASRespectNodeAffinityPreferred": True},
        "podSets": [
            {
                "name": "main",
                "preferred": "host",
                "spec": {
                    "affinity": {
                        "nodeAffinity": {
                            "preferredDuringSchedulingIgnoredDuringExecution": [
                                {"weight": 1, "preference": prefers}
                            ]
                        }
                    }
                },
            }
        ],
    }
    forest = forest_of(case)
    plan = plan_of(forest, case)
    hosts = [counts_of(place_workload(forest, plan).placed["main"].placement) for _ in range(2)]
    assert hosts == [{"x2": 1}, {"x1": 1}]
    forest.begin_cycle()
    assert counts_of(place_workload(forest, plan).placed["main"].placement) == {"x2": 1}


def test_a_search_may_ask_without_reasons() -> None:
    case = {"nodes": {"b1/r1/x1": 0}, "podSets": [{"name": "main", "required": "rack"}]}
    forest = forest_of(case)
    plan = plan_of(forest, case)
    told, silent = (place_workload(forest, plan, explain=explain) for explain in (True, False))
    assert facts_of(told.failures["main"])["excluded"] == {"resource:cpu": 1}
    assert "excluded" not in facts_of(silent.failures["main"])


def test_placing_changes_nothing() -> None:
    case = {"nodes": {"b1/r1/x1": 4}, "podSets": [{"name": "main", "count": 3, "required": "rack"}]}
    forest = forest_of(case)
    before = {r: list(column) for r, column in forest.trees["tas"].remaining.items()}
    usages = place_workload(forest, plan_of(forest, case)).usages
    assert forest.trees["tas"].remaining == before
    forest.add(usages)
    assert forest.trees["tas"].remaining["cpu"] == [1000]
