"""On a server with the recorded objects, `list` prints the tables that kueuectl printed there.

Ages, execution times and positions are left out: objects are new here, and nobody answers for positions.
"""

import re
import shlex

import pytest

from tests.cluster.apiserver import ApiServer
from tests.cluster.conftest import runner
from tests.cluster.crds import RECORDED
from tests.cluster.nursery import Nursery

TRANSCRIPTS = RECORDED.parent / "transcripts"
CHANGING = ("AGE", "EXEC TIME", "POSITION IN QUEUE")
Row = dict[str, list[str]]


def _names() -> list[str]:
    """The recordings of tables that a client must print alike, made when the objects were recorded."""
    if not TRANSCRIPTS.is_dir():
        return []
    lines = (TRANSCRIPTS / "INDEX.md").read_text().splitlines()
    alike = [line for line in lines if "before-mutations" in line and "**better**" not in line]
    names = re.findall(r"^\* `(list-[^`]+)`", "\n".join(alike), re.MULTILINE)
    return [name for name in names if (TRANSCRIPTS / f"{name}.out").read_text().startswith("NAME")]


@pytest.mark.parametrize("name", _names())
def test_tables_are_those_of_kueuectl(name: str, recorded: ApiServer, nursery: Nursery) -> None:
    words = shlex.split((TRANSCRIPTS / f"{name}.cmd").read_text())[1:]
    answer = runner(recorded, nursery)(*words)
    assert (answer.stderr, answer.code) == ("", 0)
    assert _rows(answer.stdout) == _rows((TRANSCRIPTS / f"{name}.out").read_text())


def _rows(text: str) -> list[Row]:
    """The cells of a table under their headers, in words; lists in cells have no order."""
    header, *lines = text.splitlines() or [""]
    columns = [(match.start(), match[0].strip()) for match in re.finditer(r"\S+(?: \S+)*", header)]
    ends = [start for start, _ in columns[1:]] + [None]
    return [
        {
            title: sorted(line[start:end].replace(",", " ").split())
            for (start, title), end in zip(columns, ends, strict=True)
            if title not in CHANGING
        }
        for line in lines
    ]
