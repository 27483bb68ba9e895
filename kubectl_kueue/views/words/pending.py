"""Why a workload waits, and for whom or what, in the cells of a table."""

from collections.abc import Mapping

from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.verdict import Gate, Word
from kubectl_kueue.engine.pending import Blocker, Waiter
from kubectl_kueue.views.words.answers import headline
from kubectl_kueue.views.words.fates import fate_words
from kubectl_kueue.views.words.gates import checks_words, gate_words
from kubectl_kueue.views.words.numbers import amount, clock, count, joined, quantity, requested
from kubectl_kueue.views.words.outcomes import CODES, VERDICTS, first_reasons


def why_words(waiter: Waiter, now: int) -> str:
    """The first reason why it is not running, in a clause."""
    gate = waiter.gate
    if gate is not None and gate.facts is not None:
        checks = gate.facts if isinstance(gate.facts, facts.Checks) else None
        return checks_words(checks, now) if checks is not None else gate_words(gate, now)
    if waiter.explained is not None:
        told = headline(waiter.explained).removesuffix(".")
        return f"it {told[3:]}" if told.startswith("It ") else told
    if waiter.fate is not None:
        return fate_words(waiter.fate, now)
    return CODES.get(waiter.code, VERDICTS[waiter.word])


def short_why(waiter: Waiter, now: int) -> str:
    """The same for a table: of what is short, or does not suit, the first only."""
    fate = waiter.fate
    entry = fate.entry if fate is not None and waiter.gate is None else None
    if entry is None or entry.rejection is not None:
        return why_words(waiter, now)
    told = first_reasons(entry, most=1) if entry.status in (Status.NO_FIT, Status.NO_CANDIDATES) else ""
    return told or why_words(waiter, now)


def waits_for(waiter: Waiter, now: int) -> str:
    """Whose end, or which event, would move it; "-" where nothing of the kind can be named."""
    if waiter.gate is not None:
        return _event(waiter.gate, waiter, now)
    match waiter.word:
        case Word.ADMIT:
            return "its turn"
        case Word.NEVER:
            return "a change"
        case Word.PREEMPT:
            entry = waiter.fate.entry if waiter.fate is not None else None
            return count(len(entry.preempting), "eviction") if entry is not None else "evictions"
    if waiter.blockers:
        return _holders(waiter)
    if waiter.fate is not None and waiter.fate.instead:
        return f"{waiter.fate.instead} in front"
    return "-"


def asks_words(asks: Mapping[str, int]) -> str:
    """ "3 cpu, 2Gi memory"; "-" for nothing."""
    return ", ".join(f"{requested(r, v)} {r}" for r, v in sorted(asks.items()) if v) or "-"


def usage_words(resource: str, used: int, nominal: int, flavor: str) -> str:
    """ "4 of 4 cpu used in default-flavor"."""
    return f"{quantity(resource, used)} of {amount(resource, nominal)} used in {flavor}"


def _holders(waiter: Waiter) -> str:
    resource = waiter.needs[0].resource
    first, *_ = waiter.blockers
    more = waiter.holders - 1
    others = f" and {count(more, 'other')}" if more else ""
    return f"{_holder(first, resource)}{others}"


def _holder(blocker: Blocker, resource: str) -> str:
    first = ", first" if blocker.ahead else ""
    return f"{blocker.workload} ({amount(resource, blocker.amount)}{first})"


_EVENTS: Mapping[str, str] = {
    "active": "being switched on",
    "hold": "its controller",
    "devices": "a change",
    "namespaceSelector": "a change",
    "limits": "a change",
    "limitRange": "a change",
}


def _event(gate: Gate, waiter: Waiter, now: int) -> str:
    match gate.facts:
        case facts.BackOff(until=until):
            return f"next try at {clock(now, until)}" if until else "being put back"
        case facts.Checks(checks=checks):
            return joined(c.name for c in checks if c.state != "Ready") or "-"
        case facts.Stopped(queue=queue):
            return f"LocalQueue {queue} to be resumed"
        case facts.Inactive(queue=queue):
            return f"ClusterQueue {queue} to be active"
        case facts.LocalQueueMissing(queue=queue):
            return f"LocalQueue {queue} to exist" if queue else "a LocalQueue to be named"
        case facts.ClusterQueueMissing(queue=queue):
            return f"ClusterQueue {queue} to exist"
        case facts.Held(by=by) if gate.name == "admissionGate":
            return f"gate {joined(by)}"
    return _EVENTS.get(gate.name, "-")
