"""Four times the objects take some four times as long: a table of shapes and commands."""

import os
import time
from pathlib import Path

import pytest

from tests.reliability.cells import run, sane
from tests.reliability.hostile import items
from tests.reliability.shapes import SHAPES

COMMANDS = {
    "lint": "lint --snapshot FILE",
    "doctor": "doctor --snapshot FILE",
    "tree": "tree --snapshot FILE",
    "top": "top --snapshot FILE",
    "explain": "explain workload w -n ns --snapshot FILE",
    "pending": "pending -A --snapshot FILE",
    "admit": "admit --dry-run --snapshot FILE",
    "list": "list workloads -A --snapshot FILE",
    "convert": "convert -f FILE",
    "snapshot": "snapshot --file - --snapshot FILE",
}
SIZE, TIMES = 250, 4
MOST = 9.0
"""Times as long: 4 is what grows with the data, 16 what grows with its square."""
NOISE = 0.15
"""Seconds of the processor that say nothing."""
TRIES = 3
MANY = None if os.environ.get("KUEUE_NIGHTLY") else 2
"""Commands of a shape, lint and doctor first: the others are for the night."""
CASES = [(shape, command) for shape, (_, commands) in SHAPES.items() for command in commands[:MANY]]


@pytest.mark.parametrize(("shape", "command"), CASES, ids=map("-".join, CASES))
def test_time_grows_with_the_data(shape: str, command: str, tmp_path: Path) -> None:
    make = SHAPES[shape][0]
    files = {count: tmp_path / f"{count}.json" for count in (SIZE, SIZE * TIMES)}
    for count, path in files.items():
        path.write_bytes(items(make(count)))
    took = []
    for _ in range(TRIES):
        small, large = (_seconds(COMMANDS[command], path) for path in files.values())
        if large < MOST * small + NOISE:
            return
        took.append((small, large))
    pytest.fail(f"{command}, {shape}: seconds for {SIZE} and {SIZE * TIMES}: {took}")


def _seconds(words: str, path: Path) -> float:
    started = time.process_time()
    finished = run(*words.replace("FILE", str(path)).split())
    sane(finished)
    return time.process_time() - started
