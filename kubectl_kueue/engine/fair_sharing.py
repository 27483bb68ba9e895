"""Whose turn is it under fair sharing? Dominant resource shares and the tournament of heads.

Shares are IEEE doubles, computed with exactly the operations of the real scheduler and compared
without tolerance (preemption page 4.1-4.3).
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from typing import Generic, NamedTuple, Protocol, TypeVar

from kubectl_kueue.engine.quota import FlavorResource, Node, Usage, add_usage, remove_usage
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import WorkloadInfo


class Share:
    """The dominant resource share of a ClusterQueue or Cohort.

    `ratio` is what it uses over its quota per thousand of what could be lent to it, in its dominant
    resource; `borrowed` the FlavorResources it is over in. `key` compares two shares: weight 0 with a
    ratio above all others.
    """

    __slots__ = ("borrowed", "borrowing", "key", "ratio", "resource", "weighted")

    def __init__(
        self, weight: float, ratio: float, borrowed: list[FlavorResource], resource: str = ""
    ) -> None:
        self.ratio = ratio
        self.borrowed = borrowed
        self.borrowing = bool(borrowed)
        self.resource = resource
        weightless = weight == 0 and ratio != 0
        self.weighted = inf if weightless else ratio / weight if ratio else 0.0
        self.key = (1, ratio) if weightless else (0, self.weighted)


def share_of(node: Node) -> Share:
    """The node's share now; kept until its usage changes."""
    share: Share | None = node.share
    if share is None:
        share = node.share = _share(node, node.usage)
    return share


def share_without(node: Node, freed: Usage) -> Share:
    """The share of a ClusterQueue if it used `freed` less; nothing is changed."""
    used = node.usage.copy()
    for fr, amount in freed.items():
        used[fr] = used.get(fr, 0) - amount
    return _share(node, used)


def _share(node: Node, usage: Usage) -> Share:
    parent = node.parent
    if parent is None:
        return Share(node.weight, 0.0, [])
    over: dict[str, int] = {}
    borrowed = []
    subtree = node.subtree
    for fr, used in usage.items():
        quota = subtree.get(fr)
        if quota is not None and used > quota:
            over[fr.resource] = over.get(fr.resource, 0) + (used - quota)
            borrowed.append(fr)
    ratio, dominant = 0.0, ""
    for resource, amount in over.items():
        lendable = lendable_to(parent).get(resource, 0)
        if lendable > 0:
            one = float(amount) * 1000.0 / float(lendable)
            if one > ratio or (one == ratio and one > 0 and resource < dominant):
                ratio, dominant = one, resource
    return Share(node.weight, ratio, borrowed, dominant)


def lendable_to(parent: Node) -> dict[str, int]:
    """What a child of the cohort could reach through it, per resource, summed over flavors."""
    lendable = parent.lendable
    if lendable is None:
        lendable = parent.lendable = {}
        for fr, amount in parent.potential.items():
            lendable[fr.resource] = lendable.get(fr.resource, 0) + amount
    return lendable


# --- the tournament (4.3) -----------------------------------------------------------------------


class Contender(Protocol):
    """What the tournament needs to know of a nominated head."""

    @property
    def queue(self) -> QueueNode: ...
    @property
    def info(self) -> WorkloadInfo: ...
    @property
    def charged(self) -> dict[FlavorResource, int]: ...
    @property
    def is_preemptor(self) -> bool: ...


C = TypeVar("C", bound=Contender)


class Duel(NamedTuple):
    """One comparison of the tournament, for people: who goes on from `cohort` (keys of workloads), the
    sides through which they came, and the shares of those with the workload's usage.

    `why` is what decided: preemptor, borrowing, share, priority or time.
    """

    cohort: str
    winner: str
    winner_side: str
    winner_share: float
    loser: str
    loser_side: str
    loser_share: float
    why: str


def tournament(contenders: Iterable[C], snapshot: Snapshot) -> Iterator[C]:
    """Heads in the order in which fair sharing processes them, one root after the other.

    Lazy: each next head is chosen on the snapshot as the processing of the previous ones left it.
    A ClusterQueue has one entry; a later one takes the place of an earlier (trap 17).
    """
    entries = {contender.queue.name: contender for contender in contenders}
    roots: dict[tuple[bool, str], dict[str, C]] = {}
    for name, contender in sorted(entries.items()):
        root = contender.queue.root
        roots.setdefault((root.is_cluster_queue, root.name), {})[name] = contender
    for (alone, _), rivals in sorted(roots.items(), key=lambda item: item[0]):
        if alone:
            yield from rivals.values()
        else:
            yield from _Rounds(rivals, snapshot)


class _Standing(NamedTuple):
    """A rival at one cohort on its way up: `side` is the child through which it comes, `share` that child's
    with the rival's usage added; the smaller `rank` goes first."""

    rank: tuple[bool, bool, tuple[int, float], int, int]
    side: Node
    share: Share


class _Rounds(Generic[C]):
    """The tournament below one root cohort, run anew for every place."""

    def __init__(self, rivals: dict[str, C], snapshot: Snapshot) -> None:
        self._rivals = rivals
        self._snapshot = snapshot
        self._standings: dict[str, dict[Node, _Standing]] = {}
        self._by_priority = snapshot.gates["PrioritySortingWithinCohort"]
        self._non_borrowing_first = snapshot.gates["FairSharingPrioritizeNonBorrowing"]
        self._preemptors_first = snapshot.gates["PrioritizePreemptorWorkloads"]
        # A negative difference is not undone exactly, so every run of the tournament counts.
        self._exact = all(v >= 0 for rival in rivals.values() for v in rival.charged.values())

    def __iter__(self) -> Iterator[C]:
        while self._rivals:
            for name, rival in self._rivals.items():
                if name not in self._standings:
                    self._standings[name] = self._simulate(rival)
            winner = self._best()
            del self._rivals[winner.queue.name]
            yield winner
            self._forget(winner)

    def _forget(self, winner: C) -> None:
        """Only shares below the same child of the root can have changed."""
        if not self._exact:
            self._standings.clear()
            return
        top = winner.queue.chain[1]
        for name, rival in self._rivals.items():
            if rival.queue.chain[1] is top:
                self._standings.pop(name, None)

    def _simulate(self, rival: C) -> dict[Node, _Standing]:
        """How the rival stands at each cohort above it, with its usage added to all of them."""
        queue, usage = rival.queue, rival.charged
        mark = self._snapshot.mark()
        for fr, amount in usage.items():
            add_usage(queue, fr, amount)
        standings = {cohort: self._standing(rival, side) for cohort, side in pairwise(queue.chain)}
        if self._exact:
            self._snapshot.undo(mark)
        else:
            for fr, amount in usage.items():
                remove_usage(queue, fr, amount)
        return standings

    def _standing(self, rival: C, side: Node) -> _Standing:
        share = share_of(side)
        info = rival.info
        rank = (
            self._preemptors_first and not rival.is_preemptor,
            self._non_borrowing_first and _borrows(rival, share),
            share.key,
            -info.priority if self._by_priority else 0,
            info.queue_time,
        )
        return _Standing(rank, side, share)

    def _best(self) -> C:
        """Winner of the root: each cohort sends the best of its ClusterQueues and child cohorts."""
        champions: dict[Node, list[C]] = {}
        waiting: dict[int, dict[Node, None]] = {}
        for rival in self._rivals.values():
            parent = rival.queue.parent
            assert parent is not None
            if parent not in champions:
                champions[parent] = []
                waiting.setdefault(len(parent.chain), {})[parent] = None
            champions[parent].append(rival)
        level = max(waiting)
        while True:
            for cohort in waiting.pop(level, {}):
                best = self._champion(champions[cohort], cohort)
                if cohort.parent is None:
                    return best
                champions.setdefault(cohort.parent, []).insert(0, best)
                waiting.setdefault(level - 1, {})[cohort.parent] = None
            level -= 1

    def _champion(self, rivals: list[C], cohort: Node) -> C:
        standings = self._standings
        best = rivals[0]
        rank = standings[best.queue.name][cohort].rank
        for rival in rivals[1:]:
            other = standings[rival.queue.name][cohort].rank
            better = other < rank
            if self._snapshot.duels is not None:
                self._snapshot.duels.append(self._duel(*(rival, best) if better else (best, rival), cohort))
            if better:
                best, rank = rival, other
        return best

    def _duel(self, winner: C, loser: C, cohort: Node) -> Duel:
        won, lost = (self._standings[rival.queue.name][cohort] for rival in (winner, loser))
        decided = [a != b for a, b in zip(won.rank, lost.rank, strict=True)]
        why = next((word for word, differs in zip(_DECIDES, decided, strict=True) if differs), "time")
        return Duel(
            cohort.name,
            winner.info.key,
            won.side.name,
            won.share.weighted,
            loser.info.key,
            lost.side.name,
            lost.share.weighted,
            why,
        )


_DECIDES = ("preemptor", "borrowing", "share", "priority", "time")


def _borrows(rival: Contender, share: Share) -> bool:
    """Whether the node is over quota in something that the rival asks for."""
    return any(rival.charged.get(fr, 0) > 0 for fr in share.borrowed)
