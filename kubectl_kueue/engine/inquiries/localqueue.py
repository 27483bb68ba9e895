"""Why does a LocalQueue get nothing? Its own state, then its ClusterQueue's, then its workloads' places."""

from collections.abc import Iterator
from typing import NamedTuple

from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.standing import wants_quota
from kubectl_kueue.engine.inquiries.clusterqueue import QueueInquiry, inquire_cluster_queue
from kubectl_kueue.engine.inquiries.records import QueueWord, User
from kubectl_kueue.engine.taints import UnparsableAffinity, matches_selector
from kubectl_kueue.model.objects import LocalQueue
from kubectl_kueue.model.quantity import quota
from kubectl_kueue.model.world import World


class LocalPlace(NamedTuple):
    """One of its workloads that waits: places in the ClusterQueue and in the LocalQueue, from 0."""

    workload: str
    in_cluster_queue: int
    in_local_queue: int


class LocalQueueInquiry(NamedTuple):
    """The answer about a LocalQueue ("namespace/name"). `target` None: its ClusterQueue does not exist, or
    may not be read (`unread`); then `pending` and `reserving` are how many wait and hold quota by its own
    status, `uses` what they hold. `refused`: the ClusterQueue does not take the namespace. `held` want quota
    and are in no queue; `users` hold quota; `unseen` counts those that wait and may not be read.
    """

    key: str
    word: QueueWord
    cluster_queue: str
    stopped: facts.Stopped | None
    refused: bool
    target: QueueInquiry | None
    unread: bool
    waiting: tuple[LocalPlace, ...]
    held: tuple[str, ...]
    users: tuple[User, ...]
    now: int
    pending: int = 0
    reserving: int = 0
    uses: tuple[facts.LocalUse, ...] = ()
    unseen: int = 0


def inquire_local_queue(world: World, key: str) -> LocalQueueInquiry:
    """The answer. Raises KeyError if there is no such LocalQueue."""
    queue = world.local_queues[key]
    name = queue.spec.cluster_queue
    target = inquire_cluster_queue(world, name) if name in world.cluster_queues else None
    policy = queue.spec.stop_policy
    stopped = None if policy in ("None", "") else facts.Stopped(queue.metadata.name, policy)
    refused = target is not None and not _takes(world, name, queue.metadata.namespace)
    mine = [(i, k) for i, k in enumerate(target.order if target else ()) if _is_in(world, k, key)]
    held = tuple(k for k in (target.held if target else _all_pending(world, key)) if _is_in(world, k, key))
    unseen = 0
    if "Workload" in world.missing:
        unseen = max(0, queue.status.pending_workloads - len(mine) - len(held))
    unread = target is None and "ClusterQueue" in world.missing
    return LocalQueueInquiry(
        key,
        _word(target, stopped, unread=unread, refused=refused, waits=bool(mine), unseen=unseen),
        name,
        stopped,
        refused,
        target,
        unread,
        tuple(LocalPlace(k, i, own) for own, (i, k) in enumerate(mine)),
        held,
        tuple(user for user in (target.users if target else ()) if _is_in(world, user.workload, key)),
        world.now,
        queue.status.pending_workloads,
        queue.status.reserving_workloads,
        tuple(_uses(queue)) if unread else (),
        unseen,
    )


def _uses(queue: LocalQueue) -> Iterator[facts.LocalUse]:
    for usage in queue.status.flavors_reservation:
        for each in usage.resources:
            if total := quota(each.name, each.total):
                yield facts.LocalUse(usage.name, each.name, total)


def _word(
    target: QueueInquiry | None,
    stopped: facts.Stopped | None,
    *,
    unread: bool,
    refused: bool,
    waits: bool,
    unseen: int,
) -> QueueWord:
    if stopped is not None:
        return "Stopped"
    if target is None:
        return "Unknown" if unread else "Gone"
    if target.word in ("Stopped", "Inactive"):
        return target.word
    if refused:
        return "Closed"
    return target.word if waits else "Unknown" if unseen else "Idle"


def _takes(world: World, name: str, namespace: str) -> bool:
    selector = world.cluster_queues[name].spec.namespace_selector
    found = world.namespaces.get(namespace)
    if found is None and selector is not None:
        return True
    labels = found.metadata.labels if found is not None else {}
    try:
        return matches_selector(selector, {"kubernetes.io/metadata.name": namespace, **labels})
    except UnparsableAffinity:
        return False


def _is_in(world: World, workload: str, key: str) -> bool:
    found = world.workloads[workload]
    return f"{found.metadata.namespace}/{found.spec.queue_name}" == key


def _all_pending(world: World, key: str) -> list[str]:
    return [k for k, w in world.workloads.items() if _is_in(world, k, key) and wants_quota(w)]
