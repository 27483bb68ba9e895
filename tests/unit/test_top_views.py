"""The tables of `top` on an API server: what narrows them, in which order they are."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

Top = Callable[..., Finished]
UNSEEN = ("clusterqueues", "cohorts", "resourceflavors")


@pytest.fixture
def top(kueue: Kueue, tmp_path: Path) -> Iterator[Top]:
    with FakeServer() as server:
        kubeconfig = server.kubeconfig(tmp_path / "config")

        def run(*arguments: str, forbidden: tuple[str, ...] = ()) -> Finished:
            server.faults = [[Fault(f"*/{plural}", "status", 403), -1] for plural in forbidden]
            return kueue("top", *arguments, "--kubeconfig", str(kubeconfig), "--cache-dir", str(tmp_path))

        yield run


def column(finished: Finished, name: str) -> list[str]:
    lines = finished.stdout.splitlines()
    index = lines[0].split().index(name)
    return [line.split()[index] for line in lines[1:] if line and not line.startswith("Not read")]


def test_one_row_for_each_quota(top: Top) -> None:
    found = top("cq", "team-a-cq", "--resource", "nvidia.com/gpu")
    assert found.code == 0
    assert (column(found, "NOMINAL"), column(found, "USED"), column(found, "OVER")) == (
        ["4"],
        ["6"],
        ["2"],
    )


@pytest.mark.parametrize("words", [(), ("cq",), ("clusterqueues",), ("clusterqueue",)])
def test_cluster_queues_are_what_is_meant(top: Top, words: tuple[str, ...]) -> None:
    assert column(top(*words, "--flavor", "a100"), "CLUSTERQUEUE")[0] == "team-a-cq"


@pytest.mark.parametrize("kind", ["clusterqueue", "cohort", "flavor"])
def test_local_queues_are_shown_to_who_may_see_no_more(top: Top, kind: str) -> None:
    found = top(kind, "-n", "team-a", forbidden=UNSEEN)
    assert found.code == 0
    assert found.stdout.startswith("ClusterQueues are not visible to you; ")
    assert set(json.loads(top(kind, "-n", "team-a", "-o", "json", forbidden=UNSEEN).stdout)["missing"]) >= {
        "ClusterQueue"
    }


def test_only_local_queues_may_be_read(top: Top) -> None:
    found = top("lq", "-n", "team-a", forbidden=(*UNSEEN, "workloads"))
    assert found.code == 0
    assert "gpu" in column(found, "LOCALQUEUE")
    assert "Usage is what Kueue wrote" in found.stdout


def test_what_local_queues_say_counts_where_their_targets_are_hidden(top: Top) -> None:
    rows = json.loads(top("lq", "-n", "batch", "-o", "json", forbidden=UNSEEN).stdout)["rows"]
    assert ("cpu-queue", "cpu", "18") in {(r["name"], r.get("resource"), r.get("used")) for r in rows}


def test_nothing_at_all_may_be_read(top: Top) -> None:
    found = top("lq", forbidden=(*UNSEEN, "workloads", "localqueues"))
    assert (found.stdout, found.code) == ("", 1)
    assert "forbidden" in found.stderr.lower()


def test_namespaces(top: Top) -> None:
    assert set(column(top("wl", "-n", "team-a"), "NAMESPACE")) == {"team-a"}
    assert len(set(column(top("wl", "-A"), "NAMESPACE"))) > 1
    assert set(column(top("wl", "-c", "cpu-pool"), "NAMESPACE")) == {"batch"}


@pytest.mark.parametrize("sort", ["used", "USED", "free", "nominal", "pending-asks"])
def test_the_largest_come_first(top: Top, sort: str) -> None:
    rows = json.loads(top("--resource", "cpu", "--sort", sort, "-o", "json").stdout)["rows"]
    if sort == "pending-asks":
        asked = [next((a["amount"] for a in r["pendingAsks"] if a["resource"] == "cpu"), "0") for r in rows]
        amounts = [millis(text) for text in asked]
    else:
        amounts = [millis(row[sort.lower()]) for row in rows]
    assert amounts == sorted(amounts, reverse=True)


def millis(text: str) -> int:
    return int(text[:-1]) if text.endswith("m") else 1000 * int(text)


def test_an_order_by_a_resource(top: Top) -> None:
    resources = column(top("--sort", "gpu"), "RESOURCE")
    first = [resource for resource in resources if resource == "nvidia.com/gpu"]
    assert resources[: len(first)] == first


def test_a_sorted_tree_is_none(top: Top) -> None:
    assert top("cohort").stdout.count("\n  ") > 0
    assert top("cohort", "--sort", "used").stdout.count("\n  ") == 0
