"""The page of `tree`: nothing is lost on a narrow terminal, and what it says about what may not be seen."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.accounts import Books
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.tree import Choice, Tree, tree_page
from tests.api.fake import FakeServer, Fault
from tests.conftest import REPOSITORY, Finished, Kueue

Run = Callable[..., Finished]
LENDING = REPOSITORY / "tests" / "golden" / "data" / "lending.yaml"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture
def run(server: FakeServer, kueue: Kueue, tmp_path: Path) -> Run:
    """Runs a command on the server while some kinds are forbidden."""
    kubeconfig = server.kubeconfig(tmp_path / "config")

    def run(*arguments: str, forbidden: tuple[str, ...] = ()) -> Finished:
        server.faults = [[Fault(f"*/{plural}", "status", 403), -1] for plural in forbidden]
        return kueue(*arguments, "--kubeconfig", str(kubeconfig), "--cache-dir", str(tmp_path))

    return run


@pytest.mark.parametrize(
    "source", [LENDING, REPOSITORY / "examples" / "snapshot.json"], ids=["lending", "example"]
)
def test_nothing_is_lost_on_forty_columns(source: Path) -> None:
    page = tree_page(Tree(Books(decode_world(read_source(str(source)))), Choice()))
    narrow = text(list(lay_out(page, width=40)))
    assert max(map(len, narrow)) <= 40
    said = "".join(narrow).replace(" ", "").replace(":", "")
    for line in text(list(lay_out(page))):
        for word in line.replace(":", "").split():
            assert word.startswith("[") or word in said


def text(lines: list) -> list[str]:  # type: ignore[type-arg]
    return ["".join(span.text for span in line) for line in lines]


def test_an_api_server(run: Run) -> None:
    found = run("tree", "gpu-research", "--resource", "nvidia.com/gpu")
    assert found.code == 0
    assert "\n    uses 2 nvidia.com/gpu of a100 beyond all quota\n" in found.stdout  # its lender is not there


def test_without_workloads_the_status_counts(run: Run) -> None:
    found = run("tree", "gpu-research", "--resource", "nvidia.com/gpu", forbidden=("workloads",))
    assert found.code == 0
    assert "Not read:" in found.stdout
    assert "kueue-batch-admin-role" in found.stdout


def test_without_cluster_queues_local_queues_are_left(run: Run) -> None:
    forbidden = ("clusterqueues", "cohorts", "resourceflavors")
    found = run("tree", "-n", "team-a", forbidden=forbidden)
    assert found.code == 0
    assert "\nClusterQueues that are not visible to you\n  team-a/" in found.stdout
    named = run("tree", "team-a-cq", forbidden=forbidden)
    assert (named.stdout, named.code) == ("", 1)
    viewer = "a ClusterRoleBinding to kueue-clusterqueue-viewer-role would show them"
    assert named.stderr == f"Error: ClusterQueues are not visible to you (forbidden); {viewer}\n"


def test_flavors_that_may_not_be_read_make_nothing_inactive(run: Run) -> None:
    found = run("tree", "team-a-cq", forbidden=("resourceflavors",))
    assert found.code == 0
    assert "INACTIVE" not in found.stdout


def test_the_document_names_the_parents(run: Run) -> None:
    nodes = json.loads(run("tree", "-o", "json").stdout)["nodes"]
    names = {node["name"] for node in nodes}
    assert all(node["parent"] in names for node in nodes if node["parent"] is not None)


def test_a_name_of_both_kinds_is_the_cohort(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "both.yaml"
    head = "apiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: both}\n"
    file.write_text(f"{head}kind: Cohort\n---\n{head}kind: ClusterQueue\nspec: {{cohortName: both}}\n")
    shown = [
        kueue("tree", name, "--snapshot", str(file), "-o", "name").stdout.splitlines()
        for name in ("both", "cq/both")
    ]
    assert shown[0] == shown[1] == ["cohort.kueue.x-k8s.io/both", "clusterqueue.kueue.x-k8s.io/both"]
    assert "<- this one" in kueue("tree", "cq/both", "--snapshot", str(file)).stdout
