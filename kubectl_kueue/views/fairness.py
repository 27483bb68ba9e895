"""Fair sharing on a page: shares before and after, comparisons, and what LocalQueues used."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from kubectl_kueue.engine.explanation.shares import LocalQueueUsage
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.engine.fair_sharing import Duel, share_of
from kubectl_kueue.engine.simulate import Run
from kubectl_kueue.views.page import Block, Column, Heading, Table, Text
from kubectl_kueue.views.words.numbers import count
from kubectl_kueue.views.words.shares import contest_words, duel_words, share_text, weighing_words

MOST_ROWS = 8
"""Lines of one kind on a page; the document has them all."""


def fairness_blocks(verdict: Verdict) -> Iterator[Block]:
    """What fair sharing says, as far as it has a say in the answer."""
    found = verdict.fairness
    if found is None or verdict.state is Word.NEVER:
        return
    if found.shares:
        columns = [Column("FAIR SHARE OF"), Column("NOW", "right"), Column("THEN", "right"), Column("SIDE")]
        rows = [
            [s.name, share_text(s.now), share_text(s.then), "own" if s.own else "of the evicted"]
            for s in found.shares[:MOST_ROWS]
        ]
        yield Table(columns, rows)
    yield from _lines([weighing_words(weighing) for weighing in found.weighings])
    yield from _lines([contest_words(contest) for contest in found.contests])
    if len({usage.usage for usage in found.usages}) > 1:
        yield from _usages(found.usages)


def duel_blocks(duels: Sequence[Duel], most: int | None) -> Iterator[Block]:
    """The comparisons that put a cycle in order, each pair once."""
    told = _each_pair_once(duels)
    if told:
        yield Text(["shares with the workload in question, lower first:"], indent=2, tight=True)
    yield from _lines([duel_words(duel) for duel in told], most, indent=4)


def fairness_document(run: Run) -> dict[str, Any]:
    """Under `fairSharing`: all shares after the run and all comparisons of its tournaments, unrounded."""
    snapshot = run.state.snapshot
    nodes = sorted([*snapshot.cohorts.items(), *snapshot.queues.items()], key=lambda item: item[0])
    comparisons = [
        {"cycle": result.cycle, **{_CAMEL.get(k, k): exact(v) for k, v in duel._asdict().items()}}
        for result in run.cycles
        for duel in _each_pair_once(result.duels)
    ]
    return {
        "fairSharing": {
            "shares": [
                {
                    "kind": "ClusterQueue" if node.is_cluster_queue else "Cohort",
                    "name": name,
                    "share": exact(share_of(node).weighted),
                }
                for name, node in nodes
            ],
            "comparisons": comparisons,
        }
    }


_CAMEL = {
    "winner_side": "winnerSide",
    "winner_share": "winnerShare",
    "loser_side": "loserSide",
    "loser_share": "loserShare",
}


def exact(value: Any) -> Any:
    """A double as it is; infinite is spelled +Inf."""
    return "+Inf" if value == inf else value


def _each_pair_once(duels: Sequence[Duel]) -> list[Duel]:
    """A tournament is run anew for every place; the first meeting of two tells enough."""
    first = {(duel.winner, duel.loser): duel for duel in reversed(duels)}
    return [duel for duel in duels if first[duel.winner, duel.loser] is duel]


def _lines(lines: Sequence[str], most: int | None = MOST_ROWS, indent: int = 2) -> Iterator[Block]:
    for line in lines[:most]:
        yield Text([line], indent=indent, tight=True)
    rest = len(lines) - most if most is not None else 0
    if rest > 0:
        yield Text([f"and {count(rest, 'more comparison')}"], indent=indent, tight=True)


def _usages(usages: Sequence[LocalQueueUsage]) -> Iterator[Block]:
    yield Heading("Usage of late, less comes first")
    columns = [Column("LOCALQUEUE"), Column("USAGE", "right"), Column("PENDING", "right")]
    rows = [
        [f"{u.local_queue}{' (its own)' if u.own else ''}", share_text(u.usage), str(u.pending)]
        for u in usages[:MOST_ROWS]
    ]
    yield Table(columns, rows, indent=2, tight=True)
    if len(usages) > MOST_ROWS:
        yield Text([f"and {len(usages) - MOST_ROWS} more"], indent=2, tight=True)
