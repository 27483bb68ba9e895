"""The quota tree: who owns how much, who uses it, who may borrow (scheduling.md 2).

ClusterQueues are leaves, Cohorts inner nodes. All amounts are ints in canonical units, kept per
FlavorResource and computed independently for each. Every change of usage goes to the journal of the
tree, so a simulation is undone exactly (`Snapshot.mark` and `Snapshot.undo`).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple


class FlavorResource(NamedTuple):
    """One column of the quota tree."""

    flavor: str
    resource: str


@cache
def column(flavor: str, resource: str) -> FlavorResource:
    """The one FlavorResource of these names: looking it up is cheaper than making it anew."""
    return FlavorResource(flavor, resource)


Usage = Mapping[FlavorResource, int]


class Node:
    """A ClusterQueue or Cohort in the tree.

    `local` is what a lending limit keeps from the parent (only entries above 0); `potential` the
    largest amount the node could ever use; `height` the levels of cohorts below, this one included.
    """

    __slots__ = (
        "_chain",
        "borrowing_limit",
        "children",
        "height",
        "is_cluster_queue",
        "journal",
        "lendable",
        "lending_limit",
        "local",
        "name",
        "nominal",
        "parent",
        "potential",
        "share",
        "subtree",
        "usage",
        "weight",
    )

    def __init__(self, name: str, *, is_cluster_queue: bool) -> None:
        self.name = name
        self.is_cluster_queue = is_cluster_queue
        self.parent: Node | None = None
        self.children: list[Node] = []
        self.nominal: dict[FlavorResource, int] = {}
        self.borrowing_limit: dict[FlavorResource, int] = {}
        self.lending_limit: dict[FlavorResource, int] = {}
        self.subtree: dict[FlavorResource, int] = {}
        self.local: dict[FlavorResource, int] = {}
        self.potential: dict[FlavorResource, int] = {}
        self.usage: dict[FlavorResource, int] = {}
        self.height = 0
        self.weight = 1.0
        self.share: Any = None  # kept by fair sharing until the usage changes
        self.lendable: dict[str, int] | None = None  # likewise, until the quotas change
        self.journal: list[tuple[Node, FlavorResource, int]] = []
        self._chain: tuple[Node, ...] | None = None

    @property
    def chain(self) -> "tuple[Node, ...]":
        """The way from the root down to this node, both included."""
        if self._chain is None:
            self._chain = tuple(reversed([self, *ancestors(self)]))
        return self._chain

    @property
    def root(self) -> "Node":
        return self.chain[0]


def ancestors(node: Node) -> Iterator[Node]:
    """The cohorts above a node, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


# --- static quantities (2.2) --------------------------------------------------------------------


def refresh(root: Node, active: frozenset[str] | set[str]) -> None:
    """Compute subtree, local, potential and height of a whole tree after a change of quotas.

    `active` names the ClusterQueues that count as children for heights (2.5).
    """
    downwards = [root]
    for node in downwards:
        downwards.extend(node.children)
    for node in reversed(downwards):
        _sum_up(node)
        node.height = _height(node, active)
    for node in downwards:
        _pass_down(node)
        node._chain = None
        node.share = node.lendable = None


def _sum_up(node: Node) -> None:
    subtree = dict(node.nominal)
    for child in node.children:
        for fr, amount in child.subtree.items():
            local = child.local.get(fr)
            subtree[fr] = subtree.get(fr, 0) + (amount if local is None else amount - local)
    node.subtree = subtree
    kept = {fr: subtree.get(fr, 0) - limit for fr, limit in node.lending_limit.items()}
    node.local = {fr: amount for fr, amount in kept.items() if amount > 0}


def _pass_down(node: Node) -> None:
    parent = node.parent
    if parent is None:
        node.potential = dict(node.subtree)
        return
    potential = {}
    for fr, above in parent.potential.items():
        most = above + node.local.get(fr, 0)
        limit = node.borrowing_limit.get(fr)
        potential[fr] = most if limit is None else min(most, node.subtree.get(fr, 0) + limit)
    node.potential = potential


def _height(node: Node, active: frozenset[str] | set[str]) -> int:
    height = 0
    for child in node.children:
        if not child.is_cluster_queue:
            height = max(height, 1 + child.height)
        elif child.name in active:
            height = max(height, 1)
    return height


# --- usage (2.3) --------------------------------------------------------------------------------


def add_usage(node: Node, fr: FlavorResource, amount: int) -> None:
    """Use `amount` more at the node; what its local quota does not cover goes to the parent."""
    current: Node | None = node
    journal = node.journal
    while current is not None:
        usage = current.usage
        old = usage.get(fr, 0)
        journal.append((current, fr, old))
        usage[fr] = old + amount
        current.share = None
        local = current.local.get(fr, 0) if current.local else 0
        if local > old:  # also without a local quota: capacity held (5.2) can make usage negative
            amount = amount - (local - old)
        if amount <= 0:
            return
        current = current.parent


def remove_usage(node: Node, fr: FlavorResource, amount: int) -> None:
    """Use `amount` less; the parent gets back what lay above the local quota."""
    current: Node | None = node
    journal = node.journal
    while current is not None:
        usage = current.usage
        old = usage.get(fr, 0)
        journal.append((current, fr, old))
        usage[fr] = old - amount
        current.share = None
        local = current.local.get(fr) if current.local else None
        in_parent = old if local is None else old - local
        if in_parent <= 0:
            return
        if in_parent < amount:
            amount = in_parent
        current = current.parent


def undo(journal: list[tuple[Node, FlavorResource, int]], mark: int) -> None:
    """Put every usage back to what it was when the journal had `mark` entries."""
    while len(journal) > mark:
        node, fr, old = journal.pop()
        node.usage[fr] = old
        node.share = None


# --- questions (2.4, 2.5) -----------------------------------------------------------------------


def available(node: Node, fr: FlavorResource) -> int:
    """What the node could use on top of its usage; negative when it is in debt (2.4)."""
    return available_along(node.chain, fr, 0)


def available_along(chain: "Iterable[Node]", fr: FlavorResource, free: int) -> int:
    """The same for the last of `chain`, each of them below the one before; `free` is what is available to
    the cohort above the first."""
    for current in chain:
        usage = current.usage.get(fr, 0)
        if current.parent is None:
            free = current.subtree.get(fr, 0) - usage
            continue
        local = current.local.get(fr, 0) if current.local else 0
        limit = current.borrowing_limit.get(fr) if current.borrowing_limit else None
        if limit is not None:
            above = usage - local
            cap = current.subtree.get(fr, 0) - local - (above if above > 0 else 0) + limit
            if cap < free:
                free = cap
        if local > usage:
            free = free + (local - usage)
    return free


def fits(node: Node, requests: Usage) -> bool:
    """Whether every amount, alone, is available; an amount of 0 always is."""
    for fr, amount in requests.items():
        if amount > 0 and amount > available(node, fr):
            return False
    return True


def exceeds(node: Node, fr: FlavorResource, amount: int) -> bool:
    """Whether `amount` more would put the node above its own quota."""
    own = node.nominal if node.is_cluster_queue else node.subtree
    return own.get(fr, 0) < node.usage.get(fr, 0) + amount


def borrow_level(queue: Node, fr: FlavorResource, amount: int) -> tuple[int, bool]:
    """Height of the smallest subtree that can hold `amount` more, and may it reclaim (2.5).

    0 means within the ClusterQueue's own nominal quota. The flag says that the subtree is a proper
    part of the tree: then others' borrowing outside of it can in principle be reclaimed.
    """
    parent = queue.parent
    if parent is None or not exceeds(queue, fr, amount):
        return 0, parent is not None
    rest = amount - free_local(queue, fr)
    cohort = parent
    while True:
        above = cohort.parent
        if not exceeds(cohort, fr, rest):
            return cohort.height, above is not None
        if above is None:
            return cohort.height, False
        rest = rest - free_local(cohort, fr)
        cohort = above


def free_local(node: Node, fr: FlavorResource) -> int:
    """What is left of the quota that a lending limit keeps at the node."""
    local = node.local.get(fr, 0) if node.local else 0
    free = local - node.usage.get(fr, 0)
    return free if free > 0 else 0


def within_nominal(node: Node, frs: Iterable[FlavorResource]) -> bool:
    """Whether the node (ClusterQueue or Cohort) is within its quota in every one of `frs`."""
    usage, subtree = node.usage, node.subtree
    for fr in frs:
        if fr in usage and usage[fr] > subtree.get(fr, 0):
            return False
    return True
