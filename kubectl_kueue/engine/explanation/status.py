"""What is known about a workload without asking the scheduler: its queues, its flavors, Kueue's words."""

from collections.abc import Iterator

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.facts import Chain
from kubectl_kueue.engine.quota import ancestors
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.model.world import World


def assigned(entry: Entry | None, info: WorkloadInfo) -> tuple[dict[str, dict[str, str]], int]:
    """Flavors per podSet, of the reservation or else of the nomination; empty unless complete."""
    if entry is None:
        held = info.reservation.pod_sets if info.holds_quota and info.reservation is not None else []
        return {p.name: dict(sorted(p.flavors.items())) for p in held}, 0
    pod_sets = {p.name: p for p in entry.assignment.pod_sets}
    if len(pod_sets) < len(info.pod_sets) or any(p.requests and not p.flavors for p in pod_sets.values()):
        return {}, 0
    flavors = {n: {r: p.flavors[r].flavor for r in sorted(p.flavors)} for n, p in sorted(pod_sets.items())}
    return flavors, entry.assignment.borrowing


def counts_of(entry: Entry | None, info: WorkloadInfo) -> dict[str, int]:
    """Pods per podSet, of the reservation or else of the nomination: fewer than asked under partial
    admission."""
    if entry is None:
        held = info.reservation.pod_sets if info.holds_quota and info.reservation is not None else []
        return {p.name: p.count for p in held}
    return {p.name: p.count for p in sorted(entry.assignment.pod_sets, key=lambda p: p.name)}


def chain_of(info: WorkloadInfo, queue: QueueNode | None) -> Chain:
    """The way from its LocalQueue to the root."""
    if queue is None:
        return Chain(info.obj.spec.queue_name)
    cohorts = tuple(node.name for node in ancestors(queue))
    if not cohorts and queue.obj.spec.cohort_name:
        cohorts = (queue.obj.spec.cohort_name,)
    return Chain(info.obj.spec.queue_name, queue.name, cohorts)


_TOLD = ("QuotaReserved", "Admitted", "Evicted", "Preempted", "Requeued", "PodsReady", "Finished")


def sayings_of(world: World, key: str) -> Iterator[facts.Saying]:
    """Kueue's own words, each once; an eviction counts for what is repeated elsewhere."""
    conditions = world.workloads[key].status.conditions
    told = [
        facts.Saying(
            c.type,
            c.status,
            c.reason,
            c.message,
            parse_time(c.last_transition_time) if c.last_transition_time else 0,
        )
        for c in conditions
        if c.type in _TOLD and c.message
    ]
    by_message: dict[str, facts.Saying] = {}
    for saying in sorted(told, key=lambda s: _TOLD.index(s.type)):
        known = by_message.get(saying.message)
        if known is None or saying.type == "Evicted":
            by_message[saying.message] = saying
    yield from by_message.values()


def evictions_of(world: World, key: str) -> Iterator[facts.EvictionTally]:
    """How often it was evicted, by reason."""
    stats = world.workloads[key].status.scheduling_stats
    for tally in stats.evictions if stats is not None else ():
        yield facts.EvictionTally(tally.reason, tally.underlying_cause, tally.count)
