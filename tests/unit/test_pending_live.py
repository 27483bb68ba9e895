"""`pending` against an API server: whose places they are, and what a refusal leaves."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

Pending = Callable[..., Finished]
VISIBILITY = "*/pendingworkloads"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def pending(server: FakeServer, kueue: Kueue, tmp_path: Path) -> Pending:
    """Runs `pending ARGUMENTS` while `faults` happen."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, faults: tuple[Fault, ...] = ()) -> Finished:
        server.faults = [[fault, fault.times] for fault in faults]
        return kueue("pending", *arguments, "--kubeconfig", str(kubeconfig))

    return run


def items(finished: Finished) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in json.loads(finished.stdout)["items"]}


def sources(finished: Finished) -> set[str]:
    return {item["positionSource"] for item in items(finished).values() if item["position"]}


def test_places_are_those_of_the_visibility_api(pending: Pending) -> None:
    found = pending("clusterqueue", "small-cq", "-o", "json")
    assert sources(found) == {"visibility"}
    assert [item["position"]["inClusterQueue"] for item in items(found).values()] == [0, 1]
    assert "those of the visibility API" in pending("clusterqueue", "small-cq").stdout


@pytest.mark.parametrize("status", [404, 500, 503])
def test_places_are_computed_where_it_does_not_answer(pending: Pending, status: int) -> None:
    broken = (Fault(VISIBILITY, "status", status),)
    found = pending("cq", "small-cq", "-o", "json", faults=broken)
    assert sources(found) == {"computed"}
    assert "computed from the data" in pending("cq", "small-cq", faults=broken).stdout


def test_both_ways_lead_to_the_same_places(pending: Pending) -> None:
    told = items(pending("-A", "-o", "json"))
    computed = items(pending("-A", "-o", "json", faults=(Fault(VISIBILITY, "status", 503),)))
    assert {name: item["position"] for name, item in told.items()} == {
        name: item["position"] for name, item in computed.items()
    }


def test_a_forbidden_kind_narrows_the_answer(pending: Pending) -> None:
    forbidden = (
        Fault("*/clusterqueues", "status", 403),
        Fault("*/clusterqueues/*/pendingworkloads", "status", 403),
    )
    found = pending("-n", "diag", faults=forbidden)
    assert found.code == 0
    assert "small" in pending("localqueue", "small", "-n", "diag", faults=forbidden).stdout
    assert "ClusterRoleBinding" in found.stdout
    data = json.loads(pending("-n", "diag", "-o", "json", faults=forbidden).stdout)
    assert data["visible"] is False
    assert "ClusterQueue" in data["missing"]
    waiting = {item["name"]: item["position"] for item in data["items"] if item["localQueue"] == "small"}
    assert waiting == {
        "job-pending-quota-63632": {"inLocalQueue": 0},
        "job-too-big-e0dc5": {"inLocalQueue": 1},
    }


def test_local_queues_are_asked_about_at_the_same_time(pending: Pending, server: FakeServer) -> None:
    together = threading.Barrier(2)

    def wait(fake: FakeServer) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            together.wait(5)

    found = pending(
        *("-n", "diag"),
        faults=(
            Fault("*/clusterqueues", "status", 403),
            Fault("*/clusterqueues/*/pendingworkloads", "status", 403),
            Fault("*/localqueues/*/pendingworkloads", "run", wait, times=2),
        ),
    )
    assert found.code == 0
    assert len([path for path in server.paths() if fnmatchcase(path, "*/localqueues/*/pending*")]) > 1
    assert not together.broken
