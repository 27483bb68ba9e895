"""Every cell of writes.yaml: what is refused is not done, and what is done is told."""

from pathlib import Path

import pytest

from tests.reliability.cells import read_table
from tests.reliability.partial import Row
from tests.reliability.writing import attempt

CELLS = read_table("writes")["cells"]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell['may not']}: {cell['run']}")
def test_a_write_without_a_right(cell: Row, tmp_path: Path) -> None:
    found = attempt(cell, tmp_path)
    assert found == {name: cell[name] for name in found}
    if found["code"]:
        assert (found["code"], len(found["err"])) == (1, 1)
        assert not found["changed"]
    else:
        assert bool(found["out"]) or not found["changed"]
