"""The flavor scan against the rules of scheduling.md 5.3 written down plainly."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_kueue.engine.flavors import FineMode, assign_flavors
from tests.unit.test_flavors import scan

Offer = tuple[FineMode, int]

PREEMPTING = (FineMode.PREEMPT, FineMode.RECLAIM)
OFFERS = st.one_of(
    st.just((FineMode.NO_FIT, 0)),
    st.tuples(st.sampled_from([FineMode.NO_CANDIDATES, *PREEMPTING, FineMode.FIT]), st.integers(0, 3)),
)
FUNGIBILITY = st.fixed_dictionaries(
    {},
    optional={
        "whenCanBorrow": st.sampled_from(["MayStopSearch", "TryNextFlavor"]),
        "whenCanPreempt": st.sampled_from(["MayStopSearch", "TryNextFlavor"]),
        "preference": st.sampled_from(["BorrowingOverPreemption", "PreemptionOverBorrowing"]),
    },
)


@given(st.lists(OFFERS, min_size=1, max_size=5), FUNGIBILITY, st.none() | st.integers(-1, 4))
@settings(max_examples=200)
def test_the_scan_follows_the_rules(
    offers: list[Offer], fungibility: dict[str, Any], start: int | None
) -> None:
    names = {f"f{i}": offer for i, offer in enumerate(offers)}
    first = 0 if start is None else start + 1
    best, looked_at = expected(offers[first:], fungibility)
    (assigned,) = assign_flavors(scan(names, fungibility, {}, start)).pod_sets
    assert [(a.mode, a.level) for a in assigned.attempts] == offers[first:][:looked_at]
    if best is None:
        assert not assigned.flavors
        assert assigned.reasons or first >= len(offers)
        return
    choice = assigned.flavors["cpu"]
    assert choice.flavor == f"f{first + best}"
    assert choice.level == offers[first + best][1]
    assert choice.tried_index == (-1 if first + looked_at == len(offers) else first + looked_at - 1)
    assert (not assigned.reasons) == (offers[first + best][0] is FineMode.FIT)


def expected(offers: list[Offer], fungibility: dict[str, Any]) -> tuple[int | None, int]:
    """Index of the chosen offer, if any, and how many are looked at."""
    best: int | None = None
    for i, (mode, level) in enumerate(offers):
        stops = mode is FineMode.FIT or (
            mode in PREEMPTING and fungibility.get("whenCanPreempt") == "MayStopSearch"
        )
        if stops and (level == 0 or fungibility.get("whenCanBorrow") != "TryNextFlavor"):
            return i, i + 1
        if mode is not FineMode.NO_FIT and (
            best is None or rank(offers[i], fungibility) < rank(offers[best], fungibility)
        ):
            best = i
    return best, len(offers)


def rank(offer: Offer, fungibility: dict[str, Any]) -> tuple[Any, ...]:
    """Smaller is preferred."""
    mode, level = offer
    hopeless = mode is FineMode.NO_CANDIDATES
    if fungibility.get("preference") == "PreemptionOverBorrowing":
        return hopeless, level, -mode
    return hopeless, -mode, level
