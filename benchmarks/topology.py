"""How long does topology-aware placement take on a large cluster?

    python -m benchmarks.topology [NODES]

Builds a tree of block, rack and host over NODES nodes (5,000 by default), half of them partly used,
and places requests of every kind in it. Limits: build 0.5 s, one placement 40 ms (first use of a
node filter included). Exits with 1 if one is exceeded.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyForest, TopologyUsage, build_forest
from kubectl_kueue.engine.topology.placement import place
from kubectl_kueue.engine.topology.request import NodeFilter, PlacementRequest
from kubectl_kueue.engine.topology.tree import TopologyTree
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.objects import (
    Condition,
    Node,
    NodeSpec,
    NodeStatus,
    ObjectMeta,
    PodSetTopologyRequest,
    ResourceFlavor,
    ResourceFlavorSpec,
    Taint,
    Topology,
    TopologyLevel,
    TopologySpec,
)
from kubectl_kueue.model.world import World

BLOCK, RACK, HOST = "cloud.com/block", "cloud.com/rack", "kubernetes.io/hostname"
BUILD_LIMIT, PLACEMENT_LIMIT = 0.5, 0.040


def main(nodes: int) -> int:
    world = large_world(nodes)
    forest, build = timed(lambda: build_forest(world), 3)
    print(f"{nodes} nodes\nbuild {build * 1000:8.1f} ms")
    occupy(forest)
    slowest = 0.0
    for name, request, gates in requests(nodes):
        tree = forest.trees["tas"]
        tree.gates = Gates(gates)

        result, seconds = timed(partial(place_anew, tree, request), 5)
        slowest = max(slowest, seconds)
        print(f"{name:32} {seconds * 1000:8.1f} ms  {type(result).__name__}")
    return 1 if build > BUILD_LIMIT or slowest > PLACEMENT_LIMIT else 0


def place_anew(tree: TopologyTree, request: PlacementRequest) -> object:
    """One placement that remembers nothing about node filters."""
    tree.verdicts.clear()
    return place(tree, request)


def timed(work: Callable[[], object], rounds: int) -> tuple[object, float]:
    """The result and the shortest of some runs."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return result, best


def large_world(count: int) -> World:
    """`count` nodes of 20 hosts a rack and 10 racks a block, every tenth tainted."""
    nodes = {}
    for i in range(count):
        labels = {BLOCK: f"b{i // 200}", RACK: f"r{i // 20}", HOST: f"h{i}", "pool": "tas"}
        spec = NodeSpec(taints=[Taint(key="gpu", value="x", effect="NoSchedule")] if i % 10 == 0 else [])
        allocatable = {"cpu": "96", "memory": f"{384 + i % 7}Gi", "nvidia.com/gpu": "8", "pods": "110"}
        status = NodeStatus(allocatable=allocatable, conditions=[Condition(type="Ready", status="True")])
        nodes[f"h{i}"] = Node(metadata=ObjectMeta(name=f"h{i}", labels=labels), spec=spec, status=status)
    levels = [TopologyLevel(node_label=key) for key in (BLOCK, RACK, HOST)]
    flavor = ResourceFlavor(
        metadata=ObjectMeta(name="tas"),
        spec=ResourceFlavorSpec(node_labels={"pool": "tas"}, topology_name="default"),
    )
    topology = Topology(metadata=ObjectMeta(name="default"), spec=TopologySpec(levels=levels))
    return World(
        now=0, nodes=nodes, topologies={"default": topology}, resource_flavors={"tas": flavor}, gates=Gates()
    )


def occupy(forest: TopologyForest) -> None:
    """Use every other host, each a little differently."""
    tree = forest.trees["tas"]
    pod = {"cpu": 4000, "memory": 2**34, "nvidia.com/gpu": 1, "pods": 1}
    domains = tuple((tree.stored_values(leaf), 1 + leaf % 8) for leaf in range(0, tree.leaves, 2))
    forest.admit([TopologyUsage("tas", TopologyPlacement((HOST,), domains), pod)])


def requests(nodes: int) -> list[tuple[str, PlacementRequest, dict[str, bool]]]:
    pod = {"cpu": 4000, "memory": 2**34, "nvidia.com/gpu": 1, "pods": 1}
    many = nodes * 2

    def request(count: int, **topology: object) -> PlacementRequest:
        return PlacementRequest(
            pod_set="main", count=count, requests=pod, topology=PodSetTopologyRequest(**topology)
        )

    with_leader = PlacementRequest(
        pod_set="worker",
        count=100,
        requests=pod,
        topology=PodSetTopologyRequest(preferred=RACK),
        leader="leader",
        leader_requests={"cpu": 8000, "pods": 1},
    )
    selective = PlacementRequest(
        pod_set="main",
        count=100,
        requests=pod,
        topology=PodSetTopologyRequest(required=BLOCK),
        nodes=NodeFilter(node_selector={"pool": "tas", RACK: "r7"}),
    )
    slices = {"pod_set_slice_required_topology": RACK, "pod_set_slice_size": 8}
    return [
        ("required rack", request(60, required=RACK), {}),
        ("required block, fails", request(100_000, required=BLOCK), {}),
        ("preferred block, spreads", request(many, preferred=BLOCK), {}),
        ("unconstrained, one host", request(6, unconstrained=True), {}),
        ("unconstrained, many hosts", request(many, unconstrained=True), {}),
        ("slices of 8 at the rack", request(800, preferred=BLOCK, **slices), {}),
        ("leader and workers", with_leader, {}),
        ("node selector", selective, {}),
        ("balanced, preferred block", request(400, preferred=BLOCK), {"TASBalancedPlacement": True}),
        ("balanced, preferred rack", request(60, preferred=RACK), {"TASBalancedPlacement": True}),
    ]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
