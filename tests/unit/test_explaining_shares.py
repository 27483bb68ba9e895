"""Fair sharing as `explain` and `admit --trace` tell of it: tests/cases/explaining/shares.yaml."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.world import World
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.admit import admit_page
from kubectl_kueue.views.explain import explain_document, explain_page
from kubectl_kueue.views.fairness import fairness_document
from kubectl_kueue.views.page import Page
from kubectl_kueue.views.verdict import verdict_document
from tests.worlds import read_cases, scenario

CASES = read_cases("explaining", "shares")


def world_of(case: Mapping[str, Any]) -> World:
    origin = {"origin": "live"} if case.get("live") else {}
    return decode_world([RawDocument("case", 1, 0, json.dumps({**scenario(case), **origin}).encode())])


def text(page: Page) -> str:
    return "\n".join("".join(span.text for span in line) for line in lay_out(page))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_shares(case: Mapping[str, Any]) -> None:
    for name, expected in case["explain"].items():
        verdict = explain(world_of(case), f"default/{name}")
        found = json.loads(json.dumps(explain_document(verdict).get("fairSharing", {}), allow_nan=False))
        wanted = {key: value for key, value in expected.items() if key != "words"}
        assert {key: found.get(key) for key in wanted} == wanted
        assert bool(found) == bool(expected)
        page = text(explain_page(verdict))
        assert [words for words in expected.get("words", []) if words not in page] == []


def test_trace_says_who_won() -> None:
    run = simulate(world_of(CASES[0]), watch=True)
    assert "all: default/q before default/p: b 444.444 (333.333 less), a 777.778" in text(
        admit_page(run, None, trace=True)
    )
    document = fairness_document(run)["fairSharing"]
    assert document["comparisons"] == [
        {
            "cycle": 1,
            "cohort": "all",
            "winner": "default/q",
            "winnerSide": "b",
            "winnerShare": 444.44444444444446,
            "loser": "default/p",
            "loserSide": "a",
            "loserShare": 777.7777777777778,
            "why": "share",
        }
    ]
    assert {"kind": "ClusterQueue", "name": "b", "share": 444.44444444444446} in document["shares"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_watching_changes_nothing(case: Mapping[str, Any]) -> None:
    plain, watched = (simulate(world_of(case), watch=watch) for watch in (False, True))
    assert verdict_document(plain) == verdict_document(watched)
    assert not any(result.duels for result in plain.cycles)
