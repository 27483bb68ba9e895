"""Whose turn it is under fair sharing, and whom a workload may preempt (tests/cases/fair_sharing)."""

from typing import Any

import pytest

from tests.worlds import check, read_cases


@pytest.mark.parametrize(
    "case", read_cases("fair_sharing", "preemption", "tournament"), ids=lambda case: case["name"]
)
def test_worlds(case: dict[str, Any]) -> None:
    check(case)
