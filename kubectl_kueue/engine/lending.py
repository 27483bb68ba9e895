"""Who borrows how much of what from whom?

Quota has no names on it: Kueue knows that a ClusterQueue uses more than its own, and that the tree as a whole
has enough, but not whose it uses. The answer is an attribution, by a rule that depends on the data alone.
For each flavor and resource, from the leaves to the root:

* What a ClusterQueue uses beyond its nominal quota is borrowed.
* It is lent by the nearest: the cohort above, its members and all below them, before what is further up.
* In one cohort the quota of the Cohort itself comes first, which is nobody else's; then members, the one with
  the most to lend first, names breaking ties. The one that borrows most is served first.
* A lending limit keeps back what it keeps back: of a node nothing is lent beyond what it may lend.
* What remains at the root is beyond all quota (it was lowered after the admission): a Loan without lender.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kubectl_kueue.engine.quota import FlavorResource, Node


class Loan(NamedTuple):
    """`amount` (canonical units) of a flavor and resource that `borrower`, a ClusterQueue, uses of the quota
    of `lender`; None: of nobody's, it is beyond all quota."""

    fr: FlavorResource
    borrower: Node
    lender: Node | None
    amount: int


class _Part(NamedTuple):
    """An amount that a node seeks or offers."""

    node: Node
    amount: int


def loans_of(root: Node) -> list[Loan]:
    """All loans within one tree, by flavor and resource, those of a cohort before those from above it."""
    order = [root]
    for node in order:
        order.extend(node.children)
    order.reverse()
    frs = dict.fromkeys(fr for node in order if node.is_cluster_queue for fr in _exceeded(node))
    return [loan for fr in sorted(frs) for loan in _loans(order, fr)]


def _exceeded(queue: Node) -> Iterator[FlavorResource]:
    for fr, used in queue.usage.items():
        if used > queue.nominal.get(fr, 0):
            yield fr


def _loans(order: Iterable[Node], fr: FlavorResource) -> Iterator[Loan]:
    """Loans of one flavor and resource; `order` has children before their cohort, the root last."""
    sought: dict[Node, list[_Part]] = {}
    offered: dict[Node, list[_Part]] = {}
    for node in order:
        seekers = [part for child in node.children for part in sought.pop(child, ())]
        givers = [part for child in node.children for part in offered.pop(child, ())]
        own = _own_part(node, fr)
        seekers.extend(_Part(node, -own) for _ in range(own < 0))
        seekers.sort(key=_largest_first)
        givers.sort(key=_largest_first)
        if own > 0:
            givers.insert(0, _Part(node, own))
        loans, sought[node], givers = _match(seekers, givers, fr)
        yield from loans
        offered[node] = _up_to(givers, _lendable(node, fr))
        if node.parent is None:
            yield from (Loan(fr, seeker.node, None, seeker.amount) for seeker in sought[node])


def _own_part(node: Node, fr: FlavorResource) -> int:
    """What the node itself offers, or seeks if it is negative."""
    nominal = node.nominal.get(fr, 0)
    return nominal - max(0, node.usage.get(fr, 0)) if node.is_cluster_queue else nominal


def _lendable(node: Node, fr: FlavorResource) -> int:
    """What the parent could still get of the node: neither kept by its lending limit nor in use below it."""
    kept = max(node.usage.get(fr, 0), node.local.get(fr, 0))
    return max(0, node.subtree.get(fr, 0) - kept)


def _match(
    seekers: list[_Part], givers: list[_Part], fr: FlavorResource
) -> tuple[list[Loan], list[_Part], list[_Part]]:
    """The loans between them, and what is left of both; at most one side has anything left."""
    loans: list[Loan] = []
    seeking, giving = seekers[::-1], givers[::-1]
    while seeking and giving:
        seeker, giver = seeking.pop(), giving.pop()
        amount = min(seeker.amount, giver.amount)
        loans.append(Loan(fr, seeker.node, giver.node, amount))
        if seeker.amount > amount:
            seeking.append(_Part(seeker.node, seeker.amount - amount))
        if giver.amount > amount:
            giving.append(_Part(giver.node, giver.amount - amount))
    return loans, seeking[::-1], giving[::-1]


def _up_to(parts: list[_Part], most: int) -> list[_Part]:
    """The first of them, together at most `most`."""
    found = []
    for part in parts:
        amount = min(part.amount, most)
        if amount > 0:
            found.append(_Part(part.node, amount))
            most -= amount
    return found


def _largest_first(part: _Part) -> tuple[int, str]:
    return -part.amount, part.node.name
