"""`doctor` on real API servers: it reads only, and narrows for who may see little."""

import json
from typing import Any

import pytest

from tests.cluster.apiserver import ApiServer
from tests.cluster.conftest import Answer, Kueue, Start, runner
from tests.cluster.nursery import Nursery


def checks_of(answer: Answer) -> list[dict[str, Any]]:
    assert answer.stderr == ""
    found: list[dict[str, Any]] = json.loads(answer.stdout)["checks"]
    return found


@pytest.mark.parametrize("user", ["admin", "dev", "nobody"])
def test_reads_only(kueue: Kueue, user: str) -> None:
    answer = kueue("doctor", "-o", "json", user=user)
    assert not answer.writes
    assert not [request for request in answer.requests if "/secrets" in request.uri]
    errors = [found for found in checks_of(answer) if found["status"] == "error"]
    assert answer.code == (2 if errors else 0)
    assert all("forbidden" not in found["message"] for found in errors)


def test_somebody_who_may_read_nothing_gets_no_error(kueue: Kueue) -> None:
    answer = kueue("doctor", "-o", "json", user="nobody")
    assert answer.code == 0
    assert {found["status"] for found in checks_of(answer)} <= {"skipped", "warning"}


def test_a_cluster_without_kueue(start: Start, nursery: Nursery) -> None:
    answer = runner(start("bare"), nursery)("doctor", "-o", "json")
    codes = {found["code"] for found in checks_of(answer)}
    assert {"manager-absent", "crd-absent", "webhooks-absent"} <= codes


def test_the_recorded_cluster(recorded: ApiServer, nursery: Nursery) -> None:
    answer = runner(recorded, nursery)("doctor", "-o", "json")
    assert {
        ("manager-stopped", "Deployment/kueue-system/kueue-controller-manager"),
        ("cluster-queue-inactive", "ClusterQueue/missing-flavor-cq"),
        ("cluster-queue-inactive", "ClusterQueue/inactive-check-cq"),
        ("cluster-queue-stopped", "ClusterQueue/held-cq"),
        ("local-queue-dangling", "LocalQueue/diag/dangling"),
        ("queue-name-unknown", "Workload/diag/job-no-localqueue-ba5bd"),
        ("flavor-tolerates-own-taint", "ResourceFlavor/spot-tolerated"),
        ("statuses-agree", ""),
    } <= {(found["code"], found["object"]) for found in checks_of(answer)}
