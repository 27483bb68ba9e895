"""Every rule on a manifest that breaks it and on one that does not; every patch made and looked at again."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from kubectl_kueue.lint.catalogue import RULES, rule_named
from kubectl_kueue.lint.mend import mended
from kubectl_kueue.lint.run import Finding
from kubectl_kueue.views.words.lint.sentences import WORDS, advice, says
from tests.lint_cases import find, lint_cases, objects

CASES = lint_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_rule(case: dict[str, Any]) -> None:
    broken = of_rule(case, "fails")
    assert broken, f"nothing found in {objects(case['fails'])}"
    if "at" in case:
        assert case["at"] in [each.found.pointer for each in broken]
    if "patch" in case:
        assert case["patch"] in [list(each.found.patch) for each in broken]
    assert not of_rule(case, "passes")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_patches_mend(case: dict[str, Any]) -> None:
    own = objects(case["fails"])
    before = everything(case, own)
    for each in before:
        if each.found.patch:
            after = list(own)
            after[each.item.number], made = mended(each.item.value, [each.found.patch])
            assert made
            left = everything(case, after)
            assert (each.found.rule, each.found.pointer) not in [
                (e.found.rule, e.found.pointer) for e in left
            ]
            assert len(left) < len(before)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_everything_found_has_words(case: dict[str, Any]) -> None:
    for each in everything(case, objects(case["fails"])):
        if each.found.rule != "defined-twice":  # the place of the first is known with the files
            for text in (says(each.found), advice(each.found)):
                assert not re.search(r"\{\w+\}", text)
            assert says(each.found)


def of_rule(case: dict[str, Any], which: str) -> list[Finding]:
    found = everything(case, objects(case[which]))
    return [each for each in found if each.found.rule == case["rule"]]


def everything(case: dict[str, Any], own: Sequence[Any]) -> list[Finding]:
    return find(own, objects(case.get("around", [])), whole=case.get("whole", False))


def test_every_rule_has_cases_and_words() -> None:
    assert {case["rule"] for case in CASES} | {"unreadable"} == set(RULES)
    assert set(WORDS) == set(RULES)


def test_bases_have_no_fault() -> None:
    from tests.lint_cases import BASES

    for name, value in BASES.items():
        errors = [each for each in find([value]) if each.severity == "error"]
        assert not errors, name


def test_rules_are_found_by_id_and_by_spec() -> None:
    assert rule_named("Cohort-Limit") is RULES["cohort-limit"]
    assert rule_named("cq06") is RULES["cohort-limit"]
    assert rule_named("CQ21") is None  # two rules
