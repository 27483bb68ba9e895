"""What a finding of `doctor` says, what it leads to, what to do next: the words of its code."""

from collections.abc import Mapping

from kubectl_kueue.doctor.finding import Finding
from kubectl_kueue.views.words.doctor import capacity, configuration, difference, installation, stuck
from kubectl_kueue.views.words.doctor.diagnosis import Words


def diagnosis(finding: Finding) -> str:
    """What was found, one sentence without a full stop."""
    return WORDS[finding.code].says(_named(finding), finding.facts)


def effect(finding: Finding) -> str:
    """What it leads to; empty where that is plain."""
    return WORDS[finding.code].effect(_named(finding), finding.facts)


def next_steps(finding: Finding) -> list[str]:
    """What to do, most direct first."""
    return list(WORDS[finding.code].steps(_named(finding), finding.facts))


def _named(finding: Finding) -> str:
    """ "Workload team-a/train"."""
    kind, _, name = finding.object.partition("/")
    return f"{kind} {name}" if name else kind


WORDS: Mapping[str, Words] = {
    **installation.WORDS,
    **configuration.WORDS,
    **capacity.WORDS,
    **stuck.WORDS,
    **difference.WORDS,
}
"""Every code that a check can give; a test holds it against the checks."""
