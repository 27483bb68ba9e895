"""What can be told to somebody who may not see the queues? The workload's own status, and its LocalQueue's.

Kueue's messages are only recognised here (docs/spec/kueuectl.md 6.5), in the texts of v0.19.
"""

from kubectl_kueue.engine.explanation.facts import LocalUse, Outside
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.objects import Condition
from kubectl_kueue.model.quantity import quota
from kubectl_kueue.model.world import World

HIDING = ("ClusterQueue", "Workload", "ResourceFlavor", "Cohort", "LocalQueue")
"""Kinds without all of whose objects no quota can be reckoned."""

PLACING = ("Topology", "Node", "Pod")
"""Kinds without all of whose objects no place can be reckoned in a flavor that has a topology."""

# Granular reasons tell by themselves; with the default gates the reason is Pending or Inadmissible, and the
# message has to be recognised.
_BY_REASON = {
    "NoMatchingFlavor": Word.NEVER,
    "ExceedsMaxQuota": Word.NEVER,
    "WaitingForQuota": Word.WAIT,
    "TopologyPlacementFailed": Word.WAIT,
    "WaitingForPreemptedWorkloads": Word.WAIT,
    "PendingEvaluation": Word.WAIT,
    "Misconfigured": Word.BLOCKED,
    "Suspended": Word.BLOCKED,
}
# In the order of weight: one flavor for which it may wait outweighs others that never fit.
_BY_MESSAGE = (
    ("insufficient unused quota", "WaitingForQuota"),
    ("allows to fit only", "TopologyPlacementFailed"),
    ("maximum capacity", "ExceedsMaxQuota"),
    ("untolerated taint", "NoMatchingFlavor"),
    ("match node affinity", "NoMatchingFlavor"),
    ("unavailable in ClusterQueue", "ExceedsMaxQuota"),
    ("match ClusterQueue selector", "Misconfigured"),
    ("is inactive", "Suspended"),
    ("doesn't exist", "Misconfigured"),
    ("preempt", "WaitingForPreemptedWorkloads"),
)


def hidden(world: World) -> tuple[str, ...]:
    """The kinds that would be needed for numbers and could not be read, not even in part."""
    return tuple(kind for kind in HIDING if kind in world.missing)


def placeless(world: World, cluster_queue: str) -> tuple[str, ...]:
    """The kinds that decide about places in the flavors of a ClusterQueue and could not be read."""
    unread = tuple(kind for kind in PLACING if kind in world.missing)
    queue = world.cluster_queues.get(cluster_queue) if unread else None
    if queue is None:
        return ()
    names = {flavor.name for group in queue.spec.resource_groups for flavor in group.flavors}
    flavors = (world.resource_flavors[name] for name in names if name in world.resource_flavors)
    return unread if any(flavor.spec.topology_name for flavor in flavors) else ()


def recognised(info: WorkloadInfo) -> tuple[Word, str]:
    """The word and granular reason that the workload's own status amounts to."""
    condition = next((c for c in info.obj.status.conditions if c.type == "QuotaReserved"), None)
    if condition is None:
        return Word.WAIT, "PendingEvaluation"
    code = condition.reason if condition.reason in _BY_REASON else _code(condition)
    return _BY_REASON[code], code


def _code(condition: Condition) -> str:
    found = (code for text, code in _BY_MESSAGE if text in condition.message)
    return next(found, "PendingEvaluation")


def seen_from_outside(world: World, info: WorkloadInfo) -> Outside:
    """What the LocalQueue tells of itself, and what could not be read."""
    queue = world.local_queues.get(info.local_queue)
    uses = tuple(
        LocalUse(flavor.name, each.name, quota(each.name, each.total))
        for flavor in (queue.status.flavors_reservation if queue is not None else ())
        for each in flavor.resources
    )
    place = world.local_places.get(info.key)
    return Outside(
        unread=hidden(world) or placeless(world, queue.spec.cluster_queue if queue is not None else ""),
        uses=uses,
        reserving=queue.status.reserving_workloads if queue is not None else None,
        in_local_queue=place.index if place is not None else None,
        local_queue_pending=place.of if place is not None else None,
    )
