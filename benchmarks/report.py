"""The report of `benchmarks/run`: the machine, each part, and the aims."""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import drain, growth, live, start
from benchmarks.aims import aims_table
from benchmarks.part import Part
from benchmarks.timing import calibration
from benchmarks.world import Size

TITLES = {
    "start": "Start",
    "live": "On a cluster",
    "drain": "Draining until idle",
    "growth": "Growth",
}


def main(usage: str, root: Path, words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="benchmarks/run", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", action="append", choices=list(TITLES), help="only this; can be given again")
    parser.add_argument("--runs", type=int, default=3, help="pairs of the long commands; short ones more")
    parser.add_argument("--worlds", type=Path, default=root.parent / "shared" / "bench", help="for drain")
    parser.add_argument("--python", default=sys.executable, help="of the environment that is measured")
    parser.add_argument("--plot", type=Path, help="where growth draws its curves")
    arguments = parser.parse_args(words)
    parts: dict[str, Callable[[], Part]] = {
        "start": lambda: start.measure(arguments.python, 5 * arguments.runs),
        "live": lambda: live.measure(arguments.python, arguments.runs, Size(1000, 10)),
        "drain": lambda: _drain(arguments.worlds),
        "growth": lambda: growth.measure(arguments.python, arguments.runs, growth.SIZES, arguments.plot),
    }
    _say(f"Before: {machine()}\n")
    figures: dict[str, float] = {}
    for name in arguments.part or parts:
        part = parts[name]()
        figures |= part.figures
        _say(f"### {TITLES[name]}\n\n{part.text}")
    _say(f"### Aims\n\n{aims_table(figures)}\nAfter: {machine()}")


def machine() -> str:
    """What figures depend on, without a date or a name."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    loops = " / ".join(f"{seconds * 1000:.0f}" for seconds in sorted(calibration() for _ in range(3)))
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()},"
        f" load average {load}, calibration loop {loops} ms."
    )


def _drain(folder: Path) -> Part:
    files = [folder / f"{name}.json.gz" for name in drain.REAL]
    if missing := [file.name for file in files if not file.exists()]:
        return Part(f"Not there: {', '.join(missing)}.\n", {})
    return drain.measure([str(file) for file in files])


def _say(text: str) -> None:
    print(text, flush=True)
