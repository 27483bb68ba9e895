"""Jobs among the documents of -f, replaced by their Workloads; everything else stays where it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_kueue.cli.manifests import add_manifests, with_jobs
from kubectl_kueue.cluster.files import RawDocument, read_source
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.world import World
from tests.unit.test_jobs import TEMPLATE, written

JOB = written({"kind": "Job", "queue": "q", "namespace": "a", "spec": {"template": TEMPLATE}})
QUEUE = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "LocalQueue",
    "metadata": {"name": "q", "namespace": "a"},
    "spec": {"clusterQueue": "c"},
}
WORLD = World(now=0)


def document(value: Any, lines: tuple[int, ...] = ()) -> RawDocument:
    return RawDocument("x.yaml", 1, 1, json.dumps(value).encode(), lines)


def kinds(found: RawDocument) -> list[str]:
    return [item["kind"] for item in json.loads(found.content)["items"]]


def test_without_jobs_nothing_is_touched() -> None:
    documents = [document(QUEUE)]
    assert with_jobs(documents, WORLD).documents is documents


def test_items_of_lists_keep_their_order_and_lines() -> None:
    inner = {"apiVersion": "v1", "kind": "List", "items": [JOB]}
    outer = {"apiVersion": "v1", "kind": "List", "items": [QUEUE, JOB | {"kind": "Service"}, inner]}
    (found,) = with_jobs([document(outer)], WORLD).documents
    assert kinds(found) == ["LocalQueue", "Service", "Workload"]
    flat = {"apiVersion": "v1", "kind": "List", "items": [QUEUE, JOB]}
    (found,) = with_jobs([document(flat, (3, 9))], WORLD).documents
    assert found.item_lines == [3, 9]


def test_a_pod_that_is_not_queued_stays_a_pod() -> None:
    pod = written({"kind": "Pod", "namespace": "a", "spec": {"containers": [{"name": "c"}]}})
    (found,) = with_jobs([document([pod, JOB])], WORLD).documents
    assert kinds(found) == ["Pod", "Workload"]


def test_what_is_refused_is_told() -> None:
    broken = written({"kind": "Job", "name": "no", "queue": "", "namespace": "a"})
    taken = with_jobs([document([broken, JOB])], WORLD)
    assert [kinds(each) for each in taken.documents] == [["Workload"]]
    assert len(taken.refused) == 1
    with pytest.raises(InputError, match="Job a/no: refused"):
        with_jobs([document(broken)], WORLD)


def test_jobs_of_another_namespace_are_an_error() -> None:
    with pytest.raises(InputError, match='it is in namespace "a", but --namespace says "b"'):
        with_jobs([document(JOB)], WORLD, namespace="b")


def test_the_world_gets_workloads_and_remarks(tmp_path: Path) -> None:
    file = tmp_path / "job.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [QUEUE, JOB]}))
    world, added = add_manifests(WORLD, [str(file)], None, lambda line: None)
    assert list(world.workloads) == added
    assert any("stand in" in note for note in world.notes)
    again, added_again = add_manifests(world, [str(file)], None, lambda line: None)
    assert added_again == added
    assert again.workloads.keys() == world.workloads.keys()
    assert len(read_source(str(file))) == 1
