"""Whose turn it is under fair sharing, and whom a workload may preempt (tests/cases/fair_sharing)."""

from typing import Any

import pytest

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.fair_sharing import tournament
from tests.worlds import check, read_cases, state_of


@pytest.mark.parametrize(
    "case", read_cases("fair_sharing", "preemption", "tournament"), ids=lambda case: case["name"]
)
def test_worlds(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.parametrize("cohort", [{}, {"cohort": "team"}])
def test_of_two_entries_of_a_cluster_queue_the_later_is_processed(cohort: dict[str, str]) -> None:
    """A second pass and a head, trap 17."""
    pending = {"first": {"queue": "q", "asks": 1}, "head": {"queue": "q", "asks": 1}}
    state = state_of({"queues": {"q": {"quota": 1, **cohort}}, "pending": pending})
    queue = state.snapshot.queues["q"]
    entries = [
        Entry(state.workloads["default/first"], queue, second_pass=True),
        Entry(state.workloads["default/head"], queue),
    ]
    assert list(tournament(entries, state.snapshot)) == entries[1:]
