"""Answers for somebody who may read one namespace only: tests/cases/explaining/outside.yaml."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.explain import explain
from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.world import LocalPlace, World
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.explain import explain_document, explain_page
from kubectl_kueue.views.outside import outside_document, outside_page
from tests.worlds import read_cases

CASES = read_cases("explaining", "outside")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_outside(case: Mapping[str, Any]) -> None:
    world = world_of(case)
    verdict = explain(world, "team/train")
    document = explain_document(verdict)
    assert {key: document[key] for key in case["expect"]} == case["expect"]
    page = text(explain_page(verdict))
    for words in case.get("page", ()):
        assert words in page
    assert outside_document([verdict], world.missing).data["workloads"]["team/train"] == case["expect"]
    assert case["expect"]["verdict"] in text(outside_page([verdict], world.missing))


def text(page: Any) -> str:
    return "\n".join("".join(span.text for span in line) for line in lay_out(page))


def world_of(case: Mapping[str, Any]) -> World:
    said = {"type": "QuotaReserved", "status": "False", "reason": case.get("reason", "Pending")}
    workload = {
        "metadata": {"name": "train", "namespace": "team"},
        "spec": {"queueName": "main", "active": case.get("active", True), "podSets": []},
        "status": {"conditions": [{**said, "message": case["message"]}] if "message" in case else []},
    }
    if case.get("reserved"):
        reserved = {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved"}
        workload["status"] = {
            "conditions": [reserved],
            "admission": {"clusterQueue": "team-cq", "podSetAssignments": []},
            "admissionChecks": [{"name": "check", "state": "Pending"}],
        }
    uses = [
        {"name": flavor, "resources": [{"name": name, "total": total} for name, total in held.items()]}
        for flavor, held in case.get("uses", {}).items()
    ]
    queue = {
        "metadata": {"name": "main", "namespace": "team"},
        "spec": {"clusterQueue": "team-cq"},
        "status": {"flavorsReservation": uses, "reservingWorkloads": case.get("reserving", 0)},
    }
    places = {"team/train": LocalPlace(**case["places"])} if "places" in case else {}
    return World(
        now=0,
        workloads={"team/train": msgspec.convert(workload, kinds.Workload)},
        local_queues={"team/main": msgspec.convert(queue, kinds.LocalQueue)},
        missing={"ClusterQueue": "forbidden", "Cohort": "forbidden"},
        local_places=places,
    )
