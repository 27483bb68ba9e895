"""Who borrows how much from whom: the rule (tests/cases/tree/loans.yaml), and what holds of any tree."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.engine.accounts import Books
from kubectl_kueue.engine.lending import Loan
from kubectl_kueue.engine.quota import FlavorResource
from tests.worlds import decode, read_cases

CPU = FlavorResource("default", "cpu")


@pytest.mark.parametrize("case", read_cases("tree", "loans"), ids=lambda case: case["name"])
def test_loans(case: dict[str, Any]) -> None:
    assert told(Books(decode(case)).loans) == case["loans"]


def told(loans: list[Loan]) -> dict[str, float]:
    found: dict[str, float] = {}
    for loan in loans:
        lender = loan.lender
        name = (
            "nobody"
            if lender is None
            else lender.name
            if lender.is_cluster_queue
            else f"Cohort {lender.name}"
        )
        found[f"{loan.borrower.name} <- {name}"] = loan.amount / 1000
    return found


amounts = st.integers(0, 6)
limits = st.sampled_from(["", " lend 0", " lend 1", " lend 3"])
quotas = st.builds(lambda number, limit: f"{number}{limit}", amounts, limits)
cohort_names = ("root", "left", "right", "low")
PARENTS = {"left": "root", "right": "root", "low": "left"}


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Any]:
    """A tree of four cohorts with up to six queues in it, in use as it happens to be."""
    cohorts = {
        name: {"parent": PARENTS[name], "quota": draw(quotas)}
        if name in PARENTS
        else {"quota": draw(amounts)}
        for name in cohort_names
    }
    queues = {
        f"q{index}": {"cohort": draw(st.sampled_from(cohort_names)), "quota": draw(quotas)}
        for index in range(draw(st.integers(1, 6)))
    }
    running = {f"r-{name}": {"queue": name, "asks": asks} for name in queues if (asks := draw(amounts))}
    return {"cohorts": cohorts, "queues": queues, "running": running}


@given(worlds())
def test_the_accounts_balance(world: dict[str, Any]) -> None:
    books = Books(decode(world))
    for _, node in books.walk():
        for balance in books.balances(node):
            assert balance.used == balance.own + balance.borrowed + balance.over
            assert min(balance.own, balance.borrowed, balance.lent, balance.over, balance.free) >= 0
            assert balance.nominal == balance.own + balance.lent + balance.free
            if node.parent is None:
                assert balance.borrowed == balance.lent == 0
            if node.is_cluster_queue:
                assert balance.own == min(balance.used, balance.nominal)
            limit = node.lending_limit.get(balance.fr)
            assert limit is None or node.parent is None or balance.lent <= limit


@given(worlds())
def test_a_cohort_borrows_what_the_engine_says(world: dict[str, Any]) -> None:
    books = Books(decode(world))
    for _, node in books.walk():
        if node.parent is not None:
            beyond = max(0, node.usage.get(CPU, 0) - node.subtree.get(CPU, 0))
            found = [balance for balance in books.balances(node) if balance.fr == CPU]
            assert beyond == sum(balance.borrowed + balance.over for balance in found)


@given(worlds())
def test_beyond_quota_is_what_the_root_lacks(world: dict[str, Any]) -> None:
    books = Books(decode(world))
    root = books.snapshot.cohorts["root"]
    lacks = max(0, root.usage.get(CPU, 0) - root.subtree.get(CPU, 0))
    assert lacks == sum(loan.amount for loan in books.loans if loan.lender is None)
