"""The tree of one flavor: its nodes as domains, what is free in them and what is used (topology.md 1).

Domains of a level are numbered in the order of their full level values, so the children of a domain
are a range of the next level, and every tie "by level values" is a comparison of two numbers.
Amounts are columns: resource -> one int per leaf, in canonical units.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kubectl_kueue.engine.topology.assignment import HOSTNAME, TopologyPlacement, Values
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.objects import Node, ResourceFlavor, Toleration, Topology

Amounts = Mapping[str, int]
Columns = dict[str, list[int]]


class TopologyTree:
    """Domains of one flavor. `capacity` and `free` never change in a run, `remaining` follows usage.

    `values[i]` lists the domains of level i, `children[i]` their ranges in level i + 1, `nodes` one
    node per leaf (of several that share a leaf, the first one given).
    `verdicts` remembers what node filters said about the leaves (filters.py).
    """

    __slots__ = (
        "_leaf_of",
        "capacity",
        "children",
        "flavor",
        "free",
        "gates",
        "hostname_based",
        "leaves",
        "levels",
        "nodes",
        "remaining",
        "tolerations",
        "topology",
        "values",
        "verdicts",
    )

    def __init__(self, flavor: ResourceFlavor, topology: Topology, gates: Gates) -> None:
        self.flavor = flavor.metadata.name
        self.topology = topology.metadata.name
        self.tolerations: list[Toleration] = flavor.spec.tolerations
        self.levels = tuple(level.node_label for level in topology.spec.levels)
        self.hostname_based = bool(self.levels) and self.levels[-1] == HOSTNAME
        self.gates = gates
        self.values: list[list[Values]] = []
        self.children: list[list[tuple[int, int]]] = []
        self.nodes: list[Node] = []
        self.leaves = 0
        self.capacity: Columns = {}
        self.free: Columns = {}
        self.remaining: Columns = {}
        self.verdicts: dict[bytes, Any] = {}
        self._leaf_of: dict[str | Values, int] = {}

    @property
    def lowest(self) -> int:
        return len(self.levels) - 1

    @property
    def stored_levels(self) -> tuple[str, ...]:
        """Levels of an assignment in this tree: the hostname alone identifies a host."""
        return (HOSTNAME,) if self.hostname_based else self.levels

    def stored_values(self, leaf: int) -> Values:
        values = self.values[-1][leaf]
        return values[-1:] if self.hostname_based else values

    def leaf(self, values: Values) -> int | None:
        """The leaf that an assignment means; None if it is no longer there."""
        if self.hostname_based:
            return self._leaf_of.get(values[-1]) if values else None
        return self._leaf_of.get(values)

    def merged(self, old: TopologyPlacement, new: TopologyPlacement) -> TopologyPlacement:
        """Both together: equal domains added up, in the order of their full level values.

        So of two hosts the one in the first rack comes first. All domains must still be there.
        """
        counts = dict(old.domains)
        for values, count in new.domains:
            counts[values] = counts.get(values, 0) + count
        leaves = {values: self.leaf(values) or 0 for values in counts}
        domains = sorted(counts.items(), key=lambda domain: leaves[domain[0]])
        return TopologyPlacement(new.levels, tuple(domains))

    def leaf_range(self, level: int, domain: int) -> range:
        """The leaves below a domain."""
        first, last = domain, domain + 1
        for children in self.children[level:]:
            first, last = children[first][0], children[last - 1][1]
        return range(first, last)

    def ancestor(self, leaf: int, level: int) -> int:
        """The domain at a level that contains a leaf."""
        prefix = self.values[-1][leaf][: level + 1]
        values = self.values[level]
        low, high = 0, len(values)
        while low < high:
            middle = (low + high) // 2
            if values[middle] < prefix:
                low = middle + 1
            else:
                high = middle
        return low

    def take(self, leaf: int, requests: Amounts, count: int) -> None:
        """Use the leaf for `count` more pods; a negative count gives back."""
        for resource, amount in requests.items():
            column = self.remaining.get(resource)
            if column is None:
                column = self.remaining[resource] = [0] * self.leaves
            column[leaf] -= amount * count


def build_tree(
    flavor: ResourceFlavor,
    topology: Topology,
    nodes: Iterable[tuple[Node, Amounts, Amounts]],
    gates: Gates,
) -> TopologyTree:
    """The tree of a flavor over ready, schedulable nodes: (node, allocatable, requests of other pods)."""
    tree = TopologyTree(flavor, topology, gates)
    wanted = list(flavor.spec.node_labels.items())
    members: dict[str | Values, list[tuple[Node, Amounts, Amounts]]] = {}
    values_of: dict[str | Values, Values] = {}
    for entry in nodes:
        labels = entry[0].metadata.labels
        if any(labels.get(key) != value for key, value in wanted):
            continue
        try:
            values = tuple([labels[key] for key in tree.levels])
        except KeyError:
            continue
        key = values[-1] if tree.hostname_based else values
        if key in members:
            members[key].append(entry)
        else:
            members[key] = [entry]
            values_of[key] = values
    order = sorted(members, key=values_of.__getitem__)
    tree.leaves = len(order)
    tree.nodes = [members[key][0][0] for key in order]
    tree._leaf_of = {key: leaf for leaf, key in enumerate(order)}
    _layer(tree, [values_of[key] for key in order])
    _fill_columns(tree, [members[key] for key in order])
    return tree


def _layer(tree: TopologyTree, leaves: list[Values]) -> None:
    """Derive the upper levels from the sorted leaves."""
    below = leaves
    tree.values = [leaves]
    for depth in range(tree.lowest, 0, -1):
        domains: list[Values] = []
        ranges: list[tuple[int, int]] = []
        start = 0
        for i, values in enumerate(below):
            if i + 1 == len(below) or below[i + 1][:depth] != values[:depth]:
                domains.append(values[:depth])
                ranges.append((start, i + 1))
                start = i + 1
        tree.values.insert(0, domains)
        tree.children.insert(0, ranges)
        below = domains


def _fill_columns(tree: TopologyTree, members: list[list[tuple[Node, Amounts, Amounts]]]) -> None:
    for leaf, entries in enumerate(members):
        for _, allocatable, _ in entries:
            _add_to_leaf(tree, tree.capacity, leaf, allocatable, 1)
    tree.free = {resource: column.copy() for resource, column in tree.capacity.items()}
    for leaf, entries in enumerate(members):
        for _, _, used in entries:
            _add_to_leaf(tree, tree.free, leaf, used, -1)
    tree.remaining = {resource: column.copy() for resource, column in tree.free.items()}


def _add_to_leaf(
    tree: TopologyTree, columns: dict[str, list[int]], leaf: int, amounts: Amounts, sign: int
) -> None:
    for resource, amount in amounts.items():
        column = columns.get(resource)
        if column is None:
            column = columns[resource] = [0] * tree.leaves
        column[leaf] += sign * amount
