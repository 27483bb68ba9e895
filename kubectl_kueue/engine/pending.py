"""Who waits, in which order, for what? One run of the whole cluster answers for everybody.

Places are those that the visibility API would give (3.8): before the run, from 0.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from kubectl_kueue.engine.entry import CycleResult, Entry
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.alone import reason_code
from kubectl_kueue.engine.explanation.fates import Fate, fates_of
from kubectl_kueue.engine.explanation.holders import binding_subtree
from kubectl_kueue.engine.explanation.outside import hidden, placeless, recognised
from kubectl_kueue.engine.explanation.questions import CODES, about_queues, about_workload, checks_of
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.standing import as_it_stands, doubts_of, taken_for_granted
from kubectl_kueue.engine.explanation.verdict import Gate, GateState, Verdict, Word
from kubectl_kueue.engine.quota import FlavorResource, Node
from kubectl_kueue.engine.reasons import InsufficientUnused
from kubectl_kueue.engine.simulate import Run, follow, most_cycles
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import ADMITTED, FINISHED, WorkloadInfo, scheduling_shape
from kubectl_kueue.model.world import World

MOST_TURNS = 20_000
"""Nominations after which a run is cut off."""


class Place(NamedTuple):
    """Places of a pending workload, both counted from 0."""

    cluster_queue: str
    in_cluster_queue: int
    in_local_queue: int


def places(world: World) -> dict[str, Place]:
    """The place of every workload that waits in a ClusterQueue, by "namespace/name"."""
    return _places(State(as_it_stands(world)))


def _places(state: State) -> dict[str, Place]:
    queues = state.queues
    found: dict[str, Place] = {}
    for name, queue in queues.by_name.items():
        ahead: Counter[str] = Counter()
        for index, info in enumerate(queues.in_visible_order(queue)):
            found[info.key] = Place(name, index, ahead[info.local_queue])
            ahead[info.local_queue] += 1
    return found


# --- everybody who waits ------------------------------------------------------------------------


class Need(NamedTuple):
    """An amount of a flavor's resource that must become free, and the most that may be in the way of it."""

    flavor: str
    resource: str
    amount: int


class Blocker(NamedTuple):
    """A workload that holds what is needed. `ahead`: not yet, but it gets it first."""

    workload: str
    amount: int
    ahead: bool = False


class Waiter(NamedTuple):
    """A workload that has no quota yet, or waits for admission checks.

    `place` is None where it is in no queue. `asks` are totals by resource. `code` is Kueue's granular reason,
    `gate` the question that fails before any flavor is looked at. `needs` is what is short, `blockers` those
    who hold the most of the first of it, out of `holders`. `turn`: cycle of its first turn, and place in it
    among those of its cohort tree, both from 1. `until`: no try before. `explained`: its own verdict, where
    the run tells no reason.
    """

    key: str
    local_queue: str
    cluster_queue: str
    priority: int
    priority_class: str
    created: int
    asks: Mapping[str, int]
    pods: int
    word: Word
    code: str
    shape: object
    labels: Mapping[str, str]
    place: Place | None = None
    fate: Fate | None = None
    gate: Gate | None = None
    needs: tuple[Need, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    holders: int = 0
    turn: tuple[int, int] | None = None
    until: int = 0
    explained: Verdict | None = None


class QueueNow(NamedTuple):
    """A ClusterQueue before the run: quota and use in canonical units, how many wait in it."""

    name: str
    strict: bool
    active: bool
    nominal: Mapping[FlavorResource, int]
    usage: Mapping[FlavorResource, int]
    pending: int


class Survey(NamedTuple):
    """Everybody who waits, by key, and their ClusterQueues; `local_pending` is how many wait in a LocalQueue.

    `told`: ClusterQueues whose places are those of the visibility API. `hidden`: the queues could not be
    read, so the words are what the workloads' own status amounts to. `cut_short`: the run did not come to
    rest.
    """

    now: int
    waiters: Mapping[str, Waiter]
    queues: Mapping[str, QueueNow]
    local_pending: Mapping[str, int] = {}
    told: frozenset[str] = frozenset()
    assumptions: tuple[facts.Assumption, ...] = ()
    hidden: bool = False
    cut_short: bool = False


def survey(
    world: World, wanted: Callable[[str, str, str], bool], queues_asked: Collection[str] | None = None
) -> Survey:
    """Everybody who waits and of whom `wanted` is true, asked with namespace/name, namespace/LocalQueue and
    ClusterQueue. `queues_asked`: all whom that can be true of have to do with these ClusterQueues alone."""
    state = State(_scope(as_it_stands(world), queues_asked))
    found = _places(state)
    local_pending = Counter(state.workloads[key].local_queue for key in found)
    queues = {name: _queue_now(state, node) for name, node in state.snapshot.queues.items()}
    keys = [
        key
        for key, info in state.workloads.items()
        if _waits(info, found) and wanted(key, info.local_queue, _queue_of(state, world, info))
    ]
    doubts = (doubt for key in keys for doubt in doubts_of(state.workloads[key].devices))
    assumed = taken_for_granted(world, keys, doubts)
    if hidden(world):
        outside = {key: _from_outside(world, state, state.workloads[key]) for key in keys}
        told = {
            state.workloads[key].local_queue: place.of
            for key, place in world.local_places.items()
            if key in state.workloads
        }
        return Survey(world.now, outside, queues, told, assumptions=assumed, hidden=True)
    reserved = {key for key in keys if state.workloads[key].holds_quota}
    checks = {key: _checks_gate(state, state.workloads[key]) for key in reserved}
    outside = {
        key: _from_outside(world, state, state.workloads[key])
        for key in keys
        if key not in reserved and placeless(world, _queue_of(state, world, state.workloads[key]))
    }
    run, cut_short = _run(state)
    reader = _Reader(run, world, found)
    fates = fates_of(run, [key for key in keys if key not in reserved])
    waiters = {
        key: reader.reserved(key, checks[key]) if key in reserved else reader.waiter(key, fates[key])
        for key in keys
    }
    for key, seen in outside.items():
        if _is_about_places(waiters[key]) or "Topology" in world.missing:
            waiters[key] = seen._replace(place=waiters[key].place)
    return Survey(world.now, waiters, queues, local_pending, assumptions=assumed, cut_short=cut_short)


def _is_about_places(waiter: Waiter) -> bool:
    """Whether more or less room on the nodes would change what is said."""
    return waiter.word in (Word.ADMIT, Word.PREEMPT) or waiter.code == "TopologyPlacementFailed"


def _scope(world: World, queues: Collection[str] | None) -> World:
    """Of one ClusterQueue only its tree, else everything."""
    if queues is None or len(queues) != 1:
        return world
    (name,) = queues
    if name not in world.cluster_queues or not world.workloads:
        return world
    return around(world, name, next(iter(world.workloads)))


def explained(world: World, found: Survey, most: int) -> Survey:
    """The survey with verdicts of their own for up to `most` of those of whom the run tells no reason."""
    mute = [w for w in found.waiters.values() if w.fate is not None and _is_mute(w, w.fate)]
    told = {w.key: _with_verdict(w, explain(world, w.key)) for w in mute[:most]}
    return found._replace(waiters={**found.waiters, **told})


def _with_verdict(waiter: Waiter, verdict: Verdict) -> Waiter:
    return waiter._replace(explained=verdict, code=verdict.reason or waiter.code)


def _is_mute(waiter: Waiter, fate: Fate) -> bool:
    return fate.entry is None and waiter.gate is None and not (fate.instead and fate.word is Word.BLOCKED)


def tree_of(world: World, waiters: Iterable[Waiter]) -> World:
    """The world of all who have a say about these, as far as that is easily told: one ClusterQueue's tree."""
    return _scope(world, {waiter.cluster_queue for waiter in waiters})


def with_places(found: Survey, told: Mapping[str, tuple[int, int]]) -> Survey:
    """The survey with the places that the visibility API tells: in the LocalQueue, in the ClusterQueue.

    Of a ClusterQueue of which it tells nothing the places stay computed.
    """
    queues = frozenset(w.cluster_queue for key, w in found.waiters.items() if key in told)
    waiters = {
        key: w._replace(place=_told_place(w, told.get(key))) if w.cluster_queue in queues else w
        for key, w in found.waiters.items()
    }
    return found._replace(waiters=waiters, told=queues)


def _told_place(waiter: Waiter, told: tuple[int, int] | None) -> Place | None:
    return Place(waiter.cluster_queue, told[1], told[0]) if told is not None else None


def in_order(found: Survey, *, by_turn: bool = False) -> list[Waiter]:
    """Those in a queue first, ClusterQueue by ClusterQueue, each in its own order; the others behind.

    `by_turn`: in the order in which the scheduler looks at them first, whatever their queue.
    """

    def rank(waiter: Waiter) -> tuple[object, ...]:
        place = waiter.place
        if place is None:
            return True, (0, 0), waiter.code, 0, 0, waiter.key
        turn = (waiter.turn or _NO_TURN) if by_turn else _NO_TURN
        return False, turn, place.cluster_queue, place.in_cluster_queue, place.in_local_queue, waiter.key

    return sorted(found.waiters.values(), key=rank)


_NO_TURN = (1 << 62, 0)


def _waits(info: WorkloadInfo, placed: Collection[str]) -> bool:
    """Whether it wants quota, or has it and waits for checks."""
    if info.key in placed:
        return True
    if info.is_true(FINISHED) or info.obj.metadata.deletion_timestamp is not None:
        return False
    return not (info.holds_quota and (info.is_true(ADMITTED) or info.evicted))


def _queue_of(state: State, world: World, info: WorkloadInfo) -> str:
    """The ClusterQueue that it holds quota in, else the one that its LocalQueue names, there or not."""
    if info.holds_quota:
        return info.cluster_queue
    queue = world.local_queues.get(info.local_queue)
    return queue.spec.cluster_queue if queue is not None else ""


def _queue_now(state: State, node: QueueNode) -> QueueNow:
    return QueueNow(
        node.name,
        node.strict,
        node.active,
        dict(node.nominal),
        dict(node.usage),
        len(state.queues.by_name[node.name].pending()),
    )


def _run(state: State) -> tuple[Run, bool]:
    turns = 0

    def until(result: CycleResult) -> bool:
        nonlocal turns
        turns += sum(1 for _ in result)
        return turns > MOST_TURNS

    most = most_cycles(state.world)
    run = follow(state, until, most)
    return run, turns > MOST_TURNS or len(run.cycles) >= most


def _checks_gate(state: State, info: WorkloadInfo) -> Gate:
    return Gate("checks", GateState.FAILED, facts.Checks(tuple(checks_of(state, info))))


class _Reader:
    """Makes a Waiter of what a run brought a workload; what holds for many is found out once."""

    def __init__(self, run: Run, world: World, placed: Mapping[str, Place]) -> None:
        self._state = run.state
        self._world = world
        self._placed = placed
        self._turns: dict[str, tuple[int, int]] = {}
        for result in run.cycles:
            before: Counter[Node] = Counter()
            for entry in result:
                before[entry.queue.root] += 1
                self._turns.setdefault(entry.info.key, (result.cycle, before[entry.queue.root]))
        self._held: dict[tuple[Node, FlavorResource], list[Blocker]] = {}

    def waiter(self, key: str, fate: Fate) -> Waiter:
        info = self._state.workloads[key]
        gate = fate.gate
        needs = tuple(_needs(fate.entry)) if fate.entry is not None and gate is None else ()
        blockers = self._blockers(fate.entry.queue, needs[0]) if needs and fate.entry is not None else []
        until = gate.facts.until if gate is not None and isinstance(gate.facts, facts.BackOff) else 0
        return self._bare(info, fate.word, _code(fate))._replace(
            fate=fate,
            gate=gate,
            needs=needs,
            blockers=tuple(blockers[:3]),
            holders=len(blockers),
            turn=self._turns.get(key),
            until=until,
        )

    def reserved(self, key: str, gate: Gate) -> Waiter:
        """It holds quota already; its checks are open."""
        info = self._state.workloads[key]
        return self._bare(info, Word.CHECKS_PENDING, "QuotaReserved")._replace(gate=gate)

    def _bare(self, info: WorkloadInfo, word: Word, code: str) -> Waiter:
        return _bare(self._state, self._world, info, word, code)._replace(place=self._placed.get(info.key))

    def _blockers(self, queue: QueueNode, need: Need) -> list[Blocker]:
        """Who holds the flavor's resource where room must be made, the largest first."""
        fr = FlavorResource(need.flavor, need.resource)
        node = binding_subtree(queue, fr, need.amount)
        found = self._held.get((node, fr))
        if found is None:
            holders = [
                Blocker(info.key, amount, ahead=info.obj.status.admission is None)
                for each in _queues_below(node)
                for info in each.workloads.values()
                if (amount := info.usage.get(fr, 0)) > 0
            ]
            found = self._held[node, fr] = sorted(holders, key=lambda b: (-b.amount, b.workload))
        return found


def _bare(state: State, world: World, info: WorkloadInfo, word: Word, code: str) -> Waiter:
    ref = info.obj.spec.priority_class_ref
    return Waiter(
        key=info.key,
        local_queue=info.local_queue,
        cluster_queue=_queue_of(state, world, info),
        priority=info.priority,
        priority_class=ref.name if ref is not None else "",
        created=info.created,
        asks=info.asks(),
        pods=sum(p.count for p in info.pod_sets),
        word=word,
        code=code,
        shape=info.shape if info.shape is not None else scheduling_shape(info),
        labels=info.obj.metadata.labels,
    )


def _needs(entry: Entry) -> Iterator[Need]:
    """What is in use of flavors that would do; of an entry that came too late in its cycle, all it takes."""
    found: dict[FlavorResource, int] = {}
    for pod_set in entry.assignment.pod_sets:
        for reason in pod_set.reasons:
            if isinstance(reason, InsufficientUnused):
                fr = FlavorResource(reason.flavor, reason.resource)
                found[fr] = max(found.get(fr, 0), reason.requested)
    if not found and entry.skip is not None:
        found = {fr: amount for fr, amount in entry.assignment.usage.items() if amount > 0}
    for fr, amount in found.items():
        yield Need(fr.flavor, fr.resource, amount)


def _queues_below(node: Node) -> Iterator[QueueNode]:
    pending = [node]
    while pending:
        each = pending.pop()
        pending.extend(each.children)
        if isinstance(each, QueueNode):
            yield each


def _code(fate: Fate) -> str:
    """Kueue's granular reason."""
    if fate.gate is not None and fate.gate.name in CODES:
        return CODES[fate.gate.name]
    if fate.word in (Word.ADMIT, Word.CHECKS_PENDING, Word.NOT_RUNNING):
        return "QuotaReserved"
    if fate.entry is not None:
        return reason_code(fate.entry)
    return "PendingEvaluation" if fate.word is Word.BLOCKED else "WaitingForQuota"


def _from_outside(world: World, state: State, info: WorkloadInfo) -> Waiter:
    """What its own status amounts to; its place, if the visibility API tells it."""
    gates = [*about_workload(state, info), *about_queues(state, world, info)]
    gate = next((g for g in gates if g.state is GateState.FAILED and g.name in CODES), None)
    word, code = (Word.BLOCKED, CODES[gate.name]) if gate is not None else recognised(info)
    if info.holds_quota:
        word, code, gate = Word.CHECKS_PENDING, "QuotaReserved", _checks_gate(state, info)
    local = world.local_places.get(info.key)
    waiter = _bare(state, world, info, word, code)._replace(gate=gate)
    return waiter._replace(place=Place("", -1, local.index)) if local is not None else waiter


# --- what if ------------------------------------------------------------------------------------

MOST_TRIED = 2_000
"""Workloads of a cluster that is run once more to see what the end of one of them brings."""


def after_end(world: World, cluster_queue: str, ended: str) -> Mapping[str, bool] | None:
    """Who gets in, and who does not, of those that wait in the tree of a ClusterQueue, if the workload
    `ended` ends now; None if too many are in it."""
    local = around(as_it_stands(world), cluster_queue, ended)
    if len(local.workloads) > MOST_TRIED or ended not in local.workloads:
        return None
    state = State(local)
    info = state.workloads[ended]
    waiting = [key for key, each in state.workloads.items() if not each.holds_quota]
    state.queues.records.add(ended)
    info.set_condition(FINISHED, True, "Succeeded", "", state.now)
    state.ended(info)
    run, _ = _run(state)
    fates = fates_of(run, waiting)
    return {key: fate.word is Word.ADMIT for key, fate in fates.items()}


def sole_blocker(waiters: Iterable[Waiter]) -> str:
    """The one workload that holds all that any of these lack; empty if they are several."""
    names = {b.workload for w in waiters for b in w.blockers if not b.ahead}
    alone = len(names) == 1 and all(w.holders <= 1 for w in waiters)
    return names.pop() if alone else ""
