"""Every report gets its expected verdict, victims and flavors, from `explain` and from `admit --dry-run`."""

import json
from typing import Any

import pytest

from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.simulate import Run, simulate
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.admit import admit_outcomes, admit_page
from kubectl_kueue.views.explain import explain_document, explain_page
from kubectl_kueue.views.verdict import verdict_document
from tests.reports.reports import Report, all_reports, explained, listed

ALSO = listed("also.yaml")
OUT_OF_SCOPE = listed("out_of_scope.yaml")


def named(report: Report) -> str:
    return report.name


@pytest.mark.parametrize("report", explained(), ids=named)
def test_explain(report: Report) -> None:
    world = report.world()
    subjects = report.subjects(world)
    assert subjects
    for key in subjects:
        check_expected(report, explain_document(explain(world, key)))


def check_expected(report: Report, document: dict[str, Any]) -> None:
    expected = report.expected
    assert document["verdict"] == expected["verdict"]
    if "reason" in expected:
        assert document["reason"] in expected["reason"].split(" / ")
    assert [victim["workload"] for victim in document["victims"]] == expected.get("victims", [])
    if "flavors" in expected:
        assert document["flavors"] == expected["flavors"]
    if "cycle" in expected:
        assert document["cycle"] == expected["cycle"]


@pytest.mark.parametrize("report", explained(), ids=named)
def test_admit(report: Report) -> None:
    world = report.world()
    run = simulate(as_it_stands(world), mode="until-idle")
    outcomes = admit_outcomes(run, report.subjects(world))
    word = report.expected["verdict"]
    assert set(outcomes.values()) == {word}
    for key in outcomes:
        assert preempted_for(run, key) == report.expected.get("victims", [])
        if word in ("Admit", "Preempt") and "flavors" in report.expected:
            assert verdict_document(run)["final"][key]["flavors"] == report.expected["flavors"]


def preempted_for(run: Run, key: str) -> list[str]:
    return sorted(
        target.workload.key
        for result in run.cycles
        for entry in result
        if entry.info.key == key
        for target in entry.preempting
    )


@pytest.mark.parametrize("report", [r for r in all_reports() if r.name in ALSO], ids=named)
def test_what_the_notes_say(report: Report) -> None:
    world = report.world()
    for key, expected in ALSO[report.name].items():
        document = explain_document(explain(world, key))
        assert {name: document[name] for name in expected} == expected


@pytest.mark.parametrize("report", all_reports(), ids=named)
def test_explain_and_admit_agree(report: Report) -> None:
    """Also about workloads that nobody asks about."""
    world = report.world()
    outcomes = admit_outcomes(simulate(as_it_stands(world), mode="until-idle"), None)
    assert outcomes == {key: str(explain(world, key).state) for key in outcomes}


@pytest.mark.parametrize("report", explained(), ids=named)
def test_pages_fit_a_terminal(report: Report) -> None:
    """80 columns hold every page, no row falls apart into names and values, and the verdict comes first."""
    world = report.world()
    for key in world.workloads:
        verdict = explain(world, key)
        lines = ["".join(span.text for span in line) for line in lay_out(explain_page(verdict), width=80)]
        assert lines[0].startswith(f"{verdict.state}: ")
        assert max(map(len, lines)) <= 80
        assert not any(line.startswith("SHORT BY:") for line in lines)
        json.dumps(explain_document(verdict))
    run = simulate(as_it_stands(world), mode="until-idle")
    for page in (admit_page(run, None, trace=True), admit_page(run, report.subjects(world), asked=True)):
        assert all(sum(len(span.text) for span in line) <= 80 for line in lay_out(page, width=80))


def test_no_report_is_passed_over() -> None:
    names = {report.name for report in all_reports()}
    assert names - {report.name for report in explained()} == set(OUT_OF_SCOPE) & names
    assert set(ALSO) <= names
    assert len(explained()) >= 25
