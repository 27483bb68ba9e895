"""The pages of `describe`: what narrows them, what parts them, what they say of odd objects."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import Finished, Kueue

Describe = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def describe(server: FakeServer, kueue: Kueue, tmp_path: Path) -> Describe:
    """Runs `describe ARGUMENTS` while `faults` happen."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, faults: tuple[Fault, ...] = ()) -> Finished:
        server.faults = [[fault, fault.times] for fault in faults]
        return kueue("describe", *arguments, "--kubeconfig", str(kubeconfig), "--cache-dir", str(tmp_path))

    return run


def forbidden(plural: str) -> Fault:
    return Fault(f"*/{plural}", "status", 403)


def headings(finished: Finished) -> list[str]:
    """The first line of every block."""
    blocks = finished.stdout.split("\n\n")
    return [block.partition("\n")[0].strip() for block in blocks]


def test_a_page_of_a_live_cluster(describe: Describe) -> None:
    found = describe("cq", "small-cq")
    assert found.code == 0
    assert found.stdout.startswith("Name:         small-cq\n")
    wanted = ["Quota", "Preemption", "Flavor search", "Pending", "Conditions", "Events:  <none>"]
    assert [heading for heading in headings(found) if heading in wanted] == wanted


def test_forbidden_events_are_told(describe: Describe) -> None:
    found = describe("cq", "small-cq", faults=(forbidden("events"),))
    assert found.code == 0
    assert "\nEvents could not be read: " in found.stdout
    assert "Quota" in headings(found)


@pytest.mark.parametrize("plural", ["cohorts", "workloads", "resourceflavors"])
def test_a_forbidden_kind_narrows_the_page(describe: Describe, plural: str) -> None:
    found = describe("cq", "small-cq", faults=(forbidden(plural),))
    assert found.code == 0
    assert "Quota" in headings(found)
    assert found.stdout.splitlines()[-1].startswith("Not ")


def test_a_forbidden_object_is_an_error(describe: Describe) -> None:
    found = describe("cq", "small-cq", faults=(Fault("*/clusterqueues/small-cq", "status", 403),))
    assert (found.stdout, found.code) == ("", 1)
    assert found.stderr.startswith("Error from server (Forbidden): ")


def test_two_empty_lines_between_pages(describe: Describe) -> None:
    found = describe("rf", "a100", "default-flavor", "--full")
    assert found.stdout.count("\n\n\nName:") == 1


def test_what_is_there_is_printed_before_what_is_missing(describe: Describe) -> None:
    found = describe("rf", "nope", "a100", "--full")
    assert found.stdout.startswith("Name:         a100\n")
    missing = 'resourceflavors.kueue.x-k8s.io "nope" not found'
    assert (found.stderr, found.code) == (f"Error from server (NotFound): {missing}\n", 1)


def test_the_beginning_of_names(describe: Describe) -> None:
    found = describe("workload", "job-pending", "-n", "diag", "-o", "name")
    assert found.stdout == "workload.kueue.x-k8s.io/job-pending-quota-63632\n"


def test_events_are_asked_for_by_name(describe: Describe, server: FakeServer) -> None:
    describe("workload", "job-pending-quota-63632", "-n", "diag", "--full")
    asked = next(request for request in server.requests if request.path.endswith("/events"))
    assert asked.query["fieldSelector"] == "involvedObject.name=job-pending-quota-63632"
    assert "/namespaces/diag/" in asked.path


def test_fields_need_nothing_else(describe: Describe, server: FakeServer) -> None:
    describe("cq", "small-cq", "--full", "--no-events")
    asked = [r.path for r in server.requests if "/clusterqueues" in r.path or "/namespaces" in r.path]
    assert asked == ["/apis/kueue.x-k8s.io/v1beta2/clusterqueues/small-cq"]
