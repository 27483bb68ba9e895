"""Help and versions that are ready are what the commands would print; the rest is left to them."""

import shlex

import pytest

from kubectl_kueue.completion.generate import printed
from kubectl_kueue.completion.pages import PAGES, VERSIONS
from kubectl_kueue.completion.ready import ready_answer
from tests.conftest import Kueue

READY = ["list cq -h", "list clusterqueues --help", "create flavor -h"]
MADE = [
    "",
    "list",
    "bogus --help",
    "list bogus --help",
    "list cq -n x --help",
    "-n x list --help",
    "explain job x --help",
    "get wl --help",
    "stop lq --help",
    "version --client -o json",
    "version",
    "tree cq --help",
]


@pytest.mark.parametrize("line", [*(f"{words} --help".strip() for words in PAGES), *VERSIONS, *READY])
def test_an_answer_that_is_ready(line: str, kueue: Kueue) -> None:
    made = printed(line)
    assert ready_answer(shlex.split(line), "kubectl kueue") == made
    assert kueue(*shlex.split(line)) == (made, "", 0)


@pytest.mark.parametrize("line", MADE)
def test_what_is_left_to_the_commands(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert ready_answer(shlex.split(line), "kubectl kueue") is None


def test_kueuectl_and_other_widths_are_left_to_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert ready_answer(["--help"], "kubectl kueue") is not None
    assert ready_answer(["--help"], "kueuectl") is None
    for columns, ready in (
        ("60", False),
        ("79", False),
        ("80", True),
        ("200", True),
        ("0", True),
        ("x", True),
    ):
        monkeypatch.setenv("COLUMNS", columns)
        assert (ready_answer(["--help"], "kubectl kueue") is not None) is ready
