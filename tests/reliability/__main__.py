"""Write the outcomes of the tables anew, and docs/reliability.md: python -m tests.reliability [ROW...]"""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from tests.api.fake import FakeServer
from tests.reliability import partial, rights, verbs, writing
from tests.reliability.cells import HERE, Outcome, commands_of, outcome, read_table, run_cell
from tests.reliability.pages import PAGE, with_tables


def main(rows: list[str]) -> None:
    table = read_table("faults")
    for row in table["faults"]:
        if not rows or row["name"] in rows:
            words = {name: table["commands"][name] for name in commands_of(row, table)}
            row["outcomes"] = _grouped((name, _cell(row, words[name])) for name in words)
    _write_table("faults", table)
    if not rows or "rights" in rows:
        _write_table("rights", _rights(read_table("rights")))
    if not rows or "partial" in rows:
        _write_table("partial", _partial(read_table("partial")))
    if not rows or "writes" in rows:
        _write_table("writes", {"cells": [_write(cell) for cell in read_table("writes")["cells"]]})
    if not rows or "verbs" in rows:
        _write_table("verbs", _verbs(read_table("verbs")))
    PAGE.write_text(with_tables(PAGE.read_text()))


def _cell(row: dict[str, Any], command: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return outcome(run_cell(row, command, Path(folder)))


def _rights(table: dict[str, Any]) -> dict[str, Any]:
    commands = table["commands"]
    with tempfile.TemporaryDirectory() as place, FakeServer() as fake:
        folder = Path(place)
        fake.kubeconfig(folder / "config", namespace="diag")
        answers = {
            name: _grouped(
                (may, rights.told(rights.ask(fake, folder, may, commands[name])))
                for may in rights.combinations()
            )
            for name in commands
        }
    return {"commands": commands, **answers}


def _partial(table: dict[str, Any]) -> dict[str, Any]:
    outcomes: dict[str, dict[str, Any]] = {}
    for name, command in table["commands"].items():
        for failure in table["failures"]:
            with tempfile.TemporaryDirectory() as folder:
                found = partial.attempt(failure, command, Path(folder))
            outcomes.setdefault(name, {})[failure["name"]] = found
    return {**table, "outcomes": outcomes}


def _write(cell: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return {"may not": cell["may not"], "run": cell["run"], **writing.attempt(cell, Path(folder))}


def _verbs(table: dict[str, Any]) -> dict[str, Any]:
    commands = table["commands"]
    with tempfile.TemporaryDirectory() as place, FakeServer(verbs.objects(Path(place))) as fake:
        folder = Path(place)
        fake.kubeconfig(folder / "config", namespace="wide")
        answers = {
            name: _grouped(
                (refusal, verbs.told(verbs.ask(fake, folder, refusal, command)))
                for refusal in verbs.refusals(name)
            )
            for name, command in commands.items()
        }
    return {"commands": commands, **answers}


def _grouped(cells: Iterable[tuple[str, Outcome]]) -> list[dict[str, Any]]:
    found: dict[Outcome, list[str]] = {}
    for name, result in cells:
        found.setdefault(result, []).append(name)
    return [{"code": key.code, "says": key.says, "of": names} for key, names in found.items()]


class _Flat(yaml.SafeDumper):
    """Lists of words on one line."""

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        words = all(isinstance(each, str) for each in sequence)
        return super().represent_sequence(tag, sequence, flow_style=words)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_table(name: str, table: dict[str, Any]) -> None:
    """The comment at the top stays."""
    path = HERE / f"{name}.yaml"
    head = [line for line in path.read_text().splitlines(keepends=True) if line.startswith("#")]
    path.write_text(
        "".join(head) + yaml.dump(table, Dumper=_Flat, sort_keys=False, width=110, allow_unicode=True)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
