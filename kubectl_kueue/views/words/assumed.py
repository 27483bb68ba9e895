"""What an answer takes for granted, in words."""

from collections.abc import Iterable

from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.views.words.devices import doubt_words
from kubectl_kueue.views.words.numbers import several

MOST_NAMES = 3
"""Namespaces of which an answer tells one by one."""


def assumed_words(assumptions: Iterable[Assumption]) -> str:
    """All of them in one sentence, namespaces taken together; empty if there are none."""
    assumptions = list(assumptions)
    namespaces = [a.about for a in assumptions if a.code == "namespace"]
    together = f"namespaces {several(namespaces, MOST_NAMES)} exist and their ClusterQueues take them"
    told = dict.fromkeys(
        together if a.code == "namespace" and len(namespaces) > 1 else assumption_words(a)
        for a in assumptions
    )
    return f"Assumed: {'; '.join(told)}." if told else ""


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
    return assumption.about
