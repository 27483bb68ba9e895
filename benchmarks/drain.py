"""Drain worlds until idle and say what that took, also as a part of what the real scheduler took.

    python -m benchmarks.drain FILE... [--cycles N]

FILE is a snapshot document, .gz or not. Seconds are CPU seconds of one run in a process of its own: read
(file to World), build (World to scheduler state), run (cycles until idle), verdict (the document of it all);
wall is that of run and verdict. For the worlds that REAL names, their CPU seconds are divided by the most and
the least wall seconds of the real scheduler. The loop is one of plain Python, timed before and after: it
tells how busy the machine was.
"""

import argparse
import gc
import resource
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.part import Part
from benchmarks.timing import calibration, figure, table


class Real(NamedTuple):
    """Wall seconds of Kueue v0.19.2's scheduler in one process without an API server, least and most."""

    least: float
    most: float
    cycles: int = 100_000
    """It does not come to rest: after so many it was stopped."""


REAL = {
    "30cq-15000wl-ample": Real(6.5, 12.6),
    "30cq-15000wl-contended": Real(0.36, 0.46),
    "1000cq-10000wl": Real(7.6, 8.9),
    "1000cq-preemption": Real(21.7, 27.2),
    "1000cq-preemption-fair": Real(67.9, 67.9, 400),
}
STAGES = ("read", "build", "run", "verdict")


class Drained(NamedTuple):
    """CPU seconds by stage, wall seconds of run and verdict, MiB, and what happened."""

    cpu: tuple[float, ...]
    wall: float
    peak: int
    cycles: int
    heads: int
    outcome: str

    @property
    def decided(self) -> float:
        """CPU seconds of run and verdict."""
        return self.cpu[2] + self.cpu[3]


def measure(files: Sequence[str], cycles: int | None = None) -> Part:
    """Ratios: "drain <world>" to the least time of the real scheduler, "drain <world> most" to its most."""
    rows, figures = [], {}
    for file in files:
        name = Path(file).name.split(".")[0]
        real = REAL.get(name)
        before = calibration()
        done = _alone(file, cycles or (real.cycles if real else Real(0, 0).cycles))
        loop = f"{before * 1000:.0f}, {calibration() * 1000:.0f}"
        ratio = "-"
        if real:
            figures[f"drain {name}"] = done.decided / real.least
            figures[f"drain {name} most"] = done.decided / real.most
            ratio = f"{done.decided / real.most:.2f}-{done.decided / real.least:.2f}"
        times = [figure(value) for value in (*done.cpu, done.decided, done.wall)]
        counts = [str(done.peak), str(done.cycles), str(done.heads)]
        rows.append([name, *times, ratio, loop, *counts, done.outcome])
    head = ["world", *STAGES, "run + verdict", "wall", "of the real", "loop ms", "MiB", "cycles", "heads"]
    return Part(table([*head, "outcome"], rows), figures)


def _alone(file: str, cycles: int) -> Drained:
    """One run in a process that has done nothing else."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(drain, file, cycles).result()


def drain(file: str, cycles: int) -> Drained:
    """Reads with the collector off, as the command line does."""
    from kubectl_kueue.cluster.files import read_source
    from kubectl_kueue.engine.simulate import follow
    from kubectl_kueue.engine.state import State
    from kubectl_kueue.model.decode import decode_world
    from kubectl_kueue.views.verdict import verdict_document

    gc.disable()
    moments = [time.process_time()]
    world = decode_world(read_source(file))
    moments.append(time.process_time())
    gc.freeze()
    state = State(world)
    moments.append(time.process_time())
    start = time.perf_counter()
    run = follow(state, lambda result: False, cycles)
    moments.append(time.process_time())
    document = verdict_document(run)
    moments.append(time.process_time())
    wall = time.perf_counter() - start
    heads = sum(len(cycle["results"]) for cycle in document["cycles"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    states = Counter(final["state"] for final in document["final"].values())
    outcome = ", ".join([run.stop, *(f"{count} {state}" for state, count in sorted(states.items()))])
    cpu = tuple(after - before for before, after in pairwise(moments))
    return Drained(cpu, wall, peak, len(document["cycles"]), heads, outcome)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drain", description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--cycles", type=int)
    arguments = parser.parse_args()
    print(measure(arguments.files, arguments.cycles).text, end="")


if __name__ == "__main__":
    main()
