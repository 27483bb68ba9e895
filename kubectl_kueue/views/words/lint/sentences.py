"""What a finding of `lint` says, and what to do about it: the sentence of its rule, filled with its facts.

Where a rule has several sentences, the first fact of `_CHOOSERS` that names one of them chooses.
"""

from collections.abc import Mapping

from kubectl_kueue.lint.found import Found
from kubectl_kueue.views.words.lint import (
    fields,
    flavors,
    jobs,
    queues,
    quotas,
    references,
    settings,
    topology,
    updates,
    workloads,
)
from kubectl_kueue.views.words.lint.rule import RuleWords, Sentence


def says(found: Found) -> str:
    """What is wrong, in one sentence."""
    return _filled(WORDS[found.rule].says, found)


def advice(found: Found) -> str:
    """What to do about it; empty if that goes without saying."""
    return _filled(WORDS[found.rule].do, found)


def _filled(sentence: Sentence, found: Found) -> str:
    if not isinstance(sentence, str):
        chosen = [sentence[found.facts[name]] for name in _CHOOSERS if found.facts.get(name) in sentence]
        sentence = chosen[0] if chosen else sentence["*"]
    return sentence.format_map({**found.facts, **_derived(found)})


_CHOOSERS = ("problem", "hint", "where", "why", "when", "what", "known", "pods", "managed", "type", "syntax")


def _derived(found: Found) -> dict[str, str]:
    """Parts of sentences that are there or not."""
    facts = found.facts

    def tail(name: str, text: str) -> str:
        return text.format_map(facts) if facts.get(name) else ""

    return {
        "changes_tail": tail("changes", "; v1beta2: {changes}"),
        "near_tail": tail("near", "; did you mean {near}?"),
        "elsewhere_tail": tail("elsewhere", "; one of this name is in {elsewhere}"),
        "here_tail": tail("here", ", or name one that is there: {here}"),
        "source_tail": tail("source", " (it comes from LimitRange {source})"),
    }


WORDS: Mapping[str, RuleWords] = {
    **fields.WORDS,
    **quotas.WORDS,
    **queues.WORDS,
    **flavors.WORDS,
    **references.WORDS,
    **workloads.WORDS,
    **jobs.WORDS,
    **topology.WORDS,
    **updates.WORDS,
    **settings.WORDS,
}
"""Every rule of the catalogue; a test holds one against the other."""
