"""The answer of `explain` for programs: one document, its field names fixed within a schema version
(docs/explain.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.counterfactual.suggest import NOTHING_SEARCHED, Search, Suggestion
from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.explanation.verdict import Gate, Verdict
from kubectl_kueue.engine.reasons import Reason
from kubectl_kueue.engine.when import Estimate
from kubectl_kueue.model.quantity import format_amount, format_request
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.fairness import exact
from kubectl_kueue.views.verdict import reason_document, reason_documents
from kubectl_kueue.views.words.answers import headline
from kubectl_kueue.views.words.assumed import assumption_words
from kubectl_kueue.views.words.remedies import change_words, effects_words
from kubectl_kueue.views.words.steps import next_steps
from kubectl_kueue.views.words.when import estimate_document

SCHEMA_VERSION = "v1"


def explain_document(
    verdict: Verdict, search: Search = NOTHING_SEARCHED, when: Estimate | None = None
) -> dict[str, Any]:
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
        "counts": dict(verdict.counts),
        "borrowing": verdict.borrowing,
        "victims": [plain(victim) for victim in verdict.victims],
        "reasons": _reasons(verdict),
        **({"when": estimate_document(when, verdict.now)} if when is not None else {}),
        "suggestions": [_suggestion(each) for each in search.suggestions],
        "search": {"tried": search.tried, "pairs": search.pairs, "cutShort": search.cut_short},
        "table": [plain(row) for row in verdict.table],
        "holders": [plain(holder) for holder in verdict.holders],
        "origins": [plain(origin) for origin in verdict.origins],
        **({"outside": plain(verdict.outside)} if verdict.outside is not None else {}),
        **({"fairSharing": plain(verdict.fairness)} if verdict.fairness is not None else {}),
        **({"topology": [plain(tree) for tree in verdict.trees]} if verdict.trees else {}),
        "gates": [_gate_document(gate) for gate in verdict.gates],
        "status": [plain(saying) for saying in verdict.sayings],
        "evictions": [plain(tally) for tally in verdict.evictions],
        "assumptions": [assumption_words(a) for a in verdict.assumptions],
        "now": format_time(verdict.now),
        "kueueVersion": SIMULATED_KUEUE,
    }
    return document


def _suggestion(found: Suggestion) -> dict[str, Any]:
    return {
        "change": change_words(found),
        "set": list(found.sets),
        "verdict": str(found.verdict),
        "minimal": found.minimal,
        "flavors": found.flavors,
        "sideEffects": effects_words(found),
        "victims": [plain(victim) for victim in found.evicts],
        "wouldWait": list(found.waits),
        "remedies": [plain(remedy) for remedy in found.remedies],
    }


def _reasons(verdict: Verdict) -> list[dict[str, Any]]:
    entry = verdict.entry
    if entry is None or entry.rejection is not None:
        return []
    return reason_documents(entry.assignment.pod_sets)


def _gate_document(gate: Gate) -> dict[str, Any]:
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
        if field.name in found.REQUESTS:
            out[field.encode_name] = format_request(resource, value)
        elif field.name in found.AMOUNTS:
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
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, Reason):
        return reason_document(value)
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain_value(item) for key, item in value.items()}
    return value
