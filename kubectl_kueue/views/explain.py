"""The answer of `explain`: for people the verdict, its numbers, what it calls for and Kueue's own words;
for programs one document (docs/explain.md)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation import verdict as facts
from kubectl_kueue.engine.explanation.verdict import GateState, Facts, Verdict, Word
from kubectl_kueue.engine.explanation.questions import CODES as CODES_BEFORE_FLAVORS
from kubectl_kueue.engine.reasons import Reason
from kubectl_kueue.model.quantity import format_amount
from kubectl_kueue.model.timestamp import format_time, parse_time
from kubectl_kueue.views.page import (
    Block,
    Column,
    Heading,
    KeyValues,
    Page,
    Quote,
    Span,
    Table,
    Text,
    verdict_style,
)
from kubectl_kueue.views.verdict import reason_document, reason_documents
from kubectl_kueue.views.words.answers import headline, next_steps, where_words
from kubectl_kueue.views.words.assumed import assumption_words
from kubectl_kueue.views.words.gates import (
    QUESTIONS,
    state_word,
    causes_words,
    flavor_words,
    gate_words,
    origin_words,
    position_words,
)
from kubectl_kueue.views.words.numbers import age, amount, clock, count, joined, quantity
from kubectl_kueue.views.words.outcomes import CODES, PREEMPTIONS
from kubectl_kueue.views.words.preemption import rule_words, share_words
from kubectl_kueue.views.words.trace import trace_words

SCHEMA_VERSION = "v1"
MOST_ROWS = 8
"""Rows of a list of workloads on a page; the document has them all."""


def explain_page(verdict: Verdict, *, trace: bool = False) -> Page:
    """The answer for people."""
    blocks: list[Block] = [
        Text([Span(str(verdict.state), verdict_style(verdict.state)), f": {headline(verdict)}"]),
        KeyValues(list(_about(verdict))),
    ]
    blocks.extend(_numbers(verdict))
    steps = next_steps(verdict)
    if steps:
        blocks.append(Heading("Next"))
        blocks.extend(Text([step], indent=2, tight=True) for step in steps)
    blocks.extend(_kueue_says(verdict))
    if trace:
        blocks.extend(_trace(verdict))
    blocks.extend(_footer(verdict))
    return Page(blocks)


# --- who, and where -----------------------------------------------------------------------------


def _about(verdict: Verdict) -> Iterator[tuple[str, str]]:
    created = verdict.obj.metadata.creation_timestamp
    pending = verdict.state not in (Word.FINISHED, Word.NOT_RUNNING, Word.RUNNING)
    waits = f", {'pending' if pending else 'created'} {age(verdict.now, parse_time(created))}" if created else ""
    ago = "" if pending or not created else " ago"
    yield "Workload", f"{verdict.workload}{_owner(verdict)}{waits}{ago}"
    named = f" (class {verdict.priority_class})" if verdict.priority_class else ""
    yield "Priority", f"{verdict.priority}{named}"
    yield "Queue", _chain(verdict)
    if verdict.position is not None:
        yield "Position", position_words(verdict.position, verdict.chain)
    if verdict.reason not in ("QuotaReserved", "Finished"):
        words = CODES.get(verdict.reason)
        yield "Reason", f"{verdict.reason}: {words}" if words else verdict.reason


def _owner(verdict: Verdict) -> str:
    owners = [o for o in verdict.obj.metadata.owner_references if o.controller]
    return f" of {owners[0].kind} {owners[0].name}" if owners else ""


def _chain(verdict: Verdict) -> str:
    """The way from LocalQueue to root, and where it breaks."""
    chain = verdict.chain
    local = f"LocalQueue {chain.local_queue or '(none)'}{_broken(verdict, 'localQueue', 'localQueueActive')}"
    if not chain.cluster_queue:
        gate = verdict.gate("clusterQueue")
        if gate is not None and isinstance(gate.facts, facts.ClusterQueueMissing):
            return f"{local} -> ClusterQueue {gate.facts.queue} (missing)"
        return local
    cluster = f"ClusterQueue {chain.cluster_queue}{_broken(verdict, 'clusterQueueActive')}"
    cohorts = "".join(f" -> cohort {name}" for name in chain.cohorts)
    return f"{local} -> {cluster}{cohorts}"


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


# --- numbers ------------------------------------------------------------------------------------


def _numbers(verdict: Verdict) -> Iterator[Block]:
    if verdict.decisive is not None and verdict.decisive.name in CODES_BEFORE_FLAVORS:
        if verdict.fits_alone:
            yield Text([f"Apart from that it would fit now{where_words(verdict)}."])
            return
        if verdict.decisive.name == "clusterQueueActive" and not any(r.suits for r in verdict.table):
            return
    yield from _quota_table(verdict)
    yield from _origins(verdict)
    yield from _flavor_table(verdict)
    for gate in verdict.gates:
        match gate.facts:
            case facts.Quota(ceilings=ceilings) if ceilings and verdict.state is Word.NEVER:
                yield from _ceilings(ceilings)
            case facts.Preemption(victims=(), rules=rules) if rules and verdict.state in (Word.WAIT, Word.BLOCKED):
                yield from _holders(verdict)
                yield from _rules(verdict, gate.facts)
            case facts.Topology() if verdict.state in (Word.WAIT, Word.NEVER):
                yield from _topology(gate.facts)
            case facts.Turn(rivals=rivals) if rivals:
                yield _rivals(rivals)
            case facts.Checks(checks=checks) if checks:
                yield _checks(verdict, checks)
            case facts.Pods(pods=pods) if pods and verdict.state is not Word.RUNNING:
                yield _pods(pods)
    yield from _victims(verdict)


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
    yield Table(columns, [_quota_row(row, single, in_cohort) for row in rows])


def _worth_showing(verdict: Verdict, row: facts.QuotaRow) -> bool:
    """Flavors that do not suit have numbers too, but nobody needs them where others suit."""
    return row.suits or not any(r.suits for r in verdict.table)


def _quota_row(row: facts.QuotaRow, single: bool, in_cohort: bool) -> list[str | Span]:
    def shown(value: int) -> str:
        return quantity(row.resource, value)

    asks = f"{shown(row.before)}+{shown(row.asks)}" if row.before else shown(row.asks)
    never = row.before + row.asks > row.most_ever
    short = Span(shown(row.short_by), "bad" if never else "warn") if row.short_by else "-"
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
        pods = f" for {count(origin.count, 'pod')}, {quantity(origin.resource, origin.per_pod)} each"
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
    rows = []
    for flavor in flavors:
        suits = Span("no", "bad") if flavor.fit == "unsuited" else Span("yes", "good")
        rows.append([*([] if single else [flavor.pod_set]), flavor.flavor, suits, flavor_words(flavor)])
    yield Table(columns, rows)


def _ceilings(ceilings: Sequence[facts.Ceiling]) -> Iterator[Block]:
    yield Heading("What limits it")
    for ceiling in ceilings[:MOST_ROWS]:
        yield Text([_ceiling_words(ceiling)], indent=2, tight=True)


def _ceiling_words(ceiling: facts.Ceiling) -> str:
    def shown(value: int) -> str:
        return quantity(ceiling.resource, value)

    what = f"{ceiling.flavor}, {ceiling.resource}"
    match ceiling.limit:
        case "nominalQuota":
            return f"{what}: nominalQuota {shown(ceiling.own_quota)} of {ceiling.owner}, which is in no cohort."
        case "borrowingLimit":
            limit = shown(ceiling.borrowing_limit or 0)
            own = f"{shown(ceiling.own_quota)} of its own"
            return f"{what}: {ceiling.owner_kind} {ceiling.owner} has {own} and may borrow {limit} (borrowingLimit)."
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
    columns = [Column("HOLDS WHAT IS MISSING"), Column("AMOUNT"), Column("OF"), Column("SINCE"), Column("PRIORITY", "right")]
    rows = []
    for holder in holders[:MOST_ROWS]:
        amounts = joined(amount(h.resource, h.amount) for h in holder.holds)
        where = holder.cluster_queue
        if not holder.own_queue:
            where += ", borrowed" if holder.borrows else ", its own"
        since = clock(verdict.now, holder.since) if holder.since else "-"
        note = " (no owner)" if holder.ownerless else " (being evicted)" if holder.evicting else ""
        rows.append([holder.workload + note, amounts, where, since, str(holder.priority)])
    yield Table(columns, rows)
    rest = holders[MOST_ROWS:]
    if rest:
        yield Text([f"and {count(len(rest), 'more workload')} (-o json lists all)"], indent=2, tight=True)


def _rules(verdict: Verdict, found: facts.Preemption) -> Iterator[Block]:
    columns = [Column("PREEMPTION"), Column("POLICY"), Column("HELPS"), Column("WHY")]
    rows = [
        [
            rule.rule,
            rule.policy,
            Span("no", "bad") if rule.answer == "no" else Span("-", "dim"),
            rule_words(rule, found.priority, verdict.chain.cluster_queue),
        ]
        for rule in found.rules
    ]
    yield Table(columns, rows)
    for share in found.shares:
        yield Text([f"share of {share.name}: {share_words(share)}"], indent=2, tight=True)


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
    rows = []
    for victim in verdict.victims[:MOST_ROWS]:
        amounts = joined(amount(h.resource, h.amount) for h in victim.holds) or "-"
        since = clock(verdict.now, victim.since) if victim.since else "-"
        rows.append(
            [victim.workload, amounts, victim.cluster_queue or "-", since, str(victim.priority), victim.reason]
        )
    yield Table(columns, rows)
    rest = len(verdict.victims) - MOST_ROWS
    if rest > 0:
        yield Text([f"and {rest} more (-o json lists all)"], indent=2, tight=True)
    for reason in dict.fromkeys(victim.reason for victim in verdict.victims):
        yield Text([f"{reason}: {PREEMPTIONS.get(reason, '')}."], indent=2, tight=True)


def _rivals(rivals: Sequence[facts.Rival]) -> Table:
    rows = []
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
    rows = []
    for check in checks:
        style = "good" if check.state == "Ready" else "warn"
        since = clock(verdict.now, check.since) if check.since else "-"
        rows.append([check.name, Span(check.state, style), since, check.message or "-"])
    return Table([Column("ADMISSION CHECK"), Column("STATE"), Column("SINCE"), Column("SAYS")], rows)


def _pods(pods: Sequence[facts.PodState]) -> Table:
    rows = [[pod.name, pod.phase, pod.node or "none"] for pod in pods[:MOST_ROWS]]
    rest = len(pods) - MOST_ROWS
    if rest > 0:
        rows.append([f"and {rest} more", "", ""])
    return Table([Column("POD"), Column("PHASE"), Column("NODE")], rows)


# --- Kueue's words, the trace, the footer -------------------------------------------------------


def _kueue_says(verdict: Verdict) -> Iterator[Block]:
    sayings = _sayings_worth_telling(verdict)
    for index, saying in enumerate(sayings):
        since = f" for {age(verdict.now, saying.since)}" if saying.since else ""
        yield Quote(f"Kueue ({saying.type} {saying.status}{since})", saying.message, tight=index > 0)
    if verdict.evictions:
        tallies = joined(f"{e.count} by {e.cause or e.reason}" for e in verdict.evictions)
        total = sum(e.count for e in verdict.evictions)
        yield Text([f"Evicted {count(total, 'time')} so far: {tallies}."], tight=bool(sayings))


def _sayings_worth_telling(verdict: Verdict) -> list[facts.Saying]:
    if verdict.state in (Word.NOT_RUNNING, Word.RUNNING, Word.CHECKS_PENDING):
        return [s for s in verdict.sayings if s.type == "Evicted" or s.status == "False"][:2]
    return [s for s in verdict.sayings if s.type not in ("Admitted", "PodsReady")][:2]


def _trace(verdict: Verdict) -> Iterator[Block]:
    columns = [Column("CHECK"), Column("PASSED"), Column("INPUTS")]
    rows = []
    for gate in verdict.gates:
        word = state_word(gate.state)
        style = "bad" if gate.state is GateState.FAILED else ""
        inputs = gate_words(gate, verdict.now) if gate.state is GateState.FAILED else trace_words(gate, verdict)
        rows.append([QUESTIONS[gate.name], Span(word, style), inputs])
    yield Table(columns, rows)


def _footer(verdict: Verdict) -> Iterator[Block]:
    assumed = [assumption_words(a) for a in verdict.assumptions]
    if assumed:
        yield Text([Span(f"Assumed: {'; '.join(assumed)}.", "dim")])
    moment = format_time(verdict.now).replace("T", " ").replace("Z", " UTC")
    yield Text([Span(f"Data of {moment}, judged by the rules of Kueue {SIMULATED_KUEUE}.", "dim")], tight=bool(assumed))


# --- the document -------------------------------------------------------------------------------


def explain_document(verdict: Verdict) -> dict[str, Any]:
    """The answer for programs; every amount a canonical quantity, every time RFC 3339."""
    decisive = verdict.decisive
    document: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "workload": verdict.workload,
        "verdict": str(verdict.state),
        "reason": verdict.reason,
        "message": headline(verdict),
        "decidedBy": decisive.name if decisive is not None else "",
        "next": next_steps(verdict),
        "queue": plain(verdict.chain),
        "priority": verdict.priority,
        "priorityClass": verdict.priority_class,
        "position": plain(verdict.position) if verdict.position is not None else None,
        "cycle": verdict.cycle,
        "flavors": {name: dict(flavors) for name, flavors in verdict.flavors.items()},
        "borrowing": verdict.borrowing,
        "victims": [plain(victim) for victim in verdict.victims],
        "reasons": _reasons(verdict),
        "table": [plain(row) for row in verdict.table],
        "holders": [plain(holder) for holder in verdict.holders],
        "origins": [plain(origin) for origin in verdict.origins],
        "gates": [_gate_document(gate) for gate in verdict.gates],
        "status": [plain(saying) for saying in verdict.sayings],
        "evictions": [plain(tally) for tally in verdict.evictions],
        "assumptions": [assumption_words(a) for a in verdict.assumptions],
        "now": format_time(verdict.now),
        "kueueVersion": SIMULATED_KUEUE,
    }
    return document


def _reasons(verdict: Verdict) -> list[dict[str, Any]]:
    entry = verdict.entry
    if entry is None or entry.rejection is not None:
        return []
    return reason_documents(entry.assignment.pod_sets)


def _gate_document(gate: facts.Gate) -> dict[str, Any]:
    out: dict[str, Any] = {"name": gate.name, "state": str(gate.state)}
    if gate.facts is not None:
        out["facts"] = plain(gate.facts)
    return out


def plain(found: Facts) -> dict[str, Any]:
    """Facts as plain values: amounts of their resource as quantities, times as text."""
    out: dict[str, Any] = {}
    skip_defaults = type(found).__struct_config__.omit_defaults
    resource = getattr(found, "resource", "")
    for field in msgspec.structs.fields(found):
        value = getattr(found, field.name)
        if value is None or (skip_defaults and value == field.default and field.name != "name"):
            continue
        if field.name in found.AMOUNTS:
            out[field.encode_name] = format_amount(resource, value)
        elif field.name in found.TIMES:
            if value:
                out[field.encode_name] = format_time(value)
        else:
            out[field.encode_name] = _plain_value(value)
    return out


def _plain_value(value: Any) -> Any:
    if isinstance(value, Facts):
        return plain(value)
    if isinstance(value, Reason):
        return reason_document(value)
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain_value(item) for key, item in value.items()}
    return value
