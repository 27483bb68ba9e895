"""Do time and memory grow only as fast as the number of workloads?

    python -m benchmarks.growth [--sizes N,N,N] [--runs N] [--plot FILE] [--python PATH]

Worlds of 1,000, 10,000 and 100,000 workloads, a hundred in each queue, as snapshots. Each command in a
process of its own; figures are medians of N runs, one run above 20,000. What a command takes for a world of
100 workloads is its start and is taken off before the rest is divided by the workloads. The factor is a
figure per workload over the one of the size before: 1 is flat. `explain` stops looking for changes that would
help when its time is over; --no-suggest leaves that out.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.part import Part
from benchmarks.plot import Curves, plot
from benchmarks.program import environment, ours
from benchmarks.timing import Sample, Stopwatch, figure, table
from benchmarks.world import Size, snapshot, waiting

EACH = 100
SMALL = 100
LARGE = 20_000
SIZES = (1_000, 10_000, 100_000)
COMMANDS = ("explain workload", "explain workload --no-suggest", "list workload -A", "pending -A", "tree")
PLOT = Path(__file__).with_name("growth.svg")


def measure(
    python: str,
    runs: int,
    sizes: Sequence[int],
    picture: Path | None,
    *,
    small: int = SMALL,
    commands: Sequence[str] = COMMANDS,
) -> Part:
    """Figures are "<command> <size> wall|cpu|peak", and "<command> growth cpu|peak", the largest factor."""
    found: dict[str, dict[int, Sample]] = {command: {} for command in commands}
    with tempfile.TemporaryDirectory() as home, Stopwatch() as watch:
        env = environment(Path(home))
        for workloads in (small, *sizes):
            size = Size(max(2, workloads // EACH), min(EACH, workloads // 2))
            file = Path(home) / "world.json"
            with file.open("w") as stream:
                stream.writelines(snapshot(size))
            for command in commands:
                words = [*ours(python), *command.split(), *_subject(command, size), "--snapshot", str(file)]
                samples = watch.runs(words, runs, env) if workloads <= LARGE else [watch.time(words, env)]
                found[command][workloads] = Sample(*(median(values) for values in zip(*samples, strict=True)))
                print(workloads, command, found[command][workloads], file=sys.stderr, flush=True)
    figures: dict[str, float] = {}
    rows = [row for command in commands for row in _rows(command, found[command], small, figures)]
    if picture is not None:
        picture.write_text(plot(_curves(found, sizes)))
    head = [
        "command",
        "workloads",
        "wall s",
        "CPU s",
        "peak MiB",
        "CPU µs each",
        "factor",
        "KiB each",
        "factor",
    ]
    return Part(table(head, rows), figures)


def _subject(command: str, size: Size) -> list[str]:
    namespace, name = waiting(size)
    return [name, "-n", namespace] if command.startswith("explain") else []


def _rows(
    command: str, samples: dict[int, Sample], small: int, figures: dict[str, float]
) -> Iterator[list[str]]:
    start = samples[small]
    before: tuple[float, float] | None = None
    for workloads, sample in list(samples.items())[1:]:
        cpu = (sample.cpu - start.cpu) / (workloads - small) * 1e6
        memory = (sample.peak - start.peak) / (workloads - small) * 1024
        factors = ["", ""]
        if before is not None:
            for i, (measure, now) in enumerate((("cpu", cpu), ("peak", memory))):
                factor = now / before[i] if now > 0 and before[i] > 0 else 1.0  # less than the noise
                key = f"{command} growth {measure}"
                figures[key] = max(figures.get(key, 0.0), factor)
                factors[i] = f"{factor:.2f}"
        before = cpu, memory
        figures |= {f"{command} {workloads} {name}": value for name, value in sample._asdict().items()}
        totals = [figure(value) for value in sample]
        yield [
            f"`{command}`", f"{workloads:,}", *totals, figure(cpu), factors[0], figure(memory), factors[1]
        ]  # fmt: skip


def _curves(found: dict[str, dict[int, Sample]], sizes: Sequence[int]) -> list[Curves]:
    return [
        Curves(
            title,
            {name: [(n, getattr(samples[n], measure)) for n in sizes] for name, samples in found.items()},
        )
        for title, measure in (("CPU seconds", "cpu"), ("peak memory, MiB", "peak"))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    print(measure(arguments.python, arguments.runs, sizes, arguments.plot).text, end="")


if __name__ == "__main__":
    main()
