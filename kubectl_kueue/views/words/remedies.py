"""What would help, in words: one line a suggestion."""

from collections.abc import Callable, Iterator, Mapping

from kubectl_kueue.engine.counterfactual.remedies import Remedy
from kubectl_kueue.engine.counterfactual.suggest import Search, Suggestion
from kubectl_kueue.views.words.numbers import amount, count, joined, several, verb

MOST_NAMES = 3
"""Workloads that one line names."""


def change_words(suggestion: Suggestion) -> str:
    """What would have to be changed."""
    return " and ".join(_CHANGES[remedy.code](remedy) for remedy in suggestion.remedies)


def effects_words(suggestion: Suggestion) -> list[str]:
    """Its price, one part each; empty if there is none."""
    return list(_effects(suggestion))


def looked_words(search: Search, *, evicts: bool = False) -> str:
    """How far the search went, where it found nothing or was cut short. `evicts`: it gets in by evicting."""
    if search.suggestions and not search.cut_short:
        return ""
    if not search.tried:
        return "There was no time to try changes." if search.cut_short else ""
    tried = f"{count(search.tried, 'change')} {'was' if search.tried == 1 else 'were'} tried"
    pairs = ", also in pairs" if search.pairs else ""
    ended = "; there was no time for more" if search.cut_short else ""
    helps = "spares those that it evicts" if evicts else "helps"
    nothing = "" if search.suggestions else f", none of which {helps}"
    return f"{tried}{pairs}{nothing}{ended}."


def _effects(suggestion: Suggestion) -> Iterator[str]:
    if suggestion.evicts:
        yield f"evicts {several([victim.workload for victim in suggestion.evicts], MOST_NAMES)}"
    if suggestion.waits:
        waits = verb(len(suggestion.waits), "wait")
        yield f"{several(suggestion.waits, MOST_NAMES)}, which would get in now, then {waits}"


def _amounts(remedy: Remedy) -> str:
    flavors = {each.flavor for each in remedy.amounts}
    if len(flavors) == 1:
        told = joined(amount(each.resource, each.amount) for each in remedy.amounts)
        return f"{told} of flavor {flavors.pop()}"
    return joined(f"{amount(each.resource, each.amount)} of flavor {each.flavor}" for each in remedy.amounts)


def _priority(remedy: Remedy) -> str:
    named = f" (WorkloadPriorityClass {remedy.value} gives that)" if remedy.value else ""
    return f"priority {remedy.number}{named}"


def _policy(remedy: Remedy) -> str:
    return f"{remedy.field}: {remedy.value} in {remedy.queue_kind} {remedy.queue}"


def _selector(remedy: Remedy) -> str:
    if remedy.code == "drop-selector":
        return f"no node selector {remedy.field} on pod set {remedy.pod_set}"
    return f"node selector {remedy.field}={remedy.value} on pod set {remedy.pod_set}"


def _end(remedy: Remedy) -> str:
    return f"{several(remedy.workloads, MOST_NAMES)} ends"


_CHANGES: Mapping[str, Callable[[Remedy], str]] = {
    "raise-quota": lambda r: f"{_amounts(r)} more nominalQuota for {r.queue}",
    "move-quota": lambda r: f"nominalQuota of {_amounts(r)} moved from {r.source} to {r.queue}",
    "raise-borrowing-limit": lambda r: f"a borrowingLimit of {r.queue} higher by {_amounts(r)}",
    "raise-lending-limit": lambda r: f"a lendingLimit of {r.queue} higher by {_amounts(r)}",
    "join-cohort": lambda r: f"{r.queue} in cohort {r.value}",
    "policy": _policy,
    "priority": _priority,
    "fewer-pods": lambda r: f"{count(r.number, 'pod')} in pod set {r.pod_set}",
    "tolerate": lambda r: f"a toleration of {r.value} on pod set {r.pod_set} (opens flavor {r.queue})",
    "drop-selector": _selector,
    "change-selector": _selector,
    "flavor-first": lambda r: f"flavor {r.value} first in {r.queue}",
    "end": _end,
    "delete": lambda r: f"{several(r.workloads, MOST_NAMES)} deleted: it has no owner that would end it",
    "leave": lambda r: f"{several(r.workloads, MOST_NAMES)} out of the queue (deleted or deactivated)",
    "resume": lambda r: f"{r.queue_kind} {r.queue} resumed",
    "reactivate": lambda r: "spec.active: true",
    "exclude-resource": lambda r: f"{r.value} in resources.excludeResourcePrefixes of Kueue's Configuration",
}
