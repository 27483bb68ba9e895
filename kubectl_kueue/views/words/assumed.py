"""What an answer takes for granted, in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.words.beyond import beyond_words, is_beyond, one_beyond
from kubectl_kueue.views.words.devices import doubt_words
from kubectl_kueue.views.words.numbers import joined, several

MOST_NAMES = 3
"""Namespaces of which an answer tells one by one."""


def assumed_words(assumptions: Iterable[Assumption]) -> str:
    """All of them in one sentence, namespaces and unread kinds taken together, and what was not simulated in
    another; empty if there are none."""
    found = list(assumptions)
    told = list(dict.fromkeys(_told([each for each in found if not is_beyond(each)])))
    assumed = f"Assumed: {'; '.join(told)}." if told else ""
    return " ".join(filter(None, (assumed, beyond_words(found))))


def _told(assumptions: Sequence[Assumption]) -> Iterator[str]:
    namespaces = [a.about for a in assumptions if a.code == "namespace"]
    unread = unread_of(assumptions)
    for assumption in assumptions:
        if assumption.code == "namespace" and len(namespaces) > 1:
            yield f"namespaces {several(namespaces, MOST_NAMES)} exist and their ClusterQueues take them"
        elif assumption.code == "missing":
            yield f"not read: {unread_words(unread)}"
        else:
            yield assumption_words(assumption)


def judged_words(now: int) -> str:
    """When the data were read, and by whose rules they were judged."""
    return f"Data of {moment_words(now)}, judged by the rules of Kueue {SIMULATED_KUEUE}."


def moment_words(now: int) -> str:
    """A moment as people read it."""
    return format_time(now).replace("T", " ").replace("Z", " UTC")


def unread_words(unread: Mapping[str, str]) -> str:
    """Kinds that could not be read, those with one reason together: "Cohort and Node (forbidden)"."""
    by_reason: dict[str, list[str]] = {}
    for kind, why in sorted(unread.items()):
        by_reason.setdefault(why, []).append(kind)
    return joined(f"{joined(kinds)} ({why})" for why, kinds in by_reason.items())


def unread_of(assumptions: Iterable[Assumption]) -> dict[str, str]:
    """The kinds that could not be read, and why."""
    told = (a.about.partition(": ") for a in assumptions if a.code == "missing")
    return {kind: why for kind, _, why in told}


def assumption_words(assumption: Assumption) -> str:
    """One assumption; a remark of the reader stands as it is."""
    match assumption.code:
        case "gates":
            return "feature gates have their defaults"
        case "configuration":
            return "Kueue's Configuration has its defaults"
        case "limit-ranges":
            return "there are no LimitRanges"
        case "topologies":
            return "there are no Topologies, though flavors name some"
        case "namespace":
            return f"namespace {assumption.about} exists and its ClusterQueues take it"
        case "runtime-class":
            return f"RuntimeClass {assumption.about} adds no overhead"
        case "missing":
            return f"not read: {assumption.about}"
        case code if code.startswith("devices-"):
            return doubt_words(code.removeprefix("devices-"), assumption.about)
        case _ if is_beyond(assumption):
            return one_beyond(assumption)
    return assumption.about
