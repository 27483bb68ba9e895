"""Write the outcomes of the tables anew: python -m tests.reliability [ROW...]"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from tests.reliability.cells import HERE, commands_of, outcome, read_table, run_cell


def main(rows: list[str]) -> None:
    table = read_table("faults")
    for row in table["faults"]:
        if not rows or row["name"] in rows:
            row["outcomes"] = _outcomes({name: table["commands"][name] for name in commands_of(row, table)}, row)
    write_table("faults", table)


def _outcomes(commands: dict[str, str], row: dict[str, Any]) -> list[dict[str, Any]]:
    found: dict[Any, list[str]] = {}
    for name, words in commands.items():
        with tempfile.TemporaryDirectory() as folder:
            found.setdefault(outcome(run_cell(row, words, Path(folder))), []).append(name)
    return [{"code": key.code, "says": key.says, "of": names} for key, names in found.items()]


def write_table(name: str, table: dict[str, Any]) -> None:
    """The comment at the top stays."""
    path = HERE / f"{name}.yaml"
    head = [line for line in path.read_text().splitlines(keepends=True) if line.startswith("#")]
    path.write_text("".join(head) + yaml.dump(table, sort_keys=False, width=110, allow_unicode=True))


if __name__ == "__main__":
    main(sys.argv[1:])
