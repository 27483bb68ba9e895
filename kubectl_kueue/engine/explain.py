"""Why is this workload not running? Kueue's questions in order; the first that fails is the answer.

`explain` is the only entrance. The questions are in explanation/, one subject a module; here they are
put together, and the word is found: what the scheduler does at the workload's turn decides, and where
no turn comes, what it would do if it came (docs/explain.md).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from kubectl_kueue.engine import lifecycle
from kubectl_kueue.engine.entry import Entry, Status
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.alone import fits_deserted, reason_code
from kubectl_kueue.engine.explanation.course import Course, place_in, position_of, run_around, turn_of
from kubectl_kueue.engine.explanation.domains import Tree, trees_of
from kubectl_kueue.engine.explanation.fit import origins_of
from kubectl_kueue.engine.explanation.look import View, gates_of, look, misplaced_in
from kubectl_kueue.engine.explanation.outside import hidden, placeless, recognised, seen_from_outside
from kubectl_kueue.engine.explanation.pods import pods_of, unmanaged_pods
from kubectl_kueue.engine.explanation.questions import (
    BLOCKING,
    CODES,
    about_queues,
    about_requests,
    about_workload,
    checks_of,
    failed,
    passed,
    unknown,
)
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.shares import Contest, Fairness, contests_of
from kubectl_kueue.engine.explanation.standing import as_it_stands, assumptions, is_ghost
from kubectl_kueue.engine.explanation.status import assigned, chain_of, counts_of, evictions_of, sayings_of
from kubectl_kueue.engine.explanation.verdict import Gate, GateState, Verdict, Word
from kubectl_kueue.engine.explanation.victims import Before
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import ADMITTED
from kubectl_kueue.model.world import World


def explain(world: World, key: str, *, topology: bool = False) -> Verdict:
    """The verdict on the workload `key` ("namespace/name"). Raises KeyError if there is none.

    `topology`: look at the trees that it could use, also if places are not what fails.
    """
    obj = world.workloads[key]
    standing = as_it_stands(world)
    local_queue = standing.local_queues.get(f"{obj.metadata.namespace}/{obj.spec.queue_name}")
    name = local_queue.spec.cluster_queue if local_queue is not None else ""
    if obj.status.admission is not None and obj.status.admission.cluster_queue in world.cluster_queues:
        name = obj.status.admission.cluster_queue
    return _Case(world, around(standing, name, key), key, name, topology=topology).verdict()


_UNSEEN = ("coverage", "flavors", "quota", "preemption", "topology", "order", "checks", "pods")
"""Questions that nobody can answer without the ClusterQueue."""


class _Case:
    """One workload and its questions, asked of one cluster that is run on the way."""

    def __init__(self, world: World, local: World, key: str, queue: str, *, topology: bool) -> None:
        self._world = world
        self._topology = topology
        self._contests: tuple[Contest, ...] = ()
        self._local = local
        self._state = State(local)
        self._info = self._state.workloads[key]
        self._queue = self._state.snapshot.queues.get(queue)
        self._ghosts = frozenset(k for k in local.workloads if is_ghost(world.workloads[k]))
        self._quota_before = Before(self._state.workloads)

    def verdict(self) -> Verdict:
        info, state = self._info, self._state
        others_go = bool(self._quota_before.evicting - {info.key})
        before = self._look() if others_go and not (info.holds_quota or self._world.steady) else None
        placeless_for = placeless(self._world, self._queue.name if self._queue is not None else "")
        narrow = bool(hidden(self._world)) or "Topology" in placeless_for
        if not narrow:  # what the controllers would do about queues that only could not be read never happens
            lifecycle.settle(state)
        gates = [*about_workload(state, info)]
        if info.is_true("Finished"):
            return self._answer(Word.FINISHED, "Finished", gates)
        gates.extend(about_queues(state, self._world, info))
        if self._queue is not None:
            gates.extend(about_requests(state, info, self._queue))
        if info.holds_quota:
            return self._reserved(gates)
        if narrow and not any(g.state is GateState.FAILED for g in gates):
            return self._from_outside(gates)
        if self._queue is None or info.uncountable:
            return self._refused(gates, None, None)
        known = list(gates)
        view = self._look()
        gates.append(_coverage(view))
        turnable = not any(g.state is GateState.FAILED for g in gates if g.name in CODES)
        course = run_around(state, info) if turnable else None
        self._contests = contests_of(course.run.cycles if course is not None else (), info.key)
        position = self._position(course)
        if course is None:
            return self._refused(gates, view, position)
        found = self._scheduled(gates, view, course, position, before)
        if placeless_for and _is_about_places(found):
            return self._from_outside(known)
        return found

    # --- the workload in front of its queue -------------------------------------------------------

    def _look(self) -> View:
        assert self._queue is not None
        return look(self._state, self._info, self._queue, self._ghosts, topology=self._topology)

    def _position(self, course: Course | None) -> facts.Position | None:
        queue = self._queue
        if queue is None:
            return None
        if course is not None:
            return position_of(course, self._info, queue)
        pending = self._state.queues.where.get(self._info.key)
        if pending is None:
            return None
        return place_in(self._state.queues.in_visible_order(pending), self._info)

    # --- the word ---------------------------------------------------------------------------------

    def _reserved(self, gates: list[Gate]) -> Verdict:
        """It holds quota: what stands between it and its pods?"""
        info = self._info
        gates.extend(map(passed, ("coverage", "flavors", "quota", "preemption", "topology", "order")))
        checks = tuple(checks_of(self._state, info))
        admitted = info.is_true(ADMITTED)
        open_checks = any(c.state != "Ready" for c in checks) or not admitted
        gates.append(
            Gate("checks", GateState.FAILED if open_checks else GateState.PASSED, facts.Checks(checks))
        )
        if not admitted:
            gates.append(unknown("pods"))
            return self._answer(Word.CHECKS_PENDING, "QuotaReserved", gates)
        pods = pods_of(self._world, info)
        running = pods.ready or (
            len(pods.pods) >= pods.expected and all(p.phase in ("Running", "Succeeded") for p in pods.pods)
        )
        answer = GateState.PASSED if running else GateState.FAILED if pods.pods else GateState.UNKNOWN
        gates.append(Gate("pods", answer, pods))
        return self._answer(Word.RUNNING if running else Word.NOT_RUNNING, "QuotaReserved", gates)

    def _refused(
        self,
        gates: list[Gate],
        view: View | None,
        position: facts.Position | None,
    ) -> Verdict:
        """It is not even nominated; flavors and quota are told as far as they can be seen."""
        first = next((g.name for g in gates if g.state is GateState.FAILED), "clusterQueue")
        word = Word.BLOCKED if first in BLOCKING else Word.NEVER
        if view is None:
            gates.extend(map(unknown, _UNSEEN))
        else:
            gates.extend(self._about_fit(view, None))
            gates.extend(map(unknown, ("order", "checks", "pods")))
        return self._answer(word, CODES.get(first, ""), gates, view=view, position=position)

    def _from_outside(self, gates: list[Gate]) -> Verdict:
        """Who holds quota, and how much there is, could not be read: its own status is all there is."""
        asked = {gate.name for gate in gates}
        gates.extend(unknown(name) for name in _UNSEEN if name not in asked)
        word, code = recognised(self._info)
        return self._answer(word, code, gates, outside=seen_from_outside(self._world, self._info))

    def _scheduled(
        self,
        gates: list[Gate],
        view: View,
        course: Course,
        position: facts.Position | None,
        before: View | None,
    ) -> Verdict:
        """Its turn, as far as it has one, decides."""
        queue = self._queue
        assert queue is not None
        turn = turn_of(course, self._info, queue, view.last)
        entry = course.decisive
        first = course.entries[0][1] if course.entries else view.first
        shown = view
        if before is not None and not before.fits:
            if entry is not None and entry.status is Status.ASSUMED:
                return self._until_evicted(gates, before, position)
            shown = before
        if entry is not None and entry.status in (Status.ASSUMED, Status.PREEMPTING):
            word = Word.ADMIT if entry.status is Status.ASSUMED else Word.PREEMPT
            code = reason_code(first if word is Word.ADMIT else entry)
        elif entry is not None:
            word, code = (Word.BLOCKED if entry.status is Status.GATED else Word.WAIT), reason_code(entry)
            entry = None
        else:
            word, code = self._waiting(view, course, turn)
        gates.extend(self._about_fit(shown, entry))
        stuck = word in (Word.WAIT, Word.BLOCKED) and bool(turn.why)
        gates.append(failed("order", turn) if stuck else passed("order", turn))
        gates.extend(map(unknown, ("checks", "pods")))
        return self._answer(
            word,
            code,
            gates,
            view=shown,
            position=position,
            entry=entry,
            cycle=course.cycle if entry is not None else 0,
            first_turn=first if entry is not None and first is not entry else None,
        )

    def _until_evicted(self, gates: list[Gate], before: View, position: facts.Position | None) -> Verdict:
        """It fits once evictions that have begun are complete."""
        entry = before.last
        word = Word.PREEMPT if entry.targets else Word.WAIT
        gates.extend(self._about_fit(before, entry if entry.targets else None))
        gates.append(passed("order"))
        gates.extend(map(unknown, ("checks", "pods")))
        return self._answer(
            word,
            reason_code(entry),
            gates,
            view=before,
            position=position,
            entry=entry if entry.targets else None,
        )

    def _waiting(self, view: View, course: Course, turn: facts.Turn) -> tuple[Word, str]:
        """It is neither admitted nor does it preempt: for now, or for good?"""
        own = course.entries[0][1] if course.entries else view.first
        if not (turn.fits_alone and turn.why) and not self._fits_deserted:
            return Word.NEVER, reason_code(own)
        if turn.why == "head-of-line":
            return Word.BLOCKED, "PendingEvaluation"
        if course.entries:
            return Word.WAIT, reason_code(course.entries[0][1])
        code = reason_code(view.first)
        return Word.WAIT, "WaitingForQuota" if code == "QuotaReserved" else code

    # --- gates of the nomination ------------------------------------------------------------------

    def _about_fit(self, view: View, entry: Entry | None) -> Iterator[Gate]:
        source = entry if entry is not None else view.last
        victims = self._quota_before.victims_of(source) if source.assignment.mode is Mode.PREEMPT else ()
        outsiders = unmanaged_pods(self._local, self._info) if misplaced_in(view.last) else ()
        in_the_way = bool(outsiders) and not self._fits_deserted and self._fits_without_pods()
        return gates_of(view, victims, self._info.priority, outsiders, in_the_way=in_the_way)

    @cached_property
    def _fits_deserted(self) -> bool:
        return fits_deserted(self._local, self._info.key)

    def _fits_without_pods(self) -> bool:
        return fits_deserted(replace(self._local, pods={}), self._info.key)

    def _held_trees(self) -> tuple[Tree, ...]:
        """The trees in which it holds places."""
        info = self._info
        if not (self._topology and info.holds_quota and info.reservation is not None and self._queue):
            return ()
        held = {(p.name, flavor) for p in info.reservation.pod_sets for flavor in p.flavors.values()}
        return trees_of(self._state, info, self._queue, {flavor for _, flavor in held}, held)

    def _fairness(self, view: View | None) -> Fairness | None:
        found = view.fairness if view is not None else None
        return replace(found, contests=self._contests) if found is not None else None

    # --- the answer -------------------------------------------------------------------------------

    def _answer(
        self,
        word: Word,
        code: str,
        gates: Sequence[Gate],
        *,
        view: View | None = None,
        position: facts.Position | None = None,
        entry: Entry | None = None,
        cycle: int = 0,
        first_turn: Entry | None = None,
        outside: facts.Outside | None = None,
    ) -> Verdict:
        info, queue = self._info, self._queue
        obj = self._world.workloads[info.key]
        shown = entry if entry is not None else view.first if view is not None else None
        flavors, borrowing = assigned(shown, info)
        ref = obj.spec.priority_class_ref
        return Verdict(
            workload=info.key,
            state=word,
            reason=code,
            gates=tuple(gates),
            chain=chain_of(info, queue),
            position=position,
            entry=shown,
            first_turn=first_turn,
            outside=outside,
            assumptions=assumptions(self._world, info.key),
            obj=obj,
            now=self._world.now,
            priority=info.priority,
            priority_class=ref.name if ref is not None else "",
            cycle=cycle,
            fits_alone=view is not None and view.fits,
            flavors=flavors,
            counts=counts_of(shown, info) if flavors else {},
            borrowing=borrowing,
            victims=self._quota_before.victims_of(entry)
            if entry is not None and word is Word.PREEMPT
            else (),
            origins=tuple(origins_of(self._state, info, queue)),
            table=view.fit.table if view is not None else (),
            holders=view.holders if view is not None and word not in (Word.ADMIT, Word.PREEMPT) else (),
            trees=view.trees if view is not None else self._held_trees(),
            fairness=self._fairness(view),
            sayings=tuple(sayings_of(self._world, info.key)),
            evictions=tuple(evictions_of(self._world, info.key)),
        )


def _is_about_places(verdict: Verdict) -> bool:
    """Whether the verdict would be another one if there were more or less room on the nodes."""
    misplaced = any(gate.name == "topology" and gate.state is GateState.FAILED for gate in verdict.gates)
    return misplaced or verdict.state in (Word.ADMIT, Word.PREEMPT)


def _coverage(view: View) -> Gate:
    found = view.fit.coverage
    return passed("coverage") if found is None else failed("coverage", found)
