"""What do whole commands take, and how many times what others take?

    python -m benchmarks.timing [--runs N] COMMAND [OTHER]

Each is one word of the shell: 'kubectl version --client'. With OTHER they take turns, A B A B, so that a busy
moment meets both; the ratio is the median of the ratios of the pairs. Wall and CPU are seconds (CPU: user and
system, of all its processes), peak is the memory of its largest process in MiB. A first run of each is not
counted.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, Self

STOPWATCH = Path(__file__).with_name("stopwatch.py")
ROOT = Path(__file__).parent.parent
MEASURES = ("wall", "cpu", "peak")
Command = Sequence[str]


class CommandFailed(Exception):
    """A command that was to be timed ended with a code other than 0."""


class Sample(NamedTuple):
    """One run: seconds, seconds, MiB."""

    wall: float
    cpu: float
    peak: float


class Pairs(NamedTuple):
    """Runs of two commands that took turns."""

    ours: list[Sample]
    theirs: list[Sample]

    def ratio(self, measure: str) -> float:
        """The median of ours / theirs, pair by pair."""
        return median(
            getattr(a, measure) / getattr(b, measure) for a, b in zip(self.ours, self.theirs, strict=True)
        )


class Stopwatch:
    """Times commands, started in the root of the repository, for as long as a `with` lasts."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(STOPWATCH)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def time(
        self, command: Command, env: Mapping[str, str] | None = None, output: str = os.devnull
    ) -> Sample:
        """One run; its standard output goes into the file `output`. Raises CommandFailed."""
        errors = Path(self._folder.name) / "stderr"
        job = {
            "argv": [shutil.which(command[0]) or command[0], *command[1:]],
            "env": dict(os.environ if env is None else env),
            "stdout": output,
            "stderr": str(errors),
        }
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if answer["code"] != 0:
            raise CommandFailed(f"{shlex.join(command)}: {answer['code']}: {errors.read_text()[-2000:]}")
        return Sample(answer["wall"], answer["cpu"], answer["peak"] / 1024)

    def runs(self, command: Command, runs: int, env: Mapping[str, str] | None = None) -> list[Sample]:
        """Some runs after one that is not counted."""
        self.time(command, env)
        return [self.time(command, env) for _ in range(runs)]

    def pairs(self, ours: Command, theirs: Command, runs: int, env: Mapping[str, str] | None = None) -> Pairs:
        """Both commands in turns, after one run each that is not counted."""
        pairs = [(self.time(ours, env), self.time(theirs, env)) for _ in range(runs + 1)][1:]
        return Pairs([a for a, _ in pairs], [b for _, b in pairs])


def calibration() -> float:
    """CPU seconds of a fixed loop of plain Python: what this machine, as busy as it is, makes of it."""
    start = time.process_time()
    known: dict[int, int] = {}
    for i in range(1_000_000):
        known[i & 1023] = known.get(i & 255, 0) + i
    return time.process_time() - start


def spread(samples: Sequence[Sample], measure: str) -> str:
    """Least / median / most."""
    values = [getattr(sample, measure) for sample in samples]
    return " / ".join(figure(value) for value in (min(values), median(values), max(values)))


def figure(value: float) -> str:
    """Three digits that count."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown: words in the first column, figures in the others."""
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def pairs_table(named: Mapping[tuple[str, str], Pairs]) -> str:
    """Comparisons by our command and theirs."""
    head = ["command", "against", "wall s", "its wall s", "CPU s", "its CPU s", "peak MiB", "its MiB"]
    head += ["wall x", "CPU x", "peak x"]
    rows = []
    for (name, other), pairs in named.items():
        spreads = [spread(runs, measure) for measure in MEASURES for runs in pairs]
        rows.append([f"`{name}`", f"`{other}`", *spreads, *(f"{pairs.ratio(m):.2f}" for m in MEASURES)])
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.timing", description=__doc__)
    parser.add_argument("command")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with Stopwatch() as watch:
        command = shlex.split(arguments.command)
        if arguments.other:
            pairs = watch.pairs(command, shlex.split(arguments.other), arguments.runs)
            print(pairs_table({(arguments.command, arguments.other): pairs}), end="")
        else:
            runs = watch.runs(command, arguments.runs)
            cells = [spread(runs, measure) for measure in MEASURES]
            print(table(["command", "wall s", "CPU s", "peak MiB"], [[arguments.command, *cells]]), end="")


if __name__ == "__main__":
    main()
