"""What all tests share: the program run in this process, as a user runs it."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest

from kubectl_kueue.__main__ import main

# A busy machine is no finding, and a change is judged by the same examples as the one before it.
# `pytest --hypothesis-profile=explore` looks at others.
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.register_profile("fixed", deadline=None, derandomize=True)
hypothesis.settings.load_profile("fixed")

REPOSITORY = Path(__file__).parent.parent


class Finished(NamedTuple):
    """What a command left behind."""

    stdout: str
    stderr: str
    code: int


Kueue = Callable[..., Finished]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write the golden files anew; read the diff")


@pytest.fixture
def kueue(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Kueue:
    """Runs `kubectl kueue ARGUMENTS` at the root of the repository, without colours or a terminal."""
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("KUEUE_DEBUG", raising=False)
    # No test meets the cluster of whoever runs it.
    monkeypatch.setenv("KUBECONFIG", os.devnull)
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)

    def run(*arguments: str, program: str = "kubectl-kueue") -> Finished:
        monkeypatch.setattr(sys, "argv", [program, *arguments])
        code = main()
        captured = capsysbinary.readouterr()
        return Finished(captured.out.decode(), captured.err.decode(), code)

    return run
