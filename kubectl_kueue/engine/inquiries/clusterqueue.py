"""Why does a ClusterQueue admit nothing, or borrow nothing?

In this order: does it exist and is it in service, can anybody get at it, does anybody wait, what becomes of
the first; then the numbers: its quota, who uses it, what it may borrow and from whom.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.questions import inactive
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.standing import as_it_stands, wants_quota
from kubectl_kueue.engine.inquiries.records import (
    Borrowing,
    Closed,
    Group,
    Head,
    Lender,
    QueueWord,
    QuotaLine,
    User,
)
from kubectl_kueue.engine.inquiries.unseen import charge_unseen, undecided, waiting_unseen
from kubectl_kueue.engine.inquiries.waiting import groups_of, head_of
from kubectl_kueue.engine.quota import FlavorResource, Node, available
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.taints import UnparsableAffinity, matches_selector
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.world import World


class QueueInquiry(NamedTuple):
    """The answer about a ClusterQueue. `cohorts` go upwards; `local_queues` are those that point to it;
    `order` are the keys of those that wait in it, `held` of those that want its quota and are in no queue;
    `unseen` counts those that wait and may not be read; `undecided`: kinds without which nobody knows what
    becomes of `head`.
    """

    name: str
    word: QueueWord
    inactive: facts.Inactive | None
    closed: Closed | None
    head: Head | None
    strict: bool
    cohorts: tuple[str, ...]
    local_queues: tuple[str, ...]
    quota: tuple[QuotaLine, ...]
    borrowing: tuple[Borrowing, ...]
    groups: tuple[Group, ...]
    users: tuple[User, ...]
    order: tuple[str, ...]
    held: tuple[str, ...]
    now: int
    unseen: int = 0
    undecided: tuple[str, ...] = ()


def inquire_cluster_queue(world: World, name: str) -> QueueInquiry:
    """The answer. Raises KeyError if there is no such ClusterQueue."""
    if name not in world.cluster_queues:
        raise KeyError(name)
    state = State(around(as_it_stands(world), name, ""))
    charge_unseen(world, state.snapshot)
    queue = state.snapshot.queues[name]
    pending = state.queues.by_name.get(name)
    order = state.queues.in_visible_order(pending) if pending is not None else []
    local_queues = tuple(sorted(k for k, q in world.local_queues.items() if q.spec.cluster_queue == name))
    held = tuple(_held_back(state, world, name, {info.key for info in order}))
    unseen = waiting_unseen(world, [queue], len(order) + len(held))
    broken = inactive(state, queue)
    closed = _closed(world, queue, local_queues)
    head = head_of(state, queue, order) if broken is None else None
    kinds = undecided(world, queue) if head is not None else ()
    frs = list(dict.fromkeys([*queue.nominal, *(fr for fr, v in queue.usage.items() if v)]))
    return QueueInquiry(
        name,
        "Unknown" if kinds and closed is None else _word(queue, broken, closed, head, unseen),
        broken,
        closed,
        head,
        queue.strict,
        tuple(node.name for node in reversed(queue.chain[:-1])),
        local_queues,
        tuple(_quota(queue, frs, order)),
        tuple(borrowing_of(queue, fr) for fr in frs),
        groups_of(state, world, queue, order, held) if broken is None else (),
        tuple(_users(queue)),
        tuple(info.key for info in order),
        held,
        world.now,
        unseen,
        kinds,
    )


def _word(
    queue: QueueNode, broken: facts.Inactive | None, closed: Closed | None, head: Head | None, unseen: int
) -> QueueWord:
    if broken is not None:
        return "Stopped" if queue.stop_policy != "None" else "Inactive"
    if closed is not None:
        return "Closed"
    if head is None:
        return "Unknown" if unseen else "Idle"
    if head.reason == "QuotaReserved":
        return "Admits"
    if head.evicts:
        return "Preempts"
    if head.never or (queue.strict and head.behind):
        return "Stuck"
    return "Full"


def _closed(world: World, queue: QueueNode, local_queues: Sequence[str]) -> Closed | None:
    selector = queue.obj.spec.namespace_selector
    homes = sorted({key.partition("/")[0] for key in local_queues})
    if selector is None:
        return Closed("no-selector", tuple(homes))
    if not homes:
        return None if "LocalQueue" in world.missing else Closed("no-local-queue")
    for home in homes:
        namespace = world.namespaces.get(home)
        labels = {"kubernetes.io/metadata.name": home, **(namespace.metadata.labels if namespace else {})}
        try:
            if namespace is None or matches_selector(selector, labels):
                return None
        except UnparsableAffinity:
            continue
    return Closed("selector", tuple(homes))


def _held_back(state: State, world: World, name: str, queued: set[str]) -> Iterator[str]:
    """Workloads of its LocalQueues that want quota but are in no queue."""
    for key, info in state.workloads.items():
        local_queue = world.local_queues.get(info.local_queue)
        if local_queue is None or local_queue.spec.cluster_queue != name or key in queued:
            continue
        if wants_quota(info.obj):
            yield key


# --- quota ----------------------------------------------------------------------------------------


def _quota(
    queue: QueueNode, frs: Sequence[FlavorResource], order: Sequence[WorkloadInfo]
) -> Iterator[QuotaLine]:
    asked: Counter[str] = Counter()
    for info in order:
        asked.update(info.asks())
    for fr in frs:
        yield quota_line(queue, fr, queue.nominal.get(fr, 0), asked[fr.resource])


def quota_line(node: Node, fr: FlavorResource, quota: int, asked: int = 0) -> QuotaLine:
    """One flavor and resource of a ClusterQueue or Cohort that has `quota` of it."""
    used = node.usage.get(fr, 0)
    return QuotaLine(
        fr.flavor,
        fr.resource,
        quota,
        used,
        max(0, used - quota) if node.parent is not None else 0,
        available(node, fr),
        node.potential.get(fr, quota),
        asked,
        node.borrowing_limit.get(fr),
        node.lending_limit.get(fr),
    )


def borrowing_of(queue: Node, fr: FlavorResource) -> Borrowing:
    """Whether it can use more than its own quota of this now."""
    if queue.parent is None:
        return Borrowing(fr.flavor, fr.resource, "no-cohort")
    own_free = max(0, queue.nominal.get(fr, 0) - queue.usage.get(fr, 0))
    room = available(queue, fr) - own_free
    lenders = tuple(_lenders(queue, fr))
    if room > 0:
        return Borrowing(fr.flavor, fr.resource, "", room, queue.borrowing_limit.get(fr), lenders=lenders)
    node: Node = queue
    while node.parent is not None:
        limit = node.borrowing_limit.get(fr)
        if limit is not None and node.usage.get(fr, 0) >= node.subtree.get(fr, 0) + limit:
            owner = "" if node is queue else node.name
            return Borrowing(fr.flavor, fr.resource, "no-limit-left", 0, limit, owner, lenders)
        if limit == 0:
            owner = "" if node is queue else node.name
            return Borrowing(fr.flavor, fr.resource, "no-limit-left", 0, limit, owner, lenders)
        node = node.parent
    lent = any(lender.lends for lender in lenders)
    return Borrowing(fr.flavor, fr.resource, "in-use" if lent else "nothing-lent", lenders=lenders)


def _lenders(queue: Node, fr: FlavorResource) -> Iterator[Lender]:
    """Whoever else in the tree has quota of it, from near to far."""
    node = queue
    while node.parent is not None:
        parent = node.parent
        if own := parent.nominal.get(fr, 0):
            yield Lender(parent.name, "Cohort", fr.resource, own, own, 0)
        for child in parent.children:
            quota, used = child.subtree.get(fr, 0), child.usage.get(fr, 0)
            if child is not node and (quota or used):
                kind = "ClusterQueue" if child.is_cluster_queue else "Cohort"
                lends = max(0, quota - child.local.get(fr, 0))
                yield Lender(child.name, kind, fr.resource, quota, lends, used, child.lending_limit.get(fr))
        node = parent


def _users(queue: QueueNode) -> Iterator[User]:
    """Who holds quota of it, the oldest first."""
    for info in sorted(queue.workloads.values(), key=lambda each: (each.reserved_at or 0, each.key)):
        holds = tuple(
            facts.Holding(fr.flavor, fr.resource, amount)
            for fr, amount in sorted(info.usage.items())
            if amount
        )
        yield User(info.key, holds, info.priority, info.reserved_at or 0)
