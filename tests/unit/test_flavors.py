"""Which flavor, with which borrow level, and why no other (tests/cases/flavors)."""

from typing import Any

import pytest

from kubectl_kueue.engine.flavors import FineMode, Nomination, assign_flavors
from kubectl_kueue.engine.quota import FlavorResource, add_usage
from kubectl_kueue.engine.workload import LastAssignment
from tests.worlds import check, read_cases, state_of

STAGE = "flavors"
MODES = {
    "noFit": FineMode.NO_FIT,
    "noCandidates": FineMode.NO_CANDIDATES,
    "preempt": FineMode.PREEMPT,
    "reclaim": FineMode.RECLAIM,
    "fit": FineMode.FIT,
}


@pytest.mark.parametrize(
    "case", read_cases(STAGE, "examples", "traps", "severity"), ids=lambda case: case["name"]
)
def test_worlds(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.parametrize("case", read_cases(STAGE, "scans"), ids=lambda case: case["name"])
def test_scans(case: dict[str, Any]) -> None:
    offers = {name: (MODES[mode], int(level or 0)) for name, mode, level in _offers(case["flavors"])}
    nomination = scan(offers, case.get("fungibility", {}), case.get("gates", {}), case.get("start"))
    assignment = assign_flavors(nomination)
    (assigned,) = assignment.pod_sets
    choice = assigned.flavors.get("cpu")
    assert (choice.flavor if choice else None) == case["picked"]
    assert len(assigned.attempts) == case["tried"]
    first = case.get("first", case.get("start", -1) + 1)
    looked_at = list(offers)[first : first + case["tried"]]
    assert [(a.flavor, a.mode, a.level) for a in assigned.attempts] == [(f, *offers[f]) for f in looked_at]
    if choice:
        assert assignment.last == [{"cpu": case["recorded"]}]
        assert assignment.borrowing == offers[choice.flavor][1]


def scan(
    offers: dict[str, tuple[FineMode, int]],
    fungibility: dict[str, Any],
    gates: dict[str, bool],
    start: int | None,
) -> Nomination:
    """A workload of 1 cpu in front of flavors that can offer just this, three cohorts above one another."""
    own = {
        name: 0 if mode is FineMode.NO_FIT or _borrows(mode, level) else 1
        for name, (mode, level) in offers.items()
    }
    above = {
        height: {
            name: 1 if _borrows(mode, level) and level == height else 0
            for name, (mode, level) in offers.items()
        }
        for height in (1, 2, 3)
    }
    state = state_of(
        {
            "gates": gates,
            "cohorts": {
                "one": {"parent": "two", "quota": above[1]},
                "two": {"parent": "three", "quota": above[2]},
                "three": {"quota": above[3]},
            },
            "queues": {"q": {"cohort": "one", "quota": own, "fungibility": fungibility}},
            "pending": {"w": {"queue": "q", "asks": 1}},
        }
    )
    queue = state.snapshot.queues["q"]
    for name, (mode, _) in offers.items():
        if FineMode.NO_FIT < mode < FineMode.FIT:
            add_usage(queue, FlavorResource(name, "cpu"), 1000)
    last = None if start is None else LastAssignment([{"cpu": start}], 0, 0, None)
    info = state.workloads["default/w"]
    return Nomination(state.snapshot, queue, info, lambda fr, amount: offers[fr.flavor], last)


def _borrows(mode: FineMode, level: int) -> bool:
    return mode is FineMode.FIT and level > 0


def _offers(flavors: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(name, *offer.partition(" ")[::2]) for name, offer in flavors.items()]
