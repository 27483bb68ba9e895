"""What does a change mean for everybody? Two runs, as things stand and after it, held against each other."""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_kueue.engine.explanation.fates import fates_of
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.simulate import Run
from kubectl_kueue.engine.workload import EVICTED

_STARTS = (Word.ADMIT, Word.PREEMPT)


class Comparison(NamedTuple):
    """Workloads, sorted: who `starts` only after the change, who no longer does, who is `evicted` by it, who
    is no longer evicted, and who now `never` can run.
    """

    starts: tuple[str, ...]
    starts_no_longer: tuple[str, ...]
    evicted: tuple[str, ...]
    evicted_no_longer: tuple[str, ...]
    never: tuple[str, ...]


def compare(before: Run, after: Run) -> Comparison:
    """The difference that a change makes."""
    was, now = _words(before), _words(after)
    started, starts = _with(was, _STARTS), _with(now, _STARTS)
    lost, loses = _evicted(before), _evicted(after)
    return Comparison(
        starts=_sorted(starts - started),
        starts_no_longer=_sorted(started - starts),
        evicted=_sorted(loses - lost),
        evicted_no_longer=_sorted(lost - loses),
        never=_sorted(_with(now, (Word.NEVER,)) - _with(was, (Word.NEVER,))),
    )


def _words(run: Run) -> Mapping[str, Word]:
    return {key: fate.word for key, fate in fates_of(run, None).items()}


def _with(words: Mapping[str, Word], wanted: tuple[Word, ...]) -> set[str]:
    return {key for key, word in words.items() if word in wanted}


def _evicted(run: Run) -> set[str]:
    """Those that lose their quota in the run, not those that had been told to go before."""
    gone = {key for cycle in run.cycles for key in cycle.evicted_after}
    return {key for key in gone if not _told_before(run, key)}


def _told_before(run: Run, key: str) -> bool:
    conditions = run.state.world.workloads[key].status.conditions
    return any(c.type == EVICTED and c.status == "True" for c in conditions)


def _sorted(keys: set[str]) -> tuple[str, ...]:
    return tuple(sorted(keys))
