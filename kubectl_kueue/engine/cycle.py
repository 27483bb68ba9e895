"""One scheduling cycle: nominate the heads, order them, process them, requeue (scheduling.md 4).

Nomination looks at every head against the same untouched snapshot; processing goes through the
entries in order and simulates what each one takes; only at the end do decisions become real.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

from kubectl_kueue.engine import concurrent, eviction
from kubectl_kueue.engine.fair_sharing import tournament
from kubectl_kueue.engine.flavors import (
    Assignment,
    Mode,
    Nomination,
    Pins,
    assign_flavors,
)
from kubectl_kueue.engine.partial import reduced_counts
from kubectl_kueue.engine.preemption.candidates import PreemptionReason, Target
from kubectl_kueue.engine.preemption.search import Search
from kubectl_kueue.engine.queues import RequeueReason
from kubectl_kueue.engine.quota import FlavorResource, Node, fits
from kubectl_kueue.engine.reservation import reserve
from kubectl_kueue.engine.slices import ReplacedSlice, replaced_slice, replacement_key
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.validation import above_limits, outside_limit_ranges
from kubectl_kueue.engine.workload import LastAssignment, WorkloadInfo


class Status(StrEnum):
    """How a head left its cycle."""

    ASSUMED = "assumed"
    PREEMPTING = "preempting"
    SKIPPED = "skipped"
    DEFERRED = "deferred"
    NO_FIT = "nofit"
    NO_CANDIDATES = "nocandidates"
    INADMISSIBLE = "inadmissible"
    GATED = "gated"
    EVICTED = "evicted"
    MIGRATING = "migrating"
    OTHER = "other"


class Rejection(StrEnum):
    """Why a head was not even nominated (4.3)."""

    FAILED_CHECKS = "FailedAdmissionChecks"
    QUEUE_INACTIVE = "ClusterQueueInactive"
    QUEUE_NOT_FOUND = "ClusterQueueNotFound"
    NAMESPACE_NOT_FOUND = "NamespaceNotFound"
    NAMESPACE_MISMATCH = "NamespaceMismatch"
    ABOVE_LIMITS = "RequestsExceedLimits"
    OUTSIDE_LIMIT_RANGE = "LimitRangeViolated"


class Skip(StrEnum):
    """Why a nominated entry was passed over."""

    OVERLAP = "OverlappingTargets"
    NO_LONGER_FITS = "NoLongerFits"
    BETTER_VARIANT = "BetterVariantAdmitted"


class Entry:
    """A head in its cycle: what it was nominated for and what became of it."""

    __slots__ = (
        "assignment",
        "info",
        "is_preemptor",
        "nominated_mode",
        "preempting",
        "queue",
        "rejection",
        "replaced",
        "requeue_reason",
        "search",
        "second_pass",
        "skip",
        "status",
        "targets",
    )

    def __init__(self, info: WorkloadInfo, queue: QueueNode) -> None:
        self.info = info
        self.queue = queue
        self.assignment: Assignment = Assignment()
        self.targets: list[Target] = []
        self.replaced: ReplacedSlice | None = None
        self.search: Search | None = None
        self.status: Status | None = None
        self.requeue_reason = RequeueReason.GENERIC
        self.rejection: Rejection | None = None
        self.skip: Skip | None = None
        self.nominated_mode: Mode | None = None
        self.preempting: list[Target] = []
        self.is_preemptor = False
        self.second_pass = False

    @property
    def charged(self) -> dict[FlavorResource, int]:
        """Quota that the entry would take on top of what it holds (4.5)."""
        return {} if self.second_pass else self.assignment.usage


class CycleResult:
    """What one cycle did: entries in processing order, and heads rejected before nomination."""

    __slots__ = ("cycle", "entries", "evicted_after", "now", "rejected")

    def __init__(self, cycle: int, now: int) -> None:
        self.cycle = cycle
        self.now = now
        self.entries: list[Entry] = []
        self.rejected: list[Entry] = []
        self.evicted_after: list[str] = []

    def __iter__(self) -> Iterator[Entry]:
        yield from self.entries
        yield from self.rejected


def run_cycle(state: State) -> CycleResult | None:
    """Run one cycle; None if there was no head (then nothing happened)."""
    heads = state.queues.heads()
    if not heads:
        return None
    snapshot = state.snapshot
    snapshot.cycle += 1
    result = CycleResult(snapshot.cycle, snapshot.now)
    cycle = _Cycle(state)
    for name, info in heads:
        entry = Entry(info, snapshot.queues[name])
        if info.key in entry.queue.workloads:
            continue
        entry.rejection = _rejection(state, entry)
        if entry.rejection is not None:
            entry.status = Status.INADMISSIBLE
            if entry.rejection is Rejection.NAMESPACE_MISMATCH:
                entry.requeue_reason = RequeueReason.NAMESPACE_MISMATCH
            result.rejected.append(entry)
        else:
            cycle.nominate(entry)
            result.entries.append(entry)
    ordered = []
    for entry in _in_order(state, result.entries):
        cycle.process(entry)
        ordered.append(entry)
    result.entries = ordered
    snapshot.undo(0)
    for entry in ordered:
        _carry_out(state, entry)
    snapshot.settle()
    for entry in result:
        if entry.status is not Status.ASSUMED and entry.status is not Status.EVICTED:
            _requeue(state, entry)
    return result


# --- before nomination (4.3) --------------------------------------------------------------------


def _rejection(state: State, entry: Entry) -> Rejection | None:
    info, queue = entry.info, entry.queue
    if any(check.state in ("Retry", "Rejected") for check in info.checks):
        return Rejection.FAILED_CHECKS
    if queue.name in state.snapshot.cyclic:
        return Rejection.QUEUE_INACTIVE
    if info.namespace not in state.world.namespaces:
        return Rejection.NAMESPACE_NOT_FOUND
    if not state.namespace_matches(info.namespace, queue):
        return Rejection.NAMESPACE_MISMATCH
    if any(True for spec in info.adjusted for _ in above_limits(spec)):
        return Rejection.ABOVE_LIMITS
    limits = state.rules.limits.get(info.namespace)
    if limits and any(True for spec in info.adjusted for _ in outside_limit_ranges(spec, limits)):
        return Rejection.OUTSIDE_LIMIT_RANGE
    return None


# --- order (4.4) --------------------------------------------------------------------------------


def _in_order(state: State, entries: list[Entry]) -> Iterable[Entry]:
    if state.snapshot.fair_sharing:
        return tournament(entries, state.snapshot)
    gates = state.snapshot.gates
    by_priority = gates["PrioritySortingWithinCohort"]
    preemptors_first = gates["PrioritizePreemptorWorkloads"]

    def key(entry: Entry) -> tuple[Any, ...]:
        info = entry.info
        return (
            not entry.second_pass,
            preemptors_first and not entry.is_preemptor,
            entry.assignment.borrowing,
            -info.priority if by_priority else 0,
            info.queue_time,
        )

    return sorted(entries, key=key)


class _Cycle:
    """The simulation of one cycle: whose victims count as gone, what earlier entries took."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._snapshot = state.snapshot
        self._victims: dict[str, WorkloadInfo] = {}
        self._by_root: dict[Node, dict[str, WorkloadInfo]] = {}
        self._migrated: set[str] = set()

    # --- nomination -------------------------------------------------------------------------------

    def nominate(self, entry: Entry) -> None:
        """Find flavors and, where they are in use, targets (4.3 get_assignments)."""
        info, queue = entry.info, entry.queue
        pending = self._state.queues.by_name[queue.name].preemptor
        entry.is_preemptor = pending is not None and (pending.key, pending.generation) == (
            info.key,
            info.generation,
        )
        if info.last_assignment is not None and self._outdated(info.last_assignment, entry):
            info.last_assignment = None
        entry.replaced = replaced_slice(info, queue, self._snapshot)
        self._assign(entry, info.last_assignment, None)
        info.last_assignment = LastAssignment(
            entry.assignment.last, queue.generation, self._snapshot.cycle, info.shape
        )

    def _outdated(self, last: LastAssignment, entry: Entry) -> bool:
        """Whether recorded scan progress no longer counts (5.7)."""
        if self._snapshot.gates["FlavorFungibilityPreserveScanProgress"]:
            if entry.info.shape is not None and last.shape != entry.info.shape:
                return True
            if self._snapshot.cycle - last.cycle <= 1:
                return False
        return entry.queue.generation > last.generation

    def _assign(self, entry: Entry, last: LastAssignment | None, pins: Pins | None) -> None:
        snapshot, info, queue = self._snapshot, entry.info, entry.queue
        search = Search(snapshot, queue, info)
        nomination = Nomination(snapshot, queue, info, search.oracle, last, pins, entry.replaced)

        def attempt(counts: list[int] | None) -> tuple[Assignment, list[Target]] | None:
            """The assignment with these counts if it is good: Fit, or Preempt with targets."""
            assignment = assign_flavors(nomination, counts)
            if assignment.mode is Mode.FIT:
                return assignment, []
            targets = search.targets(assignment, entry.replaced) if assignment.mode is Mode.PREEMPT else []
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

    # --- processing (4.6) -------------------------------------------------------------------------

    def process(self, entry: Entry) -> None:
        if self._overlaps(entry) and self._snapshot.gates["RecomputeAssignmentUponPreemptionTargetsOverlap"]:
            self._recompute(entry)
        assignment, mode = entry.assignment, entry.assignment.mode
        if mode is Mode.NO_FIT:
            entry.status, entry.requeue_reason = Status.NO_FIT, RequeueReason.NO_FIT
            return
        if concurrent.better_variant_admitted(entry.info, entry.queue, self._snapshot):
            self._skip(entry, Skip.BETTER_VARIANT)
            return
        if mode is Mode.DEFERRED_FIT:
            entry.status, entry.requeue_reason = Status.DEFERRED, RequeueReason.PENDING_PREEMPTION
            entry.info.last_assignment = None
            self._snapshot.charge(entry.queue, entry.charged)
            return
        if mode is Mode.PREEMPT and not entry.targets:
            entry.status, entry.requeue_reason = Status.NO_CANDIDATES, RequeueReason.NO_CANDIDATES
            self._hold_capacity(entry)
            return
        if mode is Mode.PREEMPT and eviction.preemption_gate_closed(entry.info, self._snapshot):
            entry.status, entry.requeue_reason = Status.GATED, RequeueReason.GATED
            return
        if self._overlaps(entry):
            self._skip(entry, Skip.OVERLAP)
            return
        if not self._fits_now(entry):
            self._skip(entry, Skip.NO_LONGER_FITS)
            return
        for target in entry.targets:
            self._victim(target.workload)
        self._snapshot.charge(entry.queue, entry.charged)
        if mode is Mode.PREEMPT:
            self._preempt(entry)
        elif concurrent.migrates(entry.info, entry.queue, self._snapshot, assignment):
            entry.status, entry.requeue_reason = Status.MIGRATING, RequeueReason.PENDING_MIGRATION
            entry.info.last_assignment = None
        else:
            entry.status = Status.ASSUMED

    def _victim(self, info: WorkloadInfo) -> None:
        assert info.reservation is not None
        self._victims[info.key] = info
        root = self._snapshot.queues[info.reservation.cluster_queue].root
        self._by_root.setdefault(root, {})[info.key] = info

    def _overlaps(self, entry: Entry) -> bool:
        return any(t.workload.key in self._victims for t in entry.targets)

    def _fits_now(self, entry: Entry) -> bool:
        """Whether the entry still fits with all victims of the cycle and its own targets gone (4.5)."""
        snapshot = self._snapshot
        gone = dict(self._by_root.get(entry.queue.root, {}))
        gone.update((t.workload.key, t.workload) for t in entry.targets)
        with snapshot.without(gone.values()):
            return fits(entry.queue, entry.charged)

    def _skip(self, entry: Entry, why: Skip) -> None:
        entry.status, entry.skip = Status.SKIPPED, why
        entry.requeue_reason = RequeueReason.AFTER_NOMINATION
        if not self._snapshot.gates["FlavorFungibilityPreserveScanProgress"]:
            entry.info.last_assignment = None

    def _hold_capacity(self, entry: Entry) -> None:
        """Keep room for a preemptor without candidates whose queue may not get its quota back (5.2)."""
        queue = entry.queue
        waiting = self._snapshot.gates["PrioritizePreemptorWorkloads"] and entry.is_preemptor
        if queue.preemption.reclaim_within_cohort == "Any" and not waiting:
            return
        held: dict[FlavorResource, int] = {}
        for fr, amount in entry.charged.items():
            nominal, used = queue.nominal.get(fr, 0), queue.usage.get(fr, 0)
            if entry.assignment.borrowing > 0:
                limit = queue.borrowing_limit.get(fr)
                held[fr] = amount if limit is None else min(amount, nominal + limit - used)
            else:
                held[fr] = max(0, min(amount, nominal - used))
        self._snapshot.charge(queue, held)

    def _preempt(self, entry: Entry) -> None:
        info = entry.info
        entry.preempting = _without_replaced(entry, replacement_key(info, self._snapshot))
        info.last_assignment = None
        if entry.preempting:
            entry.status, entry.requeue_reason = Status.PREEMPTING, RequeueReason.PENDING_PREEMPTION
        else:
            entry.status = Status.OTHER

    def _recompute(self, entry: Entry) -> None:
        """Look again with all victims of the cycle gone, bound to the nominated flavors (4.9)."""
        snapshot = self._snapshot
        nominated = entry.assignment
        pins = {p.name: {r: c.flavor for r, c in p.flavors.items()} for p in nominated.pod_sets}
        mark = snapshot.mark()
        hidden: list[tuple[QueueNode, WorkloadInfo]] = []
        for info in self._victims.values():
            assert info.reservation is not None
            queue = snapshot.queues[info.reservation.cluster_queue]
            snapshot.take_out(info)
            del queue.workloads[info.key]
            queue.by_priority = None
            hidden.append((queue, info))
        entry.info.last_assignment = None
        self._assign(entry, None, pins)
        entry.info.last_assignment = LastAssignment(
            entry.assignment.last, entry.queue.generation, snapshot.cycle, entry.info.shape
        )
        for queue, info in hidden:
            queue.workloads[info.key] = info
            queue.by_priority = None
        snapshot.undo(mark)
        if entry.assignment.mode is Mode.FIT:
            entry.assignment.mode = Mode.DEFERRED_FIT
        if nominated.mode is not entry.assignment.mode:
            entry.nominated_mode = nominated.mode


def _without_replaced(entry: Entry, key: str | None) -> list[Target]:
    """The targets to preempt: the first mention of the slice that is being replaced is not."""
    targets = list(entry.targets)
    for i, target in enumerate(targets):
        if key is not None and target.workload.key == key:
            del targets[i]
            break
    return targets


# --- decisions become real ----------------------------------------------------------------------


def _carry_out(state: State, entry: Entry) -> None:
    if entry.status is Status.ASSUMED:
        reserve(state, entry.info, entry.queue, entry.assignment)
        if entry.replaced is not None:
            eviction.finish_replaced(state, entry.replaced.info)
    elif entry.status is Status.PREEMPTING:
        for target in entry.preempting:
            eviction.preempt(state, target)
    elif entry.status is Status.MIGRATING:
        concurrent.evict_worse_variants(state, entry.info, entry.queue, entry.assignment)


def _requeue(state: State, entry: Entry) -> None:
    info = entry.info
    state.queues.requeue(info, entry.requeue_reason)
    eviction.report_pending(state, entry)
