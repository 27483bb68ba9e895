"""The cells of lists: ages, states of workloads, states of pods, and what odd objects look like."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.slim import (
    ClusterQueue,
    LocalQueue,
    Pod,
    Workload,
    from_value,
    read_slim,
)
from kubectl_kueue.model.status_words import TRUE_WORDS, kueuectl_status, queue_stop, true_status
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.views.durations import age, short_duration
from kubectl_kueue.views.listings.pods import pod_row
from kubectl_kueue.views.listings.workloads import workload_row

CASES = Path(__file__).parents[1] / "cases" / "listing"
NOW = parse_time("2026-03-01T10:00:00Z")


def load(name: str) -> Any:
    return yaml.safe_load((CASES / f"{name}.yaml").read_text())


DURATIONS = load("durations")
STATES = load("states")
PODS = load("pods")


@pytest.mark.parametrize("seconds", DURATIONS)
def test_durations(seconds: float) -> None:
    assert short_duration(round(seconds * 1_000_000)) == DURATIONS[seconds]


@pytest.mark.parametrize(
    ("timestamp", "text"),
    [
        ("2026-03-01T09:59:00Z", "60s"),
        ("2026-03-01T11:59:00+02:00", "60s"),
        ("2026-03-01T10:00:03Z", "<invalid>"),
        (None, "<unknown>"),
        ("", "<unknown>"),
        ("yesterday", "<unknown>"),
    ],
)
def test_age(timestamp: str | None, text: str) -> None:
    assert age(timestamp, NOW) == text


# --- workloads ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", STATES, ids=lambda case: case["name"])
def test_states(case: dict[str, Any]) -> None:
    workload = from_value(workload_of(case), Workload)
    assert kueuectl_status(workload.status.conditions) == case["kueuectl"]
    assert true_status(workload, NOW, case.get("stopped", False)) == tuple(case["state"])


def test_every_state_has_a_case() -> None:
    assert {case["state"][0] for case in STATES} == set(TRUE_WORDS)


def workload_of(case: dict[str, Any]) -> dict[str, Any]:
    """The shorthand of cases/listing/states.yaml as a Workload."""
    conditions = []
    for type_, words in case.get("conditions", {}).items():
        status, reason, message = [*words, "", ""][:3]
        conditions.append({"type": type_, "status": str(status), "reason": reason, "message": message})
    status: dict[str, Any] = {"conditions": conditions}
    if "requeue" in case:
        status["requeueState"] = {"count": 1, "requeueAt": f"{case['requeue']:%Y-%m-%dT%H:%M:%SZ}"}
    if "checks" in case:
        status["admissionChecks"] = [{"name": name, "state": state} for name, state in case["checks"].items()]
    spec = {"active": case.get("active", True), "queueName": case.get("queue", "main")}
    return {"spec": spec, "status": status}


@pytest.mark.parametrize(
    ("spec", "active", "why"),
    [
        ({"clusterQueue": "cq"}, None, ""),
        ({"clusterQueue": "cq", "stopPolicy": "None"}, ("True", "Ready"), ""),
        (
            {"clusterQueue": "cq", "stopPolicy": "HoldAndDrain"},
            None,
            "LocalQueue q is stopped (HoldAndDrain)",
        ),
        ({"clusterQueue": "cq"}, ("False", "ClusterQueueIsInactive"), "ClusterQueue cq is inactive"),
        ({"clusterQueue": "cq"}, ("False", "ClusterQueueDoesNotExist"), ""),
    ],
)
def test_stopped_queues(spec: dict[str, Any], active: tuple[str, str] | None, why: str) -> None:
    conditions = [{"type": "Active", "status": active[0], "reason": active[1]}] if active else []
    queue = {"metadata": {"name": "q"}, "spec": spec, "status": {"conditions": conditions}}
    assert queue_stop(from_value(queue, LocalQueue)) == why


def test_owners_keep_their_order_and_are_named_once() -> None:
    owners = [
        {"kind": "StatefulSet", "name": "store"},
        {"kind": "Pod", "name": "store-1"},
        {"kind": "Pod", "name": "store-0"},
        {"kind": "AVeryLongKindOfOwner", "name": "store"},
        {"kind": "AnEvenLongerKindOfOwner", "name": "x"},
    ]
    row = workload_row(from_value({"metadata": {"ownerReferences": owners}}, Workload), None, NOW)
    assert row.job_type == "statefulset, pod, averylongkindofowner, anevenlongerkindofow..."
    assert row.job_name == "store, store-1, store-0, x"


@pytest.mark.parametrize(
    ("conditions", "time"),
    [
        ([], ""),
        ([("Admitted", "True", "09:58:30")], "90s"),
        ([("Admitted", "False", "09:58:30")], ""),
        ([("Admitted", "True", "09:50:00"), ("Finished", "True", "09:55:30")], "5m30s"),
        ([("Admitted", "True", "09:50:00"), ("Finished", "False", "09:55:30")], "10m"),
        ([("Finished", "True", "09:55:30")], ""),
    ],
)
def test_exec_time(conditions: list[tuple[str, str, str]], time: str) -> None:
    listed = [
        {"type": type_, "status": status, "lastTransitionTime": f"2026-03-01T{at}Z"}
        for type_, status, at in conditions
    ]
    workload = from_value({"status": {"conditions": listed}}, Workload)
    assert workload_row(workload, None, NOW).exec_time == time


# --- pods ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", PODS, ids=lambda case: case["name"])
def test_pods(case: dict[str, Any]) -> None:
    init = [
        {"name": name.rstrip("!"), **({"restartPolicy": "Always"} if name.endswith("!") else {})}
        for name in case.get("init", ())
    ]
    spec = {"containers": [{"name": name} for name in case["containers"]], "initContainers": init}
    meta = {"name": "p", **({"deletionTimestamp": "2026-03-01T09:00:00Z"} if case.get("deleted") else {})}
    row = pod_row(from_value({"metadata": meta, "spec": spec, "status": case["status"]}, Pod), NOW)
    assert list(row[2:5]) == case["cells"]


# --- odd objects --------------------------------------------------------------------------------


def test_old_versions_are_read_under_the_new_names() -> None:
    value = {"apiVersion": "kueue.x-k8s.io/v1beta1", "metadata": {"name": "q"}, "spec": {"cohort": "all"}}
    assert read_slim(msgspec.json.encode(value), ClusterQueue).spec.cohort_name == "all"
    assert from_value(value, ClusterQueue).spec.cohort_name == "all"
    assert value["spec"] == {"cohort": "all"}


def test_null_means_absent() -> None:
    value = {"metadata": {"name": "q", "labels": None}, "spec": None, "status": {"pendingWorkloads": None}}
    queue = read_slim(msgspec.json.encode(value), ClusterQueue)
    assert (queue.metadata.name, queue.status.pending_workloads) == ("q", 0)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (
            b'{"metadata":{"name":"q"},"spec":{"cohortName":7}}',
            'ClusterQueue "q": /spec/cohortName: 7 is not',
        ),
        (b'{"metadata":[]}', 'ClusterQueue "": /metadata: a list is not an object'),
        (b"[]", 'ClusterQueue "": a list is not an object'),
        (b"{", "ClusterQueue: not JSON"),
    ],
)
def test_wrong_types(content: bytes, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        read_slim(content, ClusterQueue)
    assert str(error.value).startswith(complaint)
