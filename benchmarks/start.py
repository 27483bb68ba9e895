"""How long does it take to start?

    python -m benchmarks.start [--runs N] [--python PATH]

Commands that read no cluster, each in turns with one of kubectl that does as little. PATH is the interpreter
of the environment that is measured: its script kubectl-kueue, or `PATH -m kubectl_kueue` if it has none.
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.part import Part
from benchmarks.program import environment, kubectl, ours
from benchmarks.timing import Stopwatch, pairs_table

COMMANDS = (
    ("version --client", "version --client"),
    ("--help", "version --client"),
    ("list --help", "version --client"),
    ("__complete list ''", "version --client"),
    ("__complete list ''", "__complete config ''"),
)
"""Our command and kubectl's. `kubectl __complete get ''` would look for a cluster; the words after `config`
are as fixed as ours."""


def measure(python: str, runs: int, commands: Sequence[tuple[str, str]] = COMMANDS) -> Part:
    """Ratios are named "<command> <measure>"."""
    theirs = kubectl()
    if theirs is None:
        return Part("kubectl is not installed: nothing to compare with.\n", {})
    found = {}
    with tempfile.TemporaryDirectory() as home, Stopwatch() as watch:
        env = environment(Path(home))
        for name, other in commands:
            command = [*ours(python), *shlex.split(name)]
            found[name, f"kubectl {other}"] = watch.pairs(command, [theirs, *shlex.split(other)], runs, env)
    figures = {
        f"{name} {measure}": pairs.ratio(measure)
        for (name, other), pairs in found.items()
        for measure in ("wall", "cpu")
        if other == "kubectl version --client"
    }
    return Part(pairs_table(found), figures)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    print(measure(arguments.python, arguments.runs).text, end="")


if __name__ == "__main__":
    main()
