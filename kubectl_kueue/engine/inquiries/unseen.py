"""What do workloads that may not be read hold, and how many of them wait? The status of queues says it."""

from collections.abc import Iterable

from kubectl_kueue.engine.explanation.outside import placeless
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.tally import usage_in
from kubectl_kueue.model.world import World


def charge_unseen(world: World, snapshot: Snapshot) -> None:
    """Charge each ClusterQueue with what its status has beyond the workloads that could be read."""
    if "Workload" not in world.missing:
        return
    for queue in snapshot.queues.values():
        told = usage_in(queue.obj.status.flavors_reservation)
        unseen = {fr: more for fr, total in told.items() if (more := total - queue.usage.get(fr, 0)) > 0}
        if unseen:
            snapshot.charge(queue, unseen)


def waiting_unseen(world: World, queues: Iterable[QueueNode], seen: int) -> int:
    """How many wait in these queues beyond the `seen`; 0 where all that says who waits could be read."""
    if world.missing.keys().isdisjoint(("Workload", "LocalQueue", "ResourceFlavor", "Topology")):
        return 0
    return max(0, sum(queue.obj.status.pending_workloads for queue in queues) - seen)


def undecided(world: World, queue: QueueNode) -> tuple[str, ...]:
    """The kinds that could not be read and decide what becomes of the first that waits in a ClusterQueue."""
    quotas = ("ResourceFlavor", "Cohort") if queue.parent is not None else ("ResourceFlavor",)
    return (*(kind for kind in quotas if kind in world.missing), *placeless(world, queue.name))
