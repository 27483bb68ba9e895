"""Command lines and what they print, byte for byte.

A case is a group of files in a folder named after the command: NAME.cmd (the command line as it is typed at
the root of the repository), NAME.out (standard output), NAME.err (standard error; none: empty), NAME.rc (exit
code; none: 0). `pytest tests/golden --regenerate` writes them from what the program prints now.
"""

import shlex
from pathlib import Path

import pytest

from tests.conftest import Finished, Kueue

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*/*.cmd"))
PROGRAMS = {"kubectl": "kubectl-kueue", "kueuectl": "kueuectl"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(HERE).with_suffix("")))
def test_golden(case: Path, kueue: Kueue, request: pytest.FixtureRequest) -> None:
    finished = kueue(*arguments(case), program=PROGRAMS[first_word(case)])
    if request.config.getoption("--regenerate"):
        write(case, finished)
    assert finished == recorded(case)


def test_there_are_cases() -> None:
    assert len(CASES) >= 5


def first_word(case: Path) -> str:
    return case.read_text().split(maxsplit=1)[0]


def arguments(case: Path) -> list[str]:
    words = shlex.split(case.read_text())
    return words[2:] if words[0] == "kubectl" else words[1:]


def recorded(case: Path) -> Finished:
    def text(suffix: str, absent: str) -> str:
        file = case.with_suffix(suffix)
        return file.read_bytes().decode() if file.exists() else absent

    return Finished(text(".out", ""), text(".err", ""), int(text(".rc", "0")))


def write(case: Path, finished: Finished) -> None:
    code = f"{finished.code}\n" if finished.code else ""
    for suffix, text in ((".out", finished.stdout), (".err", finished.stderr), (".rc", code)):
        file = case.with_suffix(suffix)
        if text:
            file.write_bytes(text.encode())
        else:
            file.unlink(missing_ok=True)
