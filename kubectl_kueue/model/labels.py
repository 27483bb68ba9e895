"""Which texts are labels, and which label selectors could Kubernetes evaluate?"""

import re

from kubectl_kueue.model.objects import LabelSelector, LabelSelectorRequirement
from kubectl_kueue.model.shown import bare

_NAME = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*")


def is_label_key(text: str) -> bool:
    """Whether the text is NAME or PREFIX/NAME as Kubernetes allows it for the key of a label."""
    prefix, slash, name = text.rpartition("/")
    if not _NAME.fullmatch(name):
        return False
    return not slash or (len(prefix) <= 253 and _PREFIX.fullmatch(prefix) is not None)


def is_label_value(text: str) -> bool:
    """Whether the text may be the value of a label; it may be empty."""
    return not text or _NAME.fullmatch(text) is not None


def selector_fault(selector: LabelSelector, pointer: str) -> str | None:
    """`/pointer: what is wrong` of the first expression that the API server refuses, or None."""
    for index, requirement in enumerate(selector.match_expressions):
        fault = _requirement_fault(requirement, f"{pointer}/matchExpressions/{index}")
        if fault is not None:
            return fault
    return None


def _requirement_fault(requirement: LabelSelectorRequirement, pointer: str) -> str | None:
    takes_values = requirement.operator in ("In", "NotIn")
    if takes_values and not requirement.values:
        return f"{pointer}/values: {requirement.operator} needs at least one value"
    if requirement.values and not takes_values:
        return f"{pointer}/values: {requirement.operator} takes no values"
    if not is_label_key(requirement.key):
        return f'{pointer}/key: "{bare(requirement.key)}" is not a label key'
    for index, value in enumerate(requirement.values):
        if not is_label_value(value):
            return f'{pointer}/values/{index}: "{bare(value)}" is not a label value'
    return None
