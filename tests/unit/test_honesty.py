"""What the engine leaves out or does not understand is said, in every answer, and only where it is there."""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kubectl_kueue.views.words.beyond import WORDS
from tests.api.fake import FakeServer
from tests.reliability.cells import Finished, run
from tests.worlds import read_cases, scenario

WORLD = {
    "queues": {"a": {"quota": 4}, "b": {"quota": 4}},
    "pending": {"p": {"queue": "a", "asks": 1}},
}
ANSWERS: Mapping[str, list[str]] = {
    "explain": ["explain", "workload", "p", "-n", "default", "--no-suggest"],
    "admit": ["admit", "--dry-run"],
    "pending": ["pending", "-A"],
}
NOT_SIMULATED = "Not simulated: "
ABOUT_RELEASES = re.compile("unknown to Kueue|may differ|otherwise than")


def document_of(case: Mapping[str, Any]) -> dict[str, Any]:
    """The small world with the changes of a case, as a snapshot of a cluster."""
    document = {**copy.deepcopy(scenario(WORLD)), "origin": "live"}
    for value in document["objects"]:
        _merge(value, case.get("patch", {}).get(f"{value['kind']}/{value['metadata']['name']}", {}))
    document["objects"] += case.get("objects", [])
    document["features"] = case.get("features", {})
    document["config"] = case.get("config", {})
    return document


def _merge(value: dict[str, Any], patch: Mapping[str, Any]) -> None:
    for key, new in patch.items():
        if isinstance(new, dict) and isinstance(value.get(key), dict):
            _merge(value[key], new)
        else:
            value[key] = copy.deepcopy(new)


def answers(document: Mapping[str, Any], folder: Path) -> Iterator[tuple[str, Finished, list[str]]]:
    """Every answer as a page, and its assumptions for programs."""
    path = folder / "snapshot.json"
    path.write_text(json.dumps(document))
    for name, words in ANSWERS.items():
        page = run(*words, "--snapshot", str(path))
        assert not page.code, page.stderr
        data = json.loads(run(*words, "--snapshot", str(path), "-o", "json").stdout)
        yield name, page, data.get("assumptions", [])


@pytest.mark.parametrize("case", read_cases("honesty", "worlds"), ids=lambda case: case["name"])
def test_what_is_not_simulated(case: Mapping[str, Any], tmp_path: Path) -> None:
    for name, page, assumptions in answers(document_of(case), tmp_path):
        if case.get("silent"):
            assert NOT_SIMULATED not in page.stdout, name
            assert not any(each.startswith("not simulated") for each in assumptions), name
        else:
            assert case["note"] in " ".join(page.stdout.split()), name
            assert any(case["note"] in each for each in assumptions), name


def test_a_plain_world_has_no_notes(tmp_path: Path) -> None:
    notes = [
        each["note"]
        for name in ("worlds", "unknown")
        for each in read_cases("honesty", name)
        if each.get("note")
    ]
    for name, page, _ in answers(document_of({}), tmp_path):
        told = " ".join(page.stdout.split())
        assert NOT_SIMULATED not in told
        assert not [note for note in notes if note in told], name


def test_an_admitted_workload_has_its_checks_behind_it(tmp_path: Path) -> None:
    case = dict(read_cases("honesty", "worlds")[0])
    status = {
        "admission": {"clusterQueue": "a", "podSetAssignments": [{"name": "main", "count": 1}]},
        "conditions": [{"type": t, "status": "True", "reason": "x"} for t in ("QuotaReserved", "Admitted")],
    }
    case["patch"] = {**case["patch"], "Workload/p": {"status": status}}
    for name, page, _ in answers(document_of(case), tmp_path):
        assert NOT_SIMULATED not in page.stdout, name


@pytest.mark.parametrize("case", read_cases("honesty", "unknown"), ids=lambda case: case["name"])
def test_what_is_unknown(case: Mapping[str, Any], tmp_path: Path) -> None:
    for name, page, assumptions in answers(document_of(case), tmp_path):
        told = " ".join(page.stdout.split())
        if case["note"]:
            assert assumptions.count(case["note"]) == 1, name
            assert told.count(case["note"]) == 1, name
        about = [each for each in assumptions if ABOUT_RELEASES.search(each)]
        assert about == list(filter(None, [case["note"]])), name
    if "doctor" in case:
        found = json.loads(run("doctor", "--snapshot", str(tmp_path / "snapshot.json"), "-o", "json").stdout)
        assert [each["code"] for each in found["checks"]].count(case["doctor"]) == 1


@pytest.mark.parametrize("kind", ["ClusterQueue", "Workload"])
def test_a_snapshot_carries_what_was_unknown(kind: str, tmp_path: Path) -> None:
    """The field stays behind when a snapshot is taken; the note does not."""
    with FakeServer() as fake:
        for value in fake.objects[f"{kind.lower()}s"]:
            value["spec"]["mood"] = {"deep": 1}
        connection = ["--kubeconfig", fake.kubeconfig(tmp_path / "config"), "--cache-dir", str(tmp_path)]
        path = tmp_path / "s.json"
        live = run("admit", "--dry-run", *connection)
        assert run("snapshot", "--file", str(path), *connection).code == 0
    replayed = run("admit", "--dry-run", "--snapshot", str(path))
    for answer in (live, replayed):
        assert f"field spec.mood of {kind}" in " ".join(answer.stdout.split()), answer.stderr
    assert "mood" not in json.dumps(json.loads(path.read_text())["objects"])


@pytest.mark.parametrize("words", WORDS.values())
def test_the_page_about_simulation_names_it(words: str) -> None:
    named = words.partition(" (")[0].replace("{}", "").strip()
    assert named in " ".join(Path("docs/simulation.md").read_text().split())
