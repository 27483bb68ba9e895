"""What topology-aware pods take from the trees, for good and within a cycle (topology.md 1.1, 7)."""

from typing import Any

import pytest

from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyForest, TopologyUsage
from kubectl_kueue.engine.topology.summary import summarize
from kubectl_kueue.engine.topology.workload import excess, held_usages
from tests.unit.test_topology_placement import request_of
from tests.unit.test_topology_trees import forest_of, pod_of

HOST = "kubernetes.io/hostname"
TWO_FLAVORS: dict[str, Any] = {
    "nodes": {"b1/r1/x1": 4, "b1/r1/x2": 4},
    "flavors": {"one": {}, "two": {}},
}


def usage(flavor: str, host: str, pods: int, requests: dict[str, int] | None = None) -> TopologyUsage:
    placement = TopologyPlacement((HOST,), (((host,), pods),))
    return TopologyUsage(flavor, placement, requests or {"cpu": 1000, "pods": 1})


def free(forest: TopologyForest, flavor: str) -> list[int]:
    return forest.trees[flavor].remaining["cpu"]


def test_admitted_pods_are_seen_by_all_flavors_over_the_same_hosts() -> None:
    forest = forest_of(TWO_FLAVORS)
    forest.admit([usage("one", "x1", 3)])
    assert free(forest, "one") == free(forest, "two") == [1000, 4000]
    forest.release([usage("one", "x1", 2)])
    assert free(forest, "one") == free(forest, "two") == [3000, 4000]


def test_with_the_gate_off_each_flavor_sees_its_own() -> None:
    forest = forest_of({**TWO_FLAVORS, "gates": {"TASHandleOverlappingFlavors": False}})
    forest.admit([usage("one", "x1", 3)])
    assert free(forest, "one") == [1000, 4000]
    assert free(forest, "two") == [4000, 4000]


def test_without_hostname_level_each_flavor_sees_its_own() -> None:
    forest = forest_of({**TWO_FLAVORS, "levels": ["block", "rack"]})
    placement = TopologyPlacement(("cloud.com/block", "cloud.com/rack"), ((("b1", "r1"), 2),))
    forest.admit([TopologyUsage("one", placement, {"cpu": 1000, "pods": 1})])
    assert free(forest, "one") == [6000]
    assert free(forest, "two") == [8000]


def test_changes_of_the_cycle_touch_one_flavor_and_can_be_taken_back() -> None:
    forest = forest_of(TWO_FLAVORS)
    forest.admit([usage("one", "x1", 1)])
    forest.add([usage("one", "x2", 4)])
    mark = forest.mark()
    forest.remove([usage("one", "x1", 1), usage("two", "x1", 2)])
    forest.add([usage("one", "x1", 1, {"cpu": 500, "example.com/foo": 3})])
    assert free(forest, "one") == [3500, 0]
    assert free(forest, "two") == [5000, 4000]
    assert forest.trees["one"].remaining["example.com/foo"] == [-3, 0]
    forest.undo(mark)
    assert free(forest, "one") == [3000, 0]
    assert forest.trees["one"].remaining["example.com/foo"] == [0, 0]
    forest.undo()
    assert free(forest, "one") == free(forest, "two") == [3000, 4000]


def test_nothing_is_settled_while_a_cycle_is_simulated() -> None:
    forest = forest_of(TWO_FLAVORS)
    forest.add([usage("one", "x1", 1)])
    with pytest.raises(RuntimeError, match="undone first"):
        forest.admit([usage("one", "x1", 1)])


def test_unknown_domains_and_flavors_are_ignored() -> None:
    forest = forest_of(TWO_FLAVORS)
    forest.admit([usage("one", "gone", 3), usage("none", "x1", 3)])
    forest.add([usage("one", "gone", 3), usage("none", "x1", 3)])
    assert free(forest, "one") == [4000, 4000]


@pytest.mark.parametrize(
    ("host", "pods", "requests", "fits"),
    [
        ("x1", 4, {"cpu": 1000, "pods": 1}, True),
        ("x1", 5, {"cpu": 1000, "pods": 1}, False),
        ("gone", 1, {"cpu": 1000, "pods": 1}, False),
        ("x1", 4, {"cpu": 1000, "pods": 50}, True),  # the pods resource is not looked at (T8)
        ("x1", 1, {"pods": 1}, False),  # nor does a pod without requests ever pass
        ("x1", 1, {"example.com/foo": 1, "pods": 1}, False),
        ("x1", 9, {"cpu": 0, "pods": 1}, True),
    ],
)
def test_the_check_of_the_cycle(host: str, pods: int, requests: dict[str, int], fits: bool) -> None:
    forest = forest_of(TWO_FLAVORS)
    assert forest.fits_now(usage("one", host, pods, requests)) is fits


def test_the_check_of_the_cycle_takes_each_podset_alone() -> None:
    forest = forest_of(TWO_FLAVORS)
    large = {"cpu": 3000, "pods": 1}
    leader, workers = usage("one", "x1", 1, large), usage("one", "x1", 1, large)
    assert forest.fits_now(leader)
    assert forest.fits_now(workers)
    forest.add([leader])
    assert not forest.fits_now(workers)


def test_what_a_workload_holds() -> None:
    forest = forest_of(TWO_FLAVORS)
    placement = TopologyPlacement((HOST,), ((("x1",), 2),))
    pod = pod_of({"cpu": "500m"})
    held = held_usages(
        forest,
        [
            ({"cpu": "one", "memory": "plain"}, placement, pod),
            ({"cpu": "one"}, None, pod),
            ({"cpu": "plain"}, placement, pod),
        ],
    )
    assert held == [TopologyUsage("one", placement, {"cpu": 500, "pods": 1})]


def test_a_second_pass_takes_only_what_it_did_not_hold() -> None:
    new = TopologyUsage("one", TopologyPlacement((HOST,), ((("x1",), 3), (("x2",), 1))), {"cpu": 1})
    old = TopologyPlacement((HOST,), ((("x1",), 2), (("x2",), 1), (("x3",), 1)))
    assert excess(new, old).placement.domains == ((("x1",), 1),)
    assert excess(new, None) == new


def test_scores_are_for_the_first_placement_in_a_cycle() -> None:
    forest = forest_of(TWO_FLAVORS)
    assert forest.first_placement("ns/a", "main", "one")
    assert not forest.first_placement("ns/a", "main", "one")
    assert forest.first_placement("ns/a", "main", "two")
    assert forest.first_placement("ns/b", "main", "one")
    forest.begin_cycle()
    assert forest.first_placement("ns/a", "main", "one")


def test_a_summary_tells_what_is_where() -> None:
    forest = forest_of(
        {
            "nodes": {
                "b1/r1/x1": 4,
                "b1/r1/x2": 2,
                "b1/r2/x3": {"cpu": 8, "taints": ["gpu=x:NoSchedule"]},
                "b1/r2/x4": 1,
            },
            "pods": [{"spec": {"nodeName": "x1", "containers": [{"resources": {"requests": {"cpu": 1}}}]}}],
        }
    )
    forest.admit([usage("tas", "x1", 2), usage("tas", "x4", 1)])
    summary = summarize(forest.trees["tas"], request_of({"count": 9, "required": "rack"}))
    (block,), racks, hosts = summary.domains
    assert (block.capacity["cpu"], block.plain["cpu"], block.used["cpu"]) == (15000, 1000, 3000)
    assert (block.remaining["cpu"], block.nodes, block.pods) == (11000, 4, 3)
    assert [rack.pods for rack in racks] == [3, 0]
    assert [host.pods for host in hosts] == [1, 2, 0, 0]
    assert (summary.level, summary.best) == (1, 0)
    assert summary.excluded == {
        "taint:gpu=x:NoSchedule": [("b1", "r2", "x3")],
        "resource:cpu": [("b1", "r2", "x4")],
    }


def test_a_summary_without_a_request_tells_all_resources() -> None:
    tree = forest_of(TWO_FLAVORS).trees["one"]
    summary = summarize(tree)
    assert summary.level is None
    assert summary.domains[0][0].capacity == {"cpu": 8000, "pods": 220}
    odd = summarize(tree, request_of({"count": 1, "required": "row"}))
    assert (odd.level, odd.domains[0][0].capacity) == (None, {"cpu": 8000, "pods": 220})
