"""What is delivered, built once for all tests of this folder: the wheel, krew's archive, and krew itself.

They take minutes, so they are built with KUEUE_PACKAGING_TESTS=1 only (`make package-test`); $KUEUE_WHEEL and
$KUEUE_ARCHIVE name what is built already. krew comes from the Go module proxy, into the cache folder of the
other test tools.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

KREW = "0.4.3"


def run(*command: str | Path, cwd: Path = REPOSITORY, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run to the end, with these variables and without those that lead to a cluster or an environment."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    words: Sequence[str] = [str(word) for word in command]
    return subprocess.run(
        words, cwd=cwd, env={**kept, **variables}, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def succeed(*command: str | Path, cwd: Path = REPOSITORY, **variables: str) -> str:
    """The standard output of a command that has to succeed."""
    finished = run(*command, cwd=cwd, **variables)
    assert finished.returncode == 0, f"{command}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout


_LEFT_OUT = {"KUBECONFIG", "KUBERNETES_SERVICE_HOST", "PYTHONPATH", "VIRTUAL_ENV", "KREW_ROOT"}


@pytest.fixture(scope="session")
def asked_for() -> None:
    """Skips what takes minutes, unless it is asked for."""
    if os.environ.get("KUEUE_PACKAGING_TESTS") != "1":
        pytest.skip("builds packages, which takes minutes: KUEUE_PACKAGING_TESTS=1, or make package-test")


@pytest.fixture(scope="session")
def wheel(asked_for: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the sources."""
    if given := os.environ.get("KUEUE_WHEEL"):
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("wheel")
    succeed(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, REPOSITORY)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a virtual environment with the wheel and what it needs, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    succeed(sys.executable, "-m", "venv", folder)
    succeed(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return folder / "bin"


@pytest.fixture(scope="session")
def archive(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of this platform."""
    if given := os.environ.get("KUEUE_ARCHIVE"):
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("archive")
    build = REPOSITORY / "krew" / "build"
    return Path(succeed(sys.executable, build, "--out", folder, "--wheel", wheel).strip())


@pytest.fixture(scope="session")
def krew(asked_for: None) -> Path:
    """krew's own program."""
    if shutil.which("go") is None:
        pytest.skip("there is no Go toolchain to build krew with")
    if shutil.which("kubectl") is None or shutil.which("git") is None:
        pytest.skip("krew needs kubectl and git")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache = Path(os.environ.get("KUEUE_TEST_CACHE") or Path(home) / "kubectl-kueue-tests") / f"krew-{KREW}"
    if not (cache / "krew").exists():
        package = f"sigs.k8s.io/krew/cmd/krew@v{KREW}"
        succeed("go", "install", package, GOBIN=str(cache), CGO_ENABLED="0", GOFLAGS="-trimpath")
    return cache / "krew"
