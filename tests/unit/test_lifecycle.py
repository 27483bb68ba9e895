"""What controllers do between two cycles, and how a run ends (tests/cases/lifecycle)."""

from typing import Any

import pytest

from kubectl_kueue.engine.eviction import preempt
from kubectl_kueue.engine.preemption.candidates import PreemptionReason, Target
from kubectl_kueue.engine.workload import EVICTED, PREEMPTED
from tests.worlds import check, read_cases, state_of


@pytest.mark.parametrize("case", read_cases("lifecycle", "admission", "runs"), ids=lambda case: case["name"])
def test_worlds(case: dict[str, Any]) -> None:
    check(case)


def test_a_condition_keeps_its_time_while_its_status_stays() -> None:
    state = state_of({"queues": {"q": {"quota": 1}}, "pending": {"w": {"queue": "q", "asks": 1}}})
    info = state.workloads["default/w"]
    assert info.set_condition(EVICTED, True, "Preempted", "", 1)
    assert info.set_condition(EVICTED, True, "Deactivated", "", 2)
    assert not info.set_condition(EVICTED, True, "Deactivated", "", 3)
    evicted = info.conditions[EVICTED]
    assert (evicted.status, evicted.reason, evicted.time) == (True, "Deactivated", 1)
    assert info.set_condition(EVICTED, False, "QuotaReserved", "", 4)
    assert (evicted.status, evicted.reason, evicted.time) == (False, "QuotaReserved", 4)


def test_a_target_that_is_evicted_already_keeps_its_first_reason() -> None:
    running = {
        "first": {"queue": "q", "asks": 1, "evicted": "PodsReadyTimeout"},
        "second": {"queue": "q", "asks": 1},
    }
    state = state_of({"queues": {"q": {"quota": 2}}, "running": running})
    for info in state.workloads.values():
        preempt(state, Target(info, PreemptionReason.IN_CLUSTER_QUEUE))
    first, second = state.workloads["default/first"], state.workloads["default/second"]
    assert first.conditions[EVICTED].reason == "PodsReadyTimeout"
    assert PREEMPTED not in first.conditions
    assert second.conditions[EVICTED].reason == "Preempted"
    assert second.conditions[PREEMPTED].reason == "InClusterQueue"
