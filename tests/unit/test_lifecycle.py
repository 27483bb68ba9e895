"""What controllers do between two cycles, and how a run ends (tests/cases/lifecycle)."""

from typing import Any

import pytest

from tests.worlds import check, read_cases


@pytest.mark.parametrize("case", read_cases("lifecycle", "admission", "runs"), ids=lambda case: case["name"])
def test_worlds(case: dict[str, Any]) -> None:
    check(case)
