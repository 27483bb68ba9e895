"""One scheduling cycle: nominate the heads, order them, process them, requeue (scheduling.md 4).

Nomination looks at every head against the same untouched snapshot; processing goes through the
entries in order and simulates what each one takes; only at the end do decisions become real.
"""

from collections.abc import Iterable
from typing import Any

from kubectl_kueue.engine import concurrent
from kubectl_kueue.engine.entry import CycleResult, Entry, Rejection, Skip, Status
from kubectl_kueue.engine.fair_sharing import tournament
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.nominate import get_assignment, nominate, rejection_of
from kubectl_kueue.engine.outcome import carry_out, preemption_gate_closed, requeue
from kubectl_kueue.engine.placing import topology_claims
from kubectl_kueue.engine.preemption.candidates import Target
from kubectl_kueue.engine.queues import RequeueReason
from kubectl_kueue.engine.quota import FlavorResource, Node, fits
from kubectl_kueue.engine.slices import replaced_slice, replacement_key
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo


def run_cycle(state: State) -> CycleResult | None:
    """Run one cycle; None if there was no head (then nothing happened)."""
    heads = _heads(state)
    if not heads:
        return None
    snapshot = state.snapshot
    snapshot.begin_cycle()
    result = CycleResult(snapshot.cycle, snapshot.now)
    nominated: list[Entry] = []
    for entry in heads:
        entry.rejection = rejection_of(state, entry)
        if entry.rejection is None:
            nominate(state, entry)
            nominated.append(entry)
            continue
        entry.status = Status.INADMISSIBLE
        if entry.rejection is Rejection.NAMESPACE_MISMATCH:
            entry.requeue_reason = RequeueReason.NAMESPACE_MISMATCH
        result.rejected.append(entry)
    if snapshot.duels is not None:
        snapshot.duels = result.duels
    cycle = _Cycle(state)
    for entry in _in_order(state, nominated):
        cycle.process(entry)
        result.entries.append(entry)
    snapshot.undo()
    carry_out(state, result.entries)
    snapshot.settle()
    for entry in (*nominated, *result.rejected):
        requeue(state, entry)
    return result


def _heads(state: State) -> list[Entry]:
    """Workloads ready for a second pass, then the head of every ClusterQueue."""
    queues = state.snapshot.queues
    heads = []
    for key in state.second_pass.take_ready(state.now):
        info = state.workloads[key]
        if info.cluster_queue in queues:
            queue = queues[info.cluster_queue]
            if queue.active:
                heads.append(Entry(info, queue, second_pass=True))
    heads.extend(Entry(info, queues[name]) for name, info in state.queues.heads())
    return heads


def _in_order(state: State, entries: list[Entry]) -> Iterable[Entry]:
    """The order of processing (4.4), or the tournament under fair sharing."""
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
    """The simulation of one cycle: whose victims count as gone, what earlier entries took (4.6)."""

    def __init__(self, state: State) -> None:
        self._snapshot = state.snapshot
        self._victims: dict[str, WorkloadInfo] = {}
        self._by_root: dict[Node, dict[str, WorkloadInfo]] = {}

    def process(self, entry: Entry) -> None:
        """Decide one entry and simulate what it takes."""
        gates = self._snapshot.gates
        quota_fits, topology_fits = self._fits_now(entry)
        if gates["RecomputeAssignmentUponPreemptionTargetsOverlap"] and self._overlaps(entry):
            self._recompute(entry, without_victims=True)
            quota_fits, topology_fits = self._fits_now(entry)
        elif quota_fits and not topology_fits and gates["TASRecomputeAssignmentWithinSchedulingCycle"]:
            self._recompute(entry, without_victims=False)
            quota_fits, topology_fits = self._fits_now(entry)
        mode = entry.assignment.mode
        if mode is not Mode.FIT and entry.second_pass and self._fails_fast(entry):
            entry.status = Status.EVICTED
        elif mode is Mode.NO_FIT:
            entry.status, entry.requeue_reason = Status.NO_FIT, RequeueReason.NO_FIT
        elif concurrent.better_variant_admitted(entry.info, entry.queue, self._snapshot):
            self._skip(entry, Skip.BETTER_VARIANT)
        elif mode is Mode.DEFERRED_FIT:
            entry.status, entry.requeue_reason = Status.DEFERRED, RequeueReason.PENDING_PREEMPTION
            entry.info.last_assignment = None
            self._claim(entry)
        elif mode is Mode.PREEMPT and not entry.targets:
            entry.status, entry.requeue_reason = Status.NO_CANDIDATES, RequeueReason.NO_CANDIDATES
            self._hold_capacity(entry)
        elif mode is Mode.PREEMPT and preemption_gate_closed(entry.info, self._snapshot):
            entry.status, entry.requeue_reason = Status.GATED, RequeueReason.GATED
        elif self._overlaps(entry):
            self._skip(entry, Skip.OVERLAP)
        elif not (quota_fits and topology_fits):
            self._skip(entry, Skip.NO_LONGER_FITS)
        else:
            self._take(entry)

    def _take(self, entry: Entry) -> None:
        """The entry gets what it asks for, or the preemptions that will make room for it."""
        for target in entry.targets:
            self._count_as_gone(target.workload)
        self._claim(entry)
        info = entry.info
        if entry.assignment.mode is Mode.PREEMPT:
            info.last_assignment = None
            entry.preempting = _without_replaced(entry, replacement_key(info, self._snapshot))
            if entry.preempting:
                entry.status, entry.requeue_reason = Status.PREEMPTING, RequeueReason.PENDING_PREEMPTION
            else:
                entry.status = Status.OTHER
        elif concurrent.migrates(info, entry.queue, self._snapshot):
            info.last_assignment = None
            entry.status, entry.requeue_reason = Status.MIGRATING, RequeueReason.PENDING_MIGRATION
        else:
            entry.status = Status.ASSUMED

    def _claim(self, entry: Entry) -> None:
        self._snapshot.charge(entry.queue, entry.charged)
        self._claim_topology(entry)

    def _claim_topology(self, entry: Entry) -> None:
        if entry.assignment.placed:
            self._snapshot.forest.add(
                topology_claims(entry.info, entry.assignment, second_pass=entry.second_pass)
            )

    def _count_as_gone(self, info: WorkloadInfo) -> None:
        self._victims[info.key] = info
        root = self._snapshot.queues[info.cluster_queue].root
        self._by_root.setdefault(root, {})[info.key] = info

    def _overlaps(self, entry: Entry) -> bool:
        return bool(self._victims) and any(t.workload.key in self._victims for t in entry.targets)

    def _fits_now(self, entry: Entry) -> tuple[bool, bool]:
        """Whether quota and places still suffice with all victims and the own targets gone (4.5).

        Quota is shared within a tree of cohorts only, places by everybody.
        """
        snapshot = self._snapshot
        placed = entry.assignment.placed
        if not placed and not entry.targets and entry.assignment.mode is not Mode.FIT:
            return True, True  # it will take nothing, so nobody asks
        gone = self._victims if placed else self._by_root.get(entry.queue.root, {})
        if entry.targets:
            gone = {**gone, **{t.workload.key: t.workload for t in entry.targets}}
        with snapshot.without(gone.values()):
            if not fits(entry.queue, entry.charged):
                return False, True
            if not placed:
                return True, True
            claims = topology_claims(entry.info, entry.assignment, second_pass=entry.second_pass)
            return True, all(snapshot.forest.fits_now(usage) for usage in claims)

    def _fails_fast(self, entry: Entry) -> bool:
        """Whether a failed node without replacement evicts the workload at once (topology.md 8)."""
        plan = entry.assignment.plan
        unhealthy = plan is not None and bool(plan.unhealthy)
        return unhealthy and self._snapshot.gates["TASFailedNodeReplacementFailFast"]

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
        self._claim_topology(entry)

    def _recompute(self, entry: Entry, *, without_victims: bool) -> None:
        """Look again on the state as it is by now, bound to the nominated flavors (4.9).

        After an overlap the victims of earlier entries are out of the way and cannot be chosen again;
        a Fit on their room is deferred until they are gone.
        """
        snapshot = self._snapshot
        nominated = entry.assignment
        pins = {p.name: {r: c.flavor for r, c in p.flavors.items()} for p in nominated.pod_sets}
        mark = snapshot.mark()
        hidden = self._hide_victims() if without_victims else []
        entry.info.last_assignment = None
        entry.replaced = replaced_slice(entry.info, entry.queue, snapshot)  # none if it is a hidden victim
        get_assignment(snapshot, entry, None, pins)
        for queue, info in hidden:
            queue.workloads[info.key] = info
            queue.by_priority = None
        snapshot.undo(mark)
        if without_victims and entry.assignment.mode is Mode.FIT:
            entry.assignment.mode = Mode.DEFERRED_FIT
        if nominated.mode is not entry.assignment.mode:
            entry.nominated_mode = nominated.mode

    def _hide_victims(self) -> list[tuple[QueueNode, WorkloadInfo]]:
        hidden = []
        for info in self._victims.values():
            queue = self._snapshot.queues[info.cluster_queue]
            self._snapshot.take_out(info)
            del queue.workloads[info.key]
            queue.by_priority = None
            hidden.append((queue, info))
        return hidden


def _without_replaced(entry: Entry, key: str | None) -> list[Target]:
    """The targets to preempt: the first mention of the slice that is being replaced is not."""
    targets = list(entry.targets)
    for i, target in enumerate(targets):
        if key is not None and target.workload.key == key:
            del targets[i]
            break
    return targets
