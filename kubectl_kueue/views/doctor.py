"""What doctor found, for people (a page, group by group) and for programs (one document, docs/doctor.md)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.examine import Check, worst
from kubectl_kueue.doctor.finding import Finding, Status
from kubectl_kueue.engine.explanation.facts import Cause
from kubectl_kueue.engine.inquiries.absence import Absence
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.explain_document import plain
from kubectl_kueue.views.page import Block, Column, Document, Heading, Page, Span, Style, Table, Text
from kubectl_kueue.views.words.assumed import judged_words
from kubectl_kueue.views.words.doctor.sentences import diagnosis, effect, next_steps
from kubectl_kueue.views.words.numbers import count, joined
from kubectl_kueue.views.words.outside import widening_words

SCHEMA_VERSION = "v1"

SHOWN = 5
"""Findings of one kind on a page; the document has all."""

_WIDTH = max(len(status) for status in Status) + 2
_STYLES: Mapping[Status, Style] = {
    Status.OK: "good",
    Status.WARNING: "warn",
    Status.ERROR: "bad",
    Status.SKIPPED: "dim",
}


def doctor_page(findings: Sequence[Finding], evidence: Evidence) -> Page:
    """The sum first, then group by group, what helps under each line."""
    blocks: list[Block] = [Text(_sum(findings))]
    for group in dict.fromkeys(finding.group for finding in findings):
        blocks.append(Heading(group.capitalize()))
        blocks.extend(_group([finding for finding in findings if finding.group == group]))
    blocks.append(Text([Span(_footer(evidence), "dim")]))
    if evidence.partly:
        kinds = ", ".join(sorted(evidence.partly))
        where = joined(sorted(set(evidence.partly.values())))
        blocks.append(Text([Span(f"Seen in namespace {where} only: {kinds}.", "dim")], tight=True))
    if widening := widening_words(evidence.missing):
        blocks.append(Text([Span(widening, "dim")], tight=True))
    return Page(blocks)


def doctor_document(findings: Sequence[Finding], evidence: Evidence) -> Document:
    """The same for programs, every finding with its facts."""
    counted = Counter(finding.status for finding in findings)
    return Document(
        {
            "schemaVersion": SCHEMA_VERSION,
            "status": str(worst(findings)),
            "summary": {str(status): counted[status] for status in Status},
            "checks": [_finding(finding, evidence.now) for finding in findings],
            "missing": dict(sorted(evidence.missing.items())),
            "seenInNamespaceOnly": dict(sorted(evidence.partly.items())),
            "now": format_time(evidence.now),
            "kueueVersion": SIMULATED_KUEUE,
        }
    )


def checks_page(checks: Sequence[Check]) -> Table:
    """The list of checks."""
    columns = (Column("CHECK"), Column("LOOKS FOR"), Column("NEEDS"))
    return Table(columns, [[each.id, _purpose(each), ", ".join(_kinds(each))] for each in checks])


def checks_document(checks: Sequence[Check]) -> Document:
    """The list of checks for programs."""
    listed = [{"check": each.id, "looksFor": _purpose(each), "needs": _kinds(each)} for each in checks]
    return Document({"schemaVersion": SCHEMA_VERSION, "checks": listed}, names=[each.id for each in checks])


def _kinds(check: Check) -> list[str]:
    return [kind for kind in check.needs if kind != "World"]


def _purpose(check: Check) -> str:
    first = (check.look.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


# --- the page -----------------------------------------------------------------------------------


def _sum(findings: Sequence[Finding]) -> list[Span]:
    counted = Counter(finding.status for finding in findings)
    word = {Status.ERROR: "Errors", Status.WARNING: "Warnings", Status.OK: "Well"}[worst(findings)]
    told = [
        count(counted[Status.ERROR], "error"),
        count(counted[Status.WARNING], "warning"),
        f"{counted[Status.OK]} ok",
        f"{counted[Status.SKIPPED]} skipped",
    ]
    return [Span(word, _STYLES[worst(findings)]), Span(f"  {', '.join(told)}")]


def _group(findings: Sequence[Finding]) -> Iterator[Block]:
    skipped: dict[str, list[str]] = {}
    for (_, code), of_kind in groupby(findings, key=lambda finding: (finding.check, finding.code)):
        found = list(of_kind)
        if code == "unread":
            skipped.setdefault(diagnosis(found[0]), []).append(found[0].check.partition("/")[2])
            continue
        shown = found[:SHOWN]
        for finding, after in zip(shown, [*shown[1:], None], strict=True):
            yield from _lines(finding, after)
        if len(found) > SHOWN:
            more = f"and {len(found) - SHOWN} more like this (-o json has all)"
            yield Text([Span(more, "dim")], _WIDTH, tight=True)
    for why, checks in skipped.items():
        told = [_word(Status.SKIPPED), Span(f"{joined(checks)}: {why}", "dim")]
        yield Text(told, tight=True, hanging=_WIDTH)


def _lines(finding: Finding, after: Finding | None) -> Iterator[Block]:
    """The finding; its effect and what to do, unless the one after it says the same."""
    yield Text([_word(finding.status), diagnosis(finding)], tight=True, hanging=_WIDTH)
    advice = _advice(finding)
    if after is None or _advice(after) != advice:
        yield from (Text([Span(line, "dim")], _WIDTH, tight=True) for line in advice)


def _advice(finding: Finding) -> list[str]:
    what = effect(finding)
    return [*([f"effect: {what}"] if what else []), *(f"next: {step}" for step in next_steps(finding))]


def _word(status: Status) -> Span:
    return Span(str(status).ljust(_WIDTH), _STYLES[status])


def _footer(evidence: Evidence) -> str:
    source = "From a live cluster" if evidence.live else "From files"
    return f"{source}. {judged_words(evidence.now)}"


# --- the document -------------------------------------------------------------------------------


def _finding(finding: Finding, now: int) -> dict[str, Any]:
    return {
        "check": finding.check,
        "status": str(finding.status),
        "code": finding.code,
        "object": finding.object,
        "message": diagnosis(finding),
        "effect": effect(finding),
        "next": next_steps(finding),
        "facts": {_camel(key): _value(value) for key, value in finding.facts.items()},
    }


def _value(value: Any) -> Any:
    if isinstance(value, Absence):
        return [{"code": type(cause).__name__, **plain(cause)} for cause in value.causes]
    if isinstance(value, Cause):
        return plain(value)
    if isinstance(value, Mapping):
        return {key: _value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
