"""Admission fair sharing: whole worlds, and usages to the digit (tests/cases/admission_fair_sharing)."""

from typing import Any

import pytest

from kubectl_kueue.model.timestamp import SECOND
from tests.worlds import check, read_cases, state_of

STAGE = "admission_fair_sharing"


@pytest.mark.parametrize("case", read_cases(STAGE, "worlds"), ids=lambda case: case["name"])
def test_worlds(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.parametrize("case", read_cases(STAGE, "ledger"), ids=lambda case: case["name"])
def test_ledger(case: dict[str, Any]) -> None:
    state = state_of(case)
    ledger, queue = state.ledger, state.snapshot.queues["q"]
    assert ledger is not None
    workloads = {key.removeprefix("default/"): info for key, info in state.workloads.items()}
    for step in case["steps"]:
        ((word, value),) = step.items()
        match word:
            case "advance":
                state.snapshot.now += value * SECOND
            case "usage":
                assert {name: ledger.usage(workloads[name]) for name in value} == value
            case "reserve":
                ledger.reserve(workloads[value], queue)
                assert ledger.awaits(workloads[value]) == queue.usage_based
            case "settle":
                ledger.settle(workloads[value], queue)
                assert not ledger.awaits(workloads[value])
            case "drop":
                ledger.drop(workloads[value])
                assert not ledger.has_penalty(workloads[value].local_queue)
            case _:
                raise AssertionError(f"no such step: {word}")
