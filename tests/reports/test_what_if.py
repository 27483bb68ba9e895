"""Every whatIf of the reports leads to its verdict, and what a change of one thing can reach is suggested."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from kubectl_kueue.cluster.kinds import known_kind
from kubectl_kueue.engine.counterfactual.suggest import suggest
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.model.change import Change, apply_changes, parse_change
from kubectl_kueue.model.world import World
from kubectl_kueue.views.explain_document import explain_document
from tests.reports.reports import Report, explained, listed

WHAT_IF = listed("what_if.yaml")
REPORTS = [report for report in explained() if report.expected.get("whatIf")]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_what_if(report: Report) -> None:
    world = report.world()
    (key,) = report.subjects(world)
    for change, expected in zip(WHAT_IF[report.name], report.expected["whatIf"], strict=True):
        document = explain_document(explain(changed(world, change), key))
        assert document["verdict"] == expected["verdict"], expected["change"]
        assert [v["workload"] for v in document["victims"]] == expected.get("victims", [])
        assert document["flavors"] == expected.get("flavors", document["flavors"])


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_what_helps_is_suggested(report: Report) -> None:
    world = report.world()
    (key,) = report.subjects(world)
    found = suggest(world, explain(world, key), lambda: False).suggestions
    for change, expected in zip(WHAT_IF[report.name], report.expected["whatIf"], strict=True):
        if change.get("suggested"):
            wanted = changed(world, change)
            same = [s for s in found if changed(world, {"set": s.sets, "ends": ends_of(s)}) == wanted]
            assert [str(s.verdict) for s in same] == [expected["verdict"]], expected["change"]


def ends_of(suggestion: Any) -> list[str]:
    return [name for remedy in suggestion.remedies for name in remedy.workloads]


def changed(world: World, change: Mapping[str, Any]) -> World:
    world = apply_changes(world, [read(text) for text in change.get("set", ())])
    ends = change.get("ends", ())
    return replace(world, workloads={k: w for k, w in world.workloads.items() if k not in ends})


def read(text: str) -> Change:
    return parse_change(text, lambda word: known_kind(word).kind)  # type: ignore[union-attr]
