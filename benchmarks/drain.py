"""Drain worlds until idle and say what that took.

    python -m benchmarks.drain FILE... [--cycles N]

FILE is a snapshot document, .gz or not. Seconds are wall seconds of one run: read (file to World), build
(World to scheduler state), run (cycles until idle), verdict (the document of it all).
"""

import argparse
import gc
import resource
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.simulate import follow
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.views.verdict import verdict_document


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drain", description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--cycles", type=int, default=100_000)
    arguments = parser.parse_args()
    print(
        f"{'world':34} {'read':>6} {'build':>6} {'run':>6} {'verdict':>8} {'cycles':>7} {'heads':>7}"
        "  MiB  outcome"
    )
    for file in arguments.files:
        measure(file, arguments.cycles)


def measure(file: str, cycles: int) -> None:
    gc.disable()
    moments = [time.perf_counter()]
    world = decode_world(read_source(file))
    moments.append(time.perf_counter())
    gc.freeze()
    state = State(world)
    moments.append(time.perf_counter())
    run = follow(state, lambda result: False, cycles)
    moments.append(time.perf_counter())
    document = verdict_document(run)
    moments.append(time.perf_counter())
    read, build, ran, verdict = (after - before for before, after in pairwise(moments))
    heads = sum(len(cycle["results"]) for cycle in document["cycles"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    outcome = Counter(final["state"] for final in document["final"].values())
    print(
        f"{Path(file).name.split('.')[0]:34} {read:6.2f} {build:6.2f} {ran:6.2f} {verdict:8.2f}"
        f" {len(document['cycles']):7} {heads:7} {peak:4}  {run.stop}, {dict(outcome)}"
    )


if __name__ == "__main__":
    main()
