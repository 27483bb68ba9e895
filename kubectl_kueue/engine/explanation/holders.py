"""Who holds the quota that is missing? Only those whose end would help."""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_kueue.engine.explanation.facts import Holder, Holding, QuotaRow
from kubectl_kueue.engine.quota import FlavorResource, Node, free_local
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo

Shortage = Mapping[FlavorResource, int]  # flavor and resource -> the amount that must become available


def shortage_of(table: Iterable[QuotaRow]) -> dict[FlavorResource, int]:
    """What is in use, of flavors that would do: the amounts that must be free at once."""
    needs: dict[FlavorResource, int] = {}
    for row in table:
        if row.suits and row.short_by and row.before + row.asks <= row.most_ever:
            fr = FlavorResource(row.flavor, row.resource)
            needs[fr] = max(needs.get(fr, 0), row.before + row.asks)
    return needs


def holders_of(
    snapshot: Snapshot, queue: QueueNode, needs: Shortage, ghosts: frozenset[str]
) -> tuple[Holder, ...]:
    """Workloads that hold some of it: its own queue's, borrowers', others'; the largest first in each."""
    subtrees = {fr: binding_subtree(queue, fr, need) for fr, need in needs.items()}
    found = []
    for other in snapshot.queues.values():
        relevant = [fr for fr, node in subtrees.items() if node in other.chain]
        if not relevant:
            continue
        for info in other.workloads.values():
            held = tuple(
                Holding(fr.flavor, fr.resource, info.usage[fr])
                for fr in relevant
                if info.usage.get(fr, 0) > 0
            )
            if held:
                found.append(_holder(info, other, queue, held, ghosts))
    return tuple(sorted(found, key=_importance))


def binding_subtree(queue: Node, fr: FlavorResource, need: int) -> Node:
    """The smallest node inside of which room must be made: one at its borrowing limit, else the root."""
    node = queue
    while node.parent is not None:
        limit = node.borrowing_limit.get(fr)
        if limit is not None and need > node.subtree.get(fr, 0) + limit - node.usage.get(fr, 0):
            return node
        need = need - free_local(node, fr)
        node = node.parent
    return node


def _holder(
    info: WorkloadInfo, where: QueueNode, own: QueueNode, held: tuple[Holding, ...], ghosts: frozenset[str]
) -> Holder:
    borrows = where.parent is not None and any(
        where.usage.get(fr, 0) > where.nominal.get(fr, 0)
        for fr in (FlavorResource(h.flavor, h.resource) for h in held)
    )
    return Holder(
        info.key,
        where.name,
        held,
        info.priority,
        info.reserved_at or 0,
        own_queue=where is own,
        borrows=borrows,
        evicting=info.evicted or info.key in ghosts,
        ownerless=info.key in ghosts,
    )


def _importance(holder: Holder) -> tuple[object, ...]:
    amounts = sorted((h.flavor, h.resource, -h.amount) for h in holder.holds)
    return not holder.own_queue, not holder.borrows, amounts[0][2], holder.workload


def busy_queues(queue: QueueNode, needed: Iterable[FlavorResource]) -> Iterator[QueueNode]:
    """Other active ClusterQueues of the tree that use more than their own quota of something needed."""
    frs = list(needed)
    pending: list[Node] = [queue.root]
    while pending:
        node = pending.pop()
        pending.extend(node.children)
        if not isinstance(node, QueueNode) or node is queue or not node.active:
            continue
        if any(node.usage.get(fr, 0) > node.nominal.get(fr, 0) for fr in frs):
            yield node
