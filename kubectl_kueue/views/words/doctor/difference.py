"""What doctor says where Kueue's own figures are others than the scheduler's rules give."""

from collections.abc import Mapping

from kubectl_kueue.views.words.commands import kueue
from kubectl_kueue.views.words.doctor.diagnosis import Facts, Words, key_of
from kubectl_kueue.views.words.numbers import count, joined


def _differences(f: Facts, one: str, other: str) -> str:
    return joined(f"{field} {one} {a}, {other} {b}" for field, (a, b) in f["differences"].items())


def _figures(name: str, f: Facts) -> str:
    totals = ", ".join(f"{each.removeprefix('kueue_')} {value}" for each, value in f["totals"].items())
    return f"metrics of {count(f['count'], 'ClusterQueue')} agree with the statuses" + (
        f" ({totals})" if totals else ""
    )


WORDS: Mapping[str, Words] = {
    "scheduler-agrees": Words(lambda n, f: "no workload fits that Kueue has left waiting"),
    "fits-and-waits": Words(
        lambda n, f: (
            f"{n} fits into {f['cluster_queue']}, and Kueue has not admitted it for {f['minutes']}m"
            + (f' (it says: "{f["says"]}")' if f["says"] else "")
        ),
        lambda n, f: "it waits for no reason that its cluster tells",
        lambda n, f: [
            kueue("explain", "workload", key_of(n)),
            "restart Kueue if it stays so, and report it with a snapshot (kubectl kueue snapshot --redact)",
        ],
    ),
    "statuses-agree": Words(
        lambda n, f: f"statuses of {count(f['count'], 'ClusterQueue')} agree with the Workloads"
    ),
    "status-differs": Words(
        lambda n, f: f"{n}: {_differences(f, 'says', 'Workloads say')}",
        lambda n, f: "Kueue may count quota that nobody holds, or the status is late",
        lambda n, f: ["look again in a minute; if it stays so, restart Kueue"],
    ),
    "metrics-agree": Words(_figures),
    "metrics-differ": Words(
        lambda n, f: f"{n}: {_differences(f, 'metric', 'status')}",
        lambda n, f: "dashboards and objects tell different stories",
        lambda n, f: ["look again in a minute; if it stays so, restart Kueue"],
    ),
}
