"""What doctor says of quotas against nodes."""

from collections.abc import Mapping

from kubectl_kueue.views.words.doctor.diagnosis import Facts, Words
from kubectl_kueue.views.words.numbers import count, joined, several, verb


def _givers(f: Facts) -> str:
    parts = []
    if f["queues"]:
        parts.append(f"{count(len(f['queues']), 'ClusterQueue')} ({several(f['queues'])})")
    if f["cohorts"]:
        parts.append(f"{count(len(f['cohorts']), 'Cohort')} ({several(f['cohorts'])})")
    return joined(parts)


def _or_topology(f: Facts) -> str:
    return "" if f["topology"] else ", or give the flavor a Topology"


def _with_labels(f: Facts) -> str:
    return f"with {joined(f['labels'])} " if f["labels"] else ""


def _shared(f: Facts) -> str:
    return f", which are those of {several(f['shared_with'])} too" if f["shared_with"] else ""


WORDS: Mapping[str, Words] = {
    "flavors-have-nodes": Words(
        lambda n, f: f"{count(f['count'], 'flavor')} with quota, each with nodes ({f['nodes']} in all)"
    ),
    "flavor-without-nodes": Words(
        lambda n, f: f"{n}: no ready node {_with_labels(f)}belongs to it",
        lambda n, f: f"workloads that {several(f['queues'])} admits there get no node" if f["queues"] else "",
        lambda n, f: [
            "correct spec.nodeLabels and spec.nodeTaints; harmless if an autoscaler makes the nodes"
        ],
    ),
    "quotas-covered": Words(lambda n, f: f"nodes have what {count(f['count'], 'quota')} promise"),
    "quota-above-nodes": Words(
        lambda n, f: (
            f"{n}: quota {f['quota']} {f['resource']} in {_givers(f)}, {count(f['nodes'], 'node')} "
            f"{verb(f['nodes'], 'have')} {f['allocatable']}{_shared(f)}"
        ),
        lambda n, f: (
            "quota is shown as free that no node has: workloads wait for a place"
            if f["topology"]
            else "admitted pods stay Pending, or evict others by pod priority: Kueue counts quota, not nodes"
        ),
        lambda n, f: [f"lower nominalQuota or add nodes{_or_topology(f)}"],
    ),
    "nodes-in-flavors": Words(
        lambda n, f: f"no scarce resource of {count(f['count'], 'node')} is outside of all flavors"
    ),
    "nodes-in-no-flavor": Words(
        lambda n, f: (
            f"{f['amount']} {f['resource']} on {count(len(f['nodes']), 'node')} ({several(f['nodes'])}) in "
            "no flavor"
        ),
        lambda n, f: "no quota is about them",
        lambda n, f: ["label the nodes as a flavor asks, or make a flavor for them"],
    ),
}
