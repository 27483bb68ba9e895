"""The wheel, installed as people install programs: by pipx and by uv."""

import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging.conftest import succeed

EXPLAIN = ["explain", "workload", "train-big", "-n", "team-a", "--snapshot", "examples/snapshot.json"]
SCRIPTS = ["kubectl-kueue", "kueuectl"]
HELPER = "kubectl_complete-kueue"  # kubectl asks it for completions


@pytest.fixture(scope="module")
def installers(asked_for: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with pipx and uv."""
    folder = tmp_path_factory.mktemp("installers")
    succeed(sys.executable, "-m", "venv", folder)
    succeed(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "pipx", "uv")
    return folder / "bin"


def test_pipx_installs_it(installers: Path, wheel: Path, tmp_path: Path) -> None:
    places = {"PIPX_HOME": "home", "PIPX_BIN_DIR": "bin", "PIPX_MAN_DIR": "man"}
    variables = {name: str(tmp_path / folder) for name, folder in places.items()}
    succeed(installers / "pipx", "install", "--python", sys.executable, wheel, **variables)
    check(tmp_path / "bin")
    assert (tmp_path / "man" / "man1" / "kubectl-kueue-explain.1").exists()


def test_uv_installs_it(installers: Path, wheel: Path, tmp_path: Path) -> None:
    places = {"UV_TOOL_DIR": "tools", "UV_TOOL_BIN_DIR": "bin", "UV_CACHE_DIR": "cache"}
    variables = {name: str(tmp_path / folder) for name, folder in places.items()}
    succeed(installers / "uv", "tool", "install", "--python", sys.executable, wheel, **variables)
    check(tmp_path / "bin")


def check(folder: Path) -> None:
    """The console scripts are there and answer."""
    assert (folder / HELPER).exists()
    for script in SCRIPTS:
        assert "Simulated Kueue: v" in succeed(folder / script, "version", "--client")
        assert succeed(folder / script, *EXPLAIN).startswith("Wait: It lacks 2 nvidia.com/gpu")


def test_it_holds_the_package_and_the_licence_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        tops = {name.partition("/")[0].partition("-")[0] for name in packed.namelist()}
        assert tops == {"kubectl_kueue"}
        assert any(name.endswith("licenses/LICENSE") for name in packed.namelist())
