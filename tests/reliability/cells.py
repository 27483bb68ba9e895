"""One cell of a table: a command runs in this process, and what it leaves is an outcome."""

import contextlib
import io
import re
import shlex
import socket
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from kubectl_kueue.__main__ import main
from kubectl_kueue.cluster import clock
from tests.reliability.clusters import Row, cluster

NOW = clock.now()  # of all cells, so that ages are the same
HERE = Path(__file__).parent
HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Outcome(NamedTuple):
    """What a table says of a cell."""

    code: int
    says: str


class Finished(NamedTuple):
    """All that a command left behind."""

    code: int
    stdout: str
    stderr: str


def read_table(name: str) -> Any:
    return yaml.safe_load((HERE / f"{name}.yaml").read_text())


def run(*words: str) -> Finished:
    """The program in this process, with streams of text that are no terminal."""
    out, err = _stream(), _stream()
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(SystemExit):
        patch.setattr(sys, "argv", ["kubectl-kueue"])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = main(words)
    return Finished(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), write_through=True)


def run_cell(row: Row, command: str, folder: Path) -> Finished:
    """One command against the cluster of one row. What holds for every cell is asserted here."""
    old = folder / "old.json"
    old.write_text("{}")
    with cluster(row, folder) as fake, pytest.MonkeyPatch.context() as patch:
        if "pages" in row:
            patch.setenv("KUEUECTL_LIST_REQUEST_LIMIT", str(row["pages"]))
        patch.setattr(clock, "now", lambda: NOW)
        patch.setattr(socket, "getaddrinfo", _look_up)
        words = [str(old) if word == "FILE" else word for word in shlex.split(command)]
        connection = ("--kubeconfig", str(folder / "config"), "--cache-dir", str(folder / "cache"))
        finished = run(*words, *connection, *row.get("flags", ()))
        writes = [request.method for request in fake.requests if request.method != "GET"]
    finished = finished._replace(stdout=finished.stdout.replace(str(folder), "FOLDER"))
    sane(finished)
    if finished.code and words[0] == "snapshot":
        assert old.read_text() == "{}", "a failed snapshot leaves the old file"
    if words[0] not in WRITERS:
        assert not writes
    return finished


def _look_up(host: str, *arguments: Any, known: Any = socket.getaddrinfo) -> Any:
    """No test waits for a name server."""
    if host == "nowhere.invalid":
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    return known(host, *arguments)


WRITERS = ("create", "patch", "stop", "resume", "delete")


def sane(finished: Finished) -> None:
    """One line of error, no traceback, nothing that a terminal would obey."""
    assert not HOSTILE.search(finished.stdout + finished.stderr)
    assert "Traceback" not in finished.stderr, finished.stderr
    assert "bug in kubectl-kueue" not in finished.stderr, finished.stderr
    if finished.code == 1 and not finished.stdout:
        assert finished.stderr.startswith(("Error", "error", "Warning")), finished.stderr
        assert finished.stderr.count("\n") < 20


def outcome(finished: Finished) -> Outcome:
    first = finished.stderr.partition("\n")[0]
    first = re.sub(r'"https?://[^"]*"', '"URL"', first)  # of many lists at a time, any may fail first
    first = re.sub(r"does not serve [\w.-]+", "does not serve KIND", first)
    first = re.sub(r"127\.0\.0\.1:\d+", "HOST:PORT", first)
    first = re.sub(r"after \d+ bytes", "after N bytes", first)
    first = re.sub(r"/[^ ]*/(plugin\.sh|old\.json|python[\d.]*|config)\b", r"\1", first)
    return Outcome(finished.code, first)


def wanted(outcomes: Iterable[Mapping[str, Any]], who: str) -> Outcome | None:
    for each in outcomes:
        if who in each["of"]:
            return Outcome(each["code"], each["says"])
    return None


def cells(table: Mapping[str, Any]) -> list[Any]:
    """A parameter for every cell of a table."""
    return [
        pytest.param(row, command, id=f"{row['name']}-{command}")
        for row in table["faults"]
        for command in commands_of(row, table)
    ]


def commands_of(row: Row, table: Mapping[str, Any]) -> list[str]:
    """Those that the fault reaches: all, a group of them, or a list."""
    asked = row.get("commands", "all")
    groups = {"all": list(table["commands"]), **table["groups"]}
    return groups[asked] if isinstance(asked, str) else list(asked)
