"""The answer of `explain` for people: the verdict, its numbers, what it calls for and Kueue's own words."""

from collections.abc import Iterator, Sequence

from kubectl_kueue.engine.counterfactual.suggest import NOTHING_SEARCHED, Search
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.verdict import GateState, Verdict, Word
from kubectl_kueue.engine.when import Estimate
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.views.explain_document import explain_document
from kubectl_kueue.views.explain_numbers import numbers
from kubectl_kueue.views.page import (
    Block,
    Cell,
    Column,
    Heading,
    KeyValues,
    Page,
    Quote,
    Span,
    Style,
    Table,
    Text,
    verdict_style,
)
from kubectl_kueue.views.topology import drawn_trees
from kubectl_kueue.views.words.answers import headline, sentence
from kubectl_kueue.views.words.assumed import assumed_words, judged_words, unread_of
from kubectl_kueue.views.words.causes import causes_words
from kubectl_kueue.views.words.gates import QUESTIONS, gate_words, position_words, state_word
from kubectl_kueue.views.words.numbers import age, count, joined
from kubectl_kueue.views.words.outcomes import CODES
from kubectl_kueue.views.words.outside import known_words, widening_words
from kubectl_kueue.views.words.remedies import change_words, effects_words, looked_words
from kubectl_kueue.views.words.steps import next_steps
from kubectl_kueue.views.words.trace import trace_words
from kubectl_kueue.views.words.when import when_words

__all__ = ["explain_document", "explain_page"]


MOST_SUGGESTIONS = 8
"""Suggestions on a page; all of them are in the document."""


def explain_page(
    verdict: Verdict,
    search: Search = NOTHING_SEARCHED,
    when: Estimate | None = None,
    *,
    trace: bool = False,
    topology: bool = False,
) -> Page:
    """The answer for people; `search` is what would help, `when` it starts, `topology` draws the trees."""
    blocks: list[Block] = [
        Text([Span(str(verdict.state), verdict_style(verdict.state)), f": {headline(verdict)}"]),
        KeyValues(list(_about(verdict))),
    ]
    blocks.extend(numbers(verdict))
    blocks.extend(_from_outside(verdict))
    if topology:
        blocks.extend(drawn_trees(verdict.trees, above=tuple(blocks)))
    steps = next_steps(verdict)
    if steps:
        blocks.append(Heading("Next"))
        blocks.extend(Text([step], indent=2, tight=True) for step in steps)
    blocks.extend(_when(verdict, when))
    blocks.extend(_would_help(search, evicts=verdict.state is Word.PREEMPT))
    blocks.extend(_kueue_says(verdict))
    if trace:
        blocks.extend(_trace(verdict))
    blocks.extend(_footer(verdict))
    return Page(blocks)


# --- who, and where -----------------------------------------------------------------------------


def _about(verdict: Verdict) -> Iterator[tuple[str, str]]:
    created = verdict.obj.metadata.creation_timestamp
    pending = verdict.state not in (Word.FINISHED, Word.NOT_RUNNING, Word.RUNNING)
    since = age(verdict.now, parse_time(created)) if created else ""
    waits = f", pending {since}" if pending else f", created {since} ago"
    told = {"": "", "0s": ", just created"}.get(since, waits)
    yield "Workload", f"{verdict.workload}{_owner(verdict)}{told}"
    named = f" (class {verdict.priority_class})" if verdict.priority_class else ""
    yield "Priority", f"{verdict.priority}{named}"
    yield "Queue", _chain(verdict)
    if verdict.position is not None:
        yield "Position", position_words(verdict.position, verdict.chain)
    if verdict.reason not in ("QuotaReserved", "Finished"):
        words = _reason_words(verdict)
        yield "Reason", f"{verdict.reason}: {words}" if words else verdict.reason


def _reason_words(verdict: Verdict) -> str:
    if verdict.first_turn is not None and verdict.state is Word.ADMIT:
        return "at its first turn only"
    gate = verdict.decisive
    if verdict.reason == "WaitingForQuota" and gate is not None and isinstance(gate.facts, facts.Topology):
        return "the place it needs is in use"
    return CODES.get(verdict.reason, "")


def _owner(verdict: Verdict) -> str:
    owners = [o for o in verdict.obj.metadata.owner_references if o.controller]
    return f" of {owners[0].kind} {owners[0].name}" if owners else ""


def _chain(verdict: Verdict) -> str:
    """The way from LocalQueue to root, and where it breaks."""
    chain = verdict.chain
    if not chain.local_queue:
        return "none named"
    local = f"LocalQueue {chain.local_queue}{_broken(verdict, 'localQueue', 'localQueueActive')}"
    if not chain.cluster_queue:
        gate = verdict.gate("clusterQueue")
        if gate is not None and isinstance(gate.facts, facts.ClusterQueueMissing):
            unread = gate.state is GateState.UNKNOWN
            return f"{local} -> ClusterQueue {gate.facts.queue} ({'not readable' if unread else 'missing'})"
        return local
    cluster = f"ClusterQueue {chain.cluster_queue}{_broken(verdict, 'clusterQueueActive')}"
    return f"{local} -> {cluster}{_cohorts(chain.cohorts)}"


MOST_COHORTS = 8
"""Cohorts of the way to the root on a page; if there are more, the root and those below are told."""


def _cohorts(names: Sequence[str]) -> str:
    if len(names) <= MOST_COHORTS:
        return "".join(f" -> cohort {name}" for name in names)
    below = "".join(f" -> cohort {name}" for name in names[: MOST_COHORTS - 2])
    return f"{below} -> … and {len(names) - MOST_COHORTS + 1} more -> cohort {names[-1]}"


def _broken(verdict: Verdict, *names: str) -> str:
    for name in names:
        gate = verdict.gate(name)
        if gate is not None and gate.state is GateState.FAILED:
            match gate.facts:
                case facts.LocalQueueMissing():
                    return " (missing)"
                case facts.Stopped(policy=policy):
                    return f" (stopped: {policy})"
                case facts.Inactive(causes=causes):
                    return f" (inactive: {causes_words(causes)})"
    return ""


def _from_outside(verdict: Verdict) -> Iterator[Block]:
    if verdict.outside is not None:
        for index, words in enumerate(known_words(verdict, verdict.outside)):
            yield Text([words], tight=index > 0)


def _when(verdict: Verdict, when: Estimate | None) -> Iterator[Block]:
    """When it starts if nothing is changed, each bound with its ground."""
    if when is None or verdict.state is Word.NEVER:
        return
    told = when_words(when, verdict.now)
    if told:
        yield Heading("When, if nothing changes")
        for words in told:
            yield Text([f"{words[0].upper()}{words[1:]}."], indent=2, tight=True)


def _would_help(search: Search, *, evicts: bool) -> Iterator[Block]:
    """What would help: verdict, change and price, one line each."""
    shown = search.suggestions[:MOST_SUGGESTIONS]
    if shown:
        yield Heading("What would help (simulated)")
        rows: list[list[Cell]] = [
            [
                Span(str(each.verdict), verdict_style(each.verdict)),
                "; ".join([change_words(each), *effects_words(each)]),
            ]
            for each in shown
        ]
        yield Table([Column("VERDICT"), Column("CHANGE")], rows, header=False, indent=2)
    more = len(search.suggestions) - len(shown)
    if more:
        yield Text([f"{count(more, 'more change')} would help as well: see -o json."], indent=2, tight=True)
    if looked := looked_words(search, evicts=evicts):
        yield Text([sentence(looked)], indent=2 if shown else 0, tight=bool(shown))


# --- Kueue's words, the trace, the footer -------------------------------------------------------


def _kueue_says(verdict: Verdict) -> Iterator[Block]:
    sayings = _sayings_worth_telling(verdict)
    for index, saying in enumerate(sayings):
        since = f" for {age(verdict.now, saying.since)}" if saying.since else ""
        yield Quote(f"Kueue ({saying.type} {saying.status}{since})", saying.message, tight=index > 0)
    if verdict.evictions:
        tallies = joined(f"{e.count} {e.cause or e.reason}" for e in verdict.evictions)
        total = sum(e.count for e in verdict.evictions)
        yield Text([f"Evicted {count(total, 'time')} so far: {tallies}."], tight=bool(sayings))


def _sayings_worth_telling(verdict: Verdict) -> list[facts.Saying]:
    if verdict.state in (Word.NOT_RUNNING, Word.RUNNING, Word.CHECKS_PENDING):
        return [s for s in verdict.sayings if s.type == "Evicted" or s.status == "False"][:2]
    return [s for s in verdict.sayings if s.type not in ("Admitted", "PodsReady")][:2]


def _trace(verdict: Verdict) -> Iterator[Block]:
    columns = [Column("CHECK"), Column("PASSED"), Column("INPUTS")]
    rows: list[list[Cell]] = []
    for gate in verdict.gates:
        word = state_word(gate.state)
        style: Style = "bad" if gate.state is GateState.FAILED else ""
        inputs = (
            gate_words(gate, verdict.now) if gate.state is GateState.FAILED else trace_words(gate, verdict)
        )
        rows.append([QUESTIONS[gate.name], Span(word, style), inputs])
    yield Table(columns, rows)


def _footer(verdict: Verdict) -> Iterator[Block]:
    assumed = assumed_words(verdict.assumptions)
    if assumed:
        yield Text([Span(assumed, "dim")])
    widening = widening_words(unread_of(verdict.assumptions))
    if widening:
        yield Text([Span(widening, "dim")], tight=True)
    yield Text([Span(judged_words(verdict.now), "dim")], tight=bool(assumed))
