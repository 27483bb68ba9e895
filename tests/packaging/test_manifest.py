"""krew's manifest, made of the archives of a release."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from kubectl_kueue import __version__
from tests.conftest import REPOSITORY

PLATFORMS = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"]


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A script of krew/: the folder is no package."""
    monkeypatch.setattr(sys, "path", [str(REPOSITORY / "krew"), *sys.path])
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "krew" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load("names", monkeypatch)


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load("manifest", monkeypatch)


@pytest.fixture
def archives(names: ModuleType, tmp_path: Path) -> Path:
    """A folder with an archive of every platform; each holds its own name."""
    for platform in names.PLATFORMS:
        name = platform.archive(names.krew_version(__version__))
        (tmp_path / name).write_text(name)
    return tmp_path


def filled(generator: ModuleType, folder: Path, **options: Any) -> Any:
    return yaml.safe_load(generator.manifest(folder, "https://x.example/v/", "https://x.example", **options))


def test_every_platform_has_an_entry(generator: ModuleType, archives: Path) -> None:
    spec = filled(generator, archives)["spec"]
    labels = [entry["selector"]["matchLabels"] for entry in spec["platforms"]]
    assert [f"{each['os']}-{each['arch']}" for each in labels] == PLATFORMS
    for entry in spec["platforms"]:
        base, _, name = entry["uri"].rpartition("/")
        assert base == "https://x.example/v"
        assert entry["sha256"] == hashlib.sha256(name.encode()).hexdigest()
    assert spec["platforms"][-1]["bin"] == "kubectl-kueue.exe"
    assert spec["platforms"][-1]["uri"].endswith(".zip")


def test_it_is_short_enough_for_krew(generator: ModuleType, archives: Path) -> None:
    manifest = filled(generator, archives)
    assert manifest["metadata"]["name"] == "kueue"
    assert len(manifest["spec"]["shortDescription"]) <= 60
    assert "${" not in str(manifest)


def test_a_missing_archive_is_told(generator: ModuleType, archives: Path) -> None:
    next(archives.glob("*darwin-arm64*")).unlink()
    with pytest.raises(FileNotFoundError, match="darwin-arm64"):
        filled(generator, archives)
    assert len(filled(generator, archives, partial=True)["spec"]["platforms"]) == len(PLATFORMS) - 1


@pytest.mark.parametrize(
    ("version", "form"),
    [
        ("0.1.0", "v0.1.0"),
        ("0.1.0.dev0", "v0.1.0-dev.0"),
        ("1.2.3a4", "v1.2.3-alpha.4"),
        ("1.2.3b1", "v1.2.3-beta.1"),
        ("1.2.3rc2", "v1.2.3-rc.2"),
    ],
)
def test_versions_in_krews_form(version: str, form: str, names: ModuleType) -> None:
    assert names.krew_version(version) == form


@pytest.mark.parametrize("version", ["1!2.0.0", "1.0", "1.0.0.post1"])
def test_a_version_that_krew_cannot_have(version: str, names: ModuleType) -> None:
    with pytest.raises(ValueError, match="no form"):
        names.krew_version(version)


def test_the_version_is_that_of_the_sources(names: ModuleType) -> None:
    assert names.source_version() == __version__


def test_the_workflow_builds_for_every_platform() -> None:
    workflow = REPOSITORY / ".github" / "workflows" / "release.yaml"
    if not workflow.exists():
        pytest.skip("workflows are not part of this distribution")
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    assert len(jobs["archive"]["strategy"]["matrix"]["runner"]) == len(PLATFORMS)
    used = [step["uses"] for job in jobs.values() for step in job.get("steps", []) if "uses" in step]
    assert all(each.startswith("actions/") for each in used)
