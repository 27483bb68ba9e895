"""`list` against an API server: pages, refusals, what is asked for and what is not."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

PENDING = "*/pendingworkloads"
LOCAL_QUEUES = "*/localqueues"

List = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def listed(server: FakeServer, kueue: Kueue, tmp_path: Path) -> List:
    """Runs `list ARGUMENTS` while `faults` happen."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, faults: tuple[Fault, ...] = ()) -> Finished:
        server.faults = [[fault, fault.times] for fault in faults]
        return kueue("list", *arguments, "--kubeconfig", str(kubeconfig))

    return run


def positions(finished: Finished) -> dict[str, str]:
    """The cells of POSITION IN QUEUE of the workloads that wait."""
    header, *lines = finished.stdout.splitlines()
    start, end = header.index("POSITION IN QUEUE"), header.index("EXEC TIME")
    return {line.split()[0]: line[start:end].strip() for line in lines if "PENDING" in line}


WAITING = {"job-pending-quota-63632": "0", "job-too-big-e0dc5": "1"}


def test_positions(listed: List) -> None:
    assert positions(listed("workload", "-n", "diag")) == WAITING


def test_positions_of_a_user_of_one_namespace(listed: List) -> None:
    """Who may not ask about a ClusterQueue may ask about the LocalQueues."""
    forbidden = Fault("*/clusterqueues/*/pendingworkloads", "status", 403)
    assert positions(listed("workload", "-n", "diag", faults=(forbidden,))) == WAITING


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault(PENDING, "status", 403), "diag/small: resource is forbidden"),
        (Fault(PENDING, "status", 404), ""),
        (Fault(PENDING, "status", 500), "small-cq: Internal error occurred"),
        (Fault(PENDING, "status", 503), "small-cq: the server is currently unable"),
        (Fault(PENDING, "body", b'{"items":[null]}'), "small-cq: the answer is not what"),
        (Fault(PENDING, "body", b"nonsense"), "small-cq: the server's answer is not a list"),
    ],
)
def test_unknown_positions_are_blank_and_one_line_says_why(listed: List, fault: Fault, told: str) -> None:
    """kueuectl's standard output stays as it is. Without the visibility API there are no places at all."""
    found = listed("workload", "-n", "diag", faults=(fault,))
    assert positions(found) == dict.fromkeys(WAITING, "")
    assert (found.stderr.count("\n"), found.code) == (1 if told else 0, 0)
    assert told in found.stderr


def test_unreadable_local_queues_leave_blanks(listed: List) -> None:
    found = listed("workload", "-n", "diag", faults=(Fault(LOCAL_QUEUES, "status", 403),))
    assert positions(found) == dict.fromkeys(WAITING, "")
    assert (found.stderr.count("\n"), found.code) == (1, 0)
    assert "columns that need a LocalQueue are not complete" in found.stderr


def test_one_document_whatever_the_pages(listed: List, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = listed("workload", "-A", "-o", "json")
    monkeypatch.setenv("KUEUECTL_LIST_REQUEST_LIMIT", "2")
    assert json.loads(listed("workload", "-A", "-o", "json").stdout) == json.loads(whole.stdout)
    assert len(listed("workload", "-A").stdout.splitlines()) == len(json.loads(whole.stdout)["items"]) + 1


def test_whole_objects_need_nothing_else(listed: List, server: FakeServer) -> None:
    listed("workload", "-n", "diag", "-o", "name")
    paths = [request.path for request in server.requests if "/v1" in request.path]
    assert [path for path in paths if path.endswith(("pendingworkloads", "localqueues"))] == []


def test_what_is_not_pending_is_not_asked_about(listed: List, server: FakeServer) -> None:
    listed("workload", "-n", "batch", "--status", "finished")
    assert [request.path for request in server.requests if request.path.endswith("pendingworkloads")] == []


def test_selectors_are_the_servers_business(listed: List, server: FakeServer) -> None:
    listed("workload", "-A", "-l", "a in (b,c)", "--field-selector", "metadata.namespace=diag")
    asked = next(request for request in server.requests if request.path.endswith("/workloads"))
    assert asked.query["labelSelector"] == "a in (b,c)"
    assert asked.query["fieldSelector"] == "metadata.namespace=diag"


def test_a_refusal_is_told_in_the_servers_words(listed: List) -> None:
    found = listed("cq", faults=(Fault("*/clusterqueues", "status", 403),))
    assert (found.stdout, found.code) == ("", 1)
    assert found.stderr.startswith("Error: ")
    assert found.stderr.count("\n") == 1


def test_pages_are_a_number(listed: List, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUEUECTL_LIST_REQUEST_LIMIT", "x")
    assert listed("lq") == ("", "Error: invalid list request limit\n", 1)
