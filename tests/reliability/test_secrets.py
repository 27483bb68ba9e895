"""Markers planted wherever a secret may be are nowhere afterwards: not in an answer, an error, a traceback
(KUEUE_DEBUG=1), a snapshot or a cache; and no other host ever sees a request."""

import base64
import json
import os
import shlex
import stat
import subprocess
import sys
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


# --- every other place ------------------------------------------------------------------------------

PLACES = read_table("secrets")


@pytest.mark.parametrize("row", PLACES["rows"], ids=lambda row: row["name"])
def test_a_secret_is_quoted_nowhere(
    row: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeServer() as fake:
        row = _filled(row, tmp_path, fake)
        fake.faults = [[Fault(**row["fault"]), -1]] if "fault" in row else []
        for name in ("out", "cache", "tmp"):
            (tmp_path / name).mkdir()
        for name, text in row.get("files", {}).items():
            (tmp_path / name).write_text(text)
        config = fake.kubeconfig(tmp_path / "config", user=row.get("user"), cluster=row.get("cluster"))
        if "kubeconfig" in row:
            Path(config).write_text(row["kubeconfig"])
        for name, text in {"KUEUE_DEBUG": "1", "TMPDIR": str(tmp_path / "tmp"), **row.get("env", {})}.items():
            monkeypatch.setenv(name, text)
        monkeypatch.setattr("tempfile.tempdir", None)
        for command in PLACES["commands"][row.get("commands", "few")]:
            flags = ["--kubeconfig", config, "--cache-dir", str(tmp_path / "cache"), *row.get("flags", ())]
            words = shlex.split(command.replace("FOLDER", str(tmp_path)))
            at = 1 if words[0] == "__complete" else len(words)
            finished = run(*words[:at], *flags, *words[at:])
            _clean(finished.stdout + finished.stderr)
    captured = capfd.readouterr()
    _clean(captured.out + captured.err)
    _clean(" ".join(str(path) for name in ("out", "cache") for path in (tmp_path / name).rglob("*")))
    for path in [
        path for name in ("out", "cache") for path in (tmp_path / name).rglob("*") if path.is_file()
    ]:
        _clean(path.read_text(errors="replace"))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert not list((tmp_path / "tmp").iterdir())


def _filled(row: Mapping[str, Any], folder: Path, fake: FakeServer) -> Mapping[str, Any]:
    text = json.dumps(row).replace("PLANTED", MARKER).replace("FOLDER", str(folder))
    filled: Mapping[str, Any] = json.loads(text.replace("SERVER", fake.url.partition("//")[2]))
    return filled


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


@pytest.mark.parametrize("command", [name for name in TABLE["commands"] if name != "convert"])
def test_what_runs_in_pods_is_in_no_answer(command: str, tmp_path: Path) -> None:
    """But for what shows an object as it is: `convert`, and `get` and `list` as json or yaml."""
    with FakeServer() as fake:
        _plant(fake)
        config = fake.kubeconfig(tmp_path / "config")
        words = TABLE["commands"][command].replace("FILE", str(tmp_path / "s.json")).split()
        for output in (
            ([],) if "-o" in words or command in ("get", "list", "create") else ([], ["-o", "json"])
        ):
            finished = run(*words, *output, "--kubeconfig", config, "--cache-dir", str(tmp_path / "cache"))
            _clean(finished.stdout + finished.stderr)


def test_an_object_is_shown_as_it_is_where_it_is_asked_for(tmp_path: Path) -> None:
    with FakeServer() as fake:
        _plant(fake)
        config = fake.kubeconfig(tmp_path / "config")
        for output in ("json", "yaml"):
            words = ["get", "workloads", "-A", "-o", output, "--kubeconfig", config]
            assert MARKER in run(*words, "--cache-dir", str(tmp_path / "cache")).stdout


def test_edit_keeps_nothing(tmp_path: Path) -> None:
    """kubectl gets the flags as they were given; what it edits lies in its own files."""
    stub, tmp = tmp_path / "bin" / "kubectl", tmp_path / "tmp"
    stub.parent.mkdir()
    tmp.mkdir()
    stub.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{tmp_path / "seen"}\n')
    stub.chmod(0o700)
    words = ["edit", "cq", "x", "--token", MARKER]
    environment = {
        **os.environ,
        "PATH": f"{stub.parent}:{os.environ['PATH']}",
        "TMPDIR": str(tmp),
        "KUEUE_DEBUG": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_kueue", *words], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert f"--token={MARKER}" in (tmp_path / "seen").read_text().split()
    assert not list(tmp.iterdir())


def test_files_are_the_owners_only_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with FakeServer() as fake:
            config = fake.kubeconfig(tmp_path / "config")
            (tmp_path / "out").mkdir(mode=0o700)
            cache = ["--kubeconfig", config, "--cache-dir", str(tmp_path / "out" / "cache")]
            run("snapshot", "--redact", "--file", str(tmp_path / "out" / "s.json.gz"), *cache)
            run("__complete", *cache, "get", "cq", "")
    finally:
        os.umask(before)
    found = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(found) > 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o600}


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
