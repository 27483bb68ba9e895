"""krew itself installs the archive, and kubectl runs it from there."""

import contextlib
import functools
import hashlib
import http.server
import os
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.api.fake import FakeServer
from tests.conftest import REPOSITORY
from tests.packaging.conftest import run, succeed

PLACES = ["--url", "https://releases.example/v0", "--homepage", "https://example.com"]


class Installed(NamedTuple):
    """A KREW_ROOT with a public index, and the programs that use it."""

    krew: Path
    root: Path

    def do(self, *words: str | Path) -> "subprocess.CompletedProcess[str]":
        return run(self.krew, *words, KREW_ROOT=str(self.root), KREW_NO_UPGRADE_CHECK="1")

    def kubectl(self, *words: str, **variables: str) -> str:
        path = f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return succeed("kubectl", *words, PATH=path, **variables)


@pytest.fixture(scope="module")
def manifest(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("manifest") / "kueue.yaml"
    generator = REPOSITORY / "krew" / "manifest.py"
    path.write_text(succeed(sys.executable, generator, "--partial", *PLACES, archive.parent))
    return path


@pytest.fixture
def krewed(krew: Path, tmp_path: Path) -> Installed:
    """krew with an index in which another plugin is called `kueue`, as in the public one."""
    root = tmp_path / "krew"
    plugins = root / "index" / "default" / "plugins"
    plugins.mkdir(parents=True)
    succeed("git", "init", "--quiet", plugins.parent)
    # krew asks where an index comes from; it is never fetched.
    succeed("git", "remote", "add", "origin", "https://index.example/krew", cwd=plugins.parent)
    return Installed(krew, root)


def test_it_is_installed_and_runs(krewed: Installed, manifest: Path, archive: Path, tmp_path: Path) -> None:
    done = krewed.do("install", f"--manifest={manifest}", f"--archive={archive}")
    assert done.returncode == 0, done.stderr
    assert "There is one `kubectl kueue` at a time" in done.stderr + done.stdout
    assert "Simulated Kueue: v" in krewed.kubectl("kueue", "version", "--client")
    snapshot = str(REPOSITORY / "examples" / "snapshot.json")
    words = ["explain", "workload", "train-big", "-n", "team-a", "--snapshot", snapshot]
    assert krewed.kubectl("kueue", *words).startswith("Wait: It lacks 2 nvidia.com/gpu")
    with FakeServer() as server:
        config = server.kubeconfig(tmp_path / "config")
        assert "team-a-cq" in krewed.kubectl("kueue", "list", "cq", KUBECONFIG=config)
        assert "Client Version" in krewed.kubectl("kueue", "version", KUBECONFIG=config)
    assert "kueue" in krewed.do("list").stdout
    assert krewed.do("uninstall", "kueue").returncode == 0
    assert not (krewed.root / "bin" / "kubectl-kueue").exists()


def test_an_archive_that_was_changed_is_refused(
    krewed: Installed, manifest: Path, archive: Path, tmp_path: Path
) -> None:
    changed = tmp_path / archive.name
    changed.write_bytes(archive.read_bytes() + b"\0")
    done = krewed.do("install", f"--manifest={manifest}", f"--archive={changed}")
    assert done.returncode != 0
    assert "checksum" in done.stderr


def test_the_other_plugin_of_that_name_stays(
    krewed: Installed, manifest: Path, archive: Path, tmp_path: Path
) -> None:
    """krew knows plugins by name: what is installed first stays until it is uninstalled."""
    other, other_archive = other_plugin(tmp_path, manifest)
    assert krewed.do("install", f"--manifest={other}", f"--archive={other_archive}").returncode == 0
    second = krewed.do("install", f"--manifest={manifest}", f"--archive={archive}")
    assert "already installed" in second.stderr + second.stdout
    assert krewed.kubectl("kueue", "version") == "the other\n"
    assert krewed.do("uninstall", "kueue").returncode == 0
    assert krewed.do("install", f"--manifest={manifest}", f"--archive={archive}").returncode == 0
    assert "Simulated Kueue" in krewed.kubectl("kueue", "version", "--client")


def test_it_comes_from_an_index_of_ours(
    krewed: Installed, manifest: Path, archive: Path, tmp_path: Path
) -> None:
    """`krew index add` with a repository that holds plugins/kueue.yaml; the archive is fetched."""
    index = tmp_path / "ours"
    (index / "plugins").mkdir(parents=True)
    who = {
        f"GIT_{role}_{what}": "x@example.com"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    with serving(archive.parent) as url:
        text = manifest.read_text().replace("https://releases.example/v0", url)
        (index / "plugins" / "kueue.yaml").write_text(text)
        succeed("git", "init", "--quiet", index)
        succeed("git", "add", ".", cwd=index)
        succeed("git", "commit", "--quiet", "--message", "kueue", cwd=index, **who)
        assert krewed.do("index", "add", "ours", str(index)).returncode == 0
        assert "ours/kueue" in krewed.do("search", "kueue").stdout
        done = krewed.do("install", "--no-update-index", "ours/kueue")
        assert done.returncode == 0, done.stderr
    assert "Simulated Kueue" in krewed.kubectl("kueue", "version", "--client")


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A web server for the files of a folder; gives its URL."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Answers without a log."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def other_plugin(folder: Path, manifest: Path) -> tuple[Path, Path]:
    """A plugin that is called `kueue` as well."""
    program = folder / "kubectl-kueue"
    program.write_text("#!/bin/sh\necho the other\n")
    program.chmod(0o755)
    packed = folder / "other.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        tar.add(program, program.name)
    lines = manifest.read_text().splitlines(keepends=True)
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    text = "".join(f"    sha256: {digest}\n" if line.startswith("    sha256:") else line for line in lines)
    path = folder / "other.yaml"
    path.write_text(text)
    return path, packed
