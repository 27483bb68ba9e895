"""Who waits where, who is next, who is tried again (tests/cases/queues)."""

from typing import Any

import pytest

from tests.worlds import check, read_cases


@pytest.mark.parametrize("case", read_cases("queues", "order", "requeue"), ids=lambda case: case["name"])
def test_worlds(case: dict[str, Any]) -> None:
    check(case)
