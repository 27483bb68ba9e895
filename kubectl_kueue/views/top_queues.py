"""The sheets of `top` about quota: ClusterQueues, cohorts, LocalQueues, flavors, borrowers and lenders."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kubectl_kueue.engine.accounts import Balance, Books
from kubectl_kueue.engine.lending import Loan
from kubectl_kueue.engine.quota import FlavorResource, Node
from kubectl_kueue.engine.tally import Ask, Tally
from kubectl_kueue.model.quantity import UNLIMITED, format_amount
from kubectl_kueue.views.accounts import (
    Filter,
    asks_document,
    asks_words,
    balance_document,
    kind_of,
    lender_words,
    loan_document,
    share_value,
    share_words,
    tally_document,
    type_name,
)
from kubectl_kueue.views.page import Align, Column, Span, Style
from kubectl_kueue.views.top import Row, Sheet, Value, text
from kubectl_kueue.views.words.numbers import quantity

_RIGHT: Align = "right"

HIDDEN = "ClusterQueues are not visible to you; this is what the LocalQueues say of themselves."
"""The note above LocalQueues that are shown instead of what was asked for."""


def queue_sheet(
    books: Books, nodes: Iterable[tuple[int, Node]], wanted: Filter, *, is_tree: bool = False
) -> Sheet:
    """A row for each flavor and resource of each node, given with its depth; `is_tree`: cohorts as well."""
    columns = [Column("COHORT/QUEUE" if is_tree else "CLUSTERQUEUE")]
    if not is_tree:
        columns.append(Column("COHORT", wide=True))
    columns += [Column("FLAVOR"), Column("RESOURCE")]
    columns += [Column(n, _RIGHT) for n in ("NOMINAL", "USED", "OWN", "BORROWED", "LENT", "FREE")]
    columns += [Column(n, _RIGHT, wide=True) for n in ("AVAILABLE", "BORROWING LIMIT", "LENDING LIMIT")]
    if _is_exceeded(books):
        columns.append(Column("OVER", _RIGHT))
    columns.append(Column("PENDING ASKS", _RIGHT))
    if books.snapshot.fair_sharing:
        columns.append(Column("SHARE", _RIGHT))
    rows = [row for depth, node in nodes for row in _node_rows(books, depth, node, wanted, is_tree)]
    return Sheet("cohort" if is_tree else "clusterqueue", columns, rows, "There is no such quota.")


def _is_exceeded(books: Books) -> bool:
    """Whether anybody uses more than all quota: rare enough to have a column only then."""
    return any(loan.lender is None for loan in books.loans)


def _node_rows(books: Books, depth: int, node: Node, wanted: Filter, is_tree: bool) -> Iterator[Row]:
    tally, share = books.tallies[node], books.share(node)
    balances = [balance for balance in books.balances(node) if wanted.passes(balance.fr)]
    shown: list[Balance | None] = [*balances]
    if not balances and wanted == Filter():
        shown.append(None)  # without quota, but nothing is left out
    cohort = node.parent.name if node.parent is not None else ""
    for balance in shown:
        values = [Value(f"{'  ' * depth}{node.name}", node.name)]
        if not is_tree:
            values.append(text(cohort))
        values += _balance_values(balance) if balance is not None else [Value("-")] * 11
        resource = balance.fr.resource if balance is not None else ""
        if _is_exceeded(books):
            over = balance.over if balance is not None else None
            values.append(amount_value(resource, over, "bad" if over else ""))
        values.append(_asks_value(tally, resource))
        if books.snapshot.fair_sharing:
            values.append(Value(share_words(share), share))
        head = {"kind": kind_of(node), "name": node.name, "cohort": cohort or None}
        document: dict[str, Any] = {**head, **(balance_document(balance) if balance is not None else {})}
        document |= {**tally_document(tally), "share": share_value(share)}
        used = balance.used if balance is not None else 0
        yield Row(type_name(kind_of(node), node.name), document, values, resource, used)


def _balance_values(balance: Balance) -> list[Value]:
    resource = balance.fr.resource

    def value(number: int | None, style: Style = "") -> Value:
        return amount_value(resource, number, style)

    return [
        text(balance.fr.flavor),
        text(resource),
        value(balance.nominal),
        value(balance.used, "bad" if balance.over else ""),
        value(balance.own),
        value(balance.borrowed, "warn" if balance.borrowed else ""),
        value(balance.lent),
        value(balance.free),
        value(balance.available, "bad" if balance.available <= 0 else ""),
        value(balance.borrowing_limit),
        value(balance.lending_limit),
    ]


def amount_value(resource: str, number: int | None, style: Style = "") -> Value:
    """An amount in a cell; a dash where there is none."""
    if number is None:
        return Value("-")
    return Value(Span(quantity(resource, number), style) if style else quantity(resource, number), number)


def _asks_value(tally: Tally, resource: str) -> Value:
    ask = tally.asks.get(resource, Ask()) if tally.asks is not None else Ask(workloads=tally.pending)
    return Value(asks_words(tally, resource), ask.amount or ask.workloads)


# --- LocalQueues --------------------------------------------------------------------------------


def local_queue_sheet(books: Books, keys: Sequence[str], wanted: Filter) -> Sheet:
    """A row for each flavor and resource that the LocalQueues ("namespace/name") could use or do."""
    columns = [Column(n) for n in ("NAMESPACE", "LOCALQUEUE", "CLUSTERQUEUE", "FLAVOR", "RESOURCE")]
    columns += [Column("USED", _RIGHT), Column("QUOTA OF CLUSTERQUEUE", _RIGHT, wide=True)]
    columns += [Column(n, _RIGHT) for n in ("PENDING", "ADMITTED", "PENDING ASKS")]
    rows = [row for key in keys for row in _local_rows(books, key, wanted)]
    return Sheet("localqueue", columns, rows, "There is no such LocalQueue.")


def _local_rows(books: Books, key: str, wanted: Filter) -> Iterator[Row]:
    namespace, _, name = key.partition("/")
    queue, tally = books.world.local_queues[key], books.local_tallies[key]
    target = books.snapshot.queues.get(queue.spec.cluster_queue)
    nominal = target.nominal if target is not None else {}
    frs: list[FlavorResource | None] = [
        fr for fr in dict.fromkeys([*nominal, *tally.used]) if wanted.passes(fr)
    ]
    if not frs and wanted == Filter():
        frs.append(None)
    for fr in frs:
        resource = fr.resource if fr is not None else ""
        used = tally.used.get(fr, 0) if fr is not None else 0
        document: dict[str, Any] = {
            "kind": "LocalQueue",
            "namespace": namespace,
            "name": name,
            "clusterQueue": queue.spec.cluster_queue,
        }
        if fr is not None:
            document |= {"flavor": fr.flavor, "resource": resource, "used": format_amount(resource, used)}
        yield Row(
            type_name("LocalQueue", name),
            {**document, **tally_document(tally)},
            [
                text(namespace),
                text(name),
                text(queue.spec.cluster_queue or "-"),
                text(fr.flavor if fr is not None else "-"),
                text(resource or "-"),
                amount_value(resource, used if fr is not None else None),
                amount_value(resource, nominal.get(fr) if fr is not None else None),
                Value(str(tally.pending), tally.pending),
                Value(str(tally.admitted), tally.admitted),
                _asks_value(tally, resource),
            ],
            resource,
            used,
        )


# --- flavors ------------------------------------------------------------------------------------


def flavor_sheet(books: Books, wanted: Filter) -> Sheet:
    """A row for each flavor and resource, over all cohorts and ClusterQueues."""
    columns = [Column("FLAVOR"), Column("RESOURCE")]
    columns += [Column(n, _RIGHT) for n in ("NOMINAL", "USED", "OWN", "BORROWED", "FREE", "QUEUES")]
    columns.append(Column("PENDING ASKS", _RIGHT))
    rows = [_flavor_row(books, *entry) for entry in _flavors(books, wanted)]
    return Sheet("flavor", columns, rows, "There is no such flavor.")


def _flavors(
    books: Books, wanted: Filter
) -> Iterator[tuple[FlavorResource | None, str, Balance, int, Tally]]:
    """Each with the sums of everything, the number of its ClusterQueues and those that wait there."""
    sums: dict[FlavorResource, Balance] = {}
    for root in books.roots():
        for each in books.balances(root):
            before = sums.get(each.fr, Balance(each.fr))
            sums[each.fr] = before._replace(
                nominal=min(UNLIMITED, before.nominal + each.nominal),
                used=before.used + each.used,
                over=before.over + each.over,
            )
    borrowed: dict[FlavorResource, int] = {}
    for loan in books.loans:
        if loan.lender is not None:
            borrowed[loan.fr] = borrowed.get(loan.fr, 0) + loan.amount
    waiting: dict[FlavorResource, tuple[int, Tally]] = {}
    for node in books.snapshot.queues.values():
        for fr in node.nominal:
            number, tally = waiting.get(fr, (0, Tally()))
            tally.include(books.tallies[node])
            waiting[fr] = (number + 1, tally)
    for fr in sorted(filter(wanted.passes, sums)):
        number, tally = waiting.get(fr, (0, Tally()))
        loaned = borrowed.get(fr, 0)
        # All that is lent is borrowed by somebody here, so that what is free is neither.
        yield fr, fr.flavor, sums[fr]._replace(borrowed=loaned, lent=loaned), number, tally
    unused = set(books.world.resource_flavors) - {fr.flavor for fr in sums}
    for name in sorted(unused):
        if not wanted.resource and wanted.flavor in ("", name):
            yield None, name, Balance(FlavorResource(name, "")), 0, Tally()


def _flavor_row(
    books: Books, fr: FlavorResource | None, name: str, balance: Balance, queues: int, tally: Tally
) -> Row:
    resource = balance.fr.resource
    amounts = {n: getattr(balance, n) for n in ("nominal", "used", "own", "borrowed", "free")}
    document: dict[str, Any] = {"kind": "ResourceFlavor", "name": name}
    if fr is not None:
        document["resource"] = resource
        document |= {n: format_amount(resource, value) for n, value in amounts.items()}
    document |= {"clusterQueues": queues, "pendingAsks": asks_document(tally)}
    values = [text(name), text(resource or "-")]
    values += [amount_value(resource, value if fr is not None else None) for value in amounts.values()]
    values += [Value(str(queues), queues), _asks_value(tally, resource)]
    return Row(type_name("ResourceFlavor", name), document, values, resource, balance.used)


# --- who borrows from whom ----------------------------------------------------------------------


def loan_sheet(loans: Iterable[Loan]) -> Sheet:
    """A row for each pair of borrower and lender, flavor and resource."""
    columns = [Column(n) for n in ("BORROWER", "LENDER", "FLAVOR", "RESOURCE")] + [Column("AMOUNT", _RIGHT)]
    rows = [
        Row(
            type_name("ClusterQueue", loan.borrower.name),
            loan_document(loan),
            [
                text(loan.borrower.name),
                text(lender_words(loan)),
                text(loan.fr.flavor),
                text(loan.fr.resource),
                amount_value(loan.fr.resource, loan.amount),
            ],
            loan.fr.resource,
            loan.amount,
        )
        for loan in loans
    ]
    return Sheet("borrowers", columns, rows, "Nobody borrows.")
