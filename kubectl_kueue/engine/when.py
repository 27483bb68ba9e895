"""When does a pending workload get its quota? Bounds, each with its ground; nothing where there is none.

The cluster is run on from now (timeline.py), once for each ground: every workload runs to its
maximumExecutionTimeSeconds (so it is in by then at the latest), or as long as half, or nine of ten, of the
finished workloads of its queue did. Nobody else comes, and nobody's admission checks or pods delay it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from kubectl_kueue.engine.explanation.facts import BackOff, Facts, Turn
from kubectl_kueue.engine.explanation.outside import hidden
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.explanation.verdict import GateState, Verdict, Word
from kubectl_kueue.engine.history import History, Runs, history_of, quantile, summary
from kubectl_kueue.engine.timeline import timeline
from kubectl_kueue.engine.workload import ADMITTED, FINISHED, WorkloadInfo
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.timestamp import SECOND
from kubectl_kueue.model.world import World

MOST_RUN = 3_000
"""Workloads around one that are run on for it; a larger cluster would take too long."""


class Bound(Facts, frozen=True):
    """A moment, and why it is one.

    `kind` is latest (in by then if every workload stops at its limit), likely (runs take the median),
    slow (runs take their 90th percentile) or earliest (not before). `ground` is limit, runs or backOff;
    `workload` is the one whose end lets it in, `ends` how many end before; `runs` are those of its queue.
    """

    TIMES = ("at",)
    kind: str
    at: int
    ground: str
    workload: str = ""
    ends: int = 0
    runs: Runs | None = None


class Estimate(Facts, frozen=True, omit_defaults=False):
    """What can be said about when. `unknown` says why there is no upper bound: never, blocked, checks, hidden
    (the queues could not be read), large (too many workloads), time (no time left), ground (the workloads in
    `endless` have neither a limit nor enough finished ones like them, those of `ownerless` no owner that
    would end them, those of `ahead` come first and are or wait for such) or order (others stay in front).

    Without bounds and `unknown` the question does not arise. `now`: its turn comes now; `evicts`: once those
    that it evicts have stopped.
    """

    workload: str
    now: bool = False
    evicts: bool = False
    bounds: tuple[Bound, ...] = ()
    unknown: str = ""
    endless: tuple[str, ...] = ()
    ownerless: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()


def estimate(world: World, verdict: Verdict, enough: Callable[[], bool]) -> Estimate:
    """The estimate for the workload of a verdict on this world, which holds its finished workloads too.
    `enough` says when no more may be tried."""
    if verdict.state in (Word.RUNNING, Word.NOT_RUNNING, Word.FINISHED):
        return Estimate(verdict.workload)
    if earliest := _not_before(verdict):
        return Estimate(verdict.workload, bounds=(earliest,))
    settled = _settled(world, verdict)
    if settled is not None:
        evicts = verdict.state is Word.PREEMPT
        return Estimate(verdict.workload, now=not settled, evicts=evicts, unknown=settled)
    local = around(world, verdict.chain.cluster_queue, verdict.workload)
    found = forecast(local, (verdict.workload,), enough, history_of(world))
    mine = found.bounds.get(verdict.workload, ())
    if mine or found.unknown:
        return Estimate(verdict.workload, bounds=mine, unknown="" if mine else found.unknown)
    ownerless = tuple(h.workload for h in verdict.holders if h.ownerless)
    endless = tuple(h.workload for h in verdict.holders if h.workload in found.endless and not h.ownerless)
    unknown = "ground" if found.endless or ownerless else "order"
    ahead = () if endless or ownerless else _ahead(verdict)
    return Estimate(verdict.workload, unknown=unknown, endless=endless, ownerless=ownerless, ahead=ahead)


def _ahead(verdict: Verdict) -> tuple[str, ...]:
    """Who is dealt with first: the head of its queue, or rivals in its cohort."""
    gate = verdict.gate("order")
    if gate is None or not isinstance(gate.facts, Turn):
        return ()
    if gate.facts.why == "head-of-line":
        return (gate.facts.head,) if gate.facts.head else ()
    return tuple(dict.fromkeys(rival.workload for rival in gate.facts.rivals))


def _settled(world: World, verdict: Verdict) -> str | None:
    """What the verdict says by itself: "" (now), or why nobody can tell; None if that must be found out."""
    match verdict.state:
        case Word.ADMIT | Word.PREEMPT:
            return ""
        case Word.NEVER:
            return "never"
        case Word.CHECKS_PENDING:
            return "checks"
    if hidden(world) or verdict.outside is not None:
        return "hidden"
    decisive = verdict.decisive
    waits = verdict.state is not Word.BLOCKED or (decisive is not None and decisive.name == "order")
    return None if waits else "blocked"


def _not_before(verdict: Verdict) -> Bound | None:
    """The end of its back-off; what comes then cannot be told now."""
    gate = verdict.gate("backOff")
    if gate is None or gate.state is not GateState.FAILED or not isinstance(gate.facts, BackOff):
        return None
    return Bound("earliest", gate.facts.until, "backOff") if gate.facts.until > verdict.now else None


# --- for many workloads at once -----------------------------------------------------------------


class Forecast(NamedTuple):
    """Bounds by workload; who never ends as far as is known; why nothing could be found out ("" if it could:
    large, time)."""

    bounds: Mapping[str, tuple[Bound, ...]]
    endless: frozenset[str] = frozenset()
    unknown: str = ""


def forecast(
    world: World, keys: Iterable[str], enough: Callable[[], bool], history: History | None = None
) -> Forecast:
    """When these pending workloads get quota in a world that holds everybody who has a say. `history`: that
    of a larger world."""
    wanted = frozenset(keys)
    if sum(1 for each in world.workloads.values() if not _true(each, FINISHED)) > MOST_RUN:
        return Forecast({}, unknown="large")
    told = history or history_of(world)
    alive = {key: each for key, each in world.workloads.items() if not _true(each, FINISHED)}
    local = as_it_stands(replace(world, workloads=alive))
    limits = _Scenario(local, wanted, enough, _limit)
    found = {key: [Bound("latest", at, "limit", by, ends)] for key, at, by, ends in limits.starts()}
    endless, late = limits.endless, limits.late
    if told.by_cluster_queue and not late:
        for kind, percent in (("likely", 50), ("slow", 90)):
            scenario = _Scenario(local, wanted, enough, _Lasting(told, percent, local.now))
            for key, at, by, ends in scenario.starts():
                runs = _runs_of(told, local.workloads[by], local) if by else None
                if runs is not None:
                    found.setdefault(key, []).append(Bound(kind, at, "runs", by, ends, runs))
            endless, late = endless & scenario.endless, late or scenario.late
    bounds = {key: tuple(each) for key, each in found.items()}
    return Forecast(bounds, endless, "time" if late and not bounds else "")


class _Scenario:
    """One way in which things may go on, and who gets in when; `late`: there was no time to see it all."""

    def __init__(
        self,
        world: World,
        wanted: frozenset[str],
        enough: Callable[[], bool],
        lasting: Callable[[WorkloadInfo], int | None],
    ) -> None:
        self._wanted = wanted
        self._missing = set(wanted)
        self._lasting = lasting
        self._enough = enough
        self._endless: set[str] = set()
        self._timeline = timeline(world, self._duration, self._over)
        self.late = self._timeline.cut_short and bool(self._missing)
        self.endless = frozenset(self._endless)

    def starts(self) -> Iterable[tuple[str, int, str, int]]:
        """Key, moment, whose end came last before it, and how many ended before it, of all who get in later
        than now."""
        ends = sorted(
            (s.end, s.workload) for s in self._timeline.stretches if s.end is not None and not s.evicted
        )
        moments = [end for end, _ in ends]
        first: set[str] = set()
        for stretch in self._timeline.stretches:
            if stretch.before or stretch.workload in first:
                continue
            first.add(stretch.workload)
            before = bisect_right(moments, stretch.start)
            if stretch.workload in self._wanted and before:
                yield stretch.workload, stretch.start, ends[before - 1][1], before

    def _duration(self, info: WorkloadInfo) -> int | None:
        """Asked for whoever starts: so it also tells who has."""
        self._missing.discard(info.key)
        lasts = self._lasting(info)
        if lasts is None:
            self._endless.add(info.key)
            return None
        return lasts + max(0, admitted_at(info) - (info.reserved_at or 0))

    def _over(self) -> bool:
        return not self._missing or self._enough()


def admitted_at(info: WorkloadInfo) -> int:
    """Since when it is admitted; 0 if it is not."""
    condition = info.conditions.get(ADMITTED)
    return condition.time if condition is not None and condition.status else 0


def _limit(info: WorkloadInfo) -> int | None:
    """The rest of its maximumExecutionTimeSeconds when it was admitted."""
    most = info.obj.spec.maximum_execution_time_seconds
    if most is None:
        return None
    return max(0, most - (info.obj.status.accumulated_past_execution_time_seconds or 0)) * SECOND


class _Lasting:
    """Run times by history, never above the limit. One that has outlasted all that is known runs on to its
    limit, if it has one."""

    def __init__(self, history: History, percent: int, now: int) -> None:
        self._history = history
        self._percent = percent
        self._now = now

    def __call__(self, info: WorkloadInfo) -> int | None:
        limit = _limit(info)
        found = self._history.of(info.local_queue, info.cluster_queue)
        if found is None:
            return limit
        since = admitted_at(info)
        elapsed = self._now - since if 0 < since < self._now else -1
        lasts = quantile(found[2], self._percent, elapsed)
        if lasts < 0:
            return limit
        return lasts if limit is None else min(lasts, limit)


def _runs_of(history: History, workload: Workload, world: World) -> Runs | None:
    local = f"{workload.metadata.namespace}/{workload.spec.queue_name}"
    admission, queue = workload.status.admission, world.local_queues.get(local)
    name = admission.cluster_queue if admission else queue.spec.cluster_queue if queue else ""
    found = history.of(local, name)
    return summary(*found) if found is not None else None


def _true(workload: Workload, kind: str) -> bool:
    return any(c.type == kind and c.status == "True" for c in workload.status.conditions)
