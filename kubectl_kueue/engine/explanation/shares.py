"""Fair sharing around one workload: shares before and after, comparisons won and lost, LocalQueues' usage.

Shares are the doubles that the scheduler compares (preemption page 4), usages those of admission fair
sharing (6.2). Nothing is rounded; infinite is a weight of 0 with something borrowed.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kubectl_kueue.engine.entry import CycleResult, Entry
from kubectl_kueue.engine.explanation.facts import Facts, QueueShare, Rule
from kubectl_kueue.engine.explanation.holders import Shortage, busy_queues
from kubectl_kueue.engine.fair_sharing import Duel, share_of
from kubectl_kueue.engine.preemption.candidates import candidates_in, in_order
from kubectl_kueue.engine.preemption.fair import FINAL_SHARE, almost_lca, strategies_of
from kubectl_kueue.engine.quota import Node
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo


class Weighing(Facts, frozen=True, omit_defaults=False):
    """May the other side lose `workload`? Own share with the request against the other side's share.

    `own` and `other` are the children of the lowest common cohort. `others_then` is the other side's
    share without the workload; `limits` lists (strategy, the share that the own one is held against,
    whether it passes), in the order of the strategies.
    """

    own: str
    own_share: float
    other: str
    others_now: float
    others_then: float
    workload: str
    limits: tuple[tuple[str, float, bool], ...]


class Contest(Facts, frozen=True, omit_defaults=False):
    """A comparison that the workload took part in when its cycle was put in order.

    `own` and `rival` are the sides, children of `cohort`, with the shares that they would have; `why` is
    what decided: preemptor (preempts already), borrowing (only one does), share, priority or time.
    """

    cycle: int
    cohort: str
    own: str
    own_share: float
    workload: str
    rival: str
    rivals_share: float
    won: bool
    why: str


class LocalQueueUsage(Facts, frozen=True, omit_defaults=False):
    """What a LocalQueue used of late, weighed; less comes first. `pending`: its workloads that wait."""

    local_queue: str
    usage: float
    pending: int
    own: bool


class Fairness(Facts, frozen=True):
    """Everything about it. `shares` are those of the own side, up to below the root, and of victims'."""

    shares: tuple[QueueShare, ...] = ()
    weighings: tuple[Weighing, ...] = ()
    contests: tuple[Contest, ...] = ()
    usages: tuple[LocalQueueUsage, ...] = ()


def fairness_of(
    state: State, info: WorkloadInfo, queue: QueueNode, entry: Entry, needs: Shortage
) -> Fairness | None:
    """What fair sharing says about the workload in front of its ClusterQueue; None if it has no say.

    `needs` is what is short: whoever has it could be asked to give some back.
    """
    usages = tuple(_usages(state, info, queue))
    snapshot = state.snapshot
    if not snapshot.fair_sharing or queue.parent is None:
        return Fairness(usages=usages) if usages else None
    usage = entry.assignment.usage or needs
    shares = tuple(_shares(snapshot, queue, usage, [t.workload for t in entry.targets]))
    weighings = () if entry.targets or not needs else tuple(_weighings(snapshot, info, queue, usage, needs))
    return Fairness(shares, weighings, (), usages)


def with_shares(rules: Iterable[Rule], fairness: Fairness | None) -> tuple[Rule, ...]:
    """The rules, where fair sharing's says that shares forbid it only if they do: else it is not enough."""
    weighings = fairness.weighings if fairness is not None else ()
    forbidden = bool(weighings) and not any(passes for w in weighings for _, _, passes in w.limits)
    return tuple(
        replace(rule, why="not-enough") if rule.why == "shares" and not forbidden else rule for rule in rules
    )


def contests_of(cycles: Iterable[CycleResult], key: str) -> tuple[Contest, ...]:
    """The workload's first comparison with each rival, in the first cycle that had any."""
    found: dict[str, Contest] = {}
    for result in cycles:
        for duel in result.duels:
            if key in (duel.winner, duel.loser):
                contest = _contest(result.cycle, duel, won=key == duel.winner)
                found.setdefault(contest.workload, contest)
        if found:
            break
    return tuple(found.values())


def _contest(cycle: int, duel: Duel, *, won: bool) -> Contest:
    winner = (duel.winner, duel.winner_side, duel.winner_share)
    loser = (duel.loser, duel.loser_side, duel.loser_share)
    (_, own, own_share), (rival, side, share) = (winner, loser) if won else (loser, winner)
    return Contest(cycle, duel.cohort, own, own_share, rival, side, share, won, duel.why)


# --- shares -------------------------------------------------------------------------------------


def _shares(
    snapshot: Snapshot, queue: QueueNode, usage: Shortage, victims: Sequence[WorkloadInfo]
) -> Iterator[QueueShare]:
    """Shares now, and with the request in and the victims out."""
    nodes: dict[Node, bool] = dict.fromkeys(reversed(queue.chain[1:]), True)
    for victim in victims:
        other = snapshot.queues[victim.cluster_queue]
        if other is not queue:
            nodes.setdefault(almost_lca(queue, other)[1], False)
            nodes.setdefault(other, False)
    now = {node: share_of(node).weighted for node in nodes}
    mark = snapshot.mark()
    for victim in victims:
        snapshot.take_out(victim)
    snapshot.charge(queue, usage)
    then = {node: share_of(node).weighted for node in nodes}
    snapshot.undo(mark)
    for node, own in nodes.items():
        yield QueueShare(node.name, now[node], then[node], own)


def _weighings(
    snapshot: Snapshot, info: WorkloadInfo, queue: QueueNode, usage: Shortage, needs: Shortage
) -> Iterator[Weighing]:
    """The first candidate of each ClusterQueue that borrows what is short; none where shares have no say,
    because the request stays within the own quota."""
    policy = queue.preemption.reclaim_within_cohort or "Never"
    if policy == "Never":
        return
    strategies = strategies_of(snapshot)
    for other in sorted(busy_queues(queue, needs), key=lambda q: q.name):
        candidates = in_order(candidates_in(other, policy, snapshot, info, frozenset(needs)), snapshot, queue)
        if not candidates:
            continue
        mine, theirs = almost_lca(queue, other)
        mark = snapshot.mark()
        snapshot.charge(queue, usage)
        own, now = share_of(mine), share_of(theirs)
        within = all(queue.usage.get(fr, 0) <= queue.nominal.get(fr, 0) for fr in needs)
        snapshot.take_out(candidates[0])
        then = share_of(theirs)
        snapshot.undo(mark)
        if within and snapshot.gates["FairSharingPreemptWithinNominal"]:
            return
        limits = tuple(
            (name, then.weighted, own.key <= then.key)
            if name == FINAL_SHARE
            else (name, now.weighted, own.key < now.key)
            for name in strategies
        )
        yield Weighing(
            mine.name, own.weighted, theirs.name, now.weighted, then.weighted, candidates[0].key, limits
        )


# --- admission fair sharing ---------------------------------------------------------------------


def _usages(state: State, info: WorkloadInfo, queue: QueueNode) -> Iterator[LocalQueueUsage]:
    """Usage of each LocalQueue that has a workload waiting here, the least first."""
    ledger, pending = state.ledger, state.queues.by_name.get(queue.name)
    if ledger is None or pending is None or not queue.usage_based:
        return
    waiting: dict[str, list[WorkloadInfo]] = {info.local_queue: []}
    for other in pending.pending():
        waiting.setdefault(other.local_queue, []).append(other)
    found = [
        LocalQueueUsage(
            name, ledger.usage(others[0] if others else info), len(others), name == info.local_queue
        )
        for name, others in waiting.items()
    ]
    yield from sorted(found, key=lambda usage: (usage.usage, usage.local_queue))
