"""What an answer takes for granted, in words."""

from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.views.words.devices import doubt_words


def assumption_words(assumption: Assumption) -> str:
    """One assumption; a remark of the reader stands as it is."""
    match assumption.code:
        case "gates":
            return "feature gates have their defaults"
        case "configuration":
            return "Kueue's Configuration has its defaults"
        case "limit-ranges":
            return "there are no LimitRanges"
        case "namespace":
            return f"namespace {assumption.about} exists and its ClusterQueues take it"
        case "runtime-class":
            return f"RuntimeClass {assumption.about} adds no overhead"
        case "missing":
            return f"not read: {assumption.about}"
        case code if code.startswith("devices-"):
            return doubt_words(code.removeprefix("devices-"), assumption.about)
    return assumption.about
