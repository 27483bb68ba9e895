"""`doctor` against an API server: only GETs, and no refusal ends it."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kubectl_kueue.cli.contents import WORLD
from kubectl_kueue.cluster.kinds import kind_named
from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

Doctor = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def doctor(server: FakeServer, kueue: Kueue, tmp_path: Path) -> Doctor:
    """Runs `doctor ARGUMENTS` while `faults` happen."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, faults: tuple[Fault, ...] = ()) -> Finished:
        server.faults = [[fault, fault.times] for fault in faults]
        return kueue("doctor", *arguments, "--kubeconfig", str(kubeconfig), "--cache-dir", str(tmp_path))

    return run


def checks_of(finished: Finished) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(finished.stdout)["checks"]
    return found


def statuses(finished: Finished, check: str) -> list[str]:
    return [found["status"] for found in checks_of(finished) if found["check"] == check]


def test_only_reads(doctor: Doctor, server: FakeServer) -> None:
    finished = doctor("-o", "json")
    assert (finished.code, finished.stderr) == (2, "")
    assert {request.method for request in server.requests} == {"GET"}
    assert not [path for path in server.paths() if path.endswith("/secrets")]


def test_finds_what_is_wrong_in_the_small_cluster(doctor: Doctor) -> None:
    found = {(each["code"], each["object"]) for each in checks_of(doctor("-o", "json"))}
    assert {
        ("manager-absent", ""),
        ("conversion-works", ""),
        ("visibility-answers", ""),
        ("jobs-have-workloads", ""),
        ("flavor-without-nodes", "ResourceFlavor/a100"),
        ("status-differs", "ClusterQueue/cpu-pool"),
    } <= found


def test_somebody_who_may_read_nothing(doctor: Doctor) -> None:
    finished = doctor("-o", "json", faults=(Fault("/api*/v*/*", "status", 403),))
    assert (finished.code, finished.stderr) == (0, "")
    counted = Counter(found["status"] for found in checks_of(finished))
    assert not counted["error"]
    told = [found for found in checks_of(finished) if found["status"] == "skipped"]
    assert any("forbidden" in found["message"] for found in told)


@pytest.mark.parametrize("plural", ["workloads", "clusterqueues", "nodes", "namespaces", "localqueues"])
@pytest.mark.parametrize("status", [403, 500])
def test_one_kind_that_is_refused_ends_nothing(doctor: Doctor, plural: str, status: int) -> None:
    finished = doctor("-o", "json", faults=(Fault(f"*/{plural}", "status", status),))
    assert finished.stderr == ""
    seen = {found["check"] for found in checks_of(finished)}
    assert {"installation/manager", "difference/metrics", "capacity/quotas"} <= seen
    if plural == "nodes":
        assert statuses(finished, "capacity/quotas") == ["skipped"]
        assert "skipped" not in statuses(finished, "stuck/thrashing")


def test_no_server_is_an_error(kueue: Kueue, server: FakeServer, tmp_path: Path) -> None:
    kubeconfig = server.kubeconfig(tmp_path / "config")
    finished = kueue(
        "doctor", "--kubeconfig", str(kubeconfig), "-s", "https://127.0.0.1:1", "--cache-dir", str(tmp_path)
    )
    assert finished.code == 1
    assert finished.stderr.startswith("Error:")


def test_metrics_are_compared(doctor: Doctor) -> None:
    text = b'kueue_admitted_active_workloads{cluster_queue="small-cq"} 77\n'
    faults = (Fault("*/proxy/metrics", "body", text),)
    found = checks_of(doctor("--select", "difference/metrics", "-o", "json", faults=faults))
    assert [(each["code"], each["object"]) for each in found] == [("metrics-differ", "ClusterQueue/small-cq")]


def test_a_conversion_that_fails_is_told(doctor: Doctor) -> None:
    faults = (Fault("/apis/kueue.x-k8s.io/v1beta1/workloads", "status", 500),)
    found = checks_of(doctor("--select", "installation/conversion", "-o", "json", faults=faults))
    assert "conversion-fails" in {each["code"] for each in found}


def test_doctor_reads_all_that_a_verdict_depends_on(server: FakeServer, doctor: Doctor) -> None:
    doctor()
    asked = {path.partition("?")[0].rpartition("/")[2] for path in server.paths()}
    assert asked >= {kind_named(name).plural for name in WORLD}
