"""Every cell of faults.yaml: fault x command -> exit code and first line of stderr."""

import functools
import tempfile
from pathlib import Path

import pytest

from tests.api.authority import EXISTS
from tests.reliability.cells import cells, outcome, read_table, run_cell, wanted
from tests.reliability.clusters import Row

TABLE = read_table("faults")


NOTHING = TABLE["faults"][0]


@pytest.mark.parametrize(("row", "command"), cells(TABLE))
def test_a_fault_has_its_outcome(row: Row, command: str, tmp_path: Path) -> None:
    if row.get("server", "").startswith("tls-") and not EXISTS:
        pytest.skip("needs the openssl program")
    finished = run_cell(row, TABLE["commands"][command], tmp_path)
    assert outcome(finished) == wanted(row["outcomes"], command)
    if row.get("same") and not finished.stderr:
        assert finished.stdout == _undisturbed(command)


@functools.cache
def _undisturbed(command: str) -> str:
    """The answer when nothing is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        return run_cell(NOTHING, TABLE["commands"][command], Path(folder)).stdout
