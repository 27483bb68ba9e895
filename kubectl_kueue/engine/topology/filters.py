"""Which leaves a pod may use at all, and which it prefers (topology.md 2.2).

Only hosts are looked at: in a tree without a hostname level no taint, selector or affinity counts
(trap T7). Nodes do not change in a run, so the answer for a filter is kept with the tree.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec

from kubectl_kueue.engine.taints import (
    UnparsableAffinity,
    check_label,
    check_term,
    first_untolerated,
    term_holds,
)
from kubectl_kueue.engine.topology.reasons import InvalidSelector
from kubectl_kueue.engine.topology.request import NodeFilter
from kubectl_kueue.engine.topology.tree import TopologyTree
from kubectl_kueue.model.objects import Node, NodeSelector, PreferredSchedulingTerm, Taint


class LeafVerdicts:
    """Leaves that a filter excludes, each with its class; `scores` of the others by preferred affinity."""

    __slots__ = ("excluded", "scores")

    def __init__(self, excluded: dict[int, str], scores: list[int] | None) -> None:
        self.excluded = excluded
        self.scores = scores

    def tally(self) -> Counter[str]:
        """Class -> how many leaves it excludes."""
        return Counter(self.excluded.values())


_EVERY_LEAF = LeafVerdicts({}, None)


def judge_leaves(tree: TopologyTree, nodes: NodeFilter) -> LeafVerdicts | InvalidSelector:
    """What the filter says about every leaf of the tree."""
    if not tree.hostname_based:
        return _EVERY_LEAF
    key = msgspec.json.encode(nodes, order="deterministic")
    verdicts: LeafVerdicts | InvalidSelector | None = tree.verdicts.get(key)
    if verdicts is None:
        verdicts = tree.verdicts[key] = _invalid(nodes) or _judge(tree, nodes)
    return verdicts


def _invalid(nodes: NodeFilter) -> InvalidSelector | None:
    source = "nodeSelector"
    try:
        for key, value in sorted(nodes.node_selector.items()):
            check_label(key, value)
        source = "affinity"
        if nodes.required is not None:
            for term in nodes.required.node_selector_terms:
                check_term(term)
    except UnparsableAffinity as problem:
        return InvalidSelector(source, problem.key, problem.why)
    return None


def _judge(tree: TopologyTree, nodes: NodeFilter) -> LeafVerdicts:
    tolerations = [*nodes.tolerations, *tree.tolerations]
    selector = list(nodes.node_selector.items())
    excluded: dict[int, str] = {}
    for leaf, node in enumerate(tree.nodes):
        if node.spec.taints:
            taint = first_untolerated(node.spec.taints, tolerations)
            if taint is not None:
                excluded[leaf] = taint_class(taint)
                continue
        labels = node.metadata.labels
        if selector and any(labels.get(key) != value for key, value in selector):
            excluded[leaf] = "nodeSelector"
        elif nodes.required is not None and not _accepts(nodes.required, node):
            excluded[leaf] = "affinity"
    scores = None
    if nodes.preferred and tree.gates["TASRespectNodeAffinityPreferred"]:
        scores = [0 if i in excluded else _score(nodes.preferred, n) for i, n in enumerate(tree.nodes)]
    return LeafVerdicts(excluded, scores)


def taint_class(taint: Taint) -> str:
    """The class of leaves that a taint excludes."""
    return f"taint:{taint.key}={taint.value}:{taint.effect}"


def _accepts(required: NodeSelector, node: Node) -> bool:
    fields = {"metadata.name": node.metadata.name}
    return any(term_holds(term, node.metadata.labels, fields) for term in required.node_selector_terms)


def _score(preferred: Iterable[PreferredSchedulingTerm], node: Node) -> int:
    fields = {"metadata.name": node.metadata.name}
    total = 0
    for term in preferred:
        try:
            check_term(term.preference)
        except UnparsableAffinity:
            continue
        if term_holds(term.preference, node.metadata.labels, fields):
            total += term.weight
    return total
