"""All topology trees of a run, and the pods that topology-aware workloads have in them (topology.md 1.1).

Usage changes in two ways. Workloads admitted or gone for good change it between cycles, with
`admit` and `release`: hosts are then shared by all hostname-based flavors (gate
TASHandleOverlappingFlavors). Changes within a cycle, `add` and `remove`, touch only the flavor
concerned (trap T18) and are written down, so that `undo` takes them back.
"""

from collections.abc import Iterable, Mapping

import msgspec

from kubectl_kueue.engine.requests import pod_requests
from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.counting import times
from kubectl_kueue.engine.topology.tree import Amounts, TopologyTree, build_tree
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.objects import Node, Pod
from kubectl_kueue.model.quantity import request
from kubectl_kueue.model.world import World

TOPOLOGY_ANNOTATIONS = frozenset(
    f"kueue.x-k8s.io/podset-{name}"
    for name in (
        "required-topology",
        "preferred-topology",
        "unconstrained-topology",
        "slice-required-topology",
        "slice-required-topology-constraints",
    )
)


class TopologyUsage(msgspec.Struct, frozen=True):
    """Pods of one podSet in the domains of one flavor; `requests` are those of one pod with `pods: 1`."""

    flavor: str
    placement: TopologyPlacement
    requests: Amounts


class TopologyForest:
    """One tree per flavor whose Topology is known; see the module's first lines."""

    __slots__ = ("_journal", "_scored", "gates", "trees")

    def __init__(self, gates: Gates, trees: dict[str, TopologyTree]) -> None:
        self.gates = gates
        self.trees = trees
        self._journal: list[tuple[TopologyTree, int, Amounts, int]] = []
        self._scored: set[tuple[str, str, str]] = set()

    def admit(self, usages: Iterable[TopologyUsage]) -> None:
        """A workload holds these pods from now on. Only between cycles, with nothing left to undo."""
        self._settle(usages, 1)

    def release(self, usages: Iterable[TopologyUsage]) -> None:
        """A workload that held these pods is gone. Only between cycles, with nothing left to undo."""
        self._settle(usages, -1)

    def _settle(self, usages: Iterable[TopologyUsage], sign: int) -> None:
        if self._journal:
            raise RuntimeError("changes within the cycle must be undone first")
        for usage in usages:
            for tree in self.sharing(usage.flavor):
                for values, count in usage.placement.domains:
                    leaf = tree.leaf(values)
                    if leaf is not None:
                        tree.take(leaf, usage.requests, sign * count)

    def sharing(self, flavor: str) -> list[TopologyTree]:
        """The trees in which pods of the flavor are seen by others: its own, or all that know hosts."""
        tree = self.trees.get(flavor)
        if tree is None:
            return []
        if tree.hostname_based and self.gates["TASHandleOverlappingFlavors"]:
            return [t for t in self.trees.values() if t.hostname_based]
        return [tree]

    def begin_cycle(self) -> None:
        """Forget which podSets were scored by preferred affinity (2.2)."""
        self._scored.clear()

    def first_placement(self, workload: str, pod_set: str, flavor: str) -> bool:
        """Whether this podSet is placed on this flavor for the first time in the cycle; asking counts."""
        if not self.gates["TASCacheNodeMatchResults"]:
            return True
        key = (workload, pod_set, flavor)
        if key in self._scored:
            return False
        self._scored.add(key)
        return True

    # --- within a cycle ---------------------------------------------------------------------------

    def add(self, usages: Iterable[TopologyUsage]) -> None:
        """Simulate that these pods take their place."""
        self._simulate(usages, 1)

    def remove(self, usages: Iterable[TopologyUsage]) -> None:
        """Simulate that these pods are gone."""
        self._simulate(usages, -1)

    def _simulate(self, usages: Iterable[TopologyUsage], sign: int) -> None:
        for usage in usages:
            tree = self.trees.get(usage.flavor)
            if tree is None:
                continue
            for values, count in usage.placement.domains:
                leaf = tree.leaf(values)
                if leaf is not None:
                    tree.take(leaf, usage.requests, sign * count)
                    self._journal.append((tree, leaf, usage.requests, sign * count))

    def mark(self) -> int:
        """A point to which `undo` can return."""
        return len(self._journal)

    def undo(self, mark: int = 0) -> None:
        """Take back every change since the mark (by default all of the cycle)."""
        while len(self._journal) > mark:
            tree, leaf, requests, count = self._journal.pop()
            tree.take(leaf, requests, -count)

    def fits_now(self, usage: TopologyUsage) -> bool:
        """The check of the cycle (7): each domain exists and still takes its pods, the pods resource aside.

        Each call stands alone: pods of other podSets of the workload are not added up (trap T9), and
        a podSet without any requests never passes.
        """
        tree = self.trees.get(usage.flavor)
        if tree is None:
            return False
        requests = {r: v for r, v in usage.requests.items() if r != "pods"}
        for values, count in usage.placement.domains:
            leaf = tree.leaf(values)
            if leaf is None or times(requests, tree.remaining, leaf) < count:
                return False
        return True


def build_forest(world: World) -> TopologyForest:
    """The trees of a world, without any usage of topology-aware workloads yet."""
    if not world.gates["TopologyAwareScheduling"]:
        return TopologyForest(world.gates, {})
    laid_out = {
        name: (flavor, world.topologies[flavor.spec.topology_name or ""])
        for name, flavor in sorted(world.resource_flavors.items())
        if flavor.spec.topology_name in world.topologies
    }
    if not laid_out:
        return TopologyForest(world.gates, {})
    used = plain_usage(world.pods.values())
    nodes = [
        (node, {r: request(r, q) for r, q in node.status.allocatable.items()}, used.get(name, {}))
        for name, node in world.nodes.items()
        if usable(node)
    ]
    wanted = {label for flavor, _ in laid_out.values() for label in flavor.spec.node_labels.items()}
    having: dict[tuple[str, str], list[tuple[Node, Amounts, Amounts]]] = {label: [] for label in wanted}
    for entry in nodes:
        for label in wanted & entry[0].metadata.labels.items():
            having[label].append(entry)
    trees = {}
    for name, (flavor, topology) in laid_out.items():
        near = min((having[each] for each in flavor.spec.node_labels.items()), key=len, default=nodes)
        trees[name] = build_tree(flavor, topology, near, world.gates)
    return TopologyForest(world.gates, trees)


def usable(node: Node) -> bool:
    """Whether topology-aware scheduling looks at the node at all: ready, and not cordoned."""
    if node.spec.unschedulable:
        return False
    return any(c.type == "Ready" and c.status == "True" for c in node.status.conditions)


def plain_usage(pods: Iterable[Pod]) -> Mapping[str, dict[str, int]]:
    """Node name -> requests of the pods there that are not topology-aware and not terminated."""
    used: dict[str, dict[str, int]] = {}
    for pod in pods:
        node = pod.spec.node_name
        if not node or pod.status.phase in ("Succeeded", "Failed"):
            continue
        if not TOPOLOGY_ANNOTATIONS.isdisjoint(pod.metadata.annotations):
            continue
        total = used.setdefault(node, {})
        for resource, amount in with_pod(pod_requests(pod.spec)).items():
            total[resource] = total.get(resource, 0) + amount
    return used


def with_pod(requests: Amounts) -> dict[str, int]:
    """Requests of one pod, the pod itself counted."""
    return {**requests, "pods": 1}
