"""`explain`: what a person names, and why a job has no Workload."""

from typing import Any

import msgspec
import pytest

from kubectl_kueue.cli.subjects import read_subject
from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.inquiries import absence
from kubectl_kueue.engine.inquiries.absence import why_no_workload
from kubectl_kueue.errors import UsageError
from kubectl_kueue.model.job_marks import read_marks
from kubectl_kueue.model.management import read_management
from kubectl_kueue.model.objects import LocalQueue
from kubectl_kueue.model.world import World
from kubectl_kueue.views.around import Around
from kubectl_kueue.views.explain_job import absence_document, absence_page
from kubectl_kueue.views.words import absence as words
from tests.conftest import Kueue
from tests.worlds import read_cases


@pytest.mark.parametrize("case", read_cases("subjects", "words"), ids=lambda case: " ".join(case["words"]))
def test_words_name_a_subject(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(UsageError) as caught:
            read_subject(case["words"])
        assert str(caught.value) == case["error"]
    else:
        assert read_subject(case["words"]) == (case["kind"], case["name"])


def job_of(case: dict[str, Any]) -> dict[str, Any]:
    given = case["job"]
    meta = {"name": "j", "namespace": "a", **given.get("metadata", {})}
    return {"apiVersion": "batch/v1", "kind": "Job", **given, "metadata": meta}


@pytest.mark.parametrize("case", read_cases("subjects", "absence"), ids=lambda case: case["name"])
def test_a_job_without_a_workload_is_told_why(case: dict[str, Any]) -> None:
    world = World(now=0, local_queues={f"a/{name}": LocalQueue() for name in case.get("queues", ())})
    config = case.get("config")
    management = None if config is None else read_management(config, "kueue-system")
    found = why_no_workload(world, read_marks(job_of(case)), management, pods_of_group=case.get("pods", 0))
    told = [{type(each).__name__: msgspec.json.decode(msgspec.json.encode(each))} for each in found.causes]
    assert told == case["causes"]
    assert absence_page(found, Around()).blocks
    assert absence_document(found, Around()).data["reason"] == type(found.causes[0]).__name__


def test_every_cause_has_words() -> None:
    causes = {
        found
        for found in vars(absence).values()
        if isinstance(found, type) and issubclass(found, Facts) and found.__module__ == absence.__name__
    }
    assert causes == words.KINDS


REPORT = "tests/data/reports/11-bypassed-equivalent-workload.yaml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["job/none"], 'Error: job "none" not found'),
        (["pytorchjob", "x"], 'Error: pytorchjob "x" not found: there is no pytorchjob at all'),
        (["cq", "team-b-cq"], 'Error: clusterqueue "team-b-cq" not found; did you mean team-a-cq?'),
        (
            ["lq", "team-b/main"],
            'Error: localqueue "main" not found in namespace "team-b", but there is team-a/main',
        ),
        (["cohort", "x"], 'Error: cohort "x" not found'),
        (["rf", "default"], 'Error: resourceflavor "default" not found; did you mean default-flavor?'),
        (["cq", "team-a-cq", "--for", "x"], "Error: --for goes with resourceflavor only"),
        (["workload", "x", "--for", "x"], "Error: --for goes with resourceflavor only"),
        (["reason", "OnHoldd"], 'Error: reason "OnHoldd" not found; did you mean OnHold?'),
        (["verdict", "x"], 'Error: verdict "x" not found; kubectl kueue explain verdict lists them'),
    ],
)
def test_what_is_not_there_is_said(arguments: list[str], message: str, kueue: Kueue) -> None:
    finished = kueue("explain", *arguments, "--snapshot", REPORT)
    assert finished.stderr.splitlines()[0] == message
    assert finished.code == 1


def test_a_workload_is_found_by_its_uid_and_its_jobs(kueue: Kueue) -> None:
    by_name = kueue("explain", "job-sweep-2-ef26a", "--snapshot", REPORT, "--no-suggest", "-o", "json")
    told = msgspec.json.decode(by_name.stdout)
    assert told["bypassed"]["sibling"] == "team-a/job-sweep-1-5fd19"
    read = kueue("get", "wl", "job-sweep-2-ef26a", "-n", "team-a", "--snapshot", REPORT, "-o", "json").stdout
    meta = msgspec.json.decode(read)["metadata"]
    for uid in (meta["uid"], meta["ownerReferences"][0]["uid"]):
        assert kueue("explain", uid, "--snapshot", REPORT, "--no-suggest", "-o", "json") == by_name


@pytest.mark.parametrize(("flag", "code"), [((), 0), (("--exit-code",), 13)])
def test_no_workload_counts_as_blocked(flag: tuple[str, ...], code: int, kueue: Kueue) -> None:
    snapshot = "tests/data/reports/88-integration-not-enabled.yaml"
    finished = kueue("explain", "rayjob/tune", "-n", "ml", "--snapshot", snapshot, *flag)
    assert finished.stdout.startswith("NoWorkload: ")
    assert finished.code == code


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("job/ddp", 'job "ddp" not found in namespace "ml"; there is pytorchjob/ddp'),
        ("ddp", 'workload "ddp" not found in namespace "ml"; there is pytorchjob/ddp'),
        ("job/else", 'job "else" not found in namespace "ml"'),
    ],
)
def test_a_job_of_another_kind_has_the_name(asked: str, message: str, kueue: Kueue) -> None:
    snapshot = "tests/data/reports/33-greedy-flavor-order-blocks-second-podset.yaml"
    finished = kueue("explain", asked, "-n", "ml", "--snapshot", snapshot)
    assert finished.stderr == f"Error: {message}\n"
