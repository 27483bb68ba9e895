"""The answer of `admit --dry-run`: who gets in and where, who is evicted for it, who stays behind and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.entry import CycleResult, Entry, Status
from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.engine.explanation.fates import Fate, fates_of
from kubectl_kueue.engine.explanation.standing import doubts_of, taken_for_granted
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.quota import ancestors
from kubectl_kueue.engine.simulate import Run, Stop
from kubectl_kueue.engine.workload import EVICTED
from kubectl_kueue.views.fairness import duel_blocks
from kubectl_kueue.views.page import Block, Cell, Column, Heading, Page, Span, Table, Text, verdict_style
from kubectl_kueue.views.words.assumed import assumed_words, assumption_words, moment_words
from kubectl_kueue.views.words.commands import kueue
from kubectl_kueue.views.words.fates import fate_words, gets_words
from kubectl_kueue.views.words.numbers import count, joined, verb
from kubectl_kueue.views.words.outcomes import PREEMPTIONS, outcome_words

MOST_ROWS = 20
"""Rows of one table on a page, unless all are asked for; a document has them all."""


def admit_page(
    run: Run,
    keys: Sequence[str] | None,
    more: Sequence[Block] = (),
    *,
    trace: bool = False,
    asked: bool = False,
    everything: bool = False,
) -> Page:
    """The answer for people. `keys`: report on these only; `asked`: they were asked for by name, and are
    not all of a namespace; `more` stands behind the answer."""
    fates = fates_of(run, keys)
    most = None if everything else MOST_ROWS
    blocks: list[Block] = []
    if asked:
        blocks.extend(_own_answers(run, fates))
        blocks.append(Text([_ending(run)]))
        blocks.extend(_evicted(run, fates, keys, most))
    else:
        blocks.append(Text([_summary(run, fates, keys)]))
        blocks.extend(_admitted(run, fates, most))
        blocks.extend(_evicted(run, fates, keys, most))
        blocks.extend(_pending(run, fates, most))
    if trace:
        for result in run.cycles:
            blocks.extend(_cycle(result, most))
    blocks.extend(more)
    if assumed := assumed_words(_assumptions(run, fates)):
        blocks.append(Text([Span(assumed, "dim")]))
    blocks.append(Text([Span(_footer(run), "dim")], tight=bool(assumed)))
    return Page(blocks)


def admit_names(run: Run, keys: Sequence[str] | None) -> list[str]:
    """Keys of the workloads that get quota in the run, in the order in which they do."""
    wanted = None if keys is None else set(keys)
    names = [entry.info.key for _, entry in _admissions(run)]
    return [name for name in dict.fromkeys(names) if wanted is None or name in wanted]


def admit_outcomes(run: Run, keys: Sequence[str] | None) -> Mapping[str, str]:
    """Workload -> verdict word, of `keys` or of everything that was pending."""
    return {key: str(fate.word) for key, fate in fates_of(run, keys).items()}


def admit_assumptions(run: Run, keys: Sequence[str] | None) -> list[str]:
    """What the answer takes for granted and leaves out, one sentence each, for programs."""
    return [assumption_words(each) for each in _assumptions(run, fates_of(run, keys))]


def _assumptions(run: Run, keys: Iterable[str]) -> Sequence[Assumption]:
    keys = list(keys)
    doubts = (doubt for key in keys for doubt in doubts_of(run.state.workloads[key].devices))
    return taken_for_granted(run.state.world, keys, doubts)


def _admissions(run: Run) -> Iterator[tuple[int, Entry]]:
    for result in run.cycles:
        for entry in result.entries:
            if entry.status is Status.ASSUMED and not entry.second_pass:
                yield result.cycle, entry


# --- in one line --------------------------------------------------------------------------------


def _own_answers(run: Run, fates: Mapping[str, Fate]) -> Iterator[Block]:
    for key, fate in fates.items():
        word = Span(str(fate.word), verdict_style(fate.word))
        told = fate_words(fate, run.state.world.now)
        yield Text([word, f": {key}{': ' if _stands_alone(fate, told) else ' '}{told}"], tight=True)
    stuck = [key for key, fate in fates.items() if fate.word in _SEVERITY]
    if stuck:
        yield Text([f"More: {kueue('explain', 'workload', stuck[0])}"], tight=True)


def _stands_alone(fate: Fate, told: str) -> bool:
    return fate.gate is not None or told.startswith("pod set ")


def _summary(run: Run, fates: Mapping[str, Fate], keys: Sequence[str] | None) -> str:
    """How many get in, how many are evicted, how many wait."""
    words = [fate.word for fate in fates.values()]
    admitted = words.count(Word.ADMIT) + words.count(Word.PREEMPT)
    waiting = sum(1 for word in words if word in (Word.WAIT, Word.NEVER, Word.BLOCKED))
    if keys is not None and not keys:
        return f"The data has no workload of that namespace. {_ending(run)}"
    if not admitted + waiting:
        return f"Nothing is pending. {_ending(run)}"
    parts = [f"{count(admitted, 'workload')} {verb(admitted, 'get')} in" if admitted else "Nobody gets in"]
    if preempting := words.count(Word.PREEMPT):
        parts.append(f"{preempting} of them by evicting others" if admitted > 1 else "by evicting others")
    if waiting:
        parts.append(f"{waiting} {verb(waiting, 'stay')} pending")
    return f"{', '.join(parts)}. {_ending(run)}"


def _ending(run: Run) -> str:
    cycles = count(len(run.cycles), "cycle")
    match run.stop:
        case Stop.CYCLE:
            return "This is one scheduling cycle, and not what follows from it."
        case Stop.CAP:
            return f"Broken off after {cycles}: more would follow."
        case Stop.STABLE:
            return f"After {cycles} nothing changes any more."
    return (
        f"After {cycles} nobody is left to be looked at."
        if run.cycles
        else "Nobody is there to be looked at."
    )


def _footer(run: Run) -> str:
    moment = moment_words(run.state.world.now)
    return f"Simulated on data of {moment} by the rules of Kueue {SIMULATED_KUEUE}; nothing was changed."


# --- tables -------------------------------------------------------------------------------------


def _limited(table: Table, most: int | None, what: str) -> Iterator[Block]:
    rest = len(table.rows) - most if most is not None else 0
    if rest <= 0:
        yield table
        return
    yield table._replace(rows=table.rows[:most])
    yield Text([f"and {count(rest, 'more ' + what)} (--all prints them)"], indent=2, tight=True)


def _admitted(run: Run, fates: Mapping[str, Fate], most: int | None) -> Iterator[Block]:
    admissions: dict[str, tuple[int, Entry]] = {}
    for cycle, entry in _admissions(run):
        admissions.setdefault(entry.info.key, (cycle, entry))
    rows = []
    for key, fate in fates.items():
        if fate.word not in (Word.ADMIT, Word.PREEMPT) or fate.entry is None:
            continue
        cycle, entry = admissions.get(key, (0, fate.entry))
        evicts = (
            str(len({t.workload.key for t in fate.entry.preempting})) if fate.word is Word.PREEMPT else "-"
        )
        rows.append(
            (cycle or fate.cycle, key, [key, str(cycle or "-"), gets_words(entry), _lender(entry), evicts])
        )
    if not rows:
        return
    columns = [
        Column("GETS IN"),
        Column("CYCLE", "right"),
        Column("WITH"),
        Column("BORROWS FROM"),
        Column("EVICTS", "right"),
    ]
    yield from _limited(
        Table(columns, [row for _, _, row in sorted(rows, key=lambda r: r[:2])]), most, "workload"
    )


def _lender(entry: Entry) -> str:
    """The cohort that it borrows from: the smallest one that has enough."""
    level = entry.assignment.borrowing
    if not level:
        return "-"
    return next((node.name for node in ancestors(entry.queue) if node.height >= level), "-")


def _evicted(
    run: Run, fates: Mapping[str, Fate], keys: Sequence[str] | None, most: int | None
) -> Iterator[Block]:
    rows = []
    reasons: dict[str, None] = {}
    for result in run.cycles:
        for entry in result.entries:
            if entry.status is not Status.PREEMPTING:
                continue
            for target in entry.preempting:
                key = target.workload.key
                if keys is None or key in fates or entry.info.key in fates:
                    reasons[str(target.reason)] = None
                    rows.append(
                        [key, str(result.cycle), entry.info.key, str(target.reason), _afterwards(run, key)]
                    )
    if not rows:
        return
    columns = [
        Column("EVICTED"),
        Column("CYCLE", "right"),
        Column("FOR"),
        Column("REASON"),
        Column("IN THE END"),
    ]
    yield from _limited(Table(columns, rows), most, "eviction")
    for reason in reasons:
        yield Text([f"{reason}: {PREEMPTIONS.get(reason, '')}."], indent=2, tight=True)


def _afterwards(run: Run, key: str) -> str:
    info = run.state.workloads[key]
    if info.holds_quota and not info.is_true(EVICTED):
        return "has quota again"
    return "stopping" if info.holds_quota else "pending"


_SEVERITY = (Word.NEVER, Word.BLOCKED, Word.WAIT)


def _pending(run: Run, fates: Mapping[str, Fate], most: int | None) -> Iterator[Block]:
    found = [(key, fate) for key, fate in fates.items() if fate.word in _SEVERITY]
    if not found:
        return
    rows: list[list[Cell]] = [
        [key, Span(str(fate.word), verdict_style(fate.word)), fate_words(fate, run.state.world.now)]
        for key, fate in sorted(found, key=lambda row: (_SEVERITY.index(row[1].word), row[0]))
    ]
    columns = [Column("STAYS PENDING"), Column("VERDICT"), Column("WHY")]
    yield from _limited(Table(columns, rows), most, "workload")


def _cycle(result: CycleResult, most: int | None) -> Iterator[Block]:
    rows = [
        [entry.info.key, entry.queue.name, str(entry.status), _traced(entry)]
        for entry in (*result.entries, *result.rejected)
    ]
    yield Heading(f"Cycle {result.cycle}")
    columns = [Column("WORKLOAD"), Column("CLUSTERQUEUE"), Column("OUTCOME"), Column("WHY")]
    yield from _limited(Table(columns, rows, tight=True), most, "head")
    yield from duel_blocks(result.duels, most)
    if result.evicted_after:
        yield Text([f"evicted before the next cycle: {joined(result.evicted_after)}"], indent=2, tight=True)


def _traced(entry: Entry) -> str:
    if entry.status is Status.ASSUMED:
        return gets_words(entry)
    return outcome_words(entry)
