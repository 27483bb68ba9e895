"""The answer of `tree`: cohorts, ClusterQueues, LocalQueues, how full they are, who borrows from whom."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.engine.accounts import Balance, Books
from kubectl_kueue.engine.lending import Loan
from kubectl_kueue.engine.quota import Node, ancestors
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.tally import Tally
from kubectl_kueue.views.accounts import (
    Filter,
    balance_bar,
    balance_document,
    closing_blocks,
    document_head,
    kind_of,
    loan_document,
    loan_words,
    share_value,
    share_words,
    tally_document,
    type_name,
)
from kubectl_kueue.views.page import Bars, Block, Cell, Document, Edge, Graph, Page, Span, Style, Text
from kubectl_kueue.views.words.causes import causes_words
from kubectl_kueue.views.words.numbers import amount, count, joined, verb

STEP = 2
"""Characters by which each level is indented."""
DEEPEST = 40
"""Levels that are indented; below, the lines say how deep they are."""


class Choice(NamedTuple):
    """What of the tree is wanted: all, or `start` with what is above and below it; LocalQueues of all
    namespaces (None), of one, or none at all."""

    start: Node | None = None
    filter: Filter = Filter()
    local_queues: bool = True
    namespace: str | None = None


class _Line(NamedTuple):
    """A cohort or ClusterQueue in the tree with its LocalQueues, by key."""

    depth: int
    node: Node
    balances: Sequence[Balance]
    local_queues: Sequence[str]


class Tree:
    """The part of the books that is wanted, line by line from the top."""

    def __init__(self, books: Books, choice: Choice) -> None:
        self.books = books
        self.choice = choice
        self.lines = list(self._lines())
        shown = {line.node for line in self.lines}
        self.loans: dict[Node, list[Loan]] = {}
        self.all_loans: list[Loan] = []
        for loan in books.loans:
            sides = [side for side in (loan.borrower, loan.lender) if side in shown]
            if sides and choice.filter.passes(loan.fr):
                self.all_loans.append(loan)
                for side in sides:
                    assert side is not None
                    self.loans.setdefault(side, []).append(loan)

    def _lines(self) -> Iterator[_Line]:
        start = self.choice.start
        above = list(ancestors(start))[::-1] if start is not None else []
        for depth, node in [*enumerate(above), *self.books.walk(start, len(above))]:
            balances = [b for b in self.books.balances(node) if self.choice.filter.passes(b.fr)]
            if balances or self.choice.filter == Filter():
                local = self.books.local_queues_of(node.name) if node.is_cluster_queue else ()
                yield _Line(depth, node, balances, self._wanted(local))

    def _wanted(self, local_queues: Sequence[str]) -> list[str]:
        if not self.choice.local_queues:
            return []
        home = self.choice.namespace
        return [key for key in local_queues if home is None or key.partition("/")[0] == home]

    @property
    def stray(self) -> list[str]:
        """LocalQueues that lead to no ClusterQueue that is known."""
        if self.choice.start is not None or self.choice.filter != Filter():
            return []
        known = self.books.snapshot.queues
        found = self.books.world.local_queues.items()
        return self._wanted(sorted(key for key, queue in found if queue.spec.cluster_queue not in known))

    def inactive(self, node: Node) -> str:
        """Why a ClusterQueue admits nothing; empty if it does, and for cohorts."""
        return causes_words(self.books.inactive(node)) if isinstance(node, QueueNode) else ""


# --- for people ---------------------------------------------------------------------------------


def tree_page(tree: Tree) -> Page:
    """A line for each object, with its bars and loans below it."""
    blocks: list[Block] = [Text([_summary(tree)])]
    longest = max((_label_end(line) for line in tree.lines), default=0)
    for line in tree.lines:
        blocks.extend(_node_blocks(tree, line, longest))
        blocks.extend(_local_block(tree, key, line.depth + 1) for key in line.local_queues)
    if stray := tree.stray:
        hidden = "ClusterQueue" in tree.books.world.missing
        blocks.append(Text(["ClusterQueues that are not visible to you" if hidden else "Leading nowhere"]))
        blocks.extend(_local_block(tree, key, 1) for key in stray)
    blocks.extend(closing_blocks(tree.books))
    return Page(blocks)


def _summary(tree: Tree) -> str:
    queues = [line.node for line in tree.lines if line.node.is_cluster_queue]
    inactive = sum(1 for node in queues if tree.inactive(node))
    cohorts = len(tree.lines) - len(queues)
    told = [count(cohorts, "cohort")] if cohorts else []
    told.append(count(len(queues), "ClusterQueue") + (f" ({inactive} inactive)" if inactive else ""))
    local = sum(len(line.local_queues) for line in tree.lines) + len(tree.stray)
    if local:
        told.append(count(local, "LocalQueue"))
    borrowing = len({loan.borrower for loan in tree.all_loans if loan.lender is not None})
    borrowers = f"; {count(borrowing, 'ClusterQueue')} {verb(borrowing, 'borrow')}"
    pending = sum(tree.books.tallies[node].pending for node in queues)
    pending += sum(tree.books.local_tallies[key].pending for key in tree.stray)
    return f"{joined(told)}: {pending} pending{borrowers if borrowing else ''}."


def _label_end(line: _Line) -> int:
    widths = [len(f"{b.fr.flavor} {b.fr.resource}") for b in line.balances]
    return _indent(line.depth + 1) + max(widths, default=0)


def _indent(depth: int) -> int:
    return STEP * min(depth, DEEPEST)


def _node_blocks(tree: Tree, line: _Line, longest: int) -> Iterator[Block]:
    node, indent = line.node, _indent(line.depth)
    told: list[Cell] = [Span(node.name, "strong"), f"  {kind_of(node)}, "]
    told.append(_counts(tree.books.tallies[node]))
    if line.depth > DEEPEST:
        told.append(f", level {line.depth + 1}")
    share = tree.books.share(node)
    if share is not None:
        told.append(f", share {share_words(share)}")
    if why := tree.inactive(node):
        told.append(Span(f"  INACTIVE: {why}", "bad"))
    if node is tree.choice.start and line.depth:
        told.append(Span("  <- this one", "strong"))
    yield Text(told, indent=indent, tight=line.depth > 0)
    below = indent + STEP
    if line.balances:
        bars = [balance_bar(balance) for balance in line.balances]
        yield Bars(bars, indent=below, tight=True, label_width=longest - below)
    for loan in tree.loans.get(node, ()):
        style: Style = "dim" if loan.lender is node else "warn" if loan.lender is not None else "bad"
        yield Text([Span(loan_words(loan, node), style)], indent=below, tight=True)


def _local_block(tree: Tree, key: str, depth: int) -> Block:
    tally = tree.books.local_tallies[key]
    held = [amount(fr.resource, n) for fr, n in _held(tree, tally) if n]
    told: list[Cell] = [key, f"  LocalQueue, {_counts(tally)}"]
    if held:
        told.append(f", holds {joined(held)}")
    if why := causes_words(tree.books.local_inactive(key)):
        told.append(Span(f"  INACTIVE: {why}", "bad"))
    return Text(told, indent=_indent(depth), tight=True)


def _held(tree: Tree, tally: Tally) -> Iterator[tuple[Any, int]]:
    for fr, used in tally.used.items():
        if tree.choice.filter.passes(fr):
            yield fr, used


def _counts(tally: Tally) -> str:
    told = [f"{tally.pending} pending", f"{tally.admitted} admitted"]
    if tally.reserving > tally.admitted:
        told.append(f"{tally.reserving - tally.admitted} with quota but not admitted")
    if tally.held_back:
        told.append(f"{tally.held_back} held back")
    return ", ".join(told)


# --- for programs -------------------------------------------------------------------------------


def tree_document(tree: Tree) -> Document:
    """Nodes from the top of the tree to its end, each with the name of what it hangs on."""
    nodes = []
    names = []
    for line in tree.lines:
        nodes.append(_node_document(tree, line))
        names.append(type_name(kind_of(line.node), line.node.name))
        for key in line.local_queues:
            nodes.append(_local_document(tree, key))
            names.append(type_name("LocalQueue", key.partition("/")[2]))
    for key in tree.stray:
        nodes.append(_local_document(tree, key))
        names.append(type_name("LocalQueue", key.partition("/")[2]))
    loans = [loan_document(loan) for loan in tree.all_loans]
    return Document({**document_head(tree.books), "nodes": nodes, "loans": loans}, names, graph=_graph(tree))


def _node_document(tree: Tree, line: _Line) -> dict[str, Any]:
    node, books = line.node, tree.books
    found: dict[str, Any] = {
        "kind": kind_of(node),
        "name": node.name,
        "parent": node.parent.name if node.parent is not None else None,
        "depth": line.depth,
    }
    if isinstance(node, QueueNode):
        causes = books.inactive(node)
        found["active"] = not causes
        found["inactive"] = [{"code": cause.code, "name": cause.name} for cause in causes]
    share = books.share(node)
    if share is not None:
        found["share"] = share_value(share)
        found["weight"] = node.weight
    found |= tally_document(books.tallies[node])
    found["quotas"] = [balance_document(balance) for balance in line.balances]
    return found


def _local_document(tree: Tree, key: str) -> dict[str, Any]:
    namespace, _, name = key.partition("/")
    causes = tree.books.local_inactive(key)
    tally = tree.books.local_tallies[key]
    held = _held(tree, tally)
    return {
        "kind": "LocalQueue",
        "namespace": namespace,
        "name": name,
        "parent": tree.books.world.local_queues[key].spec.cluster_queue,
        "active": not causes,
        "inactive": [{"code": cause.code, "name": cause.name} for cause in causes],
        **tally_document(tally),
        "quotas": [
            {"flavor": fr.flavor, "resource": fr.resource, "used": _used(fr.resource, n)} for fr, n in held
        ],
    }


def _used(resource: str, value: int) -> str:
    return amount(resource, value).partition(" ")[0]


def _graph(tree: Tree) -> Graph:
    """Boxes with the same words as the lines of the page; a loan is an arrow from lender to borrower."""
    nodes: dict[str, tuple[Sequence[str], Style]] = {}
    edges: list[Edge] = []
    for line in tree.lines:
        node = line.node
        why = tree.inactive(node)
        head = [node.name, f"{kind_of(node)}, {_counts(tree.books.tallies[node])}"]
        bars = [balance_bar(balance) for balance in line.balances]
        told = [
            *head,
            *(f"{bar.label} {bar.caption}" for bar in bars),
            *([f"INACTIVE: {why}"] if why else ()),
        ]
        nodes[_id(node)] = (told, "bad" if why else "")
        if node.parent is not None:
            edges.append(Edge(_id(node.parent), _id(node)))
        for key in line.local_queues:
            _add_local(tree, key, nodes)
            edges.append(Edge(_id(node), f"LocalQueue {key}"))
    for key in tree.stray:
        _add_local(tree, key, nodes)
    for loan in tree.all_loans:
        if loan.lender is not None:
            label = f"{amount(loan.fr.resource, loan.amount)} of {loan.fr.flavor}"
            edges.append(Edge(_id(loan.lender), _id(loan.borrower), label, loan=True))
    return Graph(nodes, edges)


def _add_local(tree: Tree, key: str, nodes: dict[str, tuple[Sequence[str], Style]]) -> None:
    why = causes_words(tree.books.local_inactive(key))
    told = [
        key,
        f"LocalQueue, {_counts(tree.books.local_tallies[key])}",
        *([f"INACTIVE: {why}"] if why else ()),
    ]
    nodes[f"LocalQueue {key}"] = (told, "bad" if why else "dim")


def _id(node: Node) -> str:
    return f"{kind_of(node)} {node.name}"
