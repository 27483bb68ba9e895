"""Worlds of any size, the same ones every time, at rest: what waits in them does wait.

Twenty ClusterQueues a cohort, which has a namespace; a LocalQueue each. Of ten workloads of a queue one has
finished, four run (priority 10), five wait (priority 0, 5 or 10, at least 3 cpu each). Every other queue
borrows 2 cpu, which the one after it lends: nobody may take anything from anybody, and nothing is free.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

Object = dict[str, Any]

KUEUE = "kueue.x-k8s.io/v1beta2"
VISIBILITY = "visibility.kueue.x-k8s.io/v1beta2"
START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = "2026-01-04T00:00:00Z"
IN_COHORT = 20
RUNNING = (2, 4, 6, 8)
"""cpu of the running ones among ten."""


class Size(NamedTuple):
    queues: int
    each: int
    """Workloads of a queue."""

    @property
    def workloads(self) -> int:
        return self.queues * self.each


def snapshot(size: Size) -> Iterator[str]:
    """The pieces of a snapshot document, so that a large one is never in memory as a whole."""
    yield f'{{"name": "{size.workloads} workloads", "now": "{NOW}", "objects": ['
    for i, item in enumerate(chain(surroundings(size), workloads(size))):
        yield (",\n" if i else "\n") + json.dumps(item)
    yield "\n]}\n"


def surroundings(size: Size) -> Iterator[Object]:
    """All but the workloads, what others name first."""
    yield _object("v1", "Namespace", "", "default", 0)
    yield _object(KUEUE, "ResourceFlavor", "", "default", 0, spec={})
    for cohort in range(-(-size.queues // IN_COHORT)):
        yield _object("v1", "Namespace", "", f"team-{cohort}", cohort + 1)
    for queue in range(size.queues):
        yield _cluster_queue(queue, size.each)
        spec = {"clusterQueue": f"cq-{queue}", "stopPolicy": "None"}
        status = {"conditions": _conditions(0, Active="Ready"), **_counts(size.each)}
        yield _object(
            KUEUE, "LocalQueue", namespace_of(queue), f"lq-{queue}", queue, spec=spec, status=status
        )


def workloads(size: Size, *, full: bool = False) -> Iterator[Object]:
    """The workloads in the order of their creation, a second apart. `full`: with all that a cluster stores of
    them; without it, what a snapshot carries."""
    for i in range(size.each):
        for queue in range(size.queues):
            yield _workload(queue, i, i * size.queues + queue, full)


def waiting(size: Size) -> tuple[str, str]:
    """Namespace and name of one that waits behind others, in a queue in the middle."""
    queue = size.queues // 2
    i = next(i for i in range(size.each // 2, size.each) if i % 10 >= 5)
    return namespace_of(queue), f"job-{queue}-{i}"


def queued(queue: int, size: Size) -> list[tuple[str, int]]:
    """Names and priorities of those that wait in a queue, the first one first."""
    waits = [i for i in range(size.each) if i % 10 >= 5]
    return [(f"job-{queue}-{i}", _priority(i)) for i in sorted(waits, key=lambda i: (-_priority(i), i))]


def namespace_of(queue: int) -> str:
    return f"team-{queue // IN_COHORT}"


def _cluster_queue(queue: int, each: int) -> Object:
    used = sum(RUNNING) * (each // 10) or sum(RUNNING)
    cpu = used - 2 if queue % 2 == 0 else used + 2
    resources = [
        {"name": "cpu", "nominalQuota": str(cpu), "borrowingLimit": "10"},
        {"name": "memory", "nominalQuota": f"{cpu * 8}Gi"},
    ]
    group = {"coveredResources": ["cpu", "memory"], "flavors": [{"name": "default", "resources": resources}]}
    spec = {
        "cohortName": f"cohort-{queue // IN_COHORT}",
        "namespaceSelector": {},
        "queueingStrategy": "BestEffortFIFO",
        "preemption": {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"},
        "resourceGroups": [group],
        "stopPolicy": "None",
    }
    usage = [
        {
            "name": "default",
            "resources": [{"name": "cpu", "total": str(used)}, {"name": "memory", "total": f"{used * 4}Gi"}],
        }
    ]
    status = {
        "conditions": _conditions(0, Active="Ready"),
        "flavorsReservation": usage,
        "flavorsUsage": usage,
        **_counts(each),
    }
    return _object(KUEUE, "ClusterQueue", "", f"cq-{queue}", queue, spec=spec, status=status)


def _priority(i: int) -> int:
    return 10 if i % 10 < 5 else 5 * (i % 3)


def _counts(each: int) -> dict[str, int]:
    running = 4 * (each // 10)
    return {
        "pendingWorkloads": 5 * (each // 10),
        "reservingWorkloads": running,
        "admittedWorkloads": running,
    }


def _workload(queue: int, i: int, moment: int, full: bool) -> Object:
    place = i % 10
    cpu = RUNNING[place - 1] if 1 <= place <= 4 else 3 + i % 4
    requests = {"cpu": str(cpu), "memory": f"{4 * cpu}Gi"}
    pod_set = {"name": "main", "count": 1, "template": _template(requests, f"{queue}-{i}", full)}
    spec: Object = {
        "active": True,
        "queueName": f"lq-{queue}",
        "priority": _priority(i),
        "podSets": [pod_set],
    }
    if place in (1, 2):
        spec["maximumExecutionTimeSeconds"] = 500_000
    if place < 5:
        assignment = {
            "name": "main",
            "count": 1,
            "flavors": {"cpu": "default", "memory": "default"},
            "resourceUsage": requests,
        }
        reasons = {"QuotaReserved": "QuotaReserved", "Admitted": "Admitted", "PodsReady": "Started"}
        if place == 0:
            reasons["Finished"] = "Succeeded"
        admission = {"clusterQueue": f"cq-{queue}", "podSetAssignments": [assignment]}
        status = {"admission": admission, "conditions": _conditions(moment + 60, **reasons)}
    else:
        message = (
            "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default"
        )
        condition = {
            **_conditions(moment + 1, QuotaReserved="Pending")[0],
            "status": "False",
            "message": message,
        }
        status = {"conditions": [condition], "resourceRequests": [{"name": "main", "resources": requests}]}
    owner = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": f"train-{queue}-{i}",
        "uid": _uid("Job", moment),
    }
    item = _object(
        KUEUE, "Workload", namespace_of(queue), f"job-{queue}-{i}", moment, spec=spec, status=status
    )
    item["metadata"]["ownerReferences"] = [{**owner, "controller": True, "blockOwnerDeletion": True}]
    if full:
        item["metadata"]["labels"] = {"kueue.x-k8s.io/job-uid": owner["uid"]}
        item["metadata"]["managedFields"] = [
            _managed("kueue", _time(moment), "", {"spec": spec}),
            _managed("kueue-admission", _time(moment + 60), "status", {"status": status}),
        ]
    return item


def _template(requests: dict[str, str], name: str, full: bool) -> Object:
    container: Object = {"name": "main", "resources": {"requests": requests}}
    if not full:
        return {"spec": {"containers": [container]}}
    container |= {
        "image": "registry.example/train:1",
        "imagePullPolicy": "IfNotPresent",
        "command": ["python", "-m", "train", "--run", name],
        "env": [{"name": "RUN", "value": name}, {"name": "SEED", "value": "1"}],
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    }
    spec = {
        "containers": [container],
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Never",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
    }
    labels = {"app": "train", "batch.kubernetes.io/job-name": f"train-{name}"}
    return {"metadata": {"labels": labels}, "spec": spec}


def _managed(manager: str, time: str, subresource: str, content: Object) -> Object:
    """Who wrote which fields, in the server's form: a third of what it sends of an object."""
    entry = {"apiVersion": KUEUE, "fieldsType": "FieldsV1", "fieldsV1": _fields(content)}
    entry |= {"manager": manager, "operation": "Update", "time": time}
    return {**entry, "subresource": subresource} if subresource else entry


def _fields(value: Any) -> Object:
    if isinstance(value, dict):
        return {f"f:{key}": _fields(each) for key, each in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {f'k:{{"name":"{each.get("name", each.get("type"))}"}}': _fields(each) for each in value}
    return {}


def _conditions(moment: int, **reasons: str) -> list[Object]:
    return [
        {
            "type": name,
            "status": "True",
            "reason": reason,
            "message": f"It is {reason}",
            "lastTransitionTime": _time(moment),
            "observedGeneration": 1,
        }
        for name, reason in reasons.items()
    ]


def _object(version: str, kind: str, namespace: str, name: str, moment: int, **content: Object) -> Object:
    metadata = {"name": name, "uid": _uid(kind, moment), "creationTimestamp": _time(moment), "generation": 1}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **content}


def _uid(kind: str, number: int) -> str:
    return str(UUID(int=int.from_bytes(kind[:6].encode()) << 64 | number))


def _time(moment: int) -> str:
    return (START + timedelta(seconds=moment)).strftime("%Y-%m-%dT%H:%M:%SZ")
