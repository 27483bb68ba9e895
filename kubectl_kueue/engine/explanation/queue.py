"""What would the scheduler say of a queue: what is available to it, and who waits in which order?"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from kubectl_kueue.engine.explanation.causes import causes_of
from kubectl_kueue.engine.explanation.facts import Cause
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.standing import as_it_stands, wants_quota
from kubectl_kueue.engine.quota import FlavorResource, Node, available
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import ADMITTED
from kubectl_kueue.model.trees import with_all_below
from kubectl_kueue.model.world import World


class QueueLook(NamedTuple):
    """A ClusterQueue or Cohort among its tree, amounts in canonical units.

    `quota` is its own or, of a cohort, that of everything below it as far as it is lent; `free` what it
    could use on top of what it uses (negative: it is in debt). `pending` are keys of workloads in the
    order of their ClusterQueue. `holders` are the ClusterQueues of the tree. `inactive` says why it admits
    nothing. `size` is the number of workloads that were looked at.
    """

    quota: Mapping[FlavorResource, int]
    free: Mapping[FlavorResource, int]
    pending: Mapping[str, tuple[str, ...]]
    holders: Mapping[str, "Held"]
    inactive: tuple[Cause, ...] = ()
    size: int = 0


class Held(NamedTuple):
    """What the workloads of a ClusterQueue hold, and the part of those that are admitted; how many wait."""

    reserved: Mapping[FlavorResource, int]
    admitted: Mapping[FlavorResource, int]
    pending: int
    reserving: int
    running: int


def look_at_cluster_queue(world: World, name: str) -> QueueLook | None:
    """The ClusterQueue of that name; None if there is none."""
    if name not in world.cluster_queues:
        return None
    state = State(around(as_it_stands(world), name, ""))
    node = state.snapshot.queues[name]
    return _look(state, node, [name])._replace(inactive=causes_of(world, state.snapshot, node))


def look_at_cohort(world: World, name: str) -> QueueLook | None:
    """The Cohort of that name, which may be just a name; None if nobody uses it or it is in a cycle."""
    members = list(_members(world, name))
    standing = as_it_stands(world)
    state = State(around(standing, members[0], "") if members else replace(standing, workloads={}))
    node = state.snapshot.cohorts.get(name)
    return None if node is None else _look(state, node, members)


def held_back(world: World, local_queue: str, queued: Collection[str]) -> list[str]:
    """Keys of the workloads of a LocalQueue ("namespace/name") that want quota but are in no queue, because
    it is stopped, leads nowhere, or they themselves are gated or back off; the most urgent first.
    """
    namespace, _, name = local_queue.partition("/")
    found = [
        (-(w.spec.priority or 0), w.metadata.creation_timestamp or "", key)
        for key, w in world.workloads.items()
        if w.spec.queue_name == name
        and w.metadata.namespace == namespace
        and key not in queued
        and wants_quota(w)
    ]
    return [key for _, _, key in sorted(found)]


def _look(state: State, node: Node, queues: list[str]) -> QueueLook:
    quota = node.nominal if node.is_cluster_queue else node.subtree
    pending = {
        name: tuple(info.key for info in state.queues.in_visible_order(queue))
        for name in queues
        if (queue := state.queues.by_name.get(name)) is not None
    }
    frs = dict.fromkeys([*quota, *node.potential])
    return QueueLook(
        quota=dict(quota),
        free={fr: available(node, fr) for fr in frs},
        pending=pending,
        holders={name: _held(state, queue) for name, queue in state.snapshot.queues.items()},
        size=len(state.workloads),
    )


def _held(state: State, queue: QueueNode) -> Held:
    admitted = [info for info in queue.workloads.values() if info.is_true(ADMITTED)]
    used: dict[FlavorResource, int] = {}
    for info in admitted:
        for fr, amount in info.usage.items():
            used[fr] = used.get(fr, 0) + amount
    waiting = len(state.queues.by_name[queue.name].pending())
    return Held(dict(queue.usage), used, waiting, len(queue.workloads), len(admitted))


def _members(world: World, cohort: str) -> Iterator[str]:
    """The ClusterQueues of a cohort and of those below it, by name."""
    below = with_all_below(cohort, {n: c.spec.parent_name for n, c in world.cohorts.items()})
    for name, queue in sorted(world.cluster_queues.items()):
        if queue.spec.cohort_name in below:
            yield name
