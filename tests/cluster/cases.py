"""Cases in YAML: a command line, and what is to be seen of it.

run:    the words after `kubectl kueue`
user:   who runs it (admin); stdin, env: what it gets
code:   the exit code (0)
out:    texts that are on stdout; `lacks` are not
err:    texts that are on stderr; without `err` and with code 0 nothing is
"""

import shlex
from pathlib import Path
from typing import Any

import yaml

from tests.cluster.conftest import Answer, Kueue

Case = dict[str, Any]


def read_cases(name: str) -> list[Case]:
    """The cases of a file in cases/."""
    cases: list[Case] = yaml.safe_load((Path(__file__).parent / "cases" / f"{name}.yaml").read_text())
    return cases


def name_of(case: Case) -> str:
    """The id of a case."""
    return " ".join(filter(None, (case.get("user"), case["run"])))


def run_case(kueue: Kueue, case: Case, *more: str) -> Answer:
    """Run the command line, with more words at its end, and look at what every case says."""
    answer = kueue(
        *shlex.split(case["run"]),
        *more,
        user=case.get("user", "admin"),
        stdin=case.get("stdin", ""),
        env=case.get("env", {}),
    )
    check(case, answer)
    return answer


def check(case: Case, answer: Answer) -> None:
    """Compare with what the case expects. A failure is told in one line, whoever asks."""
    shown = f"exit code {answer.code}\n{answer.stdout}\n{answer.stderr}"
    assert "Traceback" not in answer.stderr, shown
    assert "This is a bug" not in answer.stderr, shown
    assert case.get("code", 0) in ("any", answer.code), shown
    for text in case.get("out", ()):
        assert text in answer.stdout, shown
    for text in case.get("lacks", ()):
        assert text not in answer.stdout, shown
    for text in case.get("err", ()):
        assert text in answer.stderr, shown
    if "err" not in case and answer.code == 0:
        assert answer.stderr == "", shown
    if answer.code == 1:
        assert len(answer.stderr.splitlines()) == 1, shown
