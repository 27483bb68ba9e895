"""Whom a workload preempts without fair sharing (tests/cases/preemption)."""

from typing import Any

import pytest

from tests.worlds import check, read_cases


@pytest.mark.parametrize("case", read_cases("preemption", "examples", "traps"), ids=lambda case: case["name"])
def test_worlds(case: dict[str, Any]) -> None:
    check(case)
