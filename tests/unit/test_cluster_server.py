"""Server against a fake API server: what is asked for, what comes back, what is remembered on disk."""

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from kubectl_kueue.cluster import clock
from kubectl_kueue.cluster.connection import Connection
from kubectl_kueue.cluster.discovery import TTL, cache_folder
from kubectl_kueue.cluster.errands import Errands, at_once
from kubectl_kueue.cluster.kinds import KINDS, Kind, kind_named
from kubectl_kueue.cluster.pages import read_pages
from kubectl_kueue.cluster.server import TABLE, Server
from kubectl_kueue.errors import ApiError, ConfigError
from tests.api.fake import OBJECTS, OLD_OBJECTS, FakeServer, Fault

WORKLOAD, QUEUE, LOCAL = kind_named("Workload"), kind_named("ClusterQueue"), kind_named("LocalQueue")
MERGE = "application/merge-patch+json"


def connect(fake: FakeServer, folder: Path, **settings: Any) -> Server:
    path = fake.kubeconfig(folder / "config")
    return Server(Connection(kubeconfig=path, cache_dir=str(folder / "cache")), **settings)


def names(pages: Any) -> list[str]:
    items = [item for page in pages for item in json.loads(page)["items"]]
    return [item["metadata"]["name"] for item in items]


# --- lists --------------------------------------------------------------------------------------


def test_pages_are_asked_for_as_they_are_taken(tmp_path: Path) -> None:
    seen = []
    with FakeServer() as fake:
        pages = connect(fake, tmp_path, progress=lambda kind, count: seen.append((kind.kind, count))).list(
            WORKLOAD, None, limit=5
        )
        assert not fake.requests
        next(pages)
        assert [request.query for request in fake.requests if "limit" in request.query] == [{"limit": "5"}]
        assert len(list(pages)) == 2
    assert seen == [("Workload", 5), ("Workload", 5), ("Workload", 2)]


def test_one_page_ahead_is_on_its_way_while_one_is_worked_on(tmp_path: Path) -> None:
    with FakeServer() as fake:
        pages = connect(fake, tmp_path).list(WORKLOAD, None, limit=5, ahead=True)
        next(pages)
        deadline = time.monotonic() + 10
        while len([each for each in fake.requests if "limit" in each.query]) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert [len(json.loads(page)["items"]) for page in pages] == [5, 2]


@pytest.mark.parametrize("fault", [Fault("*/workloads", "gone", False), Fault("*/workloads", "gone", True)])
def test_a_page_ahead_may_come_too_late(tmp_path: Path, fault: Fault) -> None:
    with FakeServer(faults=[fault._replace(times=1)]) as fake:
        pages = connect(fake, tmp_path).list(WORKLOAD, None, limit=5, ahead=True)
        names = [item["metadata"]["uid"] for page in pages for item in json.loads(page)["items"]]
    assert len(names) == len(set(names)) == 12


def test_what_goes_wrong_ahead_is_told_when_the_page_is_wanted(tmp_path: Path) -> None:
    with FakeServer() as fake:
        pages = connect(fake, tmp_path).list(WORKLOAD, None, limit=5, ahead=True)
        next(pages)
        fake.faults = [[Fault("*/workloads", "status", 500), -1]]
        with pytest.raises(ApiError):
            list(pages)


@pytest.mark.parametrize(
    ("value", "limit"), [(None, "500"), ("", "500"), ("7", "7"), ("+7", "7"), ("0", None), ("-1", None)]
)
def test_the_limit_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None, limit: str | None
) -> None:
    if value is None:
        monkeypatch.delenv("KUEUECTL_LIST_REQUEST_LIMIT", raising=False)
    else:
        monkeypatch.setenv("KUEUECTL_LIST_REQUEST_LIMIT", value)
    with FakeServer() as fake:
        list(connect(fake, tmp_path).list(WORKLOAD, None))
        assert fake.requests[-1].query.get("limit") == limit


@pytest.mark.parametrize("value", ["x", "1.5", "1_0", " 5", "٣", "9223372036854775808", "0x10"])
def test_a_limit_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("KUEUECTL_LIST_REQUEST_LIMIT", value)
    with FakeServer() as fake:
        with pytest.raises(ConfigError, match=r"^invalid list request limit$"):
            connect(fake, tmp_path).list(WORKLOAD, None)
        assert not fake.requests


def test_selectors_and_namespaces(tmp_path: Path) -> None:
    with FakeServer() as fake:
        server = connect(fake, tmp_path)
        assert names(server.list(QUEUE, "ignored", fields="metadata.name=small-cq")) == ["small-cq"]
        assert fake.requests[-1].path == "/apis/kueue.x-k8s.io/v1beta2/clusterqueues"
        found = names(server.list(WORKLOAD, "diag", labels="kueue.x-k8s.io/job-uid"))
        assert found == [
            item["metadata"]["name"] for item in fake.objects["workloads"] if "diag" in str(item)
        ]
        assert fake.requests[-1].path == "/apis/kueue.x-k8s.io/v1beta2/namespaces/diag/workloads"
        assert fake.requests[-1].query["labelSelector"] == "kueue.x-k8s.io/job-uid"
        with pytest.raises(ApiError, match=r"^field label not supported: spec.x$"):
            list(server.list(WORKLOAD, None, fields="spec.x=1"))


def test_tables(tmp_path: Path) -> None:
    with FakeServer() as fake:
        server = connect(fake, tmp_path)
        page = json.loads(next(server.list(QUEUE, None, accept=TABLE)))
        assert (page["kind"], len(page["rows"])) == ("Table", 4)
        assert json.loads(server.get(QUEUE, None, "small-cq", accept=TABLE))["kind"] == "Table"


@pytest.mark.parametrize("accept", ["application/json", TABLE])
def test_a_list_that_begins_again_shows_nothing_twice(tmp_path: Path, accept: str) -> None:
    """Between two pages the token expires, objects come and go in front of what was read, and behind it."""

    def disturb(fake: FakeServer) -> None:
        first, last = fake.objects["workloads"][0], fake.objects["workloads"][-1]
        for item, name in ((first, "aaa"), (last, "zzz")):
            copy = json.loads(json.dumps(item))
            copy["metadata"]["name"] = name
            fake.change("workloads", copy, "ADDED")
        fake.change("workloads", first, "DELETED")

    faults = [Fault("*/workloads", "gone", times=1), Fault("*/workloads", "run", disturb, times=1)]
    with FakeServer(faults=[faults[0]]) as fake:
        before = {(i["metadata"]["namespace"], i["metadata"]["name"]) for i in fake.objects["workloads"]}
        pages = connect(fake, tmp_path).list(WORKLOAD, None, limit=5, accept=accept)
        parts = [json.loads(next(pages))]
        fake.faults.append([faults[1], 1])
        parts += [json.loads(page) for page in pages]
    rows = [row.get("object", row)["metadata"] for part in parts for row in part.get("rows") or part["items"]]
    found = [(row["namespace"], row["name"]) for row in rows]
    assert len(found) == len(set(found))
    assert before <= set(found)
    assert "zzz" in str(found)


@pytest.mark.parametrize("tokens", [{"": "a", "a": "a"}, {"": "a", "a": "b", "b": "a"}])
@pytest.mark.parametrize("ahead", [False, True])
def test_a_list_without_an_end(tokens: dict[str, str], ahead: bool) -> None:
    def ask(token: str) -> bytes:
        item = {"metadata": {"name": token}}
        return json.dumps({"metadata": {"continue": tokens[token]}, "items": [item]}).encode()

    pages = islice(read_pages(ask, ahead=ahead), 5)
    with pytest.raises(ApiError, match="the server's list has no end"):
        list(pages)


def test_errands_run_at_the_same_time_and_in_order() -> None:
    def slowly(number: int) -> int:
        time.sleep(0.2)
        if number == 4:
            raise ApiError("four")
        return number

    begun = time.monotonic()
    assert at_once(slowly, range(4)) == [0, 1, 2, 3]
    assert time.monotonic() - begun < 0.6
    with pytest.raises(ApiError, match="four"):
        at_once(slowly, range(3, 100))


def test_an_error_waits_for_no_errand() -> None:
    released, done = threading.Event(), []
    errands = Errands(1)
    errands.begin(lambda: released.wait(10))
    errands.begin(lambda: done.append(1))
    errands.drop()
    released.set()
    assert errands.begin(lambda: 2).result() == 2
    assert not done


def test_threads_share_a_server(tmp_path: Path) -> None:
    with FakeServer() as fake, ThreadPoolExecutor(8) as pool:
        server = connect(fake, tmp_path)
        kinds = [WORKLOAD, QUEUE, LOCAL, kind_named("Namespace")] * 4
        counts = list(pool.map(lambda kind: len(names(server.list(kind, None, limit=2))), kinds))
    assert counts == [12, 4, 5, 4] * 4


# --- one object ---------------------------------------------------------------------------------


def test_writes(tmp_path: Path) -> None:
    with FakeServer() as fake:
        server = connect(fake, tmp_path)
        body = json.dumps({"metadata": {"name": "new"}, "spec": {}}).encode()
        server.create(LOCAL, "diag", body, dry_run=True)
        assert fake.requests[-1].query == {"dryRun": "All"}
        assert fake.find("localqueues", "new", "diag") is None
        server.create(LOCAL, "diag", body)
        with pytest.raises(ApiError, match=r'^localqueues.kueue.x-k8s.io "new" already exists$') as caught:
            server.create(LOCAL, "diag", body)
        assert (caught.value.status, caught.value.reason) == (409, "AlreadyExists")
        patched = server.patch(LOCAL, "diag", "new", b'{"spec":{"stopPolicy":"Hold"}}', content_type=MERGE)
        assert json.loads(patched)["spec"] == {"stopPolicy": "Hold"}
        assert json.loads(server.get(LOCAL, "diag", "new"))["spec"] == {"stopPolicy": "Hold"}
        server.delete(LOCAL, "diag", "new", dry_run=True)
        server.delete(LOCAL, "diag", "new")
        assert fake.requests[-1].values == {
            "kind": "DeleteOptions",
            "apiVersion": "v1",
            "propagationPolicy": "Background",
        }
        with pytest.raises(ApiError, match=r'^localqueues.kueue.x-k8s.io "new" not found$') as caught:
            server.get(LOCAL, "diag", "new")
        assert (caught.value.status, caught.value.reason) == (404, "NotFound")


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a%2fb"])
def test_names_that_would_be_paths(tmp_path: Path, name: str) -> None:
    with FakeServer() as fake:
        with pytest.raises(ConfigError, match="invalid resource name"):
            connect(fake, tmp_path).delete(QUEUE, None, name)
        assert "DELETE" not in {request.method for request in fake.requests}


def test_watch(tmp_path: Path) -> None:
    with FakeServer(watch_seconds=0.5) as fake:
        events = connect(fake, tmp_path).watch(LOCAL, "diag")
        first = [json.loads(next(events)) for _ in fake.objects["localqueues"] if "diag" in str(_)]
        assert {event["type"] for event in first} == {"ADDED"}
        fake.change("localqueues", json.loads(json.dumps(first[0]["object"])))
        assert [json.loads(event)["type"] for event in events] == ["MODIFIED"]


def test_pending(tmp_path: Path) -> None:
    with FakeServer() as fake:
        server = connect(fake, tmp_path)
        assert server.pending("nope") is None
        (page,) = server.pending("small-cq") or []
        assert json.loads(page)["items"][0]["positionInClusterQueue"] == 0
        assert fake.requests[-1].query == {"offset": "0", "limit": "1000"}
        (page,) = server.pending(local_queue=("diag", "small")) or []
        assert fake.requests[-1].path.endswith("/v1beta2/namespaces/diag/localqueues/small/pendingworkloads")


def test_pending_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_kueue.cluster.server.PENDING_LIMIT", 1)
    with FakeServer() as fake:
        pages = connect(fake, tmp_path).pending("small-cq") or []
        assert [len(json.loads(page)["items"]) for page in pages] == [1, 1]
        assert [request.query["offset"] for request in list(fake.requests)[-3:]] == ["0", "1", "2"]


# --- what is served -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "resource", "versions"),
    [
        ("cq", "clusterqueues.kueue.x-k8s.io", ("v1beta2", "v1beta1")),
        ("wl", "workloads.kueue.x-k8s.io", ("v1beta2", "v1beta1")),
        ("ClusterQueue.v1beta1.kueue.x-k8s.io", "clusterqueues.kueue.x-k8s.io", ("v1beta1",)),
        ("daemonset", "daemonsets.apps", ("v1",)),
        ("DaemonSets", "daemonsets.apps", ("v1",)),
        ("ds", "daemonsets.apps", ("v1",)),
        ("ds.apps", "daemonsets.apps", ("v1",)),
        ("cronjobs.v1.batch", "cronjobs.batch", ("v1",)),
        ("services", "services", ("v1",)),
        ("svc", "services", ("v1",)),
        ("services.v1", "services", ("v1",)),
    ],
)
def test_words(tmp_path: Path, word: str, resource: str, versions: tuple[str, ...]) -> None:
    with FakeServer() as fake:
        kind = connect(fake, tmp_path).find_kind(word)
        assert (kind.resource, kind.versions) == (resource, versions)


@pytest.mark.parametrize("word", ["Widget", "daemonsets.batch", "ds.v2.apps", "pods/status", "", "."])
def test_words_of_nothing(tmp_path: Path, word: str) -> None:
    with FakeServer() as fake, pytest.raises(ConfigError) as caught:
        connect(fake, tmp_path).find_kind(word)
    assert str(caught.value) == f'the server doesn\'t have a resource type "{word}"'


def test_owners(tmp_path: Path) -> None:
    with FakeServer() as fake:
        server = connect(fake, tmp_path)
        found = [
            server.find_resource(*owner) for owner in (("batch/v1", "Job"), ("v1", "Pod"), ("x.io/v1", "Foo"))
        ]
    assert [kind and kind.resource for kind in found] == ["jobs.batch", "pods", None]


@pytest.mark.parametrize(("folder", "version"), [(OBJECTS, "v1beta2"), (OLD_OBJECTS, "v1beta1")])
def test_the_version_that_is_read(tmp_path: Path, folder: Path, version: str) -> None:
    with FakeServer(folder) as fake:
        server = connect(fake, tmp_path)
        assert server.version_of(WORKLOAD) == version
        assert server.version_of(kind_named("Pod")) == "v1"
        assert json.loads(next(server.list(WORKLOAD, None)))["apiVersion"] == f"kueue.x-k8s.io/{version}"
        (page,) = server.pending("small-cq") or []
        assert json.loads(page)["apiVersion"] == f"visibility.kueue.x-k8s.io/{version}"


def test_every_kind_of_the_table_is_served(tmp_path: Path) -> None:
    with FakeServer() as fake:
        server = connect(fake, tmp_path)
        assert all(server.version_of(kind) for kind in KINDS)


def test_kueue_is_not_installed(tmp_path: Path) -> None:
    with FakeServer(groups=lambda group: "kueue" not in group) as fake:
        server = connect(fake, tmp_path)
        with pytest.raises(ApiError) as caught:
            list(server.list(WORKLOAD, None))
        assert str(caught.value) == (
            "the server does not serve workloads.kueue.x-k8s.io: is Kueue installed there, in a version that "
            "has them? Is --context the right one?"
        )
        assert caught.value.status == 404
        assert server.pending("small-cq") is None


# --- the memory on disk -------------------------------------------------------------------------


def cached(fake: FakeServer, folder: Path) -> Path:
    return Path(cache_folder(str(folder / "cache"), fake.url))


def test_discovery_is_remembered_as_kubectl_does(tmp_path: Path) -> None:
    with FakeServer() as fake:
        connect(fake, tmp_path).version_of(WORKLOAD)
        asked = len(fake.requests)
        folder = cached(fake, tmp_path)
        assert folder == tmp_path / "cache" / "discovery" / f"127.0.0.1_{fake.port}"
        groups = folder / "servergroups.json"
        resources = folder / "kueue.x-k8s.io" / "v1beta2" / "serverresources.json"
        assert json.loads(groups.read_bytes())["groups"][0]["name"] == ""
        assert json.loads(resources.read_bytes())["groupVersion"] == "kueue.x-k8s.io/v1beta2"
        assert (groups.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o750)
        assert connect(fake, tmp_path).version_of(WORKLOAD) == "v1beta2"
        assert len(fake.requests) == asked


@pytest.mark.parametrize("content", ["", "{", "[]", '{"groups": 5}', "\x00" * 10])
def test_a_broken_memory_is_none(tmp_path: Path, content: str) -> None:
    with FakeServer() as fake:
        connect(fake, tmp_path).version_of(WORKLOAD)
        for path in cached(fake, tmp_path).rglob("*.json"):
            path.write_text(content)
        assert connect(fake, tmp_path).version_of(WORKLOAD) == "v1beta2"


def test_an_old_memory_is_none(tmp_path: Path) -> None:
    with FakeServer() as fake:
        connect(fake, tmp_path).version_of(WORKLOAD)
        asked = len(fake.requests)
        for path in cached(fake, tmp_path).rglob("*.json"):
            os.utime(path, (clock.now() / 1e6 - TTL / 1e6 - 60,) * 2)
        connect(fake, tmp_path).version_of(WORKLOAD)
        assert len(fake.requests) == 2 * asked


def test_a_version_that_went_away(tmp_path: Path) -> None:
    """The disk says v1beta2, the server knows v1beta1 only: another Kueue was installed in between."""
    with FakeServer() as fake:
        connect(fake, tmp_path).version_of(WORKLOAD)
        connect(fake, tmp_path).pending("small-cq")
        fake.folder = OLD_OBJECTS
        page = next(connect(fake, tmp_path).list(WORKLOAD, None))
        assert json.loads(page)["apiVersion"] == "kueue.x-k8s.io/v1beta1"
    with FakeServer() as fake:
        connect(fake, tmp_path).pending("small-cq")
        fake.folder = OLD_OBJECTS
        (page,) = connect(fake, tmp_path).pending("small-cq") or []
        assert json.loads(page)["apiVersion"] == "visibility.kueue.x-k8s.io/v1beta1"


def test_a_kind_that_came_later(tmp_path: Path) -> None:
    with FakeServer(groups=lambda group: group != "apps") as fake:
        with pytest.raises(ConfigError):
            connect(fake, tmp_path).find_kind("daemonsets")
        fake.serves = lambda group: True
        assert connect(fake, tmp_path).find_kind("daemonsets").kind == "DaemonSet"


def test_a_memory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, where a folder should be")
    with FakeServer() as fake:
        assert connect(fake, tmp_path).version_of(WORKLOAD) == "v1beta2"


@pytest.mark.parametrize(
    ("server", "folder"),
    [
        ("https://10.0.0.1:6443", "10.0.0.1_6443"),
        ("https://rancher.example/k8s/clusters/c-1", "rancher.example/k8s/clusters/c_1"),
        ("https://[fd00::1]:6443", "_fd00__1__6443"),
        ("http://x/../../etc", "x/etc"),
    ],
)
def test_folders(monkeypatch: pytest.MonkeyPatch, server: str, folder: str) -> None:
    monkeypatch.delenv("KUBECACHEDIR", raising=False)
    assert cache_folder("/c", server) == f"/c/discovery/{folder}"
    assert cache_folder(None, server).endswith(f"/.kube/cache/discovery/{folder}")
    monkeypatch.setenv("KUBECACHEDIR", "/k")
    assert cache_folder(None, server) == f"/k/discovery/{folder}"


def test_a_group_whose_server_is_down(tmp_path: Path) -> None:
    with FakeServer(faults=[Fault("/apis/scheduling.k8s.io/*", "status", 503)]) as fake:
        server = connect(fake, tmp_path)
        assert server.find_kind("ds").kind == "DaemonSet"
        assert server.version_of(Kind("scheduling.k8s.io", "PriorityClass", "priorityclasses", False)) == "v1"
