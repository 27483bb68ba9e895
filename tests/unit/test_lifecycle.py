"""What controllers do between two cycles, and how a run ends (tests/cases/lifecycle)."""

from typing import Any

import pytest

from kubectl_kueue.engine.eviction import preempt
from kubectl_kueue.engine.preemption.candidates import PreemptionReason, Target
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.engine.workload import EVICTED, PREEMPTED
from tests.worlds import check, decode, read_cases, state_of


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


def test_before_a_reservation_only_checks_of_every_flavor_are_listed() -> None:
    world: dict[str, Any] = {
        "checks": {"all": {}, "named": {}, "some": {}},
        "queues": {
            "q": {"quota": {"a": 1, "b": 1}, "checks": {"all": None, "named": ["b", "a"], "some": ["a"]}}
        },
        "pending": {"w": {"queue": "q", "asks": 2}},
        "running": {"r": {"queue": "q", "asks": 1, "flavor": "b", "reservedOnly": True}},
    }
    workloads = simulate(decode(world)).state.workloads
    assert [check.name for check in workloads["default/w"].checks] == ["all", "named"]
    assert [check.name for check in workloads["default/r"].checks] == ["all", "named"]
    world["running"]["r"]["flavor"] = "a"
    workloads = simulate(decode(world)).state.workloads
    assert [check.name for check in workloads["default/r"].checks] == ["all", "named", "some"]


def test_what_ages_the_records_of_a_cluster_queue() -> None:
    """A workload that leaves it or is written, not one that comes, and none of a sibling (2.7)."""
    queues = {"q": {"cohort": "team", "quota": 4}, "sibling": {"cohort": "team", "quota": 4}}
    running = {"r": {"queue": "q", "asks": 1}, "s": {"queue": "q", "asks": 1}}
    state = state_of({"queues": queues, "running": running})
    queue, info = state.snapshot.queues["q"], state.workloads["default/r"]
    assert queue.generation == 0
    state.updated(info)
    assert queue.generation == 1
    state.ended(info)
    assert queue.generation == 2
    state.snapshot.add(info)
    assert queue.generation == 2
    assert state.snapshot.queues["sibling"].generation == 0
