"""Small worlds on which the engine once disagreed with the real scheduler; see also test_placing.py."""

from typing import Any

import pytest

from kubectl_kueue.engine.quota import FlavorResource, Node, add_usage, free_local, remove_usage
from tests.worlds import check, read_cases


@pytest.mark.parametrize("case", read_cases("agreement", "worlds"), ids=lambda case: case["name"])
def test_world(case: dict[str, Any]) -> None:
    check(case)


def test_negative_usage_is_filled_before_the_parent_pays() -> None:
    """Capacity held for a borrower above its limit is negative (preemption page 5.2)."""
    fr = FlavorResource("default", "cpu")
    queue, cohort = Node("q", is_cluster_queue=True), Node("team", is_cluster_queue=False)
    queue.parent = cohort
    cohort.usage[fr] = 10
    queue.usage[fr] = 2
    remove_usage(queue, fr, 10)
    assert (queue.usage[fr], cohort.usage[fr], free_local(queue, fr)) == (-8, 8, 8)
    add_usage(queue, fr, 10)
    assert (queue.usage[fr], cohort.usage[fr]) == (2, 10)
