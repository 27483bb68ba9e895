"""Users who may not do one thing with one kind: list it, get it; or next to nothing."""

import itertools
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.cluster import clock
from kubectl_kueue.jobs.naming import workload_name
from tests.api.fake import OBJECTS, FakeServer, Fault
from tests.reliability.cells import HERE, NOW, Finished, Outcome, run, sane

KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
UID = "00000000-0000-0000-0000-0000000000aa"
NAME = workload_name("Job", "batch", "placed", UID)

KINDS: Mapping[str, str] = {
    "Workload": f"{KUEUE}/workloads",
    "LocalQueue": f"{KUEUE}/localqueues",
    "ClusterQueue": f"{KUEUE}/clusterqueues",
    "Cohort": f"{KUEUE}/cohorts",
    "ResourceFlavor": f"{KUEUE}/resourceflavors",
    "AdmissionCheck": f"{KUEUE}/admissionchecks",
    "Topology": f"{KUEUE}/topologies",
    "WorkloadPriorityClass": f"{KUEUE}/workloadpriorityclasses",
    "ProvisioningRequestConfig": f"{KUEUE}/provisioningrequestconfigs",
    "PriorityClass": "/apis/scheduling.k8s.io/v1/priorityclasses",
    "RuntimeClass": "/apis/node.k8s.io/v1/runtimeclasses",
    "Namespace": "/api/v1/namespaces",
    "LimitRange": "/api/v1/limitranges",
    "Node": "/api/v1/nodes",
    "Pod": "/api/v1/pods",
    "Event": "/api/v1/events",
    "ConfigMap": "/api/v1/configmaps",
    "Deployment": "/apis/apps/v1/deployments",
    "Job": "/apis/batch/v1/jobs",
    "PendingWorkloadsSummary": "/apis/visibility.kueue.x-k8s.io/v1beta2/*queues/*/pendingworkloads",
}
"""Every kind that explain, pending and admit may ask for, by its path."""

VERBS = ("list", "get", "list and get")
STATUS: Mapping[str, int] = {"list": 403, "get": 403, "absent": 404, "broken": 500}
SHORT = ("explain workload", "pending", "describe")
"""Commands that meet absent and broken kinds, too."""
INQUIRIES = ("explain clusterqueue", "explain localqueue", "explain cohort")
"""Commands that list and do not get."""
MAIN = ("Workload", "LocalQueue")
"""Kinds whose verbs are refused in every combination."""
NAMED = (*MAIN, "ClusterQueue", "Namespace", "Pod", "ConfigMap", "Job")
"""Kinds of which a command may get one by its name; all others are only listed."""

ALL_BUT_THE_WORKLOAD = "all but to get Workload"


def refusals(command: str) -> list[str]:
    """What a user may not do: "list Node"; with ", " between several; everything but one thing; everything.

    Besides, for some commands: kinds that are absent (404), kinds whose server is broken (500).
    """
    if command in INQUIRIES:
        return [f"{how} {kind}" for how in ("list", "broken") for kind in KINDS]
    alone = [f"{verb} {kind}" for kind in KINDS for verb in (VERBS if kind in NAMED else VERBS[:1])]
    many = [
        ", ".join(f"{verb} {kind}" for verb, kind in zip(verbs, MAIN, strict=True) if verb)
        for verbs in itertools.product(("", *VERBS), repeat=len(MAIN))
    ]
    worse = [f"broken {kind}" for kind in KINDS if command in SHORT]
    worse += [
        f"absent {kind}" for kind, path in KINDS.items() if command in SHORT and path.startswith("/apis")
    ]
    return list(dict.fromkeys([*alone, *filter(None, many), ALL_BUT_THE_WORKLOAD, "all", *worse]))


def refused(refusal: str) -> list[tuple[str, str]]:
    """Verb and kind of every right that is missing."""
    if not refusal:
        return []
    if refusal in ("all", ALL_BUT_THE_WORKLOAD):
        every = [(verb, kind) for kind in KINDS for verb in ("list", "get")]
        return [each for each in every if refusal == "all" or each != ("get", "Workload")]
    found: list[tuple[str, str]] = []
    for part in refusal.split(", "):
        verbs, _, kind = part.rpartition(" ")
        found.extend((verb, kind) for verb in verbs.split(" and "))
    return found


def ask(fake: FakeServer, folder: Path, refusal: str, command: str) -> Finished:
    """One command of a user who is refused that."""
    faults = [
        Fault(path, "status", STATUS[verb]) for verb, kind in refused(refusal) for path in _paths(verb, kind)
    ]
    fake.faults = [[fault, -1] for fault in faults]
    connection = ("--kubeconfig", str(folder / "config"), "--cache-dir", str(folder / "cache"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: NOW)
        finished = run(*command.replace("WORKLOAD", NAME).split(), *connection)
    sane(finished)
    return finished


def _paths(verb: str, kind: str) -> Iterator[str]:
    path = KINDS[kind]
    root, _, plural = path.rpartition("/")
    if "*" in path:
        yield path  # asked for in one way only
        yield path.replace("*queues", "namespaces/*/localqueues", 1)
        return
    if verb != "get":
        yield path
        yield f"{root}/namespaces/*/{plural}"
    if verb != "list":
        yield f"{path}/[!/]*" if kind != "Namespace" else f"{path}/wide"
        yield f"{root}/namespaces/*/{plural}/*"


def told(finished: Finished) -> Outcome:
    first = (finished.stdout or finished.stderr).partition("\n")[0]
    return Outcome(finished.code, first)


def unnamed(refusal: str, finished: Finished) -> list[str]:
    """The kinds that were refused and are not named in the answer."""
    text = (finished.stdout + finished.stderr).lower()
    return sorted({kind for _, kind in refused(refusal) if not any(word in text for word in _words(kind))})


def _words(kind: str) -> tuple[str, ...]:
    """How an answer may name a kind."""
    more = {"Deployment": ("configuration",), "ConfigMap": ("configuration",)}
    more["PendingWorkloadsSummary"] = ("visibility api",)
    return (kind.lower(), "for not all could be read", *more.get(kind, ()))


def objects(folder: Path) -> Path:
    """The objects of tests/api and those of wide.yaml, with the groups that these need."""
    place = folder / "objects"
    shutil.copytree(OBJECTS, place)
    apis = json.loads((place / "discovery" / "apis.json").read_bytes())
    for key, items in _wide().items():
        group, _, plural = key.rpartition("/")
        _add(place / "json" / f"{plural}.json", items, group)
        if group in ("", "batch", "kueue.x-k8s.io"):
            continue
        version = {"groupVersion": f"{group}/v1", "version": "v1"}
        apis["groups"].append({"name": group, "versions": [version], "preferredVersion": version})
        entry = {"name": plural, "kind": items[0]["kind"], "namespaced": group == "apps", "verbs": ["list"]}
        answer = {"kind": "APIResourceList", "groupVersion": f"{group}/v1", "resources": [entry]}
        (place / "discovery" / f"apis_{group}_v1.json").write_text(json.dumps(answer))
    (place / "discovery" / "apis.json").write_text(json.dumps(apis))
    (place / "discovery" / "apis-aggregated.json").unlink()
    return place


def _wide() -> Any:
    return yaml.safe_load((HERE / "wide.yaml").read_text().replace("WORKLOAD", NAME))


def _add(path: Path, items: list[Any], group: str) -> None:
    named = path.with_name(f"{path.stem}.{group}.json")
    if not path.exists() and group and group != "kueue.x-k8s.io":
        path = named
    there: Any = {"kind": "List", "apiVersion": "v1", "items": []}
    if path.exists():
        there = json.loads(path.read_bytes())
    for item in items:
        item["metadata"].setdefault("creationTimestamp", "2026-11-29T07:00:00Z")
        item["metadata"].setdefault("resourceVersion", "1")
    there["items"] += items
    path.write_text(json.dumps(there))
