"""A look at the snapshot leaves nothing behind that a later look, on a changed cluster, would believe."""

from typing import Any

import pytest

from kubectl_kueue.engine import lifecycle
from kubectl_kueue.engine.explanation.alone import nominate_alone
from tests.worlds import state_of

# b borrows only as long as w2, whose eviction has begun, holds its quota.
WORLD: dict[str, Any] = {
    "queues": {
        "a": {"cohort": "c", "quota": 10, "within": "LowerPriority", "reclaim": "Any"},
        "b": {"cohort": "c", "quota": 8},
    },
    "running": {
        "a1": {"queue": "a", "asks": 3, "prio": 0},
        "a2": {"queue": "a", "asks": 6, "prio": 1},
        "w1": {"queue": "b", "asks": 4},
        "w2": {"queue": "b", "asks": 5, "evicted": "Preempted"},
    },
    "pending": {"p": {"queue": "a", "asks": 8, "prio": 10}},
}


@pytest.mark.parametrize("looked_before", [False, True])
def test_targets_are_those_of_the_cluster_as_it_is(looked_before: bool) -> None:
    state = state_of(WORLD)
    [pending] = [info for info in state.workloads.values() if info.name == "p"]
    queue = state.snapshot.queues["a"]
    if looked_before:
        nominate_alone(state, pending, queue)
    lifecycle.settle(state)
    targets = nominate_alone(state, pending, queue)[-1].targets
    assert [target.workload.name for target in targets] == ["a1"]
