"""May a pod run on a node with these taints and labels?

Taints and tolerations, node selector terms and label selectors with Kubernetes' semantics, shared by
flavor matching (scheduling.md 5.4), topology placement (topology.md 2.2) and namespace selectors.
"""

import re
from collections.abc import Iterable, Mapping

from kubectl_kueue.model.labels import is_label_key, is_label_value
from kubectl_kueue.model.objects import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Taint,
    Toleration,
)
from kubectl_kueue.model.whole_number import whole_number

Requirement = NodeSelectorRequirement | LabelSelectorRequirement

_BLOCKING_EFFECTS = frozenset(("NoSchedule", "NoExecute"))
_DECIMAL = re.compile(r"0|-?[1-9][0-9]*")


class UnparsableAffinity(ValueError):
    """A selector that Kubernetes cannot evaluate: the key and operator at fault, and why."""

    def __init__(self, key: str, operator: str, why: str) -> None:
        super().__init__(f"{key} {operator}: {why}")
        self.key = key
        self.operator = operator
        self.why = why


def first_untolerated(taints: Iterable[Taint], tolerations: Iterable[Toleration]) -> Taint | None:
    """The first NoSchedule or NoExecute taint that no toleration covers; PreferNoSchedule never counts."""
    for taint in taints:
        if taint.effect in _BLOCKING_EFFECTS and not any(tolerates(t, taint) for t in tolerations):
            return taint
    return None


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether this one toleration covers this one taint; empty key and effect cover every one."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    match toleration.operator:
        case "" | "Equal":
            return toleration.value == taint.value
        case "Exists":
            return True
        case "Lt" | "Gt":
            return _compares(taint.value, toleration.operator, toleration.value)
    return False


def _compares(value: str, operator: str, bound: str) -> bool:
    if not _DECIMAL.fullmatch(value) or not _DECIMAL.fullmatch(bound):
        return False
    left, right = whole_number(value, 64), whole_number(bound, 64)
    if left is None or right is None:
        return False
    return left < right if operator == "Lt" else left > right


def matches_node_selector(
    selector: NodeSelector, labels: Mapping[str, str], fields: Mapping[str, str] | None = None
) -> bool:
    """Whether some term matches. An unparsable term raises UnparsableAffinity only if no other matches."""
    unparsable = None
    for term in selector.node_selector_terms:
        try:
            if matches_term(term, labels, fields):
                return True
        except UnparsableAffinity as problem:
            unparsable = unparsable or problem
    if unparsable:
        raise unparsable
    return False


def matches_term(
    term: NodeSelectorTerm, labels: Mapping[str, str], fields: Mapping[str, str] | None = None
) -> bool:
    """Whether labels and fields (`metadata.name`) satisfy every expression; an empty term matches nothing.

    Raises UnparsableAffinity, whatever the labels, when one of the expressions is unparsable.
    """
    check_term(term)
    return term_holds(term, labels, fields or {})


def term_holds(term: NodeSelectorTerm, labels: Mapping[str, str], fields: Mapping[str, str]) -> bool:
    """The same for a term that was checked before (for many nodes)."""
    if not term.match_expressions and not term.match_fields:
        return False
    return all(matches_requirement(r, labels) for r in term.match_expressions) and all(
        _matches_field(r, fields) for r in term.match_fields
    )


def check_term(term: NodeSelectorTerm) -> None:
    """Raise UnparsableAffinity unless Kubernetes could evaluate the term."""
    for requirement in term.match_expressions:
        check_requirement(requirement)
    for requirement in term.match_fields:
        if requirement.operator not in ("In", "NotIn"):
            raise _unparsable(requirement, "unknown operator for a field")
        if len(requirement.values) != 1:
            raise _unparsable(requirement, "a field takes exactly one value")


def check_requirement(requirement: Requirement) -> None:
    """Raise UnparsableAffinity for an unknown operator, a wrong number of values, or an ill-formed label."""
    values = requirement.values
    match requirement.operator:
        case "In" | "NotIn":
            if not values:
                raise _unparsable(requirement, "needs at least one value")
        case "Exists" | "DoesNotExist":
            if values:
                raise _unparsable(requirement, "takes no values")
        case "Gt" | "Lt":
            if len(values) != 1:
                raise _unparsable(requirement, "takes exactly one value")
            if whole_number(values[0], 64) is None:
                raise _unparsable(requirement, "the value is not an integer")
        case _:
            raise _unparsable(requirement, "unknown operator")
    check_label(requirement.key, *values, operator=requirement.operator)


def check_label(key: str, *values: str, operator: str = "=") -> None:
    """Raise UnparsableAffinity unless the key and all values are legal for a label."""
    if not is_label_key(key):
        raise UnparsableAffinity(key, operator, "the key is not a legal label key")
    for value in values:
        if not is_label_value(value):
            raise UnparsableAffinity(key, operator, f"{value!r} is not a legal label value")


def _unparsable(requirement: Requirement, why: str) -> UnparsableAffinity:
    return UnparsableAffinity(requirement.key, requirement.operator, why)


def matches_requirement(requirement: Requirement, labels: Mapping[str, str]) -> bool:
    """Whether labels satisfy one well-formed expression. A missing key satisfies NotIn, not Gt or Lt."""
    value = labels.get(requirement.key)
    match requirement.operator:
        case "In":
            return value is not None and value in requirement.values
        case "NotIn":
            return value is None or value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
    number, bound = whole_number(value or "", 64), whole_number(requirement.values[0], 64)
    if number is None or bound is None:
        return False
    return number > bound if requirement.operator == "Gt" else number < bound


def _matches_field(requirement: NodeSelectorRequirement, fields: Mapping[str, str]) -> bool:
    equal = fields.get(requirement.key, "") == requirement.values[0]
    return equal if requirement.operator == "In" else not equal


def matches_selector(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Whether a label selector selects these labels: None selects nothing, an empty one everything.

    Raises UnparsableAffinity for an expression with an unknown operator or a wrong number of values.
    """
    if selector is None:
        return False
    for requirement in selector.match_expressions:
        if requirement.operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            raise _unparsable(requirement, "unknown operator")
        check_requirement(requirement)
    return all(labels.get(key) == value for key, value in selector.match_labels.items()) and all(
        matches_requirement(r, labels) for r in selector.match_expressions
    )
