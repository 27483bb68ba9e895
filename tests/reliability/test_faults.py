"""Every cell of faults.yaml: fault x command -> exit code and first line of stderr."""

from pathlib import Path

import pytest

from tests.api.authority import EXISTS
from tests.reliability.cells import cells, outcome, read_table, run_cell, wanted
from tests.reliability.clusters import Row

TABLE = read_table("faults")


@pytest.mark.parametrize(("row", "command"), cells(TABLE))
def test_a_fault_has_its_outcome(row: Row, command: str, tmp_path: Path) -> None:
    if row.get("server", "").startswith("tls-") and not EXISTS:
        pytest.skip("needs the openssl program")
    assert outcome(run_cell(row, TABLE["commands"][command], tmp_path)) == wanted(row, command)
