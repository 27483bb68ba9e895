"""`explain` on a cluster: what may not be read narrows the answer and never ends it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

Explain = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def explain(server: FakeServer, kueue: Kueue, tmp_path: Path) -> Explain:
    """Runs `explain ARGUMENTS --no-suggest` while some kinds are forbidden."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, forbidden: tuple[str, ...] = ()) -> Finished:
        server.faults = [[Fault(f"*/{plural}", "status", 403), -1] for plural in forbidden]
        flags = ("--kubeconfig", str(kubeconfig), "--cache-dir", str(tmp_path), "--no-suggest")
        return kueue("explain", *arguments, *flags)

    return run


def test_a_job_leads_to_its_workload(explain: Explain) -> None:
    finished = explain("job/too-big", "-n", "diag")
    assert (finished.stderr, finished.code) == ("", 0)
    assert "of Job too-big" in finished.stdout


def test_a_job_that_may_not_be_read_is_known_by_its_workload(explain: Explain) -> None:
    finished = explain("job/too-big", "-n", "diag", forbidden=("jobs", "jobs/*"))
    assert finished.stderr.startswith("Warning: resource is forbidden")
    assert finished.stderr.endswith("; its Workload is explained\n")
    assert "of Job too-big" in finished.stdout
    assert finished.code == 0


def test_a_job_that_may_be_got_and_not_listed(explain: Explain) -> None:
    finished = explain("job/too-big", "-n", "diag", forbidden=("jobs",))
    assert (finished.stderr, finished.code) == ("", 0)
    assert "of Job too-big" in finished.stdout


def test_the_workload_of_a_job_is_read_by_its_name_where_none_may_be_listed(explain: Explain) -> None:
    finished = explain("job/too-big", "-n", "diag", forbidden=("workloads",))
    assert (finished.stderr, finished.code) == ("", 0)
    assert "Workload (forbidden, except for diag/job-too-big-e0dc5)" in " ".join(finished.stdout.split())


def test_a_job_that_may_not_be_read_and_has_no_workload_cannot_be_told(explain: Explain) -> None:
    finished = explain("job/unmanaged", "-n", "diag", forbidden=("jobs",))
    assert (finished.stdout, finished.code) == ("", 1)


@pytest.mark.parametrize("plural", ["events", "pods"])
def test_what_goes_with_it_is_left_out_with_a_note(explain: Explain, plural: str) -> None:
    finished = explain("job/too-big", "-n", "diag", forbidden=(plural,))
    assert f"{plural.capitalize()} could not be read: " in finished.stdout
    assert finished.code == 0


@pytest.mark.parametrize(
    "subject", [("cq", "small-cq"), ("lq", "small", "-n", "diag"), ("rf", "default-flavor")]
)
def test_the_footer_says_what_was_not_read(explain: Explain, subject: tuple[str, ...]) -> None:
    finished = explain(*subject, forbidden=("cohorts", "nodes"))
    assert "Cohort (forbidden)" in finished.stdout
    assert finished.code == 0


def test_a_kind_that_may_not_be_read_is_not_called_missing(explain: Explain) -> None:
    finished = explain("cq", "small-cq", forbidden=("clusterqueues",))
    assert "ClusterQueues are not visible to you (forbidden); a ClusterRoleBinding to" in finished.stderr
