"""A snapshot of a real API server answers as the server does."""

import json
from pathlib import Path

import pytest

from tests.cluster.apiserver import ApiServer
from tests.cluster.conftest import runner
from tests.cluster.nursery import Nursery

WORKLOAD = ("job-wide", "-n", "team-a")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return str(tmp_path / "kueue.json"), str(tmp_path / "redacted.json")


def test_answers_of_a_live_cluster_and_its_snapshots(
    server: ApiServer, nursery: Nursery, files: tuple[str, str]
) -> None:
    kueue = runner(server, nursery)
    whole, redacted = files
    told = kueue("snapshot", "--file", whole)
    assert (told.stderr, told.code, told.writes) == ("", 0, [])
    assert kueue("snapshot", "--file", redacted, "--redact").code == 0
    live = json.loads(kueue("explain", "workload", *WORKLOAD, "-o", "json").stdout)
    replayed = json.loads(kueue("explain", "workload", *WORKLOAD, "-o", "json", "--snapshot", whole).stdout)
    assert {**live, "now": ""} == {**replayed, "now": ""}
    names = json.loads(Path(f"{redacted}.map").read_text())
    key = f"{names['team-a']}/{names['job-wide']}"
    renamed = json.loads(kueue("explain", key, "-o", "json", "--snapshot", redacted).stdout)
    assert (renamed["verdict"], renamed["reason"]) == (live["verdict"], live["reason"])


def test_a_recorded_cluster(recorded: ApiServer, nursery: Nursery, files: tuple[str, str]) -> None:
    kueue = runner(recorded, nursery)
    told = kueue("snapshot", "--file", files[0], "--redact", "-o", "json")
    assert (told.stderr, told.code) == ("", 0)
    assert json.loads(told.stdout)["compared"]["explained"] > 10


def test_what_may_not_be_read_is_told(server: ApiServer, nursery: Nursery, files: tuple[str, str]) -> None:
    kueue = runner(server, nursery)
    told = kueue("snapshot", "--file", files[1], "--redact", "-o", "json", user="dev")
    assert (told.stderr, told.code) == ("", 0)
    missing = json.loads(told.stdout)["missing"]
    names = json.loads(Path(f"{files[1]}.map").read_text())
    assert missing["ClusterQueue"] == "forbidden"
    assert missing["Workload"] == f'forbidden outside of namespace "{names["team-a"]}"'
    assert "team-a" not in Path(files[1]).read_text()
