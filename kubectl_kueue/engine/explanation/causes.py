"""Why does a ClusterQueue admit nothing? Every cause, with the object at fault (scheduling.md 2.8)."""

from collections.abc import Container, Iterator

from kubectl_kueue.engine.explanation.facts import Cause
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.model.world import World


def causes_of(
    world: World, snapshot: Snapshot, queue: QueueNode, unread: Container[str] = ()
) -> tuple[Cause, ...]:
    """None if it is active. What could not be read (`unread`, what the world misses) is no cause."""
    return tuple(_causes(world, snapshot, queue, unread))


def _causes(world: World, snapshot: Snapshot, queue: QueueNode, unread: Container[str]) -> Iterator[Cause]:
    for code, name in queue.inactive:
        kind = _KIND_OF_CAUSE.get(code, "")
        if kind in world.missing or kind in unread:
            continue
        yield _inactive_check(world, name) if code == "AdmissionCheckInactive" else Cause(code, name)
    if queue.name in snapshot.cyclic:
        yield Cause("CohortCycle", queue.obj.spec.cohort_name)


def _inactive_check(world: World, name: str) -> Cause:
    """With what the AdmissionCheck says of itself, and its controller."""
    check = world.admission_checks[name]
    said = next((c.message or c.reason for c in check.status.conditions if c.type == "Active"), "")
    return Cause("AdmissionCheckInactive", name, said, check.spec.controller_name)


_KIND_OF_CAUSE = {"FlavorNotFound": "ResourceFlavor", "TopologyNotFound": "Topology"}
"""The kind without which a cause would hold of everything; the snapshot itself sees to AdmissionChecks."""
