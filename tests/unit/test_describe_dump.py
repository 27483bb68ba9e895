"""Objects field by field, byte for byte as kubectl describes them."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.model.timestamp import SECOND, parse_time
from kubectl_kueue.views.describe.dump import dump_lines
from kubectl_kueue.views.describe.events import happenings
from tests.conftest import REPOSITORY

CASES = yaml.safe_load((REPOSITORY / "tests" / "cases" / "describing" / "dump.yaml").read_text())
NOW = parse_time("2026-01-01T01:00:00Z")
SHARED = REPOSITORY.parent / "shared"
PLURALS = {
    "clusterqueue": "clusterqueues",
    "cq": "clusterqueues",
    "localqueue": "localqueues",
    "workload": "workloads",
    "resourceflavor": "resourceflavors",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_dump(case: Mapping[str, Any]) -> None:
    found = dump_lines(case["object"], happenings(case.get("events", []), case["object"], NOW))
    assert "\n".join(found) + "\n" == case["lines"]


def test_without_events() -> None:
    assert dump_lines({"apiVersion": "v1", "kind": "Thing"}, None)[-1] == "Kind:         Thing"


def recordings() -> list[Path]:
    found = sorted((SHARED / "transcripts").glob("*describe-*.cmd"))
    return [path for path in found if path.with_suffix(".out").read_text().startswith("Name:")]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no recordings here")
@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.stem)
def test_recording(path: Path) -> None:
    words = shlex.split(path.read_text())
    namespace = words[words.index("-n") + 1] if "-n" in words else ""
    stage = "after-mutations" if path.stem.startswith("after-") else "before-mutations"
    value = find(stage, PLURALS[words[2]], namespace, words[-1])
    events = objects(stage, "events")
    recorded = path.with_suffix(".out").read_text()
    moments = [earliest(events, value, recorded) + part * SECOND // 20 for part in range(-20, 21)]
    assert recorded in [
        "\n".join(dump_lines(value, happenings(events, value, now))) + "\n" for now in moments
    ]


def objects(stage: str, plural: str) -> Sequence[dict[str, Any]]:
    path = SHARED / "dumps" / stage / "json" / f"{plural}.json"
    found: list[dict[str, Any]] = json.loads(path.read_bytes())["items"]
    return found


def find(stage: str, plural: str, namespace: str, name: str) -> dict[str, Any]:
    return next(
        value
        for value in objects(stage, plural)
        if (value["metadata"].get("namespace", ""), value["metadata"]["name"]) == (namespace, name)
    )


def earliest(events: Sequence[dict[str, Any]], value: dict[str, Any], recorded: str) -> int:
    """The moment of a recording, to the second: the ages of its events tell."""
    rows = re.findall(r"^  (?:Normal|Warning) +\S+ +(?:(\d+)m)?(?:(\d+)s)?[ (]", recorded, re.MULTILINE)
    told = happenings(events, value, 0)
    assert len(rows) == len(told)
    ages = [(int(minutes or 0) * 60 + int(seconds or 0)) * SECOND for minutes, seconds in rows]
    return max((event.at + age for event, age in zip(told, ages, strict=True)), default=0)
