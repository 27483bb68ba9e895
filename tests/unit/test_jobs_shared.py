"""Workloads as the integrations of Kueue v0.19.2 made them, and those of a recorded cluster."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.jobs import Conversion, workloads_of
from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.decode import decode_world
from tests.conftest import REPOSITORY

SHARED = REPOSITORY.parent / "shared"
MANIFESTS = sorted((SHARED / "cases/jobs").glob("*.yaml"))
DUMPS = [path for path in sorted(SHARED.glob("dumps/*/json")) if path.is_dir()]
KEPT = ("name", "resources", "restartPolicy")


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.stem)
def test_manifests(manifest: Path) -> None:
    job = yaml.safe_load(manifest.read_text())
    expected = json.loads(manifest.with_suffix(".workload.json").read_text())
    conversion = workloads_of([job])
    assert not conversion.refusals
    (workload,) = conversion.workloads
    assert workload["metadata"]["name"] == expected["name"]
    assert workload["metadata"]["labels"] == expected["labels"]
    assert workload["spec"]["queueName"] == expected["queueName"]
    assert workload["spec"].get("maximumExecutionTimeSeconds") == expected.get("maximumExecutionTimeSeconds")
    assert [recorded(each) for each in workload["spec"]["podSets"]] == expected["podSets"]
    msgspec.convert(workload, kinds.Workload)


def recorded(pod_set: dict[str, Any]) -> dict[str, Any]:
    """A pod set without the fields of containers that the recordings leave out."""
    found: dict[str, Any] = json.loads(json.dumps(pod_set))
    spec = found["template"]["spec"]
    for field in {"containers", "initContainers"} & spec.keys():
        spec[field] = [{key: each[key] for key in KEPT if key in each} for each in spec[field]]
    return found


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.parent.name)
def test_dumps(dump: Path) -> None:
    """Every Workload of which the job is still there, to the last field; running jobs too."""
    conversion, there = converted(dump)
    assert not conversion.refusals
    made = {(each["metadata"]["namespace"], each["metadata"]["name"]): each for each in conversion.workloads}
    assert made.keys() <= there.keys()
    assert len(made) >= 65
    for key, workload in made.items():
        real = there[key]
        # Deactivated since, or finished: that is no longer the job's doing.
        assert workload["spec"] | {"active": True} == real["spec"] | {"active": True}
        for field in ("labels", "annotations", "ownerReferences"):
            assert workload["metadata"].get(field) == real["metadata"].get(field)


def converted(dump: Path) -> tuple[Conversion, dict[tuple[str, str], dict[str, Any]]]:
    files = sorted(dump.glob("*.json"))
    world = decode_world([document for path in files for document in read_source(str(path))])
    objects = [each for path in files for each in json.loads(path.read_text())["items"]]
    jobs = [each for each in objects if each["kind"] != "Workload"]
    there = {
        (each["metadata"]["namespace"], each["metadata"]["name"]): each
        for each in objects
        if each["kind"] == "Workload"
    }
    return workloads_of(jobs, world), there
