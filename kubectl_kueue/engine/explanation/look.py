"""The workload in front of its ClusterQueue at one moment: would it fit, and if not, what is in the way?"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.alone import nominate_alone
from kubectl_kueue.engine.explanation.ceilings import ceilings_of
from kubectl_kueue.engine.explanation.domains import Tree, trees_of
from kubectl_kueue.engine.explanation.facts import Victim
from kubectl_kueue.engine.explanation.fit import Fit, judge_fit
from kubectl_kueue.engine.explanation.holders import holders_of, shortage_of
from kubectl_kueue.engine.explanation.questions import failed, passed, unknown
from kubectl_kueue.engine.explanation.rules import rules_of, shares_of
from kubectl_kueue.engine.explanation.shares import Fairness, fairness_of, with_shares
from kubectl_kueue.engine.explanation.verdict import Gate
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.topology.reasons import TopologyReason
from kubectl_kueue.engine.workload import WorkloadInfo


class View(NamedTuple):
    """What was seen: the nominations of the workload alone, and all amounts."""

    entries: Sequence[Entry]
    fit: Fit
    holders: tuple[facts.Holder, ...]
    rules: tuple[facts.Rule, ...]
    shares: tuple[facts.QueueShare, ...]
    ceilings: tuple[facts.Ceiling, ...]
    trees: tuple[Tree, ...] = ()
    fairness: Fairness | None = None

    @property
    def first(self) -> Entry:
        """The nomination that looks at every flavor."""
        return self.entries[0]

    @property
    def last(self) -> Entry:
        """The nomination that counts."""
        return self.entries[-1]

    @property
    def fits(self) -> bool:
        return self.last.assignment.mode is Mode.FIT and self.fit.coverage is None


def look(
    state: State, info: WorkloadInfo, queue: QueueNode, ghosts: frozenset[str], *, topology: bool = False
) -> View:
    """The workload against the cluster as it stands. `ghosts` hold quota that nobody will ever free.

    Trees are looked at where places are what fails, or if `topology` asks for them.
    """
    entries = nominate_alone(state, info, queue)
    first, last = entries[0], entries[-1]
    fit = judge_fit(state, info, queue, first, _reduced(last))
    ceilings = ceilings_of(queue, fit.table)
    trees = _trees(state, info, queue, fit, last) if topology or misplaced_in(last) else ()
    if last.assignment.mode is Mode.FIT or last.targets:
        return View(entries, fit, (), (), (), ceilings, trees, fairness_of(state, info, queue, last, {}))
    snapshot = state.snapshot
    needs = shortage_of(fit.table) or _places(state, first)
    fairness = fairness_of(state, info, queue, first, needs)
    rules = with_shares(rules_of(snapshot, queue, info, needs), fairness) if needs else ()
    shares: tuple[facts.QueueShare, ...] = ()
    if rules and snapshot.fair_sharing:
        shares = shares_of(snapshot, queue, info, first.assignment.usage or needs, needs)
    holders = holders_of(snapshot, queue, needs, ghosts)
    return View(entries, fit, holders, rules, shares, ceilings, trees, fairness)


def _reduced(last: Entry) -> dict[int, int]:
    """Pods of each podSet (by index) where fewer than all get in, or would after evictions."""
    if last.assignment.mode is not Mode.FIT and not last.targets:
        return {}
    full = last.info.pod_sets
    return {p.index: p.count for p in last.assignment.pod_sets if p.count < full[p.index].count}


def _trees(state: State, info: WorkloadInfo, queue: QueueNode, fit: Fit, last: Entry) -> tuple[Tree, ...]:
    """The trees of the flavors that suit; of all if none does."""
    chosen = {(p.name, choice.flavor) for p in last.assignment.pod_sets for choice in p.flavors.values()}
    suits = {f.flavor for f in fit.flavors if f.fit != "unsuited"} or {f.flavor for f in fit.flavors}
    return trees_of(state, info, queue, suits, chosen)


def _places(state: State, entry: Entry) -> dict[FlavorResource, int]:
    """What its pods take in flavors with a Topology: who holds some of that holds the places."""
    usage = entry.assignment.usage
    return {fr: v for fr, v in usage.items() if v > 0 and state.snapshot.topology_name(fr.flavor)}


# --- the questions that a look answers ----------------------------------------------------------


def gates_of(
    view: View, victims: tuple[Victim, ...], priority: int, outsiders: tuple[str, ...], *, in_the_way: bool
) -> Iterator[Gate]:
    """Flavors, quota, preemption (with the victims that were found), topology."""
    fits = view.last.assignment.mode is Mode.FIT
    judged = facts.Flavors(view.fit.flavors)
    yield (
        passed("flavors", judged)
        if _everywhere(view.fit, "fits", "short", "never")
        else failed("flavors", judged)
    )
    short = tuple(row for row in view.fit.table if row.suits and row.short_by)
    quota = facts.Quota(short, view.ceilings)
    enough = fits or _everywhere(view.fit, "fits")
    yield passed("quota", quota) if enough else failed("quota", quota)
    preemption = facts.Preemption(victims, view.rules, view.shares, priority)
    if victims:
        yield passed("preemption", preemption)
    elif view.rules and not enough:
        yield failed("preemption", preemption)
    else:
        yield unknown("preemption", preemption if view.rules else None)
    misplaced = misplaced_in(view.last)
    if misplaced:
        yield failed("topology", facts.Topology(misplaced, outsiders, in_the_way))
    else:
        yield passed("topology") if fits else unknown("topology")


def misplaced_in(entry: Entry) -> tuple[facts.Misplacement, ...]:
    """The podSets that found no place."""
    return tuple(
        facts.Misplacement(p.name, reason)
        for p in entry.assignment.pod_sets
        for reason in (*p.reasons, p.error)
        if isinstance(reason, TopologyReason)
    )


def _everywhere(fit: Fit, *words: str) -> bool:
    """Whether every podSet has, for each resource group, a flavor of which one of the words holds."""
    found: dict[tuple[str, int], bool] = {}
    for flavor in fit.flavors:
        key = (flavor.pod_set, flavor.group)
        found[key] = found.get(key, False) or flavor.fit in words
    return all(found.values())
