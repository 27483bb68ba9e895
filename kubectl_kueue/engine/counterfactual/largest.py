"""How many pods of a podSet would get in now, without an eviction?"""

from collections.abc import Callable

from kubectl_kueue.engine.counterfactual.remedies import Trial, setting
from kubectl_kueue.engine.counterfactual.trial import RANKS, Laboratory
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.model.world import World

MOST = 2**20
"""Pods beyond which nobody asks."""


def largest(world: World, key: str, pod_set: str, enough: Callable[[], bool]) -> int:
    """The most pods of the podSet, the others of the workload as they are; 0 if not even one gets in."""
    laboratory = Laboratory(world, key, enough)

    def fits(count: int) -> bool:
        change = setting("Workload", key, f"podSets[name={pod_set}].count", count)
        outcome = laboratory.attempt(Trial((), (change,)))
        return outcome is not None and outcome.rank == RANKS[Word.ADMIT]

    if not fits(1):
        return 0
    most, beyond = 1, 2
    while beyond <= MOST and fits(beyond):
        most, beyond = beyond, beyond * 2
    while beyond - most > 1:
        middle = (most + beyond) // 2
        if fits(middle):
            most = middle
        else:
            beyond = middle
    return most
