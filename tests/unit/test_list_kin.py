"""`list workload --for` and `list pods --for`: what belongs to a job, whatever its kind."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Kueue

CASES = yaml.safe_load((Path(__file__).parents[1] / "cases" / "listing" / "kin.yaml").read_text())


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("kin") / "objects.json"
    items = [expanded(head, fields) for head, fields in CASES["objects"].items()]
    elsewhere = expanded("batch/v1 Job train", {"uid": "another"})
    elsewhere["metadata"]["namespace"] = "other"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*items, elsewhere]}))
    return str(path)


@pytest.mark.parametrize(("command", "subject"), [(c, s) for c in ("workloads", "pods") for s in CASES[c]])
def test_kin(command: str, subject: str, kueue: Kueue, snapshot: str) -> None:
    found = kueue("list", command, "--for", subject, "-n", "team", "-o", "name", "--snapshot", snapshot)
    assert [line.rpartition("/")[2] for line in found.stdout.splitlines()] == CASES[command][subject]
    assert found.stderr == ("" if found.stdout else "No resources found in team namespace.\n")
    assert found.code == 0


@pytest.mark.parametrize(
    ("command", "subject"), [(c, s) for c, subjects in CASES["refused"].items() for s in subjects]
)
def test_refused(command: str, subject: str, kueue: Kueue, snapshot: str) -> None:
    found = kueue("list", command, "--for", subject, "-n", "team", "--snapshot", snapshot)
    assert found.stderr == f"Error: {CASES['refused'][command][subject]}\n"
    assert (found.stdout, found.code) == ("", 1)


def test_pods_of_what_is_not_there(kueue: Kueue, snapshot: str) -> None:
    found = kueue("list", "pods", "--for", "job/nope", "-n", "team", "--snapshot", snapshot)
    assert found == ("", "No resources found in team namespace.\n", 1)


def test_all_namespaces(kueue: Kueue, snapshot: str) -> None:
    """The pods of the jobs of this name wherever they are, the workloads too; none is there twice."""
    for command, names in (("pods", "pod/train-a\n"), ("workload", "workload.kueue.x-k8s.io/job-train\n")):
        found = kueue("list", command, "-A", "--for", "job/train", "-o", "name", "--snapshot", snapshot)
        assert found == (names, "", 0)


def test_labels_narrow_what_belongs(kueue: Kueue, snapshot: str) -> None:
    found = kueue(
        *("list", "pods", "--for", "deploy/web", "-l", "tier=edge", "-n", "team", "-o", "name"),
        *("--snapshot", snapshot),
    )
    assert found == ("pod/web-1-b\n", "", 0)


def expanded(head: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The shorthand of cases/listing/kin.yaml as an object."""
    version, kind, name = head.split()
    meta: dict[str, Any] = {"name": name, "namespace": "team", "uid": fields.get("uid", f"{kind}-{name}")}
    meta |= {key: fields[key] for key in ("labels", "annotations") if key in fields}
    meta["ownerReferences"] = [reference(words, meta["uid"]) for words in fields.get("owners", ())]
    rest = {key: fields[key] for key in ("spec", "status") if key in fields}
    return {"apiVersion": version, "kind": kind, "metadata": meta, **rest}


def reference(words: str, uid: str) -> dict[str, str]:
    """An owner; what has no uid itself knows none of its owners'."""
    kind, name = words.split()
    versions = {head.split()[1]: head.split()[0] for head in CASES["objects"]}
    return {
        "apiVersion": versions[kind],
        "kind": kind,
        "name": name,
        "uid": f"{kind}-{name}" if uid else "",
    }
