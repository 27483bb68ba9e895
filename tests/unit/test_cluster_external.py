"""kubectl, where it is there and where it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kubectl_kueue.cluster.external import exec_kubectl, find_kubectl, run_kubectl
from kubectl_kueue.errors import ConfigError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the kubectl of this test is a shell script")


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "kubectl"
    path.write_text('#!/bin/sh\necho "$@"\necho trouble >&2\ncat\nexit 3\n')
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return path


def test_run(kubectl: Path) -> None:
    assert find_kubectl() == str(kubectl)
    assert run_kubectl(["get", "a b"], b"in\xff") == (b"get a b\nin\xff", b"trouble\n", 3)


def test_exec(kubectl: Path) -> None:
    code = (
        "from kubectl_kueue.cluster.external import exec_kubectl; print('first'); exec_kubectl(['get', 'x'])"
    )
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"first\nget x\n", b"trouble\n", 3)


def test_no_kubectl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for act in (run_kubectl, exec_kubectl):
        with pytest.raises(ConfigError, match="kubectl was not found on PATH"):
            act(["get"])


def test_a_kubectl_that_cannot_run(kubectl: Path) -> None:
    kubectl.write_bytes(b"\x7fELF nonsense")
    for act in (run_kubectl, exec_kubectl):
        with pytest.raises(ConfigError, match="cannot be run"):
            act(["get"])
