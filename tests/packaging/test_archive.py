"""The archive for krew: what is in it, and that it starts about as fast as an installed wheel."""

import resource
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.conftest import succeed

SLOWER = 1.3
RUNS = 12
EXPLAIN = ["explain", "workload", "train-big", "-n", "team-a", "--snapshot", "examples/snapshot.json"]


@pytest.fixture(scope="module")
def program(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked program."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "kubectl-kueue"


def test_it_holds_files_and_folders_only(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        assert [member.name for member in tar if not (member.isfile() or member.isdir())] == []


def test_it_holds_the_licences_and_the_completions(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        names = set(tar.getnames())
    assert {"LICENSE", "kubectl-kueue", "completions/kubectl-kueue.bash"} <= names
    assert {"licenses/python/LICENSE.txt", "licenses/rich/LICENSE"} <= names


@pytest.mark.parametrize("unwanted", ["setuptools", "pip", "pkg_resources", "tkinter", "pytest"])
def test_it_holds_no(unwanted: str, archive: Path) -> None:
    with tarfile.open(archive) as tar:
        assert not [
            name for name in tar.getnames() if name.split("/")[1:2] == [unwanted] and "_internal" in name
        ]


def test_it_explains_as_the_wheel_does(program: Path, environment: Path) -> None:
    assert succeed(program, *EXPLAIN) == succeed(environment / "kubectl-kueue", *EXPLAIN)


@pytest.mark.parametrize(
    "words",
    [
        ["completion", "zsh"],
        ["lint", "--rules"],
        ["convert", "-f", "examples/job.yaml"],
        ["doctor", "--checks"],
    ],
    ids=lambda words: words[0],
)
def test_every_room_is_inside(words: list[str], program: Path, environment: Path) -> None:
    assert succeed(program, *words) == succeed(environment / "kubectl-kueue", *words)


@pytest.mark.parametrize("words", [["version", "--client"], EXPLAIN], ids=["version", "explain"])
def test_it_starts_as_fast(words: list[str], program: Path, environment: Path) -> None:
    """CPU time of the fastest of some runs in turn."""
    ours, theirs = [], []
    for _ in range(RUNS):
        ours.append(cpu(lambda: succeed(program, *words)))
        theirs.append(cpu(lambda: succeed(environment / "kubectl-kueue", *words)))
    assert min(ours) <= SLOWER * min(theirs)


def cpu(work: Callable[[], object]) -> float:
    """Seconds of CPU that the children take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
