"""Trees of the topology tests, written short, and what must hold when a tree is built from nodes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyForest, build_forest
from kubectl_kueue.engine.topology.summary import hidden_nodes
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.objects import (
    Node,
    Pod,
    PodSetTopologyRequest,
    PodSpec,
    ResourceFlavor,
    Toleration,
    Topology,
)
from kubectl_kueue.model.world import World

CASES = Path(__file__).parent.parent / "cases" / "topology"
KEYS = {"block": "cloud.com/block", "rack": "cloud.com/rack", "host": "kubernetes.io/hostname"}
LEVELS = ["block", "rack", "host"]


def read_cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file, each with the tree that it names."""
    document = yaml.safe_load((CASES / f"{name}.yaml").read_text())
    trees = document.get("trees", {})
    return [{**case, "nodes": case.get("nodes") or trees[case["tree"]]} for case in document["cases"]]


def forest_of(case: Mapping[str, Any]) -> TopologyForest:
    """One forest: `flavors` (name -> extra fields of its spec) over the nodes, pods and gates of a case."""
    return build_forest(world_of(case))


def world_of(case: Mapping[str, Any]) -> World:
    levels = [KEYS[level] for level in case.get("levels", LEVELS)]
    flavors = case.get("flavors", {"tas": {}})
    return World(
        now=0,
        gates=Gates(case.get("gates")),
        topologies={"default": _object(Topology, "default", levels=[{"nodeLabel": key} for key in levels])},
        resource_flavors={
            name: _object(ResourceFlavor, name, topologyName="default", nodeLabels={"tas": "yes"}, **spec)
            for name, spec in flavors.items()
        },
        nodes={node.metadata.name: node for node in map(_node, *zip(*case["nodes"].items(), strict=True))},
        pods={f"default/{i}": msgspec.convert(pod, Pod) for i, pod in enumerate(case.get("pods", ()))},
    )


def _object(kind: Any, name: str, **spec: Any) -> Any:
    return msgspec.convert({"metadata": {"name": name}, "spec": spec}, kind)


def _node(path: str, node: Any) -> Node:
    """`b1/r1/x1: 4` is a ready host with 4 cpu; a mapping adds allocatable, labels, taints and more."""
    node = dict(node) if isinstance(node, dict) else {"cpu": node}
    values = path.split("/")
    labels = dict(zip(KEYS.values(), values, strict=False))
    spec = {"taints": [_taint(text) for text in node.pop("taints", ())]}
    spec["unschedulable"] = node.pop("unschedulable", False)
    labels = {"tas": "yes", **labels, **node.pop("labels", {})}
    ready = node.pop("ready", "True")
    document = {
        "metadata": {
            "name": node.pop("name", values[-1]),
            "labels": {key: value for key, value in labels.items() if value is not None},
        },
        "spec": spec,
        "status": {
            "allocatable": {k: str(v) for k, v in {"pods": 110, **node}.items() if v is not None},
            "conditions": [{"type": "Ready", "status": ready}],
        },
    }
    return msgspec.convert(document, Node)


def _taint(text: str) -> dict[str, str]:
    left, effect = text.rsplit(":", 1)
    key, _, value = left.partition("=")
    return {"key": key, "value": value, "effect": effect}


def topology_of(request: Mapping[str, Any]) -> PodSetTopologyRequest | None:
    """`required`, `preferred`, `unconstrained`, `slices: [level, size]`, `layers`; None if there are none."""
    document: dict[str, Any] = {}
    for field in ("required", "preferred"):
        if field in request:
            document[field] = _key(request[field])
    if "unconstrained" in request:
        document["unconstrained"] = request["unconstrained"]
    if "slices" in request:
        level, size = request["slices"]
        document["podSetSliceRequiredTopology"] = _key(level)
        document["podSetSliceSize"] = size
    if "layers" in request:
        document["podsetSliceRequiredTopologyConstraints"] = [
            {"topology": _key(level), "size": size} for level, size in request["layers"]
        ]
    if "sliceSize" in request:
        document["podSetSliceSize"] = request["sliceSize"]
    if "group" in request:
        document["podSetGroupName"] = request["group"]
    return msgspec.convert(document, PodSetTopologyRequest) if document else None


def _key(level: str) -> str:
    return KEYS.get(level, level)


def pod_of(requests: Mapping[str, Any], **spec: Any) -> PodSpec:
    """A pod template with one container."""
    container = {"resources": {"requests": {k: str(v) for k, v in requests.items()}}}
    return msgspec.convert({"containers": [container], **spec}, PodSpec)


def tolerations_of(documents: Any) -> tuple[Toleration, ...]:
    return tuple(msgspec.convert(document, Toleration) for document in documents)


TREE: dict[str, Any] = {
    "nodes": {
        "b1/r1/x2": 4,
        "b1/r1/x1": {"cpu": "3500m", "memory": "1Gi"},
        "b1/r10/x3": 1,
        "b1/r2/x4": 2,
        "b2/r1/x5": 8,
        "b1/r1/cordoned": {"cpu": 4, "unschedulable": True},
        "b1/r1/down": {"cpu": 4, "ready": "Unknown"},
        "b1/r1/other": {"cpu": 4, "labels": {"tas": "no"}},
        "b1/r1/bare": {"cpu": 4, "labels": {"cloud.com/rack": None}},
    }
}


def test_domains_are_in_the_order_of_their_values() -> None:
    tree = forest_of(TREE).trees["tas"]
    assert tree.values[0] == [("b1",), ("b2",)]
    assert tree.values[1] == [("b1", "r1"), ("b1", "r10"), ("b1", "r2"), ("b2", "r1")]
    assert [values[-1] for values in tree.values[2]] == ["x1", "x2", "x3", "x4", "x5"]
    assert tree.children == [[(0, 3), (3, 4)], [(0, 2), (2, 3), (3, 4), (4, 5)]]
    assert [tree.leaf_range(0, i) for i in (0, 1)] == [range(4), range(4, 5)]
    assert [tree.ancestor(leaf, 1) for leaf in range(5)] == [0, 0, 1, 2, 3]


def test_capacity_is_in_canonical_units() -> None:
    tree = forest_of(TREE).trees["tas"]
    assert tree.capacity["cpu"] == [3500, 4000, 1000, 2000, 8000]
    assert tree.capacity["memory"] == [2**30, 0, 0, 0, 0]


def test_why_a_node_is_not_in_the_tree() -> None:
    world = world_of(TREE)
    tree = forest_of(TREE).trees["tas"]
    assert hidden_nodes(tree, world.resource_flavors["tas"], world.nodes.values()) == {
        "cordoned": "unschedulable",
        "down": "not-ready",
        "other": "label:tas",
        "bare": "level:cloud.com/rack",
    }


def test_hosts_of_one_name_are_one_leaf() -> None:
    twins = {
        "b1/r1/x": {"cpu": 1, "name": "one"},
        "b1/r2/x": {"cpu": 2, "name": "two", "taints": ["gpu:NoSchedule"]},
    }
    tree = forest_of({"nodes": twins}).trees["tas"]
    assert tree.values[-1] == [("b1", "r1", "x")]
    assert tree.capacity["cpu"] == [3000]
    assert tree.nodes[0].metadata.name == "one"


def test_a_leaf_without_hostname_holds_many_nodes() -> None:
    tree = forest_of({**TREE, "levels": ["block", "rack"]}).trees["tas"]
    assert tree.capacity["cpu"] == [7500, 1000, 2000, 8000]
    assert tree.stored_levels == ("cloud.com/block", "cloud.com/rack")
    assert tree.leaf(("b1", "r10")) == 1
    assert tree.leaf(("r10",)) is None


def test_merged_placements_are_in_the_order_of_the_tree() -> None:
    tree = forest_of(TREE).trees["tas"]

    def hosts(**counts: int) -> TopologyPlacement:
        return TopologyPlacement(tree.stored_levels, tuple(((host,), n) for host, n in counts.items()))

    assert tree.merged(hosts(x5=1, x3=1), hosts(x4=1, x5=2)) == hosts(x3=1, x4=1, x5=3)
    assert tree.merged(hosts(x4=1), hosts(x3=1, x2=1)) == hosts(x2=1, x3=1, x4=1)


def test_no_topology_no_tree() -> None:
    world = world_of(TREE)
    assert not build_forest(msgspec.structs.replace(world, topologies={})).trees
    off = Gates({"TopologyAwareScheduling": False})
    assert not build_forest(msgspec.structs.replace(world, gates=off)).trees
