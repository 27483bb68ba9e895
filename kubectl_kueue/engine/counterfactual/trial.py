"""Trying a remedy: the verdict in a world that has been changed by it."""

from collections.abc import Callable, Mapping
from functools import cached_property

import msgspec
from msgspec.structs import replace

from kubectl_kueue.engine.counterfactual.remedies import Trial
from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.change import apply_changes
from kubectl_kueue.model.world import World

RANKS: Mapping[Word, int] = {Word.ADMIT: 3, Word.PREEMPT: 2, Word.WAIT: 1}
"""How good a verdict is for who waits; everything else is worse."""

MOST_RUN = 2_000
"""Workloads of a cluster that is run as a whole for side effects; a larger one would take too long."""

MOST_CYCLES = 100


class Outcome(msgspec.Struct, frozen=True):
    """A trial and the verdict it led to."""

    trial: Trial
    verdict: Verdict

    @property
    def rank(self) -> int:
        return RANKS.get(self.verdict.state, 0)


class Laboratory:
    """One workload in one world. `enough` says when no more may be tried; `tried` counts."""

    def __init__(self, world: World, key: str, enough: Callable[[], bool]) -> None:
        self.world = world
        self.key = key
        self.enough = enough
        self.tried = 0

    def attempt(self, trial: Trial) -> Outcome | None:
        """The outcome; None if the change cannot be made or there is no time left."""
        if self.enough() or (world := self._changed(trial)) is None:
            return None
        self.tried += 1
        return Outcome(trial, explain(world, self.key))

    def left_out(self, trial: Trial) -> tuple[str, ...]:
        """Workloads that get in as things stand and no longer do after the trial, not counting its own.

        Only clusters of up to MOST_RUN workloads around this one are run twice for it; else nobody is named.
        """
        world = self._changed(trial)
        if world is None or self.enough():
            return ()
        return tuple(sorted(self._before - _admitted(world) - {self.key, *trial.ends}))

    @cached_property
    def _before(self) -> frozenset[str]:
        return _admitted(self.world)

    def _changed(self, trial: Trial) -> World | None:
        try:
            world = apply_changes(self.world, trial.changes)
        except InputError:
            return None
        if not trial.ends:
            return world
        workloads = {key: each for key, each in world.workloads.items() if key not in trial.ends}
        return replace(world, workloads=workloads)

    def least(
        self, make: Callable[[int], Trial], most: int, rank: int, fewest: int = 1
    ) -> tuple[Outcome, bool] | None:
        """The smallest amount from `fewest` to `most` with which the verdict is at least of this rank.

        The flag says whether one less was tried and is not enough. None if not even `most` does.
        """
        best = self.attempt(make(most)) if most > 0 else None
        if best is None or best.rank < rank:
            return None
        low, high = int(fewest) - 1, int(most)  # saturating numbers would never come closer
        # What is short is mostly exactly what is needed, and what is not needed is mostly not needed at all.
        guesses = iter((high - 1, fewest))
        while high - low > 1:
            guess = next(guesses, (low + high) // 2)
            if not low < guess < high:
                continue
            outcome = self.attempt(make(guess))
            if outcome is None:
                return best, False
            if outcome.rank >= rank:
                best, high = outcome, guess
            else:
                low = guess
        return best, True


def _admitted(world: World) -> frozenset[str]:
    """Who gets in if nobody else comes."""
    if len(world.workloads) > MOST_RUN:
        return frozenset()
    run = simulate(as_it_stands(world), mode="until-idle", max_cycles=MOST_CYCLES)
    entries = (entry for cycle in run.cycles for entry in cycle)
    return frozenset(entry.info.key for entry in entries if entry.status is Status.ASSUMED)
