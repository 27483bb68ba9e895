"""What do commands on a cluster take, and how many times what kubectl takes?

    python -m benchmarks.live [--runs N] [--queues N] [--each N] [--python PATH]

Starts the kube-apiserver of the tests (tests/cluster/build.sh builds it once), on loopback over TLS. First it
has 20 ClusterQueues and nothing in them, then QUEUES of them with EACH workloads (1,000 and 10). Commands
take turns, ours and kubectl's. No controllers run; the places in the queues come through the server from a
stand-in for Kueue's visibility API, one question a ClusterQueue with something pending.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from benchmarks.cluster import running_cluster
from benchmarks.part import Part
from benchmarks.program import environment, kubectl, ours
from benchmarks.timing import MEASURES, Pairs, Stopwatch, pairs_table
from benchmarks.world import KUEUE, Size, surroundings, waiting, workloads

FEW = Size(20, 0)
RAW = f"get --raw /apis/{KUEUE}/clusterqueues"
ALL = "get workloads -A"


def measure(python: str, runs: int, size: Size) -> Part:
    """Ratios are named "<command> <measure>"; the name of the workload that is explained is left out."""
    theirs = kubectl()
    if theirs is None:
        return Part("kubectl is not installed: nothing to compare with.\n", {})
    found: dict[tuple[str, str], Pairs] = {}
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        try:
            with running_cluster(folder) as cluster, Stopwatch() as watch:
                env = environment(folder, cluster.server.kubeconfig("admin"))

                def compare(command: str, other: str, times: int, *more: str) -> None:
                    words = [*ours(python), *command.split(), *more]
                    pairs = watch.pairs(words, [theirs, *other.split()], times, env)
                    found[command, f"kubectl {other}"] = pairs
                    print(f"{command}: {pairs.ratio('wall'):.2f}", file=sys.stderr, flush=True)

                cluster.put(surroundings(FEW))
                compare("list clusterqueue", RAW, 3 * runs)
                compare("list clusterqueue", "get clusterqueues", 3 * runs)

                cluster.put(surroundings(size))
                cluster.put(workloads(size, full=True))
                namespace, name = waiting(size)
                rows = folder / "rows"
                with cluster.showing_places(size):
                    compare("list workload -A", ALL, runs)
                    watch.time([*ours(python), "list", "workload", "-A"], env, str(rows))
                    compare("explain workload", ALL, runs, name, "-n", namespace)
                    compare("explain workload --no-suggest", ALL, runs, name, "-n", namespace)
                    for command in ("pending -A", "tree", "top"):
                        compare(command, ALL, runs)
                placed, pending = _positions(rows.read_text())
        except FileNotFoundError as error:
            return Part(f"{error}\n", {})
    text = f"{size.workloads:,} Workloads in {size.queues:,} ClusterQueues; 20 for `list clusterqueue`.\n\n"
    text += pairs_table(found)
    text += f"\n{placed:,} of {pending:,} pending ones in `list workload -A` have a position.\n"
    figures = {
        f"{command} {each}": pairs.ratio(each)
        for (command, other), pairs in found.items()
        for each in MEASURES
        if other != "kubectl get clusterqueues"
    }
    return Part(text, figures)


def _positions(listing: str) -> tuple[int, int]:
    """How many pending ones have a position, and how many there are."""
    head, *rows = listing.splitlines()
    status, position = head.index("STATUS"), head.index("POSITION IN QUEUE")
    pending = [row for row in rows if row[status:].startswith("PENDING")]
    return sum(bool(re.match(r"\d", row[position:])) for row in pending), len(pending)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--queues", type=int, default=1000)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    size = Size(arguments.queues, arguments.each)
    print(measure(arguments.python, arguments.runs, size).text, end="")


if __name__ == "__main__":
    main()
