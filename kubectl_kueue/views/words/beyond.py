"""What a run does not act out, in words (docs/simulation.md)."""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_kueue.engine.explanation.beyond import BEYOND
from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.views.words.numbers import several

MOST_NAMES = 3

WORDS: Mapping[str, str] = {
    "provisioning": "ProvisioningRequests (nobody makes or grants one for check {})",
    "multikueue": "the worker clusters behind MultiKueue check {}",
    "check": "what sets admission check {}",
    "pods-ready": "time-outs of waitForPodsReady",
    "block-admission": "waiting until admitted pods are ready (waitForPodsReady, blockAdmission)",
    "framework": "the controller of {}",
    "variants": "the making of variants (ConcurrentAdmission)",
    "retain-first": "the end of other variants after the first admission (RetainFirstAdmission)",
    "preemption-gates": "the opening of preemption gates",
    "nodes": "nodes and pods outside of Kueue that come, go or change",
    "gate": "feature gate {}",
}
"""What each code stands for; the braces take what it is about."""


def beyond_words(assumptions: Iterable[Assumption]) -> str:
    """All of them in one sentence, those of one sort taken together; empty if there are none."""
    about: dict[str, list[str]] = {}
    for assumption in assumptions:
        if is_beyond(assumption):
            about.setdefault(assumption.code.removeprefix(BEYOND), []).append(assumption.about)
    return f"Not simulated: {'; '.join(_clauses(about))}." if about else ""


def is_beyond(assumption: Assumption) -> bool:
    """Whether it is about something that a run does not act out."""
    return assumption.code.startswith(BEYOND)


def one_beyond(assumption: Assumption) -> str:
    """The same of one alone, for a document."""
    code = assumption.code.removeprefix(BEYOND)
    return f"not simulated: {WORDS[code].format(assumption.about)}"


def _clauses(about: Mapping[str, list[str]]) -> Iterator[str]:
    for code, names in about.items():
        yield WORDS[code].format(several(names, MOST_NAMES))
