"""Every line of `next` and `findings` of the reports is met by what is printed, or it is said why not."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Kueue
from tests.reports.reports import Report, all_reports, listed

ANSWERS = listed("answers.yaml")
PARTS = ("findings", "next")


@pytest.mark.parametrize("report", all_reports(), ids=lambda report: report.name)
def test_answers(report: Report, kueue: Kueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    answers = ANSWERS[report.name]
    pages = [printed(line, source(report, answers, tmp_path), kueue) for line in answers["run"]]
    for part in PARTS:
        for asked, met in zip(report.expected.get(part, ()), answers.get(part, ()), strict=True):
            if isinstance(met, Mapping):
                assert met["not"].strip()
                continue
            assert met, asked
            missed = [each for each in met if not any(squeezed(each) in page for page in pages)]
            assert not missed, (asked, pages)
    assert not [each for each in answers.get("absent", ()) if any(each in page for page in pages)]


def test_no_report_is_passed_over() -> None:
    assert {report.name for report in all_reports()} == set(ANSWERS)


def printed(line: str, file: Path, kueue: Kueue) -> str:
    """What a command line prints, on both streams, white space as one blank."""
    words = [str(file) if word == "%" else word for word in shlex.split(line)]
    if "%" not in shlex.split(line):
        words += ["--snapshot", str(file)]
    finished = kueue(*words)
    return squeezed(f"{finished.stdout}\n{finished.stderr}")


def squeezed(text: str) -> str:
    return " ".join(text.split())


def source(report: Report, answers: Mapping[str, Any], folder: Path) -> Path:
    """The file, or a snapshot with what somebody sees who may not read some kinds nor other namespaces."""
    if "forbidden" not in answers:
        return report.path
    objects = [each for each in yaml.safe_load_all(report.path.read_text()) if each]
    home, forbidden = answers["namespace"], answers["forbidden"]
    seen = [
        each
        for each in objects
        if each["kind"] not in forbidden and each["metadata"].get("namespace", home) == home
    ]
    missing = dict.fromkeys(forbidden, "forbidden")
    head = {"now": report.header["now"], "origin": "live", "missing": missing}
    file = folder / "seen.json"
    file.write_text(json.dumps({**head, "objects": seen}))
    return file
