"""Names at TAB: of a cluster, a snapshot, the kubeconfig; what is kept on the disk, and for how long."""

import json
import os
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.completion import cache, names
from tests.api.fake import FakeServer, Fault
from tests.conftest import REPOSITORY, Finished, Kueue
from tests.unit.test_completion import check

CASES = yaml.safe_load((REPOSITORY / "tests" / "cases" / "completion" / "names.yaml").read_text())
SHARED = REPOSITORY.parent / "shared"
RECORDED = ("complete-cq", "complete-lq", "complete-ns", "complete-wl")

STOPPED = (
    ("clusterqueues", "team-a-cq", "", {"stopPolicy": "Hold"}),
    ("localqueues", "small", "diag", {"stopPolicy": "HoldAndDrain"}),
    ("workloads", "job-sample-job-3-a16de", "batch", {"active": False}),
)

Complete = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        for resource, name, namespace, spec in STOPPED:
            found = running.find(resource, name, namespace)
            assert found is not None
            found["spec"].update(spec)
        yield running


@pytest.fixture
def complete(kueue: Kueue, server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Asks what there is for a command line, in namespace batch of the server."""
    monkeypatch.setenv("KUBECACHEDIR", str(tmp_path / "cache"))
    monkeypatch.setenv("KUBECONFIG", server.kubeconfig(tmp_path / "config", namespace="batch"))
    return lambda line: kueue("__complete", *shlex.split(line))


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "kubectl-kueue" / "completion").glob("*"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"])
def test_offers(case: dict[str, Any], complete: Complete) -> None:
    check(case, complete(case["line"]))


def test_all_names_are_offered_however_many(complete: Complete, server: FakeServer) -> None:
    server.objects["clusterqueues"] = [
        {"metadata": {"name": f"cq-{number:05}"}, "spec": {}} for number in range(4321)
    ]
    for line in ("get cq ''", "stop cq ''"):
        assert complete(line).stdout.count("\n") == 4322


@pytest.mark.skipif(not (SHARED / "transcripts").is_dir(), reason="there are no recordings")
@pytest.mark.parametrize("name", RECORDED)
def test_recordings(name: str, kueue: Kueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What kueuectl offers on the same cluster; only its notice on standard error is left out."""
    words = shlex.split((SHARED / "transcripts" / f"{name}.cmd").read_text())[2:]
    with FakeServer(SHARED / "dumps" / "before-mutations") as server:
        monkeypatch.setenv("KUBECACHEDIR", str(tmp_path))
        finished = kueue("__complete", "--kubeconfig", server.kubeconfig(tmp_path / "config"), *words)
    recorded = (SHARED / "transcripts" / f"{name}.out").read_text()
    assert finished == Finished(recorded, "", 0)


# --- the disk -------------------------------------------------------------------------------------


def test_a_list_is_read_once(complete: Complete, server: FakeServer) -> None:
    first = complete("stop cq ''")
    asked = len(server.requests)
    assert complete("stop cq ''") == first
    assert complete("resume cq ''").stdout == "team-a-cq\n:4\n"  # the same list
    assert len(server.requests) == asked > 0


def test_a_list_grows_old(complete: Complete, server: FakeServer, tmp_path: Path) -> None:
    complete("get cq ''")
    asked = len(server.requests)
    [file] = kept(tmp_path)
    old = time.time() - cache.SECONDS - 1
    os.utime(file, (old, old))
    complete("get cq ''")
    assert len(server.requests) > asked


def test_files_are_the_users_own_and_old_ones_go(complete: Complete, tmp_path: Path) -> None:
    complete("get cq ''")
    [file] = kept(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o077 == 0
    old = time.time() - cache.KEPT_SECONDS - 1
    os.utime(file, (old, old))
    complete("get rf ''")
    assert len(kept(tmp_path)) == 1
    assert file not in kept(tmp_path)


def test_another_user_namespace_or_kind_is_another_list(
    complete: Complete, server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        *("get lq ''", "get lq -n team-a ''", "get wl -n team-a ''", "get lq -A ''"),
        *("get lq --as bob ''", "get lq --token x ''", "get lq --context fake ''"),
    )
    for line in lines:
        complete(line)
    assert len(kept(tmp_path)) == len(lines)
    complete("get localqueues --namespace team-a ''")
    assert len(kept(tmp_path)) == len(lines)
    monkeypatch.setenv("KUBECONFIG", server.kubeconfig(tmp_path / "config", user={"token": "y"}))
    complete("get lq ''")
    assert len(kept(tmp_path)) == len(lines) + 1


def test_a_broken_file_is_no_list(complete: Complete, tmp_path: Path) -> None:
    first = complete("get cq ''")
    [file] = kept(tmp_path)
    file.write_bytes(b"a\n\xff\xfe cut")
    assert complete("get cq ''").code == 0
    file.unlink()
    file.mkdir()
    assert complete("get cq ''") == first


def test_without_a_place_to_write_names_come_all_the_same(complete: Complete, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    assert complete("resume cq ''").stdout == "team-a-cq\n:4\n"


# --- failures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        Fault("*/clusterqueues", "status", 403),
        Fault("*/clusterqueues", "status", 500),
        Fault("*/clusterqueues", "cut"),
        Fault("*/clusterqueues", "body", b"<html>"),
        Fault("*/clusterqueues", "slow", 30),
        Fault("*", "slow", 30),
    ],
    ids=lambda fault: f"{fault.what} {fault.value} {fault.path}",
)
def test_a_failure_offers_nothing_and_is_not_kept(
    fault: Fault, complete: Complete, server: FakeServer, tmp_path: Path
) -> None:
    server.faults.append([fault, -1])
    start = time.monotonic()
    assert complete("get cq ''") == Finished(":1\n", "", 0)
    assert time.monotonic() - start < names.PATIENCE + 1
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    "content", ["clusters: [", "[]", "current-context: gone", None], ids=["yaml", "list", "context", "none"]
)
def test_a_bad_kubeconfig_offers_nothing(
    content: str | None, complete: Complete, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBERNETES_MASTER", raising=False)
    (tmp_path / "bad").write_text(content or "")
    assert complete(f"get cq --kubeconfig {tmp_path}/bad --request-timeout 1s ''") == Finished(":1\n", "", 0)


# --- snapshots ------------------------------------------------------------------------------------


def test_names_of_a_snapshot(complete: Complete, server: FakeServer) -> None:
    snapshot = "--snapshot examples/snapshot.json"
    assert complete(f"{snapshot} get cq ''").stdout == "team-a-cq\nteam-b-cq\n:4\n"
    assert "train-big\n" in complete(f"explain workload {snapshot} -n team-a ''").stdout
    assert complete(f"explain workload {snapshot} -n no-such ''").stdout == ":4\n"
    assert complete(f"{snapshot} list wl -n team").stdout == "team-a\nteam-b\n:4\n"
    assert not server.requests


def test_a_changed_snapshot_is_read_again(complete: Complete, tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    for name in ("one", "other"):
        queue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": name}}
        path.write_text(json.dumps(queue))
        assert complete(f"get cq --snapshot {path} ''").stdout == f"{name}\n:4\n"


@pytest.mark.parametrize("path", ["-", "no-such.json", "README.md"])
def test_a_bad_snapshot_offers_nothing(path: str, complete: Complete) -> None:
    assert complete(f"get cq --snapshot {path} ''") in (Finished(":1\n", "", 0), Finished(":4\n", "", 0))
