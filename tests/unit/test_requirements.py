"""What CI and releases install is locked: every package with version and hashes, and no index is named."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
GROUPS = {"ci": ["test", "lint", "build"], "package": ["package"], "release": ["release"], "wheel": []}
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


@pytest.mark.parametrize(
    "path", ["Makefile", "krew/build", "krew/release.py", ".github/workflows/release.yaml"]
)
def test_locks_are_installed_with_their_hashes(path: str) -> None:
    file = REPOSITORY / path
    if not file.exists():
        pytest.skip(f"{path} is not part of this distribution")
    text = file.read_text()
    found = calls(text) if path.startswith("krew/") else text.splitlines()
    installing = [each for each in found if "--requirement" in each]
    assert installing
    assert [each for each in installing if "--require-hashes" not in each] == []


def calls(text: str) -> list[str]:
    """The innermost calls of a program with a word of a command line in them, each on one line."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [ast.unparse(node) for node in nodes if any(isinstance(each, ast.Constant) for each in node.args)]


@pytest.mark.parametrize("path", ["krew/build", "krew/release.py"])
def test_a_release_resolves_nothing(path: str) -> None:
    """What is not locked is not fetched: pip is never let look for what something depends on."""
    lines = [line for line in (REPOSITORY / path).read_text().splitlines() if '"install"' in line]
    assert lines
    assert [line for line in lines if '"--no-deps"' not in line] == []


WORKFLOWS = REPOSITORY / ".github" / "workflows"


def test_ci_installs_the_lock() -> None:
    for path in (REPOSITORY / ".ci" / "run", WORKFLOWS / "nightly.yaml"):
        if path.exists():
            assert "make locked" in path.read_text()


@pytest.mark.skipif(not WORKFLOWS.exists(), reason="workflows are not part of this distribution")
def test_every_change_and_every_release_is_tested() -> None:
    ci, release = (yaml.safe_load((WORKFLOWS / name).read_text()) for name in ("ci.yaml", "release.yaml"))
    assert {"push", "pull_request", "workflow_call"} <= ci[True].keys()  # YAML 1.1 reads `on` as true
    assert ".ci/run" in [step.get("run") for step in ci["jobs"]["run"]["steps"]]
    assert release["jobs"]["test"]["uses"] == "./.github/workflows/ci.yaml"
    assert "test" in release["jobs"]["release"]["needs"]


def test_a_source_distribution_has_what_the_readme_links() -> None:
    packed = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    always = {"LICENSE"}  # hatchling takes it, README.md and pyproject.toml along
    for page in ("README.md", "CONTRIBUTING.md"):
        links = re.findall(r"\]\(([\w.-]+)[/)]", (REPOSITORY / page).read_text())
        assert {*links} - always <= {each.strip("/") for each in packed}
