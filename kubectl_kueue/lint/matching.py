"""Selectors, tolerations and node labels, on raw values."""

from typing import Any

from kubectl_kueue.lint.values import elements, mapping, sequence, word
from kubectl_kueue.model.shown import bare


def selects(selector: dict[str, Any], labels: dict[str, Any], name: str) -> bool:
    """Whether a label selector matches a namespace; its name is a label, too."""
    labels = {"kubernetes.io/metadata.name": name, **labels}
    if any(labels.get(key) != value for key, value in mapping(selector, "matchLabels").items()):
        return False
    return all(_meets(each, labels) for _, each in elements(selector, "matchExpressions"))


def _meets(requirement: dict[str, Any], labels: dict[str, Any]) -> bool:
    key, values = word(requirement, "key"), sequence(requirement, "values")
    match word(requirement, "operator"):
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    return True


def selector_words(selector: dict[str, Any]) -> str:
    """A selector in one line, as kubectl takes it."""
    terms = [
        f"{bare(key, 80)}={bare(str(value), 80)}" for key, value in mapping(selector, "matchLabels").items()
    ]
    for _, each in elements(selector, "matchExpressions"):
        values = ", ".join(bare(str(value)) for value in sequence(each, "values"))
        terms.append(
            f"{bare(word(each, 'key'), 80)} {word(each, 'operator')}" + (f" ({values})" if values else "")
        )
    return ", ".join(terms) or "everything"


def tolerates(toleration: dict[str, Any], taint: dict[str, Any]) -> bool:
    """Whether a toleration is one for the taint."""
    key, effect = word(toleration, "key"), word(toleration, "effect")
    if effect and effect != word(taint, "effect"):
        return False
    if key and key != word(taint, "key"):
        return False
    if word(toleration, "operator") == "Exists":
        return True
    return bool(key) and word(toleration, "value") == word(taint, "value")


def untolerated(flavor: dict[str, Any], tolerations: list[Any]) -> dict[str, Any] | None:
    """The first taint of a flavor's spec that keeps pods with these tolerations out."""
    known = [*tolerations, *sequence(flavor, "tolerations")]
    for _, taint in elements(flavor, "nodeTaints"):
        if word(taint, "effect") == "PreferNoSchedule":
            continue
        if not any(isinstance(each, dict) and tolerates(each, taint) for each in known):
            return taint
    return None


def taint_words(taint: dict[str, Any]) -> str:
    """KEY=VALUE:EFFECT."""
    value = word(taint, "value")
    return f"{bare(word(taint, 'key'), 80)}{'=' + bare(value) if value else ''}:{bare(word(taint, 'effect'))}"
