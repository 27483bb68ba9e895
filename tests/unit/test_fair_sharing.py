"""Whose turn it is under fair sharing, and whom a workload may preempt (tests/cases/fair_sharing)."""

from typing import Any

import pytest

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.fair_sharing import share_of, tournament
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


def test_of_equal_ratios_the_first_resource_by_name_is_dominant() -> None:
    queues = {
        "q": {"cohort": "team", "quota": {"default": {"gpu": 1, "cpu": 1, "memory": 0}}},
        "other": {"cohort": "team", "quota": {"default": {"gpu": 3, "cpu": 3, "memory": 99}}},
    }
    running = {"r": {"queue": "q", "asks": {"gpu": 2, "cpu": 2, "memory": 1}}}
    share = share_of(state_of({"queues": queues, "running": running}).snapshot.queues["q"])
    assert (share.resource, share.ratio) == ("cpu", 250.0)
