"""Jobs as people write them -> Workloads, refusals, changes, notes (tests/cases/jobs)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.jobs import is_job, kubeflow, workloads_of
from kubectl_kueue.jobs.naming import workload_name
from kubectl_kueue.jobs.registry import INTEGRATIONS
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.job_kinds import JOB_KINDS, REPLICA_FIELDS
from kubectl_kueue.model.world import World
from kubectl_kueue.views.convert import CHANGES, NOTES, RULES, conversion_words
from tests.conftest import REPOSITORY
from tests.worlds import read_cases

VERSIONS = {
    "Job": "batch/v1",
    "JobSet": "jobset.x-k8s.io/v1alpha2",
    "MPIJob": "kubeflow.org/v2beta1",
    "TrainJob": "trainer.kubeflow.org/v1alpha1",
    "ClusterTrainingRuntime": "trainer.kubeflow.org/v1alpha1",
    "RayCluster": "ray.io/v1",
    "RayService": "ray.io/v1",
    "RayJob": "ray.io/v1",
    "AppWrapper": "workload.codeflare.dev/v1beta2",
    "SparkApplication": "sparkoperator.k8s.io/v1beta2",
    "Pod": "v1",
    "Deployment": "apps/v1",
    "StatefulSet": "apps/v1",
    "LeaderWorkerSet": "leaderworkerset.x-k8s.io/v1",
}
TEMPLATE = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}


@pytest.mark.parametrize(
    "case", read_cases("jobs", "building", "pods", "surroundings", "refusals"), ids=lambda case: case["name"]
)
def test_jobs(case: dict[str, Any]) -> None:
    objects = [written(short) for short in case.get("objects") or [marked(case["marks"])]]
    conversion = workloads_of(objects, world_of(case), namespace="ns")
    expected = case["expect"]
    if "made" in expected:
        assert len(conversion.workloads) == len(expected["made"]), list(conversion_words(conversion))
        for workload, wanted in zip(conversion.workloads, expected["made"], strict=True):
            check(workload, wanted)
    told = [(refusal.code, refusal.path) for refusal in conversion.refusals]
    wanted = [[*each.split(), None][:2] for each in expected.get("refusals", [])]
    assert [code for code, _ in told] == [code for code, _ in wanted], told
    assert all(path in (None, found) for (_, found), (_, path) in zip(told, wanted, strict=True)), told
    if "changes" in expected:
        assert [change.path for change in conversion.changes] == expected["changes"]
    if "notes" in expected:
        assert sorted(note.code for note in conversion.notes) == sorted(expected["notes"])
    assert all(conversion_words(conversion))


def check(workload: dict[str, Any], wanted: dict[str, Any]) -> None:
    """What a case says of a Workload holds; null: it is not there."""
    meta, spec = workload["metadata"], workload["spec"]
    pods = [pod_set["template"] for pod_set in spec["podSets"]]
    found = {
        "name": meta["name"],
        "annotations": meta.get("annotations"),
        "owners": [f"{owner['kind']}/{owner['name']}" for owner in meta["ownerReferences"]],
        "podSets": [short_pod_set(each) for each in spec["podSets"]],
        "topology": [each.get("topologyRequest") for each in spec["podSets"]],
        "containers": pods[0]["spec"].get("containers"),
        "container": pods[0]["spec"]["containers"][0],
        "lastContainer": pods[-1]["spec"]["containers"][-1],
        "gates": [gate["name"] for gate in pods[0]["spec"].get("schedulingGates", [])],
        "template": pods[0]["metadata"].get("labels"),
        "spec": pods[0]["spec"],
    }
    for key, value in wanted.items():
        if key == "nameOf":
            kind, group, name, uid, *extra = value
            assert meta["name"] == workload_name(kind, group, name, uid, extra="".join(extra))
        else:
            assert (found[key] if key in found else spec.get(key)) == value, key


def short_pod_set(pod_set: dict[str, Any]) -> str:
    least = f" min {pod_set['minCount']}" if "minCount" in pod_set else ""
    return f"{pod_set['name']} {pod_set['count']}{least}"


def written(short: dict[str, Any]) -> dict[str, Any]:
    """The object of a short form."""
    kind = short["kind"]
    labels = keyed(short.get("labels", {}))
    if "queue" in short:
        labels["kueue.x-k8s.io/queue-name"] = short["queue"]
    meta = {
        **({"generateName": short["generateName"]} if "generateName" in short else {}),
        **({} if "generateName" in short else {"name": short.get("name", "it")}),
        **{key: short[key] for key in ("uid", "generation", "namespace") if key in short},
        "labels": labels,
        "annotations": keyed(short.get("annotations", {})),
    }
    if "owner" in short:
        version, owner, name = short["owner"].rsplit("/", 2)
        meta["ownerReferences"] = [
            {"apiVersion": version, "kind": owner, "name": name, "uid": "u", "controller": True}
        ]
    version = short.get("apiVersion") or VERSIONS.get(kind, "kubeflow.org/v1")
    spec = {"spec": templates(short["spec"])} if "spec" in short else {}
    return {"apiVersion": version, "kind": kind, "metadata": meta, **spec, **short.get("more", {})}


def marked(marks: dict[str, str]) -> dict[str, Any]:
    """A job of four pods with these topology annotations, in short form."""
    template = {"metadata": {"annotations": keyed(marks)}, **TEMPLATE}
    return {"kind": "Job", "queue": "q", "spec": {"parallelism": 4, "template": template}}


def keyed(marks: dict[str, str]) -> dict[str, str]:
    return {key if "/" in key else f"kueue.x-k8s.io/{key}": value for key, value in marks.items()}


def templates(value: Any) -> Any:
    """TEMPLATE stands for a template of one small container."""
    if isinstance(value, dict):
        return {key: templates(each) for key, each in value.items()}
    if isinstance(value, list):
        return [templates(each) for each in value]
    return TEMPLATE if value == "TEMPLATE" else value


def world_of(case: dict[str, Any]) -> World | None:
    if "world" not in case and "gates" not in case:
        return None
    objects = case.get("world") or [
        {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "LocalQueue",
            "metadata": {"name": "q", "namespace": "ns"},
        }
    ]
    document = {"now": "2026-01-01T00:00:00Z", "features": case.get("gates", {}), "objects": objects}
    return decode_world([RawDocument("case", 1, 0, json.dumps(document).encode())])


# --- words ----------------------------------------------------------------------------------------

SOURCES = "\n".join(path.read_text() for path in sorted((REPOSITORY / "kubectl_kueue/jobs").glob("*.py")))


def test_every_code_has_words() -> None:
    rules = set(re.findall(r'checks\.add\(\s*"([-A-Za-z0-9]+)"', SOURCES))
    rules |= set(re.findall(r'Refusal\([^"]*"([-a-z]+)"', SOURCES))
    assert rules == set(RULES)
    notes = set(re.findall(r'self\._note\(\s*[^,]+, "([-a-z]+)"', SOURCES)) | {"not-a-job", "unmanaged"}
    assert notes == set(NOTES)
    changes = set(re.findall(r'yield "([-a-z]+)"', SOURCES)) | {"queue-defaulted"}
    assert changes == set(CHANGES)


def test_every_code_is_on_the_page() -> None:
    page = (REPOSITORY / "docs/jobs.md").read_text()
    for code in (*RULES, *NOTES, *CHANGES):
        assert f"`{code}`" in page, code
    for _, kind in INTEGRATIONS:
        assert kind in page


def test_kinds() -> None:
    assert is_job("Job", "batch/v1")
    assert not is_job("Job", "example.com/v1")
    assert is_job("MPIJob", "kubeflow.org/v2beta1")
    assert not is_job("MPIJob", "kubeflow.org/v1")
    assert not is_job("CronJob", "batch/v1")


@pytest.mark.parametrize("length", [1, 200, 253])
def test_long_names_are_cut_but_hashed_whole(length: int) -> None:
    name = workload_name("Job", "batch", "a" * length, "u")
    assert len(name) <= 253
    assert name != workload_name("Job", "batch", "a" * length, "v")
    assert Path(name).name == name


def test_the_tables_have_the_same_kinds() -> None:
    assert INTEGRATIONS.keys() == JOB_KINDS.keys()
    assert kubeflow.REPLICA_TYPES.keys() == REPLICA_FIELDS.keys()
