"""What a whole run brought each workload: one verdict word for each, and the entry behind it."""

from collections.abc import Iterable
from typing import NamedTuple

from kubectl_kueue.engine.entry import Entry, Rejection, Status
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.alone import fits_deserted
from kubectl_kueue.engine.explanation.fit import unsuited
from kubectl_kueue.engine.explanation.questions import (
    BLOCKING,
    CODES,
    about_queues,
    about_requests,
    about_workload,
)
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.verdict import Gate, GateState, Word
from kubectl_kueue.engine.flavors import FineMode, Nomination, PodSetAssignment, ignores_undeclared
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.simulate import Run
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import ADMITTED, EVICTED, FINISHED, QUOTA_RESERVED, WorkloadInfo
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.world import World


class Fate(NamedTuple):
    """The word; the entry that decided, or else its first one, or else that of `instead`; the cycle of its
    own entry (0: none); the question that failed, if one did before any flavor was looked at; the workload
    of the same shape that was looked at instead, or the one in front of a StrictFIFO queue."""

    word: Word
    entry: Entry | None = None
    cycle: int = 0
    gate: Gate | None = None
    instead: str = ""


def fates_of(run: Run, keys: Iterable[str] | None = None) -> dict[str, Fate]:
    """The fate of these workloads, or of all that were pending when the run began, in the order of keys."""
    judge = _Judge(run)
    workloads = run.state.world.workloads
    wanted = [k for k, w in workloads.items() if is_pending(w)] if keys is None else keys
    return {key: judge.fate(key) for key in wanted}


def is_pending(workload: Workload) -> bool:
    """Whether it waits for quota: not finished, and nothing reserved, or not for long (it is being
    evicted), or nobody knows where (no admission)."""
    true = {c.type for c in workload.status.conditions if c.status == "True"}
    reserved = QUOTA_RESERVED in true and EVICTED not in true and workload.status.admission is not None
    return FINISHED not in true and not reserved


_DECIDED = {
    Status.ASSUMED: Word.ADMIT,
    Status.PREEMPTING: Word.PREEMPT,
    Status.GATED: Word.BLOCKED,
}


class _Judge:
    """Looks every workload up in one run; what holds for a whole scheduling shape is found out once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._state = run.state
        self._entries: dict[str, list[tuple[int, Entry]]] = {}
        self._heads: dict[str, Entry] = {}
        self._shapes: dict[tuple[str, object], Entry] = {}
        for result in run.cycles:
            for entry in result:
                if entry.second_pass:
                    continue
                self._entries.setdefault(entry.info.key, []).append((result.cycle, entry))
                self._heads.setdefault(entry.queue.name, entry)
                self._shapes.setdefault((entry.queue.name, entry.info.shape), entry)
        self._possible: dict[tuple[str, object], bool] = {}
        self._trees: dict[str, World] = {}

    def fate(self, key: str) -> Fate:
        info = self._state.workloads[key]
        own = self._entries.get(key, [])
        for cycle, entry in own:
            if entry.status in _DECIDED:
                return Fate(_DECIDED[entry.status], entry, cycle)
        if info.is_true(FINISHED):
            return Fate(Word.FINISHED, gate=_foreseen(self._state, info))
        if info.holds_quota:
            return Fate(Word.NOT_RUNNING if info.is_true(ADMITTED) else Word.CHECKS_PENDING)
        queue = self._state.queue_ahead(info)
        if own:
            cycle, entry = own[0]
            if entry.rejection is not None:
                return self._rejected(info, entry, cycle)
            return Fate(self._wait_or_never(info, entry.queue), entry, cycle)
        gate = _first_failed(
            [*about_workload(self._state, info), *about_queues(self._state, self._state.world, info)]
        )
        if gate is None and queue is not None:
            gate = _first_failed(about_requests(self._state, info, queue))
        if gate is not None:
            return Fate(Word.BLOCKED if gate.name in BLOCKING else Word.NEVER, gate=gate)
        return self._without_turn(info, queue)

    def _rejected(self, info: WorkloadInfo, entry: Entry, cycle: int) -> Fate:
        """It was refused before any flavor was looked at."""
        if entry.rejection is Rejection.QUEUE_INACTIVE:
            gate = _first_failed(about_queues(self._state, self._state.world, info))
            return Fate(Word.BLOCKED, entry, cycle, gate)
        gate = _first_failed(about_requests(self._state, info, entry.queue))
        return Fate(Word.NEVER if gate else Word.BLOCKED, entry, cycle, gate)

    def _without_turn(self, info: WorkloadInfo, queue: QueueNode | None) -> Fate:
        """It was in its queue and never a head."""
        if queue is None:
            return Fate(Word.BLOCKED)
        word = self._wait_or_never(info, queue)
        twin = self._shapes.get((queue.name, info.shape)) if info.shape is not None else None
        if twin is not None and not queue.strict:
            return Fate(word, twin, instead=twin.info.key)
        head = self._heads.get(queue.name)
        if word is Word.WAIT and queue.strict and head is not None:
            return Fate(Word.BLOCKED, instead=head.info.key)
        return Fate(word)

    def _wait_or_never(self, info: WorkloadInfo, queue: QueueNode) -> Word:
        shape = info.shape if info.shape is not None else info.key
        possible = self._possible.get((queue.name, shape))
        if possible is None:
            possible = self._possible[queue.name, shape] = self._can_ever_fit(info, queue)
        return Word.WAIT if possible else Word.NEVER

    def _can_ever_fit(self, info: WorkloadInfo, queue: QueueNode) -> bool:
        simple = _fits_simply(self._run, info, queue)
        if simple is not None:
            return simple
        tree = self._trees.get(queue.name)
        if tree is None:
            tree = self._trees[queue.name] = around(self._state.world, queue.name, info.key)
        return fits_deserted(tree, info.key)


def _foreseen(state: State, info: WorkloadInfo) -> Gate | None:
    """The question that fails where its status does not say that it has ended: it is being deleted."""
    gates = (gate for gate in about_workload(state, info) if isinstance(gate.facts, facts.Finished))
    return next((g for g in gates if isinstance(g.facts, facts.Finished) and g.facts.why), None)


def _first_failed(gates: Iterable[Gate]) -> Gate | None:
    return next((g for g in gates if g.state is GateState.FAILED and g.name in CODES), None)


def _fits_simply(run: Run, info: WorkloadInfo, queue: QueueNode) -> bool | None:
    """Whether one podSet could get its flavors in an empty cluster; None where only a run can tell."""
    snapshot = run.state.snapshot
    pod_sets = info.obj.spec.pod_sets
    if len(pod_sets) != 1 or pod_sets[0].min_count is not None or info.wants_topology or queue.tas_only:
        return None
    member = PodSetAssignment(0, info.pod_sets[0])
    requests = dict(member.requests)
    if queue.covers_pods:
        requests["pods"] = member.count
    if not ignores_undeclared(snapshot) and any(v and r not in queue.group_of for r, v in requests.items()):
        return False
    nomination = Nomination(snapshot, queue, info, lambda fr, amount: (FineMode.NO_CANDIDATES, 0))
    for group in queue.groups:
        asked = {r: v for r, v in requests.items() if queue.group_of.get(r) is group}
        if asked and not any(
            unsuited(nomination, [member], group, flavor) is None
            and all(v <= queue.potential.get(FlavorResource(flavor, r), 0) for r, v in asked.items())
            for flavor in group.flavors
        ):
            return False
    return True
