"""Workloads in topology trees through whole runs: second passes, failed nodes, what their pods occupy.

Cases of tests/cases/placing: worlds of tests/worlds.py in which every flavor but "plain" has the topology
rack, host, with

    nodes:    {r1/h1: 4}              a ready host of 4 cpu in its rack
    podSets:  {main: {topology: {required: rack}, hosts: {h1: 2}, delayed: Pending}}
    unhealthy: [h1], owners: [Pod]    of a workload (otherwise one Job owns it)

`cycles` are the heads of every cycle, each in one line: status, mode, then for every podSet its hosts
(`main@h1:2,h2:1`), `Pending` or its error, and the modes that differ (`main.cpu=Fit`).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.views.verdict import verdict_document
from tests.worlds import KUEUE, Object, Short, read_cases, scenario

LEVELS = {"rack": "cloud.com/rack", "host": "kubernetes.io/hostname"}
CASES = read_cases("placing", "second_pass", "failed_nodes", "usage")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_placing(case: dict[str, Any]) -> None:
    verdict = run(case)
    told = {
        "cycles": [{_bare(k): _line(r) for k, r in c["results"].items()} for c in verdict["cycles"]],
        "heads": [[_bare(key) for key in c["heads"]] for c in verdict["cycles"]],
        "final": {_bare(key): _final(final) for key, final in verdict["final"].items()},
    }
    assert {key: told[key] for key in case["expect"]} == case["expect"]


def run(short: Short) -> dict[str, Any]:
    document = scenario(short)
    workloads = {**short.get("running", {}), **short.get("pending", {})}
    for obj in document["objects"]:
        if obj["kind"] == "ResourceFlavor" and obj["metadata"]["name"] != "plain":
            obj["spec"]["topologyName"] = "racks"
        elif obj["kind"] == "Workload":
            _place(obj, workloads[obj["metadata"]["name"]])
    document["objects"] += _tree(short["nodes"])
    raw = RawDocument("case", 1, 0, json.dumps(document).encode())
    return verdict_document(simulate(decode_world([raw])))


# --- from short to long ---------------------------------------------------------------------------


def _tree(nodes: Mapping[str, int]) -> Iterator[Object]:
    levels = [{"nodeLabel": key} for key in LEVELS.values()]
    yield {"apiVersion": KUEUE, "kind": "Topology", "metadata": {"name": "racks"}, "spec": {"levels": levels}}
    for path, cpu in nodes.items():
        rack, host = path.split("/")
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": host, "labels": {LEVELS["rack"]: rack, LEVELS["host"]: host}},
            "spec": {},
            "status": {
                "allocatable": {"cpu": str(cpu), "pods": "110"},
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        }


def _place(obj: Object, short: Short) -> None:
    """Topology requests, assignments, failed nodes and owners of a workload."""
    short_pod_sets = short.get("podSets", {"main": short})
    for pod_set in obj["spec"]["podSets"]:
        request = pod_set.get("topologyRequest", {})
        pod_set["topologyRequest"] = {field: LEVELS.get(value, value) for field, value in request.items()}
    for held in obj["status"].get("admission", {}).get("podSetAssignments", ()):
        pod_set = short_pod_sets[held["name"]]
        if "hosts" in pod_set:
            held["topologyAssignment"] = _assignment(pod_set["hosts"])
        if "delayed" in pod_set:
            held["delayedTopologyRequest"] = pod_set["delayed"]
    obj["status"]["unhealthyNodes"] = [{"name": name} for name in short.get("unhealthy", ())]
    obj["metadata"]["ownerReferences"] = [
        {"apiVersion": "v1", "kind": kind, "name": f"owner-{i}", "uid": f"owner-{i}"}
        for i, kind in enumerate(short.get("owners", ["Job"]))
    ]


def _assignment(hosts: Mapping[str, int]) -> Object:
    slices = [
        {"domainCount": 1, "valuesPerLevel": [{"universal": host}], "podCounts": {"universal": pods}}
        for host, pods in hosts.items()
    ]
    return {"levels": [LEVELS["host"]], "slices": slices}


# --- what came out --------------------------------------------------------------------------------


def _line(result: Mapping[str, Any]) -> str:
    words = [result["status"], result.get("mode", "")]
    for pod_set in result.get("podSets", []):
        name = pod_set["name"]
        if "topologyAssignment" in pod_set:
            words.append(f"{name}@{_hosts(pod_set['topologyAssignment']['domains'] or [])}")
        for said in ("delayedTopologyRequest", "error"):
            if said in pod_set:
                words.append(pod_set[said])
        words += [f"{name}.{resource}={mode}" for resource, mode in pod_set.get("modes", {}).items()]
    return " ".join(filter(None, words))


def _final(final: Mapping[str, Any]) -> str:
    placed = [f"{name}@{_hosts(domains)}" for name, domains in final.get("topology", {}).items()]
    return " ".join([final["state"], *placed])


def _hosts(domains: list[dict[str, Any]]) -> str:
    return ",".join(f"{domain['values'][-1]}:{domain['count']}" for domain in domains)


def _bare(key: str) -> str:
    return key.removeprefix("default/")
