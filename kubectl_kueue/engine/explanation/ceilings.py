"""Why can a ClusterQueue never have more of something? The limit that binds, and whose it is.

The largest amount is what its own quota and everything that neighbours lend add up to, unless a
borrowing limit on the way to the root cuts it (scheduling.md 2.2).
"""

from collections.abc import Iterable, Iterator

from kubectl_kueue.engine.explanation.facts import Ceiling, QuotaRow, Shares
from kubectl_kueue.engine.quota import FlavorResource, Node


def ceilings_of(queue: Node, table: Iterable[QuotaRow]) -> tuple[Ceiling, ...]:
    """One record for each amount that is above what the ClusterQueue can ever have."""
    return tuple(_ceiling(queue, row) for row in table if row.suits and row.before + row.asks > row.most_ever)


def _ceiling(queue: Node, row: QuotaRow) -> Ceiling:
    fr = FlavorResource(row.flavor, row.resource)
    owner, limit = _binding(queue, fr, row.before + row.asks)
    return Ceiling(
        row.pod_set,
        row.flavor,
        row.resource,
        row.asks,
        row.before,
        row.most_ever,
        limit,
        owner.name,
        "ClusterQueue" if owner.is_cluster_queue else "Cohort",
        owner.subtree.get(fr, 0) if limit == "borrowingLimit" else queue.nominal.get(fr, 0),
        owner.borrowing_limit.get(fr) if limit == "borrowingLimit" else None,
        tuple(_neighbours(queue, owner, fr)) if limit == "cohort" else (),
    )


def _binding(queue: Node, fr: FlavorResource, need: int) -> tuple[Node, str]:
    """The lowest node on the way up whose limit is below what is needed, and which limit that is."""
    node = queue
    while node.parent is not None:
        limit = node.borrowing_limit.get(fr)
        if limit is not None and need > node.subtree.get(fr, 0) + limit:
            return node, "borrowingLimit"
        need = need - node.local.get(fr, 0)
        node = node.parent
    return node, "nominalQuota" if node is queue else "cohort"


def _neighbours(queue: Node, root: Node, fr: FlavorResource) -> Iterator[Shares]:
    """Who else has the resource below `root`, and how much of it reaches the ClusterQueue's side."""
    node = queue
    while node is not root and node.parent is not None:
        parent = node.parent
        own = parent.nominal.get(fr, 0)
        if own:
            yield Shares(parent.name, "Cohort", fr.resource, own, own)
        for child in parent.children:
            quota = child.subtree.get(fr, 0)
            if child is not node and quota:
                kind = "ClusterQueue" if child.is_cluster_queue else "Cohort"
                lends = quota - child.local.get(fr, 0)
                yield Shares(child.name, kind, fr.resource, quota, lends, child.lending_limit.get(fr))
        node = parent
