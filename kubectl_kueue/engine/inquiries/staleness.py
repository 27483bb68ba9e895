"""Does Kueue's own status lag behind what the scheduler would do? Found by deciding once more."""

from collections.abc import Iterator

from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.timestamp import MINUTE, parse_time
from kubectl_kueue.model.world import World

PATIENCE = 5 * MINUTE
"""What has stood still for this long does not just need a moment."""


class Overdue(Facts, frozen=True):
    """It fits, and nothing has changed since `since`, yet Kueue has not admitted it."""

    TIMES = ("since",)
    since: int


class Bypassed(Facts, frozen=True):
    """Kueue skipped it: `sibling` of the same shape was evaluated in its place and got `message`, if that
    can still be read."""

    sibling: str = ""
    message: str = ""


def overdue(world: World, verdict: Verdict) -> Overdue | None:
    """Whether Kueue is late with what the verdict promises. A recorded scenario has no clock."""
    if verdict.state != Word.ADMIT or world.steady:
        return None
    workload = world.workloads[verdict.workload]
    since = last_change(workload)
    if not since:
        return None
    if verdict.reason != "QuotaReserved" or verdict.first_turn is not None:
        return None  # it gets in at a later look only, for which Kueue may need an occasion
    since = max(since, _last_end(world))
    return Overdue(since) if world.now - since > PATIENCE else None


def bypassed(world: World, verdict: Verdict) -> Bypassed | None:
    """Whom Kueue looked at instead, if it says that it did not look at this workload."""
    workload = world.workloads[verdict.workload]
    if not _message(workload).startswith("Bypassed"):
        return None
    gate = verdict.gate("order")
    head = gate.facts.head if gate is not None and isinstance(gate.facts, facts.Turn) else ""
    told = [(key, _message(other)) for key, other in _twins(world, verdict.workload, workload)]
    looked_at = [(key, message) for key, message in told if message and not message.startswith("Bypassed")]
    sibling, message = next(((k, m) for k, m in looked_at if k == head), ("", ""))
    if not sibling and looked_at:
        sibling, message = looked_at[0]
    return Bypassed(sibling or head, message)


def last_change(workload: Workload) -> int:
    """When it was made, or when its status last changed; 0 if nothing tells."""
    requeue = workload.status.requeue_state
    texts = (
        workload.metadata.creation_timestamp,
        requeue.requeue_at if requeue is not None else None,
        *(c.last_transition_time for c in workload.status.conditions),
    )
    return max((parse_time(text) for text in texts if text), default=0)


def _last_end(world: World) -> int:
    """When a workload last ended: its quota may be what this one waited for."""
    return max(
        (
            parse_time(c.last_transition_time)
            for workload in world.workloads.values()
            for c in workload.status.conditions
            if c.type in ("Finished", "Evicted") and c.status == "True" and c.last_transition_time
        ),
        default=0,
    )


def _message(workload: Workload) -> str:
    return next((c.message for c in workload.status.conditions if c.type == "QuotaReserved"), "")


def _twins(world: World, key: str, workload: Workload) -> Iterator[tuple[str, Workload]]:
    """Other workloads of the same ClusterQueue that ask for the same."""
    own = _queue(world, workload)
    shape = _shape(workload)
    for other_key, other in world.workloads.items():
        if other_key != key and _queue(world, other) == own and _shape(other) == shape:
            yield other_key, other


def _queue(world: World, workload: Workload) -> str:
    queue = world.local_queues.get(f"{workload.metadata.namespace}/{workload.spec.queue_name}")
    return queue.spec.cluster_queue if queue is not None else ""


def _shape(workload: Workload) -> object:
    spec = workload.spec
    pod_sets = [(p.name, p.count, p.min_count, p.template.spec, p.topology_request) for p in spec.pod_sets]
    return spec.priority or 0, pod_sets
