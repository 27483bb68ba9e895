"""The definitions of the tests say the same as Kueue's, and a server with either holds a world."""

from collections import Counter
from typing import Any

import pytest

from tests.cluster.apiserver import ApiServer
from tests.cluster.conftest import DUMP, HERE
from tests.cluster.crds import RECORDED, own_crds, recorded_crds
from tests.cluster.loading import Object, read_dump, read_world

BASE = "/apis/kueue.x-k8s.io/v1beta2"


@pytest.mark.skipif(not RECORDED.is_dir(), reason="no ../shared beside the repository")
def test_own_definitions_are_those_of_kueue() -> None:
    recorded = {crd["metadata"]["name"]: _facts(crd) for crd in recorded_crds()}
    own = {crd["metadata"]["name"]: _facts(crd) for crd in own_crds(("v1beta2", "v1beta1"))}
    assert own == {name: recorded[name] for name in own}


def test_a_server_with_own_definitions_holds_the_world(server: ApiServer) -> None:
    assert _count(server) == _expected(read_world(HERE / "world.yaml"))
    workload = server.call("GET", f"{BASE}/namespaces/team-a/workloads/job-train")
    job = server.call("GET", "/apis/batch/v1/namespaces/team-a/jobs/train")
    assert workload["metadata"]["ownerReferences"][0]["uid"] == job["metadata"]["uid"]
    assert workload["status"]["admission"]["clusterQueue"] == "cq-a"
    assert workload["spec"]["active"] is True


def test_a_server_with_kueues_definitions_holds_the_recorded_world(recorded: ApiServer) -> None:
    assert _count(recorded) == _expected(read_dump(DUMP))


def _count(server: ApiServer) -> Counter[str]:
    plurals = {"ClusterQueue": "clusterqueues", "LocalQueue": "localqueues", "Workload": "workloads"}
    found = {kind: server.call("GET", f"{BASE}/{plural}")["items"] for kind, plural in plurals.items()}
    return Counter({kind: len(items) for kind, items in found.items()})


def _expected(objects: list[Object]) -> Counter[str]:
    return Counter(
        item["kind"] for item in objects if item["kind"] in ("ClusterQueue", "LocalQueue", "Workload")
    )


def _facts(crd: dict[str, Any]) -> dict[str, Any]:
    """What a client can tell: words, scope, versions, columns, selectable fields, status."""
    spec = crd["spec"]
    return {
        "scope": spec["scope"],
        "names": {key: spec["names"][key] for key in ("kind", "listKind", "plural", "singular")},
        "short": sorted(spec["names"].get("shortNames", ())),
        "versions": {version["name"]: _version_facts(version) for version in spec["versions"]},
    }


def _version_facts(version: dict[str, Any]) -> dict[str, Any]:
    columns = version.get("additionalPrinterColumns", ())
    return {
        "stored": version["storage"],
        "deprecated": version.get("deprecated", False),
        "status": "status" in version.get("subresources", ()),
        "fields": version.get("selectableFields", []),
        "columns": [(c["name"], _quoted(c["jsonPath"]), c["type"], c.get("priority", 0)) for c in columns],
    }


def _quoted(path: str) -> str:
    return path.replace('"', "'")
