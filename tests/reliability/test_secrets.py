"""Markers planted wherever a secret may be are nowhere afterwards: not in an answer, an error, a traceback
(KUEUE_DEBUG=1), a snapshot or a cache; and no other host ever sees a request."""

import base64
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.api.fake import FakeServer, Fault
from tests.reliability.cells import read_table, run
from tests.reliability.clusters import EXEC

MARKER = "pl4nted-s3cret"
BASE64 = base64.b64encode(MARKER.encode()).decode()
TABLE = read_table("faults")
FAULTS: Mapping[str, list[Fault]] = {
    "none": [],
    "401": [Fault("*", "status", 401)],
    "403": [Fault("*/*/*/*", "status", 403)],
    "500": [Fault("*", "plain", (500, "boom"))],
    "cut": [Fault("*", "cut")],
    "drop": [Fault("*", "drop")],
    "html": [Fault("*", "body", b"<html>")],
    "not an object": [Fault("/apis/kueue*/*/*", "body", b'{"items":[1]}')],
}


def users(folder: Path) -> Mapping[str, dict[str, Any]]:
    """Ways to log in, each with the marker in it."""
    script = folder / "plugin.sh"
    answer = {"apiVersion": EXEC, "kind": "ExecCredential", "status": {"token": MARKER}}
    script.write_text(f"#!/bin/sh\necho '{json.dumps(answer)}'\n")
    script.chmod(0o700)
    broken = folder / "broken.sh"
    broken.write_text(f"#!/bin/sh\necho '{json.dumps(answer)[:-3]}'\n")
    broken.chmod(0o700)
    env = [{"name": "SECRET", "value": MARKER}]
    plugin = {"apiVersion": EXEC, "interactiveMode": "Never", "env": env}
    return {
        "token": {"token": MARKER},
        "password": {"username": "jane", "password": MARKER},
        "plugin": {"exec": {**plugin, "command": str(script)}},
        "broken plugin": {"exec": {**plugin, "command": str(broken)}},
        "key": {"client-key-data": BASE64, "client-certificate-data": BASE64},
        "control characters": {"token": f"{MARKER}\r\nx: y"},
    }


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("way", ["token", "password", "plugin", "broken plugin", "key", "control characters"])
def test_a_secret_is_told_to_nobody(
    way: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUEUE_DEBUG", "1")
    with FakeServer(faults=FAULTS[fault]) as fake:
        _plant(fake)
        config = fake.kubeconfig(tmp_path / "config", user=users(tmp_path)[way])
        (tmp_path / "out").mkdir()
        for name in ("get", "explain", "snapshot", "doctor", "stop"):
            words = TABLE["commands"][name].replace("FILE", str(tmp_path / "out" / "snapshot.json")).split()
            finished = run(*words, "--kubeconfig", config, "--cache-dir", str(tmp_path / "cache"))
            _clean(finished.stdout + finished.stderr)
    captured = capfd.readouterr()
    _clean(captured.out + captured.err)
    for folder in ("out", "cache"):
        for path in (tmp_path / folder).rglob("*"):
            if path.is_file():
                _clean(path.read_text(errors="replace"))
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def _plant(fake: FakeServer) -> None:
    """What runs in the pods is nobody's business either."""
    env = {"env": [{"name": "PASSWORD", "value": MARKER}], "args": [MARKER], "command": [MARKER]}
    for job in fake.objects["jobs.batch"]:
        for container in job["spec"]["template"]["spec"]["containers"]:
            container.update(env)
    for pod in fake.objects["pods"]:
        for container in pod["spec"]["containers"]:
            container.update(env)
    for workload in fake.objects["workloads"]:
        for pod_set in workload["spec"]["podSets"]:
            for container in pod_set["template"]["spec"]["containers"]:
                container.update(env)


def _clean(text: str) -> None:
    assert MARKER not in text
    assert BASE64 not in text


# --- other hosts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["get cq", "explain workload job-too-big-e0dc5 -n diag", "stop cq small-cq", "version"]
)
def test_a_redirect_is_not_followed(words: str, tmp_path: Path) -> None:
    with FakeServer() as other, FakeServer() as fake:
        fake.faults = [[Fault("*", "redirect", f"{other.url}/api"), -1]]
        config = fake.kubeconfig(tmp_path / "config", user={"token": MARKER})
        finished = run(*words.split(), "--kubeconfig", config, "--cache-dir", str(tmp_path / "cache"))
        assert "credentials are not sent elsewhere" in finished.stderr
        assert not other.requests


@pytest.mark.parametrize(
    "token", ["http://{other}/", "//{other}/x", "x&watch=1#", "../../../{other}", "\r\nHost: {other}"]
)
def test_a_link_to_the_next_page_stays_here(token: str, tmp_path: Path) -> None:
    with FakeServer() as other, FakeServer() as fake:
        link = token.format(other=other.url.partition("//")[2])
        page = {"kind": "List", "apiVersion": "v1", "metadata": {"continue": link}, "items": []}
        fake.faults = [[Fault("*/clusterqueues", "body", json.dumps(page).encode()), 1]]
        config = fake.kubeconfig(tmp_path / "config", user={"token": MARKER})
        run("get", "cq", "--kubeconfig", config, "--cache-dir", str(tmp_path / "cache"))
        assert not other.requests
        assert fake.requests[-1].query["continue"] == link
        assert fake.requests[-1].path.endswith("/clusterqueues")


def test_a_snapshot_of_names_is_redacted(tmp_path: Path) -> None:
    """Names, labels and messages of a cluster are replaced; the marker is looked for in the bytes."""
    with FakeServer() as fake:
        for workload in fake.objects["workloads"]:
            workload["metadata"].setdefault("labels", {})["team"] = MARKER
            workload["metadata"].setdefault("annotations", {})[MARKER] = MARKER
            for condition in workload["status"].get("conditions", ()):
                condition["message"] += f" {MARKER}"
        for queue in fake.objects["localqueues"]:
            queue["metadata"]["name"] += f"-{MARKER}"
        config = fake.kubeconfig(tmp_path / "config")
        path = tmp_path / "s.json"
        finished = run("snapshot", "--redact", "--file", str(path), "--kubeconfig", config)
    assert finished.code == 0, finished.stderr
    _clean(path.read_text())
    assert os.path.exists(f"{path}.map")
    assert stat.S_IMODE(os.stat(f"{path}.map").st_mode) == 0o600
