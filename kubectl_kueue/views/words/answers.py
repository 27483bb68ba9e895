"""The answer in one sentence: the first line that somebody reads."""

from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.verdict import Verdict, Word
from kubectl_kueue.views.words.gates import FAILURES, pods_words, shortage_words
from kubectl_kueue.views.words.numbers import amount, clock, count, joined, quantity, requested, several, verb
from kubectl_kueue.views.words.outcomes import CODES, first_reasons, outcome_words
from kubectl_kueue.views.words.outside import from_outside_words
from kubectl_kueue.views.words.reasons import reason_words
from kubectl_kueue.views.words.shares import beaten_words, outweighed_words

MOST_SETS = 6
"""PodSets of which a sentence tells one by one."""


def headline(verdict: Verdict) -> str:
    """One sentence (or two) after the verdict word."""
    if verdict.outside is not None:
        return sentence(from_outside_words(verdict))
    match verdict.state:
        case Word.ADMIT:
            return sentence(_admit(verdict))
        case Word.PREEMPT:
            return sentence(_preempt(verdict))
        case Word.WAIT:
            return sentence(_wait(verdict))
        case Word.NEVER:
            return sentence(_never(verdict))
        case Word.CHECKS_PENDING | Word.NOT_RUNNING | Word.RUNNING:
            return sentence(_reserved(verdict))
    return sentence(_decisive_words(verdict))


def sentence(text: str) -> str:
    """Begins with a capital, unless with a name, and ends with a full stop, unless with a command."""
    if text.partition(" ")[0] in _OPENINGS:
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) or "kubectl " in text else f"{text}."


_OPENINGS = frozenset(
    [
        "a",
        "all",
        "an",
        "at",
        "container",
        "it",
        "its",
        "no",
        "nobody",
        "none",
        "once",
        "only",
        "pod",
        "quota",
        "the",
    ]
)


def _decisive_words(verdict: Verdict) -> str:
    gate = verdict.decisive
    if gate is None or gate.facts is None:
        return CODES.get(verdict.reason, verdict.reason)
    told = FAILURES[type(gate.facts)](gate.facts, verdict.now)
    if gate.name == "order" and isinstance(gate.facts, facts.Turn) and gate.facts.fits_alone:
        return f"it would fit now{where_words(verdict)}, but {told}"
    return told


# --- it gets in ---------------------------------------------------------------------------------


def where_words(verdict: Verdict) -> str:
    """Its flavors: " in a100", or pod set by pod set if they differ, and for how many of its pods if not
    for all; empty if it has none."""
    by_pod_set = {name: joined(sorted(set(flavors.values()))) for name, flavors in verdict.flavors.items()}
    places = {place for place in by_pod_set.values() if place}
    if not places:
        return ""
    fewer = _fewer(verdict)
    if len(places) == 1:
        return f" in {places.pop()}{f' with {fewer}' if fewer else ''}"
    told = [f"{name} in {place}" for name, place in by_pod_set.items() if place]
    return f" with {several(told, MOST_SETS)}{f', {fewer}' if fewer else ''}"


def _fewer(verdict: Verdict) -> str:
    """Partial admission: "4 of 6 pods", pod set by pod set if there are several; else empty."""
    pod_sets = verdict.obj.spec.pod_sets
    partial = (p for p in pod_sets if p.min_count is not None)
    fewer = [p for p in partial if verdict.counts.get(p.name, p.count) < p.count]
    named = len(pod_sets) > 1
    told = [
        f"{verdict.counts[p.name]} of {count(p.count, 'pod')}{f' of {p.name}' if named else ''}"
        for p in fewer
    ]
    return several(told)


def _borrowed(verdict: Verdict) -> str:
    entry = verdict.entry
    if entry is None or not verdict.borrowing:
        return ", within its own quota" if verdict.table else ""
    own_free = {(row.flavor, row.resource): row.own_free for row in verdict.table}
    over = [
        amount(fr.resource, used - own_free.get((fr.flavor, fr.resource), used))
        for fr, used in sorted(entry.assignment.usage.items())
        if used > own_free.get((fr.flavor, fr.resource), used)
    ]
    return f", borrowing {joined(over)}" if over else ", borrowing from its cohort"


def _admit(verdict: Verdict) -> str:
    place = f"{where_words(verdict)}{_borrowed(verdict)}"
    if verdict.first_turn is None:
        return f"it fits now{place}"
    return f"it fits{place}, though not at its first turn: it gets in in cycle {verdict.cycle}"


def first_turn_words(verdict: Verdict) -> str:
    """What stands in its way at first, if it gets in later; empty if it does not or does so at once."""
    if verdict.first_turn is None:
        return ""
    return sentence(f"at its first turn: {outcome_words(verdict.first_turn)}")


def _preempt(verdict: Verdict) -> str:
    names = [victim.workload for victim in verdict.victims]
    gone = f"{verb(len(names), 'be')} evicted"
    place = where_words(verdict)
    if all(victim.evicting for victim in verdict.victims):
        gone = "has given back its quota" if len(names) == 1 else "have given back their quota"
        return f"it fits{place} once {several(names)}, already being evicted, {gone}"
    return f"it fits{place} once {several(names)} {gone}{_borrowed(verdict)}"


# --- it does not --------------------------------------------------------------------------------


def _wait(verdict: Verdict) -> str:
    gate = verdict.decisive
    found = gate.facts if gate is not None else None
    match found:
        case facts.Quota() if shortage_words(found.short):
            return f"it lacks {shortage_words(found.short)}{_nobody_goes(verdict)}"
        case facts.Turn(rivals=rivals) if rivals:
            return _taken(verdict, found)
        case facts.Topology():
            return f"its quota is free, but {_misplaced(found)}{_nobody_goes(verdict)}"
        case facts.Turn(why="far"):
            return f"it fits now{where_words(verdict)}, but more are in front than were looked at"
    return _refusal(verdict) if verdict.entry is not None else _decisive_words(verdict)


def _nobody_goes(verdict: Verdict) -> str:
    gate = verdict.gate("preemption")
    if gate is None or not isinstance(gate.facts, facts.Preemption) or gate.facts.victims:
        return ""
    if not any(r.answer == "no" for r in gate.facts.rules):
        return ""
    return f", and it may evict nobody{outweighed_words(verdict)}"


def _misplaced(found: facts.Topology) -> str:
    several_sets = len({m.pod_set for m in found.misplaced}) > 1
    told = [(f"{m.pod_set} " if several_sets else "it ") + reason_words(m.why) for m in found.misplaced]
    return several(told, MOST_SETS)


def _taken(verdict: Verdict, turn: facts.Turn) -> str:
    keepers = [r for r in turn.rivals if r.status == Status.NO_CANDIDATES]
    names = several([r.workload for r in keepers or turn.rivals])
    alone = f"it would fit alone{where_words(verdict)}, but "
    if not keepers:
        come = verb(len(turn.rivals), "come")
        leave = "leaves" if come == "comes" else "leave"
        return f"{alone}{names} {come} first and {leave} too little{beaten_words(verdict)}"
    waits = verb(len(keepers), "wait")
    keeps = f"ClusterQueue {keepers[0].cluster_queue} keeps its free quota for it"
    return f"{alone}{names}, ahead of it, {waits} for more, and {keeps}"


def _never(verdict: Verdict) -> str:
    gate = verdict.decisive
    found = gate.facts if gate is not None else None
    match found:
        case facts.Flavors():
            return _no_flavor(found)
        case facts.Topology():
            return f"its quota is free, but {_misplaced(found)}, {_nor_ever(found)}"
        case facts.Quota() | facts.Turn() | None:
            quota = verdict.gate("quota")
            if quota is not None and isinstance(quota.facts, facts.Quota) and quota.facts.ceilings:
                return _too_much(verdict, quota.facts.ceilings)
            return _refusal(verdict)
    return FAILURES[type(found)](found, verdict.now)


def _nor_ever(found: facts.Topology) -> str:
    if not found.in_the_way:
        return "not even in an otherwise empty cluster"
    pods = several(found.outsiders)
    if len(found.outsiders) == 1:
        return f"and pod {pods}, which Kueue does not manage, would have to go"
    return f"and some of the pods that Kueue does not manage would have to go ({pods})"


def _refusal(verdict: Verdict) -> str:
    told = first_reasons(verdict.entry) if verdict.entry is not None else ""
    if not told:
        return CODES.get(verdict.reason, verdict.reason)
    return told if told.startswith("pod set ") else f"it {told}"


def _no_flavor(found: facts.Flavors) -> str:
    pod_sets = {f.pod_set for f in found.flavors}
    unsuited = [
        name
        for name in sorted(pod_sets)
        if all(f.fit == "unsuited" for f in found.flavors if f.pod_set == name)
    ]
    flavors = sorted({f.flavor for f in found.flavors if f.pod_set in unsuited})
    whom = f"pod set {several(unsuited)}" if len(pod_sets) > 1 else "it"
    if len(flavors) == 1:
        why = next(f.why for f in found.flavors if f.flavor == flavors[0] and f.why is not None)
        return f"no flavor suits {whom}: it {reason_words(why)}"
    return f"no flavor suits {whom}, neither {joined(flavors, last='nor')}"


def _too_much(verdict: Verdict, ceilings: tuple[facts.Ceiling, ...]) -> str:
    first = ceilings[0]
    resource = first.resource
    asks = f"{requested(resource, first.asks)} {resource}"
    whom, besides = "it", ""
    if first.before:
        whom = f"its pod set {first.pod_set}"
        besides = f" (after {requested(resource, first.before)} for its earlier pod sets)"
    flavors = sorted({c.flavor for c in ceilings if c.resource == resource})
    where = f"flavor {first.flavor}" if len(flavors) == 1 else f"any flavor ({several(flavors)})"
    most = quantity(resource, max(c.most for c in ceilings if c.resource == resource))
    queue = verdict.chain.cluster_queue
    return f"{whom} asks for {asks}{besides}; {queue} can never have more than {most} of {where}"


# --- it has its quota ---------------------------------------------------------------------------


def _reserved(verdict: Verdict) -> str:
    since = next((s.since for s in verdict.sayings if s.type == "QuotaReserved" and s.status == "True"), 0)
    when = f"{where_words(verdict)}{f' since {clock(verdict.now, since)}' if since else ''}"
    if verdict.state is Word.CHECKS_PENDING:
        return f"its quota is reserved{when}; {_open_checks(verdict)}"
    gate = verdict.gate("pods")
    if gate is None or not isinstance(gate.facts, facts.Pods):
        return f"Kueue has admitted it{when}"
    if gate.facts.ownerless:
        return f"it holds its quota{when} and is being evicted, but no job owns it: this never ends"
    return f"Kueue has admitted it{when}; {pods_words(gate.facts, verdict.now)}"


def _open_checks(verdict: Verdict) -> str:
    gate = verdict.gate("checks")
    checks = gate.facts.checks if gate is not None and isinstance(gate.facts, facts.Checks) else ()
    names = [check.name for check in checks if check.state != "Ready"]
    if not names:
        return "it is not admitted yet"
    return f"it waits for {count(len(names), 'admission check')}: {several(names)}"
