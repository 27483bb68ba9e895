"""What would a head get, seen alone against the snapshot? Rejections, flavors, targets, placement
(scheduling.md 4.3)."""

from kubectl_kueue.engine.entry import Entry, Rejection
from kubectl_kueue.engine.flavors import Assignment, Mode, Nomination, Pins, assign_flavors
from kubectl_kueue.engine.partial import reduced_counts
from kubectl_kueue.engine.placing import (
    concerns_topology,
    place_assignment,
    placements_succeed,
    record_for_preemption,
)
from kubectl_kueue.engine.preemption.candidates import PreemptionReason, Target
from kubectl_kueue.engine.preemption.search import Search
from kubectl_kueue.engine.second_pass import held_assignment
from kubectl_kueue.engine.slices import replaced_slice
from kubectl_kueue.engine.snapshot import Snapshot
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.validation import above_limits, outside_limit_ranges
from kubectl_kueue.engine.workload import LastAssignment, WorkloadInfo


def rejection_of(state: State, entry: Entry) -> Rejection | None:
    """Why the head cannot be nominated, first test first; None if it can."""
    info, queue = entry.info, entry.queue
    if info.checks and any(check.state in ("Retry", "Rejected") for check in info.checks):
        return Rejection.FAILED_CHECKS
    if queue.name in state.snapshot.cyclic:
        return Rejection.QUEUE_INACTIVE
    if info.namespace not in state.world.namespaces:
        return Rejection.NAMESPACE_NOT_FOUND
    if not state.namespace_matches(info.namespace, queue):
        return Rejection.NAMESPACE_MISMATCH
    return _template_rejection(state, info)


def _template_rejection(state: State, info: WorkloadInfo) -> Rejection | None:
    """What of its pod templates Kueue refuses; they never change, so it is asked once a run."""
    known: dict[str, Rejection | None] = state.template_rejections
    if info.key not in known:
        limits = state.rules.limits.get(info.namespace)
        known[info.key] = None
        if any(True for spec in info.adjusted for _ in above_limits(spec)):
            known[info.key] = Rejection.ABOVE_LIMITS
        elif limits and any(True for spec in info.adjusted for _ in outside_limit_ranges(spec, limits)):
            known[info.key] = Rejection.OUTSIDE_LIMIT_RANGE
    return known[info.key]


def nominate(state: State, entry: Entry) -> None:
    """Find flavors, targets and places for the head; its scan progress is recorded on the workload."""
    snapshot, info, queue = state.snapshot, entry.info, entry.queue
    pending = state.queues.by_name[queue.name].preemptor
    if pending is not None:
        entry.is_preemptor = (pending.key, pending.generation) == (info.key, info.generation)
    if info.last_assignment is not None and _outdated(info.last_assignment, entry, snapshot):
        info.last_assignment = None
    entry.replaced = replaced_slice(info, queue, snapshot)
    get_assignment(snapshot, entry, info.last_assignment)


def _outdated(last: LastAssignment, entry: Entry, snapshot: Snapshot) -> bool:
    """Whether recorded scan progress no longer counts (5.7)."""
    if snapshot.gates["FlavorFungibilityPreserveScanProgress"]:
        if entry.info.shape is not None and last.shape != entry.info.shape:
            return True
        if snapshot.cycle - last.cycle <= 1:
            return False
    return entry.queue.generation > last.generation


def get_assignment(
    snapshot: Snapshot, entry: Entry, last: LastAssignment | None, pins: Pins | None = None
) -> None:
    """The full assignment if it is Fit or has targets, else one with fewer pods, else the full one."""
    info, queue = entry.info, entry.queue
    search = Search(snapshot, queue, info)
    nomination = Nomination(snapshot, queue, info, search.oracle, last, pins, entry.replaced)
    topology = concerns_topology(info, queue, snapshot)

    def attempt(counts: list[int] | None) -> tuple[Assignment, list[Target]] | None:
        """The assignment with these counts, and its targets, if it is good."""
        if entry.second_pass:
            assignment = held_assignment(info, snapshot.gates, counts)
        else:
            assignment = assign_flavors(nomination, counts)
        if topology:
            place_assignment(
                snapshot, queue, info, assignment, replaced=entry.replaced, second_pass=entry.second_pass
            )
        if assignment.mode is Mode.FIT:
            return assignment, []
        targets = _targets(snapshot, search, entry, assignment) if assignment.mode is Mode.PREEMPT else []
        if targets:
            return assignment, targets
        if counts is None:
            entry.assignment = assignment
        return None

    entry.targets = []
    good = attempt(None)
    if good is None and snapshot.gates["PartialAdmission"]:
        good = reduced_counts(info, attempt)
    if good is not None:
        entry.assignment, entry.targets = good
        if entry.replaced is not None:
            entry.targets = [Target(entry.replaced.info, PreemptionReason.REPLACED_SLICE), *entry.targets]
    if topology and entry.assignment.mode is Mode.PREEMPT:
        record_for_preemption(snapshot, entry.assignment, [t.workload for t in entry.targets])
    if not entry.second_pass:
        info.last_assignment = LastAssignment(
            entry.assignment.last, queue.generation, snapshot.cycle, info.shape
        )


def _targets(snapshot: Snapshot, search: Search, entry: Entry, assignment: Assignment) -> list[Target]:
    plan = assignment.plan
    if plan is None or not plan.tasks:
        return search.targets(assignment, entry.replaced, held=entry.second_pass)
    return search.targets(
        assignment,
        entry.replaced,
        held=entry.second_pass,
        topology_fits=lambda: placements_succeed(snapshot, plan),
    )
