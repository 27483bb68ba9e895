"""Programs, a cluster and a home for shells."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.fake import FakeServer
from tests.conftest import REPOSITORY


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Environment variables: the programs on the path, an empty home, a cluster."""
    root = tmp_path_factory.mktemp("shell")
    programs = root / "bin"
    programs.mkdir()
    for name in ("kubectl-kueue", "kueuectl"):
        _script(programs / name, f'exec "{sys.executable}" -m kubectl_kueue "$@"')
    (programs / "kubectl_complete-kueue").symlink_to(REPOSITORY / "completions" / "kubectl_complete-kueue")
    (root / "home").mkdir()
    with FakeServer() as server:
        config = Path(server.kubeconfig(root / "config", namespace="batch"))
        _add_contexts(config, "arn:aws:eks:north/dev", "admin@dev", "my context")
        yield {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(root / "home"),
            "PYTHONPATH": str(REPOSITORY),
            "KUBECONFIG": str(config),
            "KUBECACHEDIR": str(root / "cache"),
            "LC_ALL": "C.UTF-8",
        }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files to be completed."""
    found = tmp_path_factory.mktemp("work")
    for name in ("alpha.yaml", "alpha.txt", "beta.json"):
        (found / name).touch()
    (found / "gamma").mkdir()
    return found


def _add_contexts(config: Path, *names: str) -> None:
    document = json.loads(config.read_text())
    document["contexts"] += [{"name": name, "context": {"cluster": "fake", "user": "fake"}} for name in names]
    config.write_text(json.dumps(document))


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
