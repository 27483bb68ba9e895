"""What would the scheduler do now? Run once, asked by several checks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.entry import CycleResult
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.simulate import follow
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.world import World

CYCLES = 16
"""Cycles that are followed; workloads further back are not judged."""


class Forecast(NamedTuple):
    """`order`: keys of who waits, by ClusterQueue, first come first; `cycles` up to the first one that evicts
    somebody. `evicting`: evictions are under way in the cluster, which a run completes at once, so that
    what fits in it does not fit yet. `tree` names for each ClusterQueue the root of its cohort tree."""

    order: Mapping[str, Sequence[str]]
    cycles: Sequence[CycleResult]
    evicting: bool
    strict: frozenset[str]
    active: frozenset[str]
    tree: Mapping[str, str]


def forecast(world: World) -> Forecast:
    """Run the scheduler on a cluster until it would evict somebody."""
    state = State(as_it_stands(world))
    evicting = any(w.evicted and w.holds_quota for w in state.workloads.values())
    run = follow(state, lambda result: any(entry.targets for entry in result), CYCLES)
    queues = state.snapshot.queues
    return Forecast(
        run.pending_order,
        run.cycles,
        evicting,
        frozenset(name for name, queue in queues.items() if queue.strict),
        frozenset(name for name, queue in queues.items() if queue.active),
        {name: queue.chain[0].name for name, queue in queues.items()},
    )
