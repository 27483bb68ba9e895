"""Who would run when, if nobody else came? The scheduler run on, with workloads that end after their time.

A workload of which no duration is known runs for ever; so does one whose admission checks are not ready, as
nobody knows when they will be. The clock moves from one end to the next.
"""

import heapq
from collections.abc import Callable
from typing import NamedTuple

from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.history import history_of, quantile
from kubectl_kueue.engine.simulate import follow, most_cycles
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import ADMITTED, FINISHED, WorkloadInfo
from kubectl_kueue.model.timestamp import SECOND
from kubectl_kueue.model.world import World


class Stretch(NamedTuple):
    """One stretch of time in which a workload runs, microseconds since 1970. `end` None: it does not end as
    far as is known; `evicted`: somebody else took its quota; `before`: it ran when the data was read.
    """

    workload: str
    start: int
    end: int | None
    evicted: bool = False
    before: bool = False


class Timeline(NamedTuple):
    """`stretches` by start; `waiting` never start; `until` is when the last event happened."""

    now: int
    until: int
    stretches: tuple[Stretch, ...]
    waiting: tuple[str, ...]
    cut_short: bool = False


def timeline(
    world: World, duration: Callable[[WorkloadInfo], int | None], enough: Callable[[], bool]
) -> Timeline:
    """Follow the cluster until nobody starts any more. `duration` gives how long a workload runs from its
    start (microseconds), None if that is not known; `enough` ends it when it says so.
    """
    state = State(as_it_stands(world))
    course = _Course(state, duration)
    cut_short = False
    while True:
        course.schedule(enough)
        cut_short = enough()
        if cut_short or not course.end_next():
            break
    return course.told(world.now, cut_short)


def run_times(world: World, default: int | None) -> Callable[[WorkloadInfo], int | None]:
    """How long a workload runs (microseconds): the median of its queue's finished ones, else `default`, never
    longer than its maximumExecutionTimeSeconds leaves; None if nothing is known.
    """
    history = history_of(world)

    def duration(info: WorkloadInfo) -> int | None:
        found = history.of(info.local_queue, info.cluster_queue)
        usual = quantile(found[2], 50) if found is not None else default
        limit = info.obj.spec.maximum_execution_time_seconds
        if limit is None:
            return usual
        left = (limit - (info.obj.status.accumulated_past_execution_time_seconds or 0)) * SECOND
        return left if usual is None else min(usual, left)

    return duration


class _Course:
    def __init__(self, state: State, duration: Callable[[WorkloadInfo], int | None]) -> None:
        self._state = state
        self._duration = duration
        self._running: dict[str, tuple[int, bool]] = {}
        self._ends: list[tuple[int, str]] = []
        self._done: list[Stretch] = []
        # Who runs in a live cluster was queued there once, so its end wakes others (3.6).
        state.queues.records.update(state.workloads)
        for info in state.workloads.values():
            if info.holds_quota and info.is_true(ADMITTED):
                self._start(info, info.reserved_at or state.now, before=True)

    def schedule(self, enough: Callable[[], bool]) -> None:
        """Cycles until nothing moves, or until `enough` says so: workloads may evict each other for ever."""
        run = follow(self._state, lambda result: enough(), most_cycles(self._state.world))
        for result in run.cycles:
            for entry in result.entries:
                if entry.status is Status.ASSUMED and entry.info.key not in self._running:
                    self._start(entry.info, result.now)
            for key in result.evicted_after:
                self._stop(key, result.now, evicted=True)

    def end_next(self) -> bool:
        """The next workload ends; False if none will."""
        state = self._state
        while self._ends:
            end, key = heapq.heappop(self._ends)
            info = state.workloads[key]
            if key not in self._running or self._end_of(info) != end:
                continue
            state.snapshot.now = max(state.now, end)
            info.set_condition(FINISHED, True, "Succeeded", "", state.now)
            state.ended(info)
            self._stop(key, state.now)
            return True
        return False

    def told(self, now: int, cut_short: bool) -> Timeline:
        """What has been found out."""
        still = [Stretch(key, start, None, before=before) for key, (start, before) in self._running.items()]
        stretches = sorted(
            [*self._done, *still], key=lambda each: (not each.before, each.start, each.workload)
        )
        seen = {each.workload for each in stretches}
        pending = (k for k, w in self._state.workloads.items() if not w.is_true(FINISHED) and w.active)
        waiting = tuple(key for key in pending if key not in seen)
        return Timeline(now, self._state.now, tuple(stretches), waiting, cut_short)

    def _start(self, info: WorkloadInfo, at: int, *, before: bool = False) -> None:
        self._running[info.key] = (at, before)
        if (end := self._end_of(info)) is not None:
            heapq.heappush(self._ends, (end, info.key))

    def _end_of(self, info: WorkloadInfo) -> int | None:
        start, before = self._running[info.key]
        length = self._duration(info)
        if length is None:
            return None
        # One that has outlasted its time may end at any moment.
        return max(start + length, self._state.world.now) if before else start + length

    def _stop(self, key: str, at: int, *, evicted: bool = False) -> None:
        found = self._running.pop(key, None)
        if found is not None:
            self._done.append(Stretch(key, found[0], at, evicted, found[1]))
