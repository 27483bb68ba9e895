"""Chains and circles of cohorts: where each of them hangs."""

import pytest

from kubectl_kueue.model.trees import Trees

PARENTS = {"a": "b", "b": "c", "x": "y", "y": "z", "z": "y", "self": "self", "tail": "x"}
TREES = [
    # cohort, its root, its circle
    ("a", "c", None),
    ("b", "c", None),
    ("c", "c", None),
    ("unknown", "unknown", None),
    ("", None, None),
    ("x", None, ["y", "z", "y"]),
    ("tail", None, ["y", "z", "y"]),
    ("z", None, ["z", "y", "z"]),
    ("self", None, ["self", "self"]),
]


@pytest.mark.parametrize("first", ["", "tail", "z", "a"])
@pytest.mark.parametrize(("name", "root", "circle"), TREES)
def test_where_a_cohort_hangs(name: str, root: str | None, circle: list[str] | None, first: str) -> None:
    """Whatever was asked before."""
    trees = Trees(lambda cohort: PARENTS.get(cohort, ""))
    trees.root(first)
    assert trees.root(name) == root
    found = trees.circle(name)
    assert (None if found is None else list(found)) == circle


def test_every_circle_once() -> None:
    trees = Trees(lambda cohort: PARENTS.get(cohort, ""))
    assert list(trees.circles(PARENTS)) == [["y", "z"], ["self"]]


def test_a_chain_is_walked_once() -> None:
    asked = []

    def above(name: str) -> str:
        asked.append(name)
        return str(int(name) + 1) if int(name) < 50_000 else ""

    trees = Trees(above)
    assert {trees.root(str(index)) for index in range(0, 50_000, 7)} == {"50000"}
    assert len(asked) == 50_001
