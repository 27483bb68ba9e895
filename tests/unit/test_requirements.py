"""What CI and releases install is locked: every package with version and hashes, and no index is named."""

import re
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
GROUPS = {"ci": ["test", "lint", "build"], "package": ["package"], "release": ["release"]}
PINNED = re.compile(
    r"^([A-Za-z0-9._-]+)==\S+( ; [^\\]+)?((?: \\\n {4}--hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)


def text_of(lock: str) -> str:
    return (REPOSITORY / "requirements" / f"{lock}.txt").read_text()


def normal(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def wanted(group: str) -> set[str]:
    """The packages of a dependency group, those of included groups too."""
    found: set[str] = set()
    for each in PROJECT["dependency-groups"][group]:
        found |= wanted(each["include-group"]) if isinstance(each, dict) else {normal(each)}
    return found


@pytest.mark.parametrize("lock", GROUPS)
def test_every_package_has_hashes(lock: str) -> None:
    text = text_of(lock)
    names = {normal(found[1]) for found in PINNED.finditer(text)}
    rest = PINNED.sub("", text)
    assert not [line for line in rest.splitlines() if line and not line.startswith("#")]
    needed = {normal(each) for each in PROJECT["project"]["dependencies"]}
    for group in GROUPS[lock]:
        needed |= wanted(group)
    assert needed <= names


@pytest.mark.parametrize("lock", GROUPS)
def test_no_index_is_named(lock: str) -> None:
    assert not re.search(r"://|--(extra-)?index|--find-links|--trusted|@ ", text_of(lock))


@pytest.mark.parametrize("path", ["Makefile", "krew/build", ".github/workflows/release.yaml"])
def test_locks_are_installed_with_their_hashes(path: str) -> None:
    file = REPOSITORY / path
    if not file.exists():
        pytest.skip(f"{path} is not part of this distribution")
    for line in file.read_text().splitlines():
        if "pip install" in line or "INSTALL)" in line or "installer(python)" in line:
            assert "requirements/" not in line or "--require-hashes" in line, line


def test_ci_installs_the_lock() -> None:
    script, nightly = REPOSITORY / ".ci" / "run", REPOSITORY / ".github" / "workflows" / "nightly.yaml"
    for path in (script, nightly):
        if path.exists():
            assert "make locked" in path.read_text()
