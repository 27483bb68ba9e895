"""Reading commands only read: the API server's audit log says so. No command is forgotten."""

import pytest
import typer

from kubectl_kueue.cli import create
from kubectl_kueue.cli.app import COMMANDS
from tests.cluster.cases import Case, name_of, read_cases, run_case
from tests.cluster.conftest import Kueue

READS, WRITES = read_cases("reads"), read_cases("writes")
HANDED_ON = {"edit"}
"""What kubectl does in its own name."""


@pytest.mark.parametrize("case", READS, ids=name_of)
def test_reading_changes_nothing(case: Case, kueue: Kueue) -> None:
    answer = run_case(kueue, case)
    assert answer.requests or case.get("quiet")
    assert not answer.writes


def test_every_command_is_held_against_the_log() -> None:
    """A new command has cases here, or in writes.yaml, where its --dry-run=client is held against it."""
    reads, writes = ({case["run"].split()[0] for case in cases} for cases in (READS, WRITES))
    assert reads - {"__complete"} | writes | HANDED_ON == set(COMMANDS)
    assert not reads & writes


def test_every_kind_that_is_created_is_held_against_the_log() -> None:
    kinds = {case["run"].split()[1] for case in WRITES if case["run"].startswith("create ")}
    assert kinds == set(typer.main.get_command(create.app).commands)  # type: ignore[attr-defined]
