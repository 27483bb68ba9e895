"""`get` against an API server: its own tables, watches, refusals."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kubectl_kueue.cli.live import items_of
from kubectl_kueue.cli.sorting import _key
from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

Get = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def get(server: FakeServer, kueue: Kueue, tmp_path: Path) -> Get:
    """Runs `get ARGUMENTS` while `faults` happen."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, faults: tuple[Fault, ...] = ()) -> Finished:
        server.faults = [[fault, fault.times] for fault in faults]
        return kueue("get", *arguments, "--kubeconfig", str(kubeconfig), "--cache-dir", str(tmp_path))

    return run


def header(finished: Finished) -> list[str]:
    return finished.stdout.partition("\n")[0].split()


def test_other_kinds_have_the_columns_of_the_server(get: Get, server: FakeServer) -> None:
    pods = get("pods", "-n", "batch")
    assert header(pods) == ["NAME"]  # all that this server knows
    assert "sample-job" in pods.stdout
    assert "as=Table" in server.requests[-1].headers["accept"]


def test_order_of_a_servers_table(get: Get) -> None:
    names = get("pods", "-A", "--no-headers", "-o", "name").stdout.splitlines()
    rows = get("pods", "-A", "--no-headers", "--sort-by", "{.metadata.name}").stdout.splitlines()
    assert sorted(name.partition("/")[2] for name in names) == [row.split()[1] for row in rows]


def test_texts_are_in_order_whatever_digits_they_have() -> None:
    texts = ["job-2", "job-10", "job-\u00b2", f"job-{'9' * 5000}", f"job-1{'0' * 5000}", "job-02"]
    assert sorted(texts, key=_key) == ["job-2", "job-02", "job-10", texts[3], texts[4], texts[2]]


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (b"{}", {"apiVersion": "v1", "kind": "Pod"}),
        (b"{ }", {"apiVersion": "v1", "kind": "Pod"}),
        (b'{"a": 1}', {"apiVersion": "v1", "kind": "Pod", "a": 1}),
        (b"null", None),
        (b"7", 7),
    ],
)
def test_items_stay_json(item: bytes, found: object) -> None:
    page = b'{"kind": "PodList", "apiVersion": "v1", "items": [' + item + b"]}"
    assert [json.loads(each) for each in items_of(page)] == [found]


def test_own_kinds_are_read_as_objects(get: Get, server: FakeServer) -> None:
    assert get("cq").stdout.startswith("NAME")
    assert not any("as=Table" in request.headers.get("accept", "") for request in server.requests)


def test_named_objects_of_a_servers_table(get: Get) -> None:
    found = get("job", "nope", "-n", "batch")
    assert (found.stdout, found.code) == ("", 1)
    assert found.stderr == 'Error from server (NotFound): jobs.batch "nope" not found\n'


def test_positions_are_those_of_the_server(get: Get) -> None:
    lines = get("wl", "-n", "diag").stdout.splitlines()
    start = lines[0].index("POSITION")
    waiting = {line.split()[0]: line[start : start + 8].strip() for line in lines if " Pending " in line}
    assert waiting["job-pending-quota-63632"] == "1"
    assert waiting["job-too-big-e0dc5"] == "2"


@pytest.mark.parametrize(
    ("words", "plural", "kind"),
    [
        (["lq", "-A"], "clusterqueues", "ClusterQueue"),
        (["wl", "-A"], "localqueues", "LocalQueue"),
    ],
)
def test_what_is_forbidden_narrows_a_table(get: Get, words: list[str], plural: str, kind: str) -> None:
    whole = get(*words)
    narrow = get(*words, faults=(Fault(f"*/{plural}*", "status", 403),))
    assert header(narrow) == header(whole)
    assert narrow.code == 0
    assert narrow.stderr.startswith(f"Warning: columns that need a {kind} are not complete: ")


def test_a_refused_list_is_an_error(get: Get) -> None:
    found = get("cq", faults=(Fault("*/clusterqueues", "status", 403),))
    assert (found.stdout, found.code) == ("", 1)
    assert found.stderr.startswith("Error from server (Forbidden): ")


# --- watches ------------------------------------------------------------------------------------


def change(server: FakeServer, event: str, name: str, pending: int) -> None:
    """Something happens to a ClusterQueue."""
    found = next(q for q in server.objects["clusterqueues"] if q["metadata"]["name"] == name)
    value = {**found, "status": {**found.get("status", {}), "pendingWorkloads": pending}}
    server.change("clusterqueues", {**value, "metadata": {**found["metadata"]}}, event)


def after_the_list(server: FakeServer, *changes: tuple[str, str, int]) -> Fault:
    """Changes that happen as soon as a client watches."""

    def run(_: FakeServer) -> None:
        if server.requests[-1].query.get("watch"):
            for each in changes:
                change(server, *each)

    return Fault("*/clusterqueues", "run", run)


def test_watch_prints_what_is_there_and_every_change(get: Get, server: FakeServer) -> None:
    before = get("cq").stdout.splitlines()
    fault = after_the_list(server, ("MODIFIED", "small-cq", 7), ("DELETED", "small-cq", 8))
    lines = get("cq", "-w", faults=(fault,)).stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(before)]] == [line.split()[0] for line in before]
    changed = lines[len(before) :]
    assert [line.split()[0] for line in changed] == ["small-cq", "small-cq"]
    start = lines[0].index("PENDING")
    assert [line[start:].split()[0] for line in changed] == ["7", "8"]


def test_watch_only_prints_changes(get: Get, server: FakeServer) -> None:
    fault = after_the_list(server, ("MODIFIED", "small-cq", 7))
    lines = get("cq", "--watch-only", faults=(fault,)).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["NAME", "small-cq"]


def test_watch_of_one_object(get: Get, server: FakeServer) -> None:
    fault = after_the_list(server, ("MODIFIED", "small-cq", 7), ("MODIFIED", "cpu-pool", 7))
    found = get("cq", "small-cq", "-w", "-o", "name", faults=(fault,))
    assert found.stdout == "clusterqueue.kueue.x-k8s.io/small-cq\n" * 2


def test_what_is_not_there_is_not_watched(get: Get) -> None:
    found = get("cq", "nope", "-w")
    message = 'Error from server (NotFound): clusterqueues.kueue.x-k8s.io "nope" not found\n'
    assert found == ("", message, 1)


def test_watch_in_yaml_is_a_stream_of_documents(get: Get, server: FakeServer) -> None:
    fault = after_the_list(server, ("MODIFIED", "small-cq", 7))
    found = get("cq", "small-cq", "-w", "-o", "yaml", faults=(fault,))
    first, second = found.stdout.split("---\n")
    assert first.startswith("apiVersion: ")
    assert "pendingWorkloads: 7\n" in second


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cq,rf", "-w"], "you may only specify a single resource type"),
        (["cq", "a", "b", "-w"], "watch is only supported on individual resources and resource collections"),
    ],
)
def test_what_cannot_be_watched(get: Get, words: list[str], message: str) -> None:
    assert get(*words) == ("", f"error: {message}\n", 1)
