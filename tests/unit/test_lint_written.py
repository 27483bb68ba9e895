"""Manifests as people write them, through the command line: tests/cases/lint/written.yaml, and real articles.

What is to be found is found, its patch is the expected one, and what is left after it is less.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.model.patches import apply_json
from tests.conftest import Kueue
from tests.worlds import read_cases

ARTICLES = Path(__file__).parents[3] / "shared" / "cases" / "articles"
EXPECTED = ARTICLES / "expected-findings.json"
REPORTS = Path(__file__).parents[3] / "shared" / "cases" / "reports"


@pytest.mark.parametrize("case", read_cases("lint", "written"), ids=lambda case: case["name"])
def test_written(case: dict[str, Any], kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(yaml.safe_dump(case["manifest"], sort_keys=False))
    found = findings(kueue, file)
    for severity, rule, pointer, *patch in case["finds"]:
        (match,) = [each for each in found if (each["rule"], each["pointer"]) == (rule, pointer)]
        assert match["severity"] == severity
        assert match["line"] > 0
        assert [match["patch"]] == patch or not patch
    check_patches(kueue, file, found)


@pytest.mark.skipif(not EXPECTED.exists(), reason="needs the articles")
@pytest.mark.parametrize("name", sorted(path.name for path in ARTICLES.glob("*.yaml")))
def test_articles(name: str, kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes((ARTICLES / name).read_bytes())
    found = findings(kueue, file)
    for wanted in json.loads(EXPECTED.read_text()):
        if wanted["file"] != name:
            continue
        pattern = re.escape(wanted["pointer"]).replace(r"\*", "[^/]+")
        matches = [
            each
            for each in found
            if re.fullmatch(pattern, each["pointer"]) and each["severity"] == wanted["severity"]
        ]
        assert matches, wanted
        assert "patch" not in wanted or wanted["patch"] in [each["patch"] for each in matches]
    check_patches(kueue, file, found)


@pytest.mark.skipif(not REPORTS.exists(), reason="needs the reports")
@pytest.mark.parametrize(
    ("number", "severity", "subject", "rule"),
    [
        ("28", "error", "root-pool", "cohort-limit"),
        ("49", "warning", "spot", "taint-void"),
        ("80", "warning", "team-a-cq", "api-version-deprecated"),
        ("80", "error", "team-b-cq", "api-field"),
        ("80", "warning", "hand-made", "api-version-deprecated"),
        ("82", "error", "root", "api-version-unserved"),
        ("82", "error", "fabric", "api-version-unserved"),
        ("02", "warning", "job-render-ef253", "no-flavor-fits"),
        ("05", "warning", "etl", "queue-missing"),
        ("07", "warning", "ml-cq", "flavor-missing"),
        ("08", "warning", "main", "namespace-not-selected"),
        ("10", "warning", "job-solver-f1d7c", "limit-range"),
        ("33", "info", "pytorchjob-ddp-607c9", "flavor-order"),
        ("52", "warning", None, "no-flavor-fits"),
        ("56", "info", None, "mixed-topology"),
    ],
)
def test_reports(number: str, severity: str, subject: str | None, rule: str, kueue: Kueue) -> None:
    (file,) = REPORTS.glob(f"{number}-*.yaml")
    found = findings(kueue, file)
    assert (severity, rule) in {
        (each["severity"], each["rule"])
        for each in found
        if subject is None or each["object"]["name"] == subject
    }


def findings(kueue: Kueue, file: Path) -> list[dict[str, Any]]:
    finished = kueue("lint", "-f", str(file), "-o", "json")
    found: list[dict[str, Any]] = json.loads(finished.stdout)["findings"]
    assert finished.code == (2 if any(each["severity"] == "error" for each in found) else 0)
    return found


def check_patches(kueue: Kueue, file: Path, found: list[dict[str, Any]]) -> None:
    """Each patch alone leaves less to say, and --fix leaves nothing that could be mended."""
    text = file.read_text()
    for each in found:
        if each["patch"]:
            documents = list(yaml.safe_load_all(text))
            number = each["document"] - 1
            documents[number] = apply_json(documents[number], each["patch"])
            file.write_text(yaml.safe_dump_all(documents, sort_keys=False))
            assert len(findings(kueue, file)) < len(found)
    file.write_text(text)
    kueue("lint", "-f", str(file), "--fix")
    left = findings(kueue, file)
    assert not [each for each in left if each["patch"]]
    assert len(left) <= len(found)
