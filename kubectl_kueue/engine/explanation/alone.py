"""What would the scheduler say if it were this workload's turn now? Nothing is changed by asking."""

from collections.abc import Sequence

from kubectl_kueue.engine.entry import Entry, Rejection, Status
from kubectl_kueue.engine.explanation.scope import deserted
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.nominate import nominate, rejection_of
from kubectl_kueue.engine.severity import granular_reason, severity_class
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.world import World


def nominate_alone(state: State, info: WorkloadInfo, queue: QueueNode) -> Sequence[Entry]:
    """The workload nominated against the cluster as it stands, as if it were the head; also one that
    would be rejected before.

    More than one entry if the scan of the flavors stops on the way: Kueue goes on from there at once
    (scheduling.md 5.7), so the last one counts.
    """
    entries: list[Entry] = []
    before, info.last_assignment = info.last_assignment, None
    state.snapshot.forest.begin_cycle()
    for _ in range(len(queue.flavors) + 1):
        entry = Entry(info, queue)
        entry.rejection = rejection_of(state, entry)
        entries.append(entry)
        nominate(state, entry)
        settled = entry.assignment.mode is Mode.FIT or bool(entry.targets)
        if settled or info.last_assignment is None or not info.last_assignment.pending_flavors:
            break
    info.last_assignment = before
    return entries


def fits_deserted(world: World, key: str) -> bool:
    """Whether the workload could be admitted if every other one were gone."""
    run = simulate(deserted(world, key), mode="until-idle", max_cycles=64)
    return any(e.info.key == key and e.status is Status.ASSUMED for cycle in run.cycles for e in cycle)


def reason_code(entry: Entry) -> str:
    """Kueue's granular reason for what became of a head, or would become of it alone (scheduling.md 4.7).

    Where Kueue itself tells none, the one that fits what happens next.
    """
    if entry.rejection is Rejection.NAMESPACE_NOT_FOUND:
        return "Misconfigured"
    if entry.rejection is None and not entry.info.obj.spec.pod_sets:
        return "Misconfigured"
    if entry.assignment.mode is Mode.NO_FIT and entry.rejection is None and entry.skip is None:
        return severity_class(entry.assignment) or "TopologyPlacementFailed"
    told = granular_reason(entry)
    if told:
        return told
    if entry.status is Status.EVICTED:
        return "PendingEvaluation"
    if entry.status in (None, Status.ASSUMED) and entry.assignment.mode is Mode.FIT:
        return "QuotaReserved"
    if entry.status is Status.OTHER or entry.targets:
        return "WaitingForPreemptedWorkloads"
    return "WaitingForQuota"
