"""Cycles and controllers in turn, until nothing moves: the whole scheduler on one world.

How a run goes (clock, order, when it stops) is that of the recorded verdicts: docs/verdict.md.
"""

from collections.abc import Callable
from enum import StrEnum

from kubectl_kueue.engine import lifecycle
from kubectl_kueue.engine.cycle import run_cycle
from kubectl_kueue.engine.entry import CycleResult, Status
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.timestamp import SECOND
from kubectl_kueue.model.world import World


class Stop(StrEnum):
    """Why a run ended."""

    CYCLE = "cycle"
    IDLE = "idle"
    STABLE = "stable"
    CAP = "cap"


def most_cycles(world: World) -> int:
    """Cycles after which a run that has not come to rest never will, as far as anybody waits for it.

    A cycle moves a workload or sends one back into its queue; where everybody was moved several times, some
    evict each other for ever.
    """
    return min(10_000, 4 * len(world.workloads) + 100)


class Run:
    """A finished simulation: the order before it, its cycles, and the cluster after it.

    `pending_order` lists all pending keys per ClusterQueue as the visibility API would,
    `inadmissible` those of them that were parked.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.pending_order: dict[str, list[str]] = {}
        self.inadmissible: dict[str, list[str]] = {}
        self.cycles: list[CycleResult] = []
        self.stop = Stop.IDLE

    def record_order(self) -> None:
        queues = self.state.queues
        for name, queue in queues.by_name.items():
            ordered = queues.in_visible_order(queue)
            self.pending_order[name] = [info.key for info in ordered]
            if queue.inadmissible:
                self.inadmissible[name] = sorted(queue.inadmissible)


def simulate(
    world: World, *, mode: str | None = None, max_cycles: int | None = None, watch: bool = False
) -> Run:
    """Run the scheduler on a world.

    `mode` "cycle" runs one cycle and no controllers; "until-idle" (default: the world's own) runs
    until no head is left, two cycles are equal and changed nothing, or `max_cycles` is reached.
    `watch`: cycles remember the comparisons of fair sharing's tournament.
    """
    run = Run(State(world))
    run.state.snapshot.duels = [] if watch else None
    if run.state.second_pass:
        run.state.snapshot.now += SECOND
    if (mode or world.mode) == "cycle":
        _one_cycle(run)
    else:
        _until_idle(run, max_cycles or world.max_cycles)
    return run


def follow(state: State, until: Callable[[CycleResult], bool], max_cycles: int) -> Run:
    """Run controllers and cycles on a cluster that is already set up, no further than a cycle of which
    `until` is true (Stop.CAP then)."""
    run = Run(state)
    if state.second_pass:
        state.snapshot.now += SECOND
    _until_idle(run, max_cycles, until)
    return run


def _one_cycle(run: Run) -> None:
    run.record_order()
    run.stop = Stop.CYCLE
    result = run_cycle(run.state)
    if result is None:
        run.stop = Stop.IDLE
    else:
        run.cycles.append(result)


def _until_idle(run: Run, max_cycles: int, until: Callable[[CycleResult], bool] | None = None) -> None:
    state = run.state
    lifecycle.settle(state)
    run.record_order()
    previous: object = None
    while True:
        result = run_cycle(state)
        if result is None:
            run.stop = Stop.IDLE
            return
        run.cycles.append(result)
        state.snapshot.now += SECOND
        result.evicted_after = lifecycle.settle(state)
        if until is not None and until(result):
            run.stop = Stop.CAP
            return
        outcome = _outcome(result)
        if outcome is not None and outcome == previous:
            run.stop = Stop.STABLE
            return
        previous = outcome
        if len(run.cycles) >= max_cycles:
            run.stop = Stop.CAP if _has_heads(state) else Stop.IDLE
            return


_MOVES = frozenset((Status.ASSUMED, Status.PREEMPTING, Status.EVICTED, Status.MIGRATING))


def _outcome(result: CycleResult) -> object:
    """What makes two cycles equal; None if this one moved something."""
    if result.evicted_after or any(entry.status in _MOVES for entry in result):
        return None
    return [
        (
            entry.info.key,
            entry.status,
            entry.skip,
            entry.rejection,
            entry.assignment.mode,
            entry.assignment.borrowing,
            [(t.workload.key, t.reason) for t in entry.targets],
            [
                (
                    p.name,
                    p.count,
                    p.reasons,
                    p.attempts,
                    [(r, c.flavor, c.mode) for r, c in p.flavors.items()],
                )
                for p in entry.assignment.pod_sets
            ],
        )
        for entry in result
    ]


def _has_heads(state: State) -> bool:
    return bool(state.second_pass) or any(
        len(q.heap) for name, q in state.queues.by_name.items() if state.snapshot.queues[name].active
    )
