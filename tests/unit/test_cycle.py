"""One cycle: the order of the heads, what becomes of each, with how many pods (tests/cases/cycle)."""

from typing import Any

import pytest

from kubectl_kueue.engine.partial import reduced_counts
from tests.worlds import check, read_cases, state_of

STAGE = "cycle"


@pytest.mark.parametrize(
    "case",
    read_cases(STAGE, "examples", "order", "processing", "partial", "variants"),
    ids=lambda case: case["name"],
)
def test_worlds(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.parametrize("case", read_cases(STAGE, "counts"), ids=lambda case: case["name"])
def test_reduced_counts(case: dict[str, Any]) -> None:
    pod_sets = {
        f"p{i}": {"asks": 1, "count": count, **({} if least is None else {"min": least})}
        for i, (count, least) in enumerate(zip(case["counts"], case["minimums"], strict=True))
    }
    state = state_of({"queues": {"q": {"quota": 1}}, "pending": {"w": {"queue": "q", "podSets": pod_sets}}})
    tried: list[list[int]] = []

    def attempt(counts: list[int]) -> list[int] | None:
        tried.append(counts)
        return counts if sum(counts) in case["good"] else None

    assert reduced_counts(state.workloads["default/w"], attempt) == case["found"]
    assert tried == case["tried"]
