"""What would help, the smallest change first; every line has been tried on a changed copy of the cluster.

Amounts are the least that do: one unit (1 milli-CPU, 1 byte, 1 device) less was tried and is not enough,
where `minimal` says so. When nothing single helps, pairs are tried as long as there is time, and the answer
says how far it looked.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import msgspec

from kubectl_kueue.engine.counterfactual import proposals
from kubectl_kueue.engine.counterfactual.proposals import Amounts, Question
from kubectl_kueue.engine.counterfactual.remedies import Remedy, Trial
from kubectl_kueue.engine.counterfactual.trial import RANKS, Laboratory, Outcome
from kubectl_kueue.engine.explanation.facts import Holding, Victim
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.model.objects import PodSet
from kubectl_kueue.model.world import World

Found = tuple[Outcome, bool]
"""An outcome, and whether less was tried and is not enough."""


class Suggestion(msgspec.Struct, frozen=True):
    """A change, the verdict it leads to, and its price: `evicts` are who would have to go, `waits` who gets
    in without the change and not with it.

    `flavors` is where the workload then fits, by podSet and resource.
    """

    remedies: tuple[Remedy, ...]
    sets: tuple[str, ...]
    verdict: Word
    minimal: bool
    evicts: tuple[Victim, ...] = ()
    waits: tuple[str, ...] = ()
    flavors: dict[str, dict[str, str]] = {}


class Search(msgspec.Struct, frozen=True):
    """What was found, and how far was looked: `tried` changes; `cut_short`: there was no time for more."""

    suggestions: tuple[Suggestion, ...] = ()
    tried: int = 0
    cut_short: bool = False
    pairs: bool = False


NOTHING_SEARCHED = Search()


def suggest(world: World, verdict: Verdict, enough: Callable[[], bool]) -> Search:
    """Changes that lead to a better verdict than this one. `enough` ends the search when it says so."""
    if verdict.state not in _WORSE or verdict.outside is not None:
        return NOTHING_SEARCHED
    laboratory = Laboratory(world, verdict.workload, enough)
    rank = RANKS.get(verdict.state, 0)
    found: list[Found] = []
    trials: list[Trial] = []
    question = proposals.ask(world, verdict)
    for trial in proposals.back_in_service(world, verdict):
        _note(laboratory, trial, rank, found, trials)
    if question is not None:
        found.extend(_amounts(question, laboratory, rank))
        found.extend(_of_the_workload(question, laboratory, rank))
        for trial in _others(question):
            _note(laboratory, trial, rank, found, trials)
    pairs = not found and len(trials) > 1
    if pairs:
        for one, other in combinations(trials, 2):
            _note(laboratory, one + other, rank, found, [])
    told = tuple(_told(laboratory, found))
    return Search(told, laboratory.tried, enough(), pairs)


_WORSE = frozenset({Word.PREEMPT, Word.WAIT, Word.NEVER, Word.BLOCKED})


def _told(laboratory: Laboratory, found: Sequence[Found]) -> Iterator[Suggestion]:
    """The best verdicts first; none that asks for more than another that is as good."""
    told: list[frozenset[object]] = []
    for outcome, minimal in sorted(found, key=lambda each: -each[0].rank):
        trial, verdict = outcome.trial, outcome.verdict
        asks = frozenset(map(_gist, trial.remedies))
        if any(other <= asks for other in told):
            continue
        told.append(asks)
        yield Suggestion(
            remedies=trial.remedies,
            sets=trial.sets,
            verdict=verdict.state,
            minimal=minimal,
            evicts=verdict.victims,
            waits=laboratory.left_out(trial),
            flavors={name: dict(each) for name, each in verdict.flavors.items()},
        )


def _gist(remedy: Remedy) -> object:
    """What a remedy is about, whatever its amount."""
    kinds = tuple((each.flavor, each.resource) for each in remedy.amounts)
    value = "" if remedy.code == "priority" else remedy.value
    return (
        remedy.code,
        remedy.queue,
        remedy.source,
        remedy.field,
        value,
        remedy.pod_set,
        remedy.workloads,
        kinds,
    )


def _note(
    laboratory: Laboratory,
    trial: Trial,
    rank: int,
    found: list[Found],
    failed: list[Trial],
) -> None:
    outcome = laboratory.attempt(trial)
    if outcome is not None and outcome.rank > rank:
        found.append((outcome, True))
    else:
        failed.append(trial)


# --- amounts --------------------------------------------------------------------------------------


def _amounts(question: Question, laboratory: Laboratory, rank: int) -> Iterator[Found]:
    """More quota, own, moved, borrowed or lent: the least that does."""
    ways = proposals.shortages(question)
    if not ways and (whole := proposals.whole_request(question)):
        outcome = laboratory.attempt(proposals.raise_quota(question, whole))
        if outcome is not None and outcome.rank > rank:
            yield outcome, False
    for amounts in ways:
        own = _least(laboratory, lambda part: proposals.raise_quota(question, part), amounts, rank)
        if own is not None:
            yield own
            if own[0].rank < RANKS[Word.ADMIT] and (more := proposals.with_rivals(question, amounts)):
                ample = _least(
                    laboratory, lambda part: proposals.raise_quota(question, part), more, own[0].rank
                )
                if ample is not None:
                    yield ample
            needed = own[0].trial.remedies[0].amounts
            for sibling in proposals.siblings_with_idle_quota(question, needed)[:1]:
                outcome = laboratory.attempt(proposals.move_quota(question, sibling, needed))
                if outcome is not None and outcome.rank > rank:
                    yield outcome, own[1]
        yield from _limits(question, laboratory, rank, amounts)


def _limits(question: Question, laboratory: Laboratory, rank: int, amounts: Amounts) -> Iterator[Found]:
    if limited := proposals.own_borrowing_limits(question, amounts):
        raised = _least(
            laboratory,
            lambda part: proposals.raise_limit("borrowingLimit", question.name, part),
            limited,
            rank,
        )
        if raised is not None:
            yield raised
    for amount in amounts:
        for lender, kept in proposals.lenders_with_limits(question, amount):
            most = (Holding(amount.flavor, amount.resource, min(kept, amount.amount)),)
            lent = _least(
                laboratory,
                lambda part, lender=lender: proposals.raise_limit("lendingLimit", lender, part),  # type: ignore[misc]
                most,
                rank,
            )
            if lent is not None:
                yield lent
                break


def _least(
    laboratory: Laboratory, make: Callable[[Amounts], Trial], amounts: Amounts, rank: int
) -> Found | None:
    """The smallest of each amount, one after the other, that still leads to what all of them lead to."""
    whole = laboratory.attempt(make(amounts))
    if whole is None or whole.rank <= rank:
        return None
    best, minimal, kept = whole, True, list(amounts)
    for index, amount in enumerate(amounts):

        def with_amount(number: int, index: int = index, amount: Holding = amount) -> Trial:
            part = [*kept]
            part[index] = Holding(amount.flavor, amount.resource, number)
            return make(tuple(each for each in part if each.amount))

        others = any(each.amount for place, each in enumerate(kept) if place != index)
        least = laboratory.least(with_amount, amount.amount, whole.rank, fewest=0 if others else 1)
        if least is None:
            return best, False
        best, sure = least
        minimal = minimal and sure
        kept[index] = next(
            (
                a
                for a in best.trial.remedies[0].amounts
                if (a.flavor, a.resource) == (amount.flavor, amount.resource)
            ),
            Holding(amount.flavor, amount.resource, 0),
        )
    return best, minimal


# --- the workload ---------------------------------------------------------------------------------


def _of_the_workload(question: Question, laboratory: Laboratory, rank: int) -> Iterator[Found]:
    """A higher priority, the lowest that works; fewer pods, the most that fit."""
    levels = proposals.priority_levels(question)
    least = laboratory.least(
        lambda place: proposals.priority(question, levels[place - 1]), len(levels), rank + 1
    )
    if least is not None:
        yield least
    for pod_set in question.verdict.obj.spec.pod_sets:
        if pod_set.count > 1 and (fewer := _most_pods(question, laboratory, pod_set, rank)) is not None:
            yield fewer


def _most_pods(question: Question, laboratory: Laboratory, pod_set: PodSet, rank: int) -> Found | None:
    least = laboratory.least(
        lambda gone: proposals.fewer_pods(question, pod_set.name, pod_set.count - gone),
        pod_set.count - 1,
        rank + 1,
    )
    return least if least is not None and least[0].rank > rank else None


def _others(question: Question) -> Sequence[Trial]:
    """Changes without an amount, the mildest first."""
    return [
        *proposals.flavors_opened(question),
        *proposals.strategy(question),
        *proposals.other_order(question),
        *proposals.policies(question),
        *proposals.other_cohorts(question),
        *proposals.ends(question),
    ]
