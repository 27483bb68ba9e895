"""Balances and loans in words, as bars and as documents: what `tree` and `top` have in common."""

from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import Any, NamedTuple

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.accounts import Balance, Books
from kubectl_kueue.engine.lending import Loan
from kubectl_kueue.engine.quota import FlavorResource, Node
from kubectl_kueue.engine.tally import Tally
from kubectl_kueue.model.quantity import format_amount, format_request
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.page import Bar, Block, Span, Style, Text
from kubectl_kueue.views.words.assumed import unread_words
from kubectl_kueue.views.words.numbers import amount, quantity, requested
from kubectl_kueue.views.words.outside import widening_words
from kubectl_kueue.views.words.shares import share_text

SCHEMA_VERSION = "v1"


class Filter(NamedTuple):
    """Which flavors and resources are wanted; empty: all."""

    flavor: str = ""
    resource: str = ""

    def passes(self, fr: FlavorResource) -> bool:
        """Whether this flavor and resource are."""
        return self.flavor in ("", fr.flavor) and self.resource in ("", fr.resource)


def kind_of(node: Node) -> str:
    """ClusterQueue or Cohort."""
    return "ClusterQueue" if node.is_cluster_queue else "Cohort"


def type_name(kind: str, name: str) -> str:
    """As -o name has it: clusterqueue.kueue.x-k8s.io/NAME."""
    return f"{kind.lower()}.kueue.x-k8s.io/{name}"


# --- words --------------------------------------------------------------------------------------


def share_words(share: float | None) -> str:
    """The weighted share as people read it; a dash where there is none."""
    return "-" if share is None else share_text(share)


def asks_words(tally: Tally, resource: str) -> str:
    """ "4 (1)": how much pending workloads ask for, and how many of them do."""
    if tally.asks is None:
        return f"? ({tally.pending})" if tally.pending else "-"
    ask = tally.asks.get(resource)
    return f"{requested(resource, ask.amount)} ({ask.workloads})" if ask is not None else "-"


def loan_words(loan: Loan, of: Node) -> str:
    """A loan as the side `of` has it."""
    what = f"{amount(loan.fr.resource, loan.amount)} of {loan.fr.flavor}"
    if loan.lender is None:
        return f"uses {what} beyond all quota"
    if of is loan.lender:
        return f"-> lends {what} to {loan.borrower.name}"
    return f"<- borrows {what} from {lender_words(loan)}"


def lender_words(loan: Loan) -> str:
    """Whose quota it is."""
    if loan.lender is None:
        return "nobody (beyond all quota)"
    return loan.lender.name if loan.lender.is_cluster_queue else f"Cohort {loan.lender.name}"


def balance_bar(balance: Balance) -> Bar:
    """What of the quota is in use, by itself or by borrowers, and in words what comes on top."""
    resource, nominal = balance.fr.resource, balance.nominal
    more = [
        f"{sign}{quantity(resource, value)} {word}"
        for sign, value, word in (
            ("+", balance.borrowed, "borrowed"),
            ("", balance.lent, "lent"),
            ("+", balance.over, "beyond quota"),
        )
        if value
    ]
    caption = f"{quantity(resource, balance.own)}/{quantity(resource, nominal)}"
    if more:
        caption += f" ({', '.join(more)})"
    taken = balance.own + balance.lent
    exceeds = balance.borrowed or balance.over
    style: Style = "bad" if exceeds else "warn" if taken >= nominal and taken > 0 else "good"
    return Bar(f"{balance.fr.flavor} {resource}", taken, nominal, caption, style)


def closing_blocks(books: Books) -> Iterator[Block]:
    """What could not be read, and what the numbers are then."""
    world = books.world
    told = []
    if world.missing:
        told.append(f"Not read: {unread_words(world.missing)}.")
    if books.from_status:
        told.append(
            "Usage is what Kueue wrote into the status of the queues: not all Workloads could be counted."
        )
    told.append(widening_words(world.missing))
    told = [text for text in told if text]
    if told:
        yield Text([Span(" ".join(told), "dim")])


# --- documents ----------------------------------------------------------------------------------


def document_head(books: Books) -> dict[str, Any]:
    """What every document begins with."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "now": format_time(books.world.now),
        "kueueVersion": SIMULATED_KUEUE,
        "usageFrom": "status" if books.from_status else "workloads",
        "missing": dict(sorted(books.world.missing.items())),
    }


def balance_document(balance: Balance) -> dict[str, Any]:
    """Amounts as quantities; limits only where they are set."""
    resource = balance.fr.resource
    amounts = {
        "nominal": balance.nominal,
        "used": balance.used,
        "own": balance.own,
        "borrowed": balance.borrowed,
        "lent": balance.lent,
        "free": balance.free,
        "available": balance.available,
        "over": balance.over,
        "borrowingLimit": balance.borrowing_limit,
        "lendingLimit": balance.lending_limit,
    }
    told = {name: format_amount(resource, value) for name, value in amounts.items() if value is not None}
    return {"flavor": balance.fr.flavor, "resource": resource, **told}


def tally_document(tally: Tally) -> dict[str, Any]:
    """Numbers of workloads, and what the pending ones ask for (null where that is not known)."""
    return {
        "pending": tally.pending,
        "heldBack": tally.held_back,
        "reserving": tally.reserving,
        "admitted": tally.admitted,
        "pendingAsks": asks_document(tally),
    }


def asks_document(tally: Tally) -> list[dict[str, Any]] | None:
    """One for each resource: how much is asked for, and by how many workloads."""
    if tally.asks is None:
        return None
    return [
        {"resource": resource, "amount": format_request(resource, ask.amount), "workloads": ask.workloads}
        for resource, ask in sorted(tally.asks.items())
    ]


def loan_document(loan: Loan) -> dict[str, Any]:
    """One loan; `lender` is null where it is beyond all quota."""
    lender = loan.lender
    return {
        "borrower": loan.borrower.name,
        "lender": {"kind": kind_of(lender), "name": lender.name} if lender is not None else None,
        "flavor": loan.fr.flavor,
        "resource": loan.fr.resource,
        "amount": format_request(loan.fr.resource, loan.amount),
    }


def share_value(share: float | None) -> float | str | None:
    """The share as JSON can have it."""
    return share if share is None or isfinite(share) else "infinite"


def loans_between(
    books: Books, wanted: Filter, concerns: Callable[[Node], bool] = lambda node: True
) -> Iterable[Loan]:
    """The loans of the wanted flavors and resources of which one side is of concern."""
    for loan in books.loans:
        sides = (loan.borrower, *([loan.lender] if loan.lender is not None else ()))
        if wanted.passes(loan.fr) and any(concerns(side) for side in sides):
            yield loan
