"""The numbers of an explanation: what is asked and there is, who holds it, who may go, who comes first."""

from collections.abc import Iterator, Sequence

from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.questions import ASKED_FIRST
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.views.fairness import fairness_blocks
from kubectl_kueue.views.page import Block, Cell, Column, Heading, Span, Style, Table, Text
from kubectl_kueue.views.rest import rest_block
from kubectl_kueue.views.topology import topology_blocks
from kubectl_kueue.views.words.answers import first_turn_words, where_words
from kubectl_kueue.views.words.gates import flavor_words, origin_words
from kubectl_kueue.views.words.numbers import amount, clock, count, joined, quantity, requested
from kubectl_kueue.views.words.outcomes import PREEMPTIONS
from kubectl_kueue.views.words.preemption import rule_words

MOST_ROWS = 8
"""Rows of a list of workloads on a page; the document has them all."""


MOST_SETS = 24
"""Rows of a table of podSets and flavors; those that are short, or do not suit, come first if cut."""


def numbers(verdict: Verdict) -> Iterator[Block]:
    """The blocks that the verdict calls for, most telling first."""
    if verdict.decisive is not None and verdict.decisive.name in ASKED_FIRST:
        if verdict.fits_alone:
            yield Text([f"Apart from that it would fit now{where_words(verdict)}."])
            return
        if verdict.decisive.name == "clusterQueueActive" and not any(r.suits for r in verdict.table):
            return
    yield from _quota_table(verdict)
    yield from _origins(verdict)
    if first_turn := first_turn_words(verdict):
        yield Text([first_turn])
    yield from _flavor_table(verdict)
    for gate in verdict.gates:
        match gate.facts:
            case facts.Quota(ceilings=ceilings) if ceilings and verdict.state is Word.NEVER:
                yield from _ceilings(ceilings)
            case facts.Preemption(victims=(), rules=rules) if rules and verdict.state in (
                Word.WAIT,
                Word.BLOCKED,
            ):
                yield from _holders(verdict)
                yield from _rules(verdict, gate.facts)
            case facts.Topology(misplaced=misplaced) if verdict.state in (Word.WAIT, Word.NEVER):
                yield from topology_blocks(verdict.trees, [m.pod_set for m in misplaced])
                yield from _topology(gate.facts)
            case facts.Turn(rivals=rivals) if rivals:
                yield _rivals(rivals)
            case facts.Checks(checks=checks) if checks:
                yield _checks(verdict, checks)
            case facts.Pods(pods=pods) if pods and verdict.state is not Word.RUNNING:
                yield _pods(pods)
    yield from _victims(verdict)
    yield from fairness_blocks(verdict)


def _quota_table(verdict: Verdict) -> Iterator[Block]:
    rows = [row for row in verdict.table if _worth_showing(verdict, row)]
    if not rows:
        return
    single = len({row.pod_set for row in verdict.table}) == 1
    in_cohort = bool(verdict.chain.cohorts)
    columns = [
        *([] if single else [Column("POD SET")]),
        Column("FLAVOR"),
        Column("RESOURCE"),
        Column("ASKS", "right"),
        Column("OWN QUOTA", "right"),
        Column("OWN FREE", "right"),
        *([Column("FREE IN COHORT", "right")] if in_cohort else []),
        Column("MOST EVER", "right"),
        Column("SHORT BY", "right"),
    ]
    if len(rows) > MOST_SETS:
        rows.sort(key=lambda row: not row.short_by)
    yield Table(columns, [_quota_row(row, single, in_cohort) for row in rows[:MOST_SETS]])
    yield from rest_block(len(rows) - MOST_SETS, "row", in_document=True)


def _worth_showing(verdict: Verdict, row: facts.QuotaRow) -> bool:
    """Flavors that do not suit have numbers too, but nobody needs them where others suit."""
    return row.suits or not any(r.suits for r in verdict.table)


def _quota_row(row: facts.QuotaRow, single: bool, in_cohort: bool) -> list[str | Span]:
    def shown(value: int) -> str:
        return quantity(row.resource, value)

    asks = requested(row.resource, row.asks)
    if row.before:
        asks = f"{requested(row.resource, row.before)}+{asks}"
    never = row.before + row.asks > row.most_ever
    short = Span(requested(row.resource, row.short_by), "bad" if never else "warn") if row.short_by else "-"
    return [
        *([] if single else [row.pod_set]),
        row.flavor,
        row.resource,
        asks,
        shown(row.own_quota),
        shown(row.own_free),
        *([shown(row.cohort_free)] if in_cohort else []),
        shown(row.most_ever),
        short,
    ]


def _origins(verdict: Verdict) -> Iterator[Block]:
    coverage = verdict.gate("coverage")
    uncovered = coverage.facts.uncovered if coverage and isinstance(coverage.facts, facts.Coverage) else ()
    told = [o for o in verdict.origins if o.source != "pods" and o not in uncovered]
    for origin in told[:MOST_ROWS]:
        pods = f" for {count(origin.count, 'pod')}, {requested(origin.resource, origin.per_pod)} each"
        per_pod = pods if origin.count > 1 else ""
        yield Text([f"{origin.resource}{per_pod}: {origin_words(origin)}."], tight=origin is not told[0])


def _flavor_table(verdict: Verdict) -> Iterator[Block]:
    """Flavor by flavor, where one of them does not suit."""
    gate = verdict.gate("flavors")
    if gate is None or not isinstance(gate.facts, facts.Flavors):
        return
    flavors = gate.facts.flavors
    if not any(flavor.fit == "unsuited" for flavor in flavors):
        return
    single = len({flavor.pod_set for flavor in flavors}) == 1
    columns = [*([] if single else [Column("POD SET")]), Column("FLAVOR"), Column("SUITS"), Column("WHY")]
    rows: list[list[Cell]] = []
    if len(flavors) > MOST_SETS:
        flavors = tuple(sorted(flavors, key=lambda flavor: flavor.fit != "unsuited"))
    for flavor in flavors[:MOST_SETS]:
        suits = Span("no", "bad") if flavor.fit == "unsuited" else Span("yes", "good")
        rows.append([*([] if single else [flavor.pod_set]), flavor.flavor, suits, flavor_words(flavor)])
    yield Table(columns, rows)
    yield from rest_block(len(flavors) - MOST_SETS, "row", in_document=True)


def _ceilings(ceilings: Sequence[facts.Ceiling]) -> Iterator[Block]:
    yield Heading("What limits it")
    told = dict.fromkeys(map(_ceiling_words, ceilings))
    for words in list(told)[:MOST_ROWS]:
        yield Text([words], indent=2, tight=True)


def _ceiling_words(ceiling: facts.Ceiling) -> str:
    def shown(value: int) -> str:
        return quantity(ceiling.resource, value)

    what = f"{ceiling.flavor}, {ceiling.resource}"
    match ceiling.limit:
        case "nominalQuota":
            return (
                f"{what}: nominalQuota {shown(ceiling.own_quota)} of {ceiling.owner}, which is in no cohort."
            )
        case "borrowingLimit":
            limit = shown(ceiling.borrowing_limit or 0)
            own = f"{shown(ceiling.own_quota)} of its own"
            owner = f"{ceiling.owner_kind} {ceiling.owner}"
            return f"{what}: {owner} has {own} and may borrow {limit} (borrowingLimit)."
    lent = [_neighbour(n) for n in ceiling.neighbours if n.lends or n.lending_limit is not None]
    lends = f"; {joined(lent)}" if lent else "; nobody else has any"
    return f"{what}: own quota {shown(ceiling.own_quota)}{lends}. Cohort {ceiling.owner} has no more."


def _neighbour(found: facts.Shares) -> str:
    quota, lends = quantity(found.resource, found.quota), quantity(found.resource, found.lends)
    if found.lends < found.quota and found.lending_limit is not None:
        limit = quantity(found.resource, found.lending_limit)
        return f"{found.name} lends {lends} of {quota} (lendingLimit {limit})"
    return f"{found.kind} {found.name} lends {lends}"


# --- who holds it, who may be evicted -----------------------------------------------------------


def _holders(verdict: Verdict) -> Iterator[Block]:
    holders = verdict.holders
    if not holders:
        return
    columns = [
        Column("HOLDS WHAT IS MISSING"),
        Column("AMOUNT"),
        Column("OF"),
        Column("SINCE"),
        Column("PRIORITY", "right"),
    ]
    rows: list[list[Cell]] = []
    for holder in holders[:MOST_ROWS]:
        amounts = joined(amount(h.resource, h.amount) for h in holder.holds)
        where = holder.cluster_queue
        if not holder.own_queue:
            where += ", borrowed" if holder.borrows else ", its own"
        since = clock(verdict.now, holder.since) if holder.since else "-"
        note = " (no owner)" if holder.ownerless else " (being evicted)" if holder.evicting else ""
        rows.append([holder.workload + note, amounts, where, since, str(holder.priority)])
    yield Table(columns, rows)
    yield from rest_block(len(holders) - MOST_ROWS, "workload", in_document=True)


def _rules(verdict: Verdict, found: facts.Preemption) -> Iterator[Block]:
    columns = [Column("PREEMPTION"), Column("POLICY"), Column("HELPS"), Column("WHY")]
    rows: list[list[Cell]] = [
        [
            rule.rule,
            rule.policy,
            Span("no", "bad") if rule.answer == "no" else Span("-", "dim"),
            rule_words(rule, found.priority, verdict.chain.cluster_queue),
        ]
        for rule in found.rules
    ]
    yield Table(columns, rows)


def _victims(verdict: Verdict) -> Iterator[Block]:
    if not verdict.victims:
        return
    columns = [
        Column("EVICTS"),
        Column("AMOUNT"),
        Column("OF"),
        Column("SINCE"),
        Column("PRIORITY", "right"),
        Column("REASON"),
    ]
    rows: list[list[Cell]] = []
    for victim in verdict.victims[:MOST_ROWS]:
        amounts = joined(amount(h.resource, h.amount) for h in victim.holds) or "-"
        since = clock(verdict.now, victim.since) if victim.since else "-"
        rows.append(
            [
                victim.workload,
                amounts,
                victim.cluster_queue or "-",
                since,
                str(victim.priority),
                victim.reason,
            ]
        )
    yield Table(columns, rows)
    yield from rest_block(len(verdict.victims) - MOST_ROWS, "workload", in_document=True)
    for reason in dict.fromkeys(victim.reason for victim in verdict.victims):
        yield Text([f"{reason}: {PREEMPTIONS.get(reason, '')}."], indent=2, tight=True)


def _rivals(rivals: Sequence[facts.Rival]) -> Table:
    rows: list[list[Cell]] = []
    for rival in rivals[:MOST_ROWS]:
        takes = joined(f"{amount(h.resource, h.amount)} of {h.flavor}" for h in rival.takes)
        does = {
            Status.ASSUMED: "gets",
            Status.PREEMPTING: "evicts others for",
            Status.DEFERRED: "is about to get",
        }
        verb = does.get(Status(rival.status), "waits for")
        rows.append([rival.workload, rival.cluster_queue, f"{verb} {takes}"])
    rest = len(rivals) - MOST_ROWS
    if rest > 0:
        rows.append([f"and {rest} more", "", ""])
    return Table([Column("AHEAD OF IT"), Column("OF"), Column("WHAT IT DOES")], rows)


def _topology(found: facts.Topology) -> Iterator[Block]:
    if found.outsiders:
        rest = len(found.outsiders) - MOST_ROWS
        names = [*found.outsiders[:MOST_ROWS], *([f"{rest} more"] if rest > 0 else [])]
        yield Text([f"Pods outside of Kueue that use some of what it asks for: {joined(names)}."])


def _checks(verdict: Verdict, checks: Sequence[facts.Check]) -> Table:
    rows: list[list[Cell]] = []
    for check in checks:
        style: Style = "good" if check.state == "Ready" else "warn"
        since = clock(verdict.now, check.since) if check.since else "-"
        rows.append([check.name, Span(check.state, style), since, check.message or "-"])
    return Table([Column("ADMISSION CHECK"), Column("STATE"), Column("SINCE"), Column("SAYS")], rows)


def _pods(pods: Sequence[facts.PodState]) -> Table:
    rows = [[pod.name, pod.phase, pod.node or "none"] for pod in pods[:MOST_ROWS]]
    rest = len(pods) - MOST_ROWS
    if rest > 0:
        rows.append([f"and {rest} more", "", ""])
    return Table([Column("POD"), Column("PHASE"), Column("NODE")], rows)
