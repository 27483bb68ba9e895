"""`explain` for queues, cohorts and flavors: how they stand, and what their pages and documents say."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.inquiries.clusterqueue import inquire_cluster_queue
from kubectl_kueue.engine.inquiries.cohort import inquire_cohort
from kubectl_kueue.engine.inquiries.flavor import inquire_flavor
from kubectl_kueue.engine.inquiries.localqueue import inquire_local_queue
from kubectl_kueue.model.world import World
from kubectl_kueue.views.explain_flavor import flavor_document, flavor_page
from kubectl_kueue.views.explain_queue import (
    cluster_queue_document,
    cluster_queue_page,
    cohort_document,
    cohort_page,
    local_queue_document,
    local_queue_page,
)
from kubectl_kueue.views.words.inquiries import for_words, waiter_words
from tests.conftest import Kueue
from tests.worlds import decode, read_cases


@pytest.mark.parametrize("case", read_cases("subjects", "queues"), ids=lambda case: case["name"])
def test_a_cluster_queue_says_how_it_stands(case: dict[str, Any]) -> None:
    found = inquire_cluster_queue(decode(case["world"]), case["queue"])
    assert found.word == case["state"]
    if "head" in case:
        assert found.head is not None
        assert [found.head.workload, found.head.reason] == case["head"]
    if "evicts" in case:
        assert found.head is not None
        assert list(found.head.evicts) == case["evicts"]
    if "borrowing" in case:
        (borrowing,) = found.borrowing
        assert (borrowing.why or borrowing.room // 1000) == case["borrowing"]
    if "reasons" in case:
        assert {group.reason: group.count for group in found.groups} == case["reasons"]
    assert cluster_queue_page(found, {}).blocks
    assert cluster_queue_document(found, {}).data["state"] == case["state"]


TWO = {
    "queues": {"a": {"cohort": "c", "quota": 4, "reclaim": "Any"}, "b": {"cohort": "c", "quota": 6}},
    "running": {"r": {"queue": "b", "asks": 8}},
    "pending": {"p": {"queue": "a", "asks": 4}},
}


def test_a_cohort_says_who_could_take_what_back() -> None:
    found = inquire_cohort(decode(TWO), "c")
    assert {(m.queue, m.used, m.borrows) for m in found.members} == {("a", 0, 0), ("b", 8000, 2000)}
    (waiter,) = found.waiters
    assert (waiter.workload, waiter.evicts, waiter.owed) == ("default/p", ("default/r",), True)
    assert waiter_words(waiter) == "can evict default/r"
    assert cohort_page(found, {}).blocks
    assert cohort_document(found, {}).data["waiting"][0]["message"] == "can evict default/r"


def test_a_cohort_names_the_policy_that_forbids_it() -> None:
    world = decode({**TWO, "queues": {**TWO["queues"], "a": {"cohort": "c", "quota": 4}}})
    (waiter,) = inquire_cohort(world, "c").waiters
    assert waiter_words(waiter).endswith("others use its quota, and reclaimWithinCohort is Never")


def test_a_local_queue_counts_from_both_ends() -> None:
    world = decode(
        {
            "queues": {"a": {"quota": 4}},
            "localQueues": {"x": {"queue": "a"}, "y": {"queue": "a"}},
            "pending": {"p": {"queue": "x", "asks": 9}, "q": {"queue": "y", "asks": 9}},
        }
    )
    found = inquire_local_queue(world, "default/y")
    assert [(p.workload, p.in_cluster_queue, p.in_local_queue) for p in found.waiting] == [
        ("default/q", 1, 0)
    ]
    assert local_queue_page(found, {}).blocks
    assert local_queue_document(found, {}).data["pending"][0]["inClusterQueue"] == 1


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda w: {"cluster_queues": {}}, "Gone"),
        (lambda w: {"cluster_queues": {}, "missing": {"ClusterQueue": "forbidden"}}, "Unknown"),
        (lambda w: {}, "Preempts"),
    ],
)
def test_a_local_queue_depends_on_its_cluster_queue(
    change: Callable[[World], dict[str, Any]], word: str
) -> None:
    world = decode(TWO)
    world = msgspec.structs.replace(world, **change(world))
    found = inquire_local_queue(world, "default/a")
    assert found.word == word
    assert local_queue_page(found, {}).blocks
    assert local_queue_document(found, {}).data["state"] == word


def test_a_flavor_says_what_keeps_it_from_whom() -> None:
    world = decode(
        {
            "queues": {"a": {"quota": {"spot": 1, "big": 3}}, "b": {"quota": {"big": 4}}},
            "pending": {"p": {"queue": "a", "asks": 2}, "q": {"queue": "b", "asks": 2}},
        }
    )

    def why(flavor: str, workload: str) -> str:
        found = inquire_flavor(world, flavor, workload)
        assert found.asked is not None
        assert for_words(found.asked, flavor)
        assert flavor_page(found, {}).blocks
        assert flavor_document(found, {}).data["for"]["workload"] == workload
        return found.asked.why

    assert why("spot", "default/p") == "never"
    assert why("big", "default/p") == ""
    assert why("spot", "default/q") == "not-in-queue"


def test_a_flavor_counts_what_the_workloads_hold() -> None:
    """Whatever the status of the queue says, and without those that have finished."""
    world = decode(
        {
            "queues": {"a": {"cohort": "c", "quota": 3}, "b": {"cohort": "c", "quota": 4}},
            "running": {
                "r": {"queue": "a", "asks": 5},
                "done": {
                    "queue": "a",
                    "asks": 1,
                    "raw": {"status": {"conditions": [{"type": "Finished", "status": "True"}]}},
                },
            },
        }
    )
    users = inquire_flavor(world, "default").users
    assert [(each.name, each.used, each.borrowed, each.workloads) for each in users] == [
        ("a", 5000, 2000, 1),
        ("b", 0, 0, 0),
    ]


def test_quota_is_held_against_nodes(kueue: Kueue) -> None:
    finished = kueue(
        "explain", "rf", "default-flavor", "--snapshot", "tests/data/reports/24-quota-exceeds-nodes.yaml"
    )
    assert "more quota than the nodes have" in finished.stdout


@pytest.mark.parametrize("kind", ["cq team-a-cq", "lq gpu -n team-a", "cohort research", "rf a100"])
def test_documents_name_their_schema(kind: str, kueue: Kueue) -> None:
    finished = kueue("explain", *kind.split(), "--snapshot", "examples/snapshot.json", "-o", "json")
    assert msgspec.json.decode(finished.stdout)["schemaVersion"] == "v1"
