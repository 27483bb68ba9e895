"""What the figures should be, and whether they are."""

from collections.abc import Mapping
from typing import NamedTuple

from benchmarks.timing import figure, table


class Aim(NamedTuple):
    what: str
    figure: str
    """Its name in the figures of the parts."""
    limit: float
    unit: str = "x"


KUBECTL_VERSION = "of `kubectl version --client`"
KUBECTL_GET = "of `kubectl get workloads -A`"
GROWTH = ("explain workload", "explain workload --no-suggest", "list workload -A", "pending -A", "tree")

AIMS = (
    *(
        Aim(f"`{command}`, {measure} {KUBECTL_VERSION}", f"{command} {measure}", limit)
        for command, limit in (
            ("version --client", 1.5),
            ("--help", 1.5),
            ("list --help", 1.5),
            ("__complete list ''", 0.7),
        )
        for measure in ("cpu", "wall")
    ),
    Aim("`list clusterqueue`, 20, wall of `kubectl get --raw`", "list clusterqueue wall", 1.5),
    Aim(f"`list workload -A`, 10,000, wall {KUBECTL_GET}", "list workload -A wall", 0.6),
    Aim(f"`list workload -A`, 10,000, peak memory {KUBECTL_GET}", "list workload -A peak", 0.6),
    Aim(f"`explain workload`, 10,000, wall {KUBECTL_GET}", "explain workload wall", 1.0),
    Aim("30cq-15000wl-ample, of the real scheduler", "drain 30cq-15000wl-ample", 0.2),
    Aim("30cq-15000wl-contended, of the real scheduler", "drain 30cq-15000wl-contended", 0.6),
    Aim("1000cq-10000wl, of the real scheduler", "drain 1000cq-10000wl", 0.2),
    Aim("1000cq-preemption, of the real scheduler", "drain 1000cq-preemption", 0.2),
    Aim("1000cq-preemption-fair, of the real scheduler", "drain 1000cq-preemption-fair", 0.4),
    *(
        Aim(f"`{command}`, {words} per workload, of a tenth of the size", f"{command} growth {measure}", 1.3)
        for command in GROWTH
        for words, measure in (("CPU", "cpu"), ("memory", "peak"))
    ),
    Aim("`explain workload`, 100,000, snapshot", "explain workload 100000 wall", 15.0, "s"),
    Aim("the same, memory", "explain workload 100000 peak", 1536.0, "MiB"),
)


def aims_table(figures: Mapping[str, float]) -> str:
    """The aims whose figures were measured."""
    rows = [
        [aim.what, f"{figure(aim.limit)} {aim.unit}", *_judged(aim, figures)]
        for aim in AIMS
        if aim.figure in figures
    ]
    return table(["what", "at most", "measured", "met"], rows)


def _judged(aim: Aim, figures: Mapping[str, float]) -> tuple[str, str]:
    """A drain has two ratios: to the least and to the most that the real scheduler took."""
    value = figures[aim.figure]
    least = figures.get(f"{aim.figure} most", value)
    measured = figure(value) if least == value else f"{figure(least)}-{figure(value)}"
    met = "yes" if value <= aim.limit else "no" if least > aim.limit else "by its slow runs"
    return f"{measured} {aim.unit}", met
