"""What becomes of the workload when its turn really comes? The scheduler run around it, as far as needed."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from kubectl_kueue.engine.entry import CycleResult, Entry, Status
from kubectl_kueue.engine.explanation.facts import Holding, Hopeless, Position, Rival, Turn
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.reasons import AffinityMismatch, ExceedsMaxCapacity, Reason, UntoleratedTaint
from kubectl_kueue.engine.simulate import Run, follow
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo

MOST_TURNS = 3000
"""Nominations after which a run is broken off; what lies behind them is told as not foreseen."""

HORIZON = 64
"""Cycles after the workload's first turn for which it is followed: some clusters never come to rest."""

_MOST_CYCLES = 10_000

MOST_HOPELESS = 3
"""Workloads that can never get in of which an answer about one behind them tells."""

_DECIDED = frozenset((Status.ASSUMED, Status.PREEMPTING, Status.GATED))


class Course(NamedTuple):
    """A run around one workload: its own entries in order, and the one that settled the matter, if any."""

    run: Run
    entries: tuple[tuple[int, Entry], ...]
    decisive: Entry | None
    cycle: int
    broken_off: bool


def run_around(state: State, info: WorkloadInfo) -> Course:
    """Run the scheduler until the workload is admitted or preempts, or nothing moves any more."""
    turns, first = 0, 0
    broken_off = False

    def until(result: CycleResult) -> bool:
        nonlocal turns, first, broken_off
        turns += sum(1 for _ in result)
        result.duels = [duel for duel in result.duels if info.key in (duel.winner, duel.loser)]
        mine = [entry for entry in result if entry.info is info]
        first = first or (result.cycle if mine else 0)
        broken_off = turns > MOST_TURNS
        followed = first and result.cycle - first >= HORIZON
        return bool(followed) or broken_off or any(entry.status in _DECIDED for entry in mine)

    state.snapshot.duels = []
    run = follow(state, until, _MOST_CYCLES)
    own = tuple((result.cycle, entry) for result in run.cycles for entry in result if entry.info is info)
    cycle, decisive = next(((c, e) for c, e in own if e.status in _DECIDED), (0, None))
    return Course(run, own, decisive, cycle, broken_off and decisive is None)


def position_of(course: Course, info: WorkloadInfo, queue: QueueNode) -> Position | None:
    """Its place before the first cycle; None if it is in no queue."""
    workloads = course.run.state.workloads
    return place_in([workloads[key] for key in course.run.pending_order.get(queue.name, [])], info)


def place_in(order: Sequence[WorkloadInfo], info: WorkloadInfo) -> Position | None:
    """A workload's place in an order of its ClusterQueue; None if it is not in it."""
    keys = [other.key for other in order]
    mine = [other.key for other in order if other.local_queue == info.local_queue]
    if info.key not in keys:
        return None
    return Position(keys.index(info.key), len(keys), mine.index(info.key), len(mine))


def turn_of(course: Course, info: WorkloadInfo, queue: QueueNode, alone: Entry) -> Turn:
    """Whether its turn comes, and if not, or too late, on whose account; who in front can never get in."""
    turn = _turn(course, info, queue, alone)
    hopeless = tuple(islice(_hopeless(course, info, queue), MOST_HOPELESS))
    return replace(turn, hopeless=hopeless) if hopeless else turn


def _turn(course: Course, info: WorkloadInfo, queue: QueueNode, alone: Entry) -> Turn:
    strategy = "StrictFIFO" if queue.strict else "BestEffortFIFO"
    fits = alone.rejection is None and alone.assignment.mode is Mode.FIT
    if course.entries:
        wanted = set(alone.assignment.usage) if fits else set()
        admitted = course.decisive is not None and course.decisive.status is Status.ASSUMED
        last = course.entries[-1][0] if admitted else course.entries[0][0]
        rivals = tuple(_rivals(course, info, queue, wanted, last)) if fits and not admitted else ()
        return Turn(strategy, "taken" if rivals else "", fits_alone=fits, cycle=last, rivals=rivals)
    if queue.strict and _head(course, queue) is not None:
        return Turn(strategy, "head-of-line", *_looked_at(_head(course, queue)), fits_alone=fits)
    if course.broken_off:
        return Turn(strategy, "far", fits_alone=fits)
    twin = _twin(course, info, queue)
    rivals = tuple(_rivals(course, info, queue, set(alone.assignment.usage), 0)) if fits else ()
    why = "equivalent" if twin is not None else "taken" if rivals else ""
    return Turn(strategy, why, *_looked_at(twin), fits_alone=fits, rivals=rivals)


def _looked_at(entry: Entry | None) -> tuple[str, str, tuple[Reason, ...]]:
    """Who was looked at, how it left its cycle, and why."""
    if entry is None:
        return "", "", ()
    reasons = tuple(reason for p in entry.assignment.pod_sets for reason in p.reasons)
    return entry.info.key, str(entry.status), reasons


def _hopeless(course: Course, info: WorkloadInfo, queue: QueueNode) -> Iterator[Hopeless]:
    """Those in front in the same ClusterQueue that can never get in, each with a reason."""
    looked_at: dict[str, Entry] = {}
    for entry in (e for result in course.run.cycles for e in result if e.queue is queue):
        looked_at.setdefault(entry.info.key, entry)
    for key in course.run.pending_order.get(queue.name, ()):
        if key == info.key:
            return
        why = _never(looked_at[key]) if key in looked_at else None
        if why is not None:
            yield Hopeless(key, why)


def _never(entry: Entry) -> Reason | None:
    """Why no flavor can ever hold one of its podSets, whatever the others take; None if one may."""
    if entry.rejection is not None or entry.assignment.mode is not Mode.NO_FIT:
        return None
    if any(pod_set.min_count is not None for pod_set in entry.info.obj.spec.pod_sets):
        return None
    for pod_set in entry.assignment.pod_sets:
        reasons = [*pod_set.reasons]
        if reasons and all(map(_for_good, reasons)):
            return next((r for r in reasons if isinstance(r, ExceedsMaxCapacity)), reasons[0])
    return None


def _for_good(reason: Reason) -> bool:
    if isinstance(reason, ExceedsMaxCapacity):
        return not reason.previous
    return isinstance(reason, AffinityMismatch | UntoleratedTaint)


def _head(course: Course, queue: QueueNode) -> Entry | None:
    entries = (e for result in course.run.cycles for e in result if e.queue is queue)
    return next(entries, None)


def _twin(course: Course, info: WorkloadInfo, queue: QueueNode) -> Entry | None:
    """A workload of the same shape that was looked at instead."""
    entries = (e for result in course.run.cycles for e in result if e.queue is queue)
    return next((e for e in entries if info.shape is not None and e.info.shape == info.shape), None)


def _rivals(
    course: Course, info: WorkloadInfo, queue: QueueNode, wanted: set[FlavorResource], last: int
) -> Iterator[Rival]:
    """Who takes, or keeps free for itself, something that it wants; up to cycle `last` (0: all)."""
    for result in course.run.cycles:
        if last and result.cycle > last:
            return
        beside = any(entry.info is info for entry in result)
        for entry in result:
            if entry.info is info:
                break
            takes = tuple(_takes(entry, wanted))
            if takes and entry.queue.root is queue.root and _counts(entry, beside=beside):
                policy = entry.queue.preemption.reclaim_within_cohort or "Never"
                yield Rival(entry.info.key, entry.queue.name, str(entry.status), result.cycle, takes, policy)


def _counts(entry: Entry, *, beside: bool) -> bool:
    """Whether the entry left less for those behind it; what it only keeps counts in the same cycle."""
    if entry.status is Status.NO_CANDIDATES:
        return beside and entry.queue.preemption.reclaim_within_cohort != "Any"
    return entry.status in (Status.ASSUMED, Status.PREEMPTING, Status.DEFERRED)


def _takes(entry: Entry, wanted: Iterable[FlavorResource]) -> Iterator[Holding]:
    for fr in sorted(wanted):
        amount = entry.charged.get(fr, 0)
        if amount > 0:
            yield Holding(fr.flavor, fr.resource, amount)
