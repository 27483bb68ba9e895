"""Taints, tolerations, node selector terms and label selectors, as Kubernetes reads them."""

from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.taints import (
    UnparsableAffinity,
    first_untolerated,
    matches_node_selector,
    matches_selector,
    matches_term,
    tolerates,
)
from kubectl_kueue.model.objects import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorTerm,
    Taint,
    Toleration,
)

GPU = Taint(key="gpu", value="x", effect="NoSchedule")
SIZE = Taint(key="size", value="10", effect="NoExecute")


@pytest.mark.parametrize(
    ("toleration", "taint", "covered"),
    [
        ({"key": "gpu", "operator": "Exists"}, GPU, True),
        ({"operator": "Exists"}, GPU, True),
        ({"key": "gpu", "operator": "Exists", "effect": "NoExecute"}, GPU, False),
        ({"key": "other", "operator": "Exists"}, GPU, False),
        ({"key": "gpu", "value": "x"}, GPU, True),
        ({"key": "gpu", "value": "x", "operator": "Equal", "effect": "NoSchedule"}, GPU, True),
        ({"key": "gpu", "value": "y"}, GPU, False),
        ({"key": "gpu"}, GPU, False),
        ({"key": "gpu"}, Taint(key="gpu", effect="NoSchedule"), True),
        ({"key": "size", "operator": "Gt", "value": "9"}, SIZE, True),
        ({"key": "size", "operator": "Gt", "value": "10"}, SIZE, False),
        ({"key": "size", "operator": "Lt", "value": "11"}, SIZE, True),
        ({"key": "size", "operator": "Lt", "value": "010"}, SIZE, False),
        ({"key": "size", "operator": "Lt", "value": str(2**63)}, SIZE, False),
        ({"key": "gpu", "operator": "Lt", "value": "11"}, GPU, False),
        ({"key": "gpu", "operator": "Whatever", "value": "x"}, GPU, False),
    ],
)
def test_tolerates(toleration: dict[str, str], taint: Taint, covered: bool) -> None:
    assert tolerates(msgspec.convert(toleration, Toleration), taint) is covered


def test_only_blocking_effects_need_a_toleration() -> None:
    soft = Taint(key="spot", effect="PreferNoSchedule")
    assert first_untolerated([soft], []) is None
    assert first_untolerated([soft, SIZE, GPU], []) is SIZE
    assert first_untolerated([soft, SIZE, GPU], [Toleration(key="size", operator="Exists")]) is GPU


LABELS = {"disk": "ssd", "gen": "7", "odd": "x"}


def term(*expressions: tuple[Any, ...], fields: Any = ()) -> NodeSelectorTerm:
    def requirements(rows: Any) -> list[dict[str, Any]]:
        return [{"key": key, "operator": operator, "values": values} for key, operator, *values in rows]

    document = {"matchExpressions": requirements(expressions), "matchFields": requirements(fields)}
    return msgspec.convert(document, NodeSelectorTerm)


@pytest.mark.parametrize(
    ("found", "matches"),
    [
        (term(("disk", "In", "hdd", "ssd")), True),
        (term(("disk", "In", "hdd")), False),
        (term(("none", "In", "hdd")), False),
        (term(("disk", "NotIn", "hdd")), True),
        (term(("disk", "NotIn", "ssd")), False),
        (term(("none", "NotIn", "ssd")), True),
        (term(("disk", "Exists")), True),
        (term(("none", "Exists")), False),
        (term(("disk", "DoesNotExist")), False),
        (term(("none", "DoesNotExist")), True),
        (term(("gen", "Gt", "6")), True),
        (term(("gen", "Gt", "7")), False),
        (term(("gen", "Lt", "10")), True),
        (term(("odd", "Lt", "10")), False),
        (term(("none", "Lt", "10")), False),
        (term(("disk", "Exists"), ("gen", "Gt", "9")), False),
        (term(fields=[("metadata.name", "In", "n1")]), True),
        (term(fields=[("metadata.name", "NotIn", "n1")]), False),
        (term(("disk", "Exists"), fields=[("metadata.name", "In", "n2")]), False),
        (term(), False),
    ],
)
def test_matches_term(found: NodeSelectorTerm, matches: bool) -> None:
    assert matches_term(found, LABELS, {"metadata.name": "n1"}) is matches


@pytest.mark.parametrize(
    "unparsable",
    [
        term(("disk", "About", "ssd")),
        term(("disk", "In")),
        term(("disk", "Exists", "ssd")),
        term(("gen", "Gt")),
        term(("gen", "Gt", "1", "2")),
        term(("gen", "Gt", "many")),
        term(("gen", "Lt", str(2**63))),
        term(("not a key", "Exists")),
        term(("UPPER.example.com/x", "Exists")),
        term(("disk", "In", "not a value")),
        term(fields=[("metadata.name", "Exists")]),
        term(fields=[("metadata.name", "In", "a", "b")]),
    ],
)
def test_unparsable_terms(unparsable: NodeSelectorTerm) -> None:
    with pytest.raises(UnparsableAffinity) as problem:
        matches_term(unparsable, {})
    assert problem.value.why
    other = term(("disk", "Exists"))
    both = NodeSelector(node_selector_terms=[unparsable, other])
    assert matches_node_selector(both, LABELS)
    with pytest.raises(UnparsableAffinity):
        matches_node_selector(both, {})


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        (None, False),
        ({}, True),
        ({"matchLabels": {"disk": "ssd"}}, True),
        ({"matchLabels": {"disk": "ssd", "gen": "8"}}, False),
        ({"matchExpressions": [{"key": "disk", "operator": "NotIn", "values": ["ssd"]}]}, False),
        ({"matchExpressions": [{"key": "none", "operator": "DoesNotExist"}]}, True),
    ],
)
def test_label_selectors(selector: Any, matches: bool) -> None:
    found = msgspec.convert(selector, LabelSelector | None)
    assert matches_selector(found, LABELS) is matches


def test_label_selectors_do_not_compare_numbers() -> None:
    larger: Any = LabelSelectorRequirement(key="gen", operator="Gt", values=["1"])
    with pytest.raises(UnparsableAffinity):
        matches_selector(LabelSelector(match_expressions=[larger]), LABELS)
