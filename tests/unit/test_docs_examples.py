"""Every line below "Examples:" of every --help runs and succeeds.

What reads, reads examples/snapshot.json (--snapshot is added where the line has none); what writes, writes to
an API server that holds the same objects.
"""

import contextlib
import json
import re
import shlex
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.scripts.book import Entry, read_commands
from tests.api.fake import OBJECTS, FakeServer
from tests.conftest import REPOSITORY, Kueue

SNAPSHOT = REPOSITORY / "examples" / "snapshot.json"
ASK_A_SERVER = {"create", "delete", "edit", "patch", "resume", "stop"}
NEED_NO_DATA = {"completion", "convert", "lint", "version"}
PLURALS = {"WorkloadPriorityClass": "workloadpriorityclasses", "Topology": "topologies"}
PATIENCE = 1.0  # seconds after which somebody presses Ctrl-C under --watch
INTERRUPTED = 130
FILES = {
    "snapshot.json": "snapshot.json",
    "kueue.json": "snapshot.json",
    "job.yaml": "job.yaml",
    "manifests/job.yaml": "job.yaml",
    "k8s/job.yaml": "job.yaml",
    "queues.yaml": "tutorial/cpu-pool.yaml",
    "old.yaml": "tutorial/cpu-pool.yaml",
}
LEAVES = [leaf for entry in read_commands() for leaf in entry.leaves]
LINES = [(leaf.words[0], line) for leaf in LEAVES for line in leaf.examples]


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.name)
def test_every_command_has_examples_of_itself(leaf: Entry) -> None:
    assert leaf.examples
    assert any(leaf.words[0] in words_of(line) for line in leaf.examples)


# Ctrl-C comes at any moment, also while something is being closed.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("verb", "line"), LINES, ids=[line for _, line in LINES])
def test_an_example_succeeds(
    verb: str, line: str, kueue: Kueue, folder: Path, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = words_of(line)
    watches = "--watch" in words
    if verb == "edit":
        monkeypatch.setattr("kubectl_kueue.cluster.external.exec_kubectl", lambda arguments: None)
    names_a_job = any(word.startswith("job/") for word in words)  # Jobs are not in the snapshot
    if verb in ASK_A_SERVER or watches or "--live" in words or (names_a_job and "--snapshot" not in words):
        words += ["--kubeconfig", server.kubeconfig(folder / "config", namespace="team-a")]
    elif "--snapshot" not in words and verb not in NEED_NO_DATA:
        words += ["--snapshot", "snapshot.json"]
    if verb == "delete":
        words.append("--yes")
    monkeypatch.chdir(folder)
    with ctrl_c(PATIENCE) if watches else contextlib.nullcontext():
        finished = kueue(*words)
    assert finished.code == (INTERRUPTED if watches else 0), finished.stderr


def words_of(line: str) -> list[str]:
    """The words after the program: of `… | dot` and `source <(…)` what is ours."""
    found = re.search(r"(?:kubectl[ -]kueue|kueuectl) ([^|>)]+)", line)
    assert found is not None, f"no command of ours: {line}"
    return shlex.split(found[1])


@contextlib.contextmanager
def ctrl_c(seconds: float) -> Iterator[None]:
    """Interrupts what is still running after so long."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)  # again, should one be lost
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples name."""
    examples = REPOSITORY / "examples"
    here = tmp_path / "here"
    for name, source in FILES.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(examples / source, here / name)
    return here


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeServer]:
    """An API server with the objects of the snapshot, the Jobs that own its workloads, and a pod for each."""
    discovery = tmp_path / "served"
    shutil.copytree(OBJECTS / "discovery", discovery / "discovery")
    (discovery / "json").mkdir()
    with FakeServer(discovery) as fake:
        for item in json.loads(SNAPSHOT.read_bytes())["objects"]:
            fake.change(PLURALS.get(item["kind"], f"{item['kind'].lower()}s"), item, "ADDED")
            for owner in item["metadata"].get("ownerReferences", ()):
                job = owned(owner["name"], item["metadata"]["namespace"], uid=owner["uid"])
                fake.change("jobs.batch", {"apiVersion": "batch/v1", "kind": "Job", **job}, "ADDED")
                pod = owned(f"{owner['name']}-0", item["metadata"]["namespace"], ownerReferences=[owner])
                pod["metadata"]["labels"] = {"batch.kubernetes.io/job-name": owner["name"]}
                fake.change("pods", {"apiVersion": "v1", "kind": "Pod", **pod}, "ADDED")
        yield fake


def owned(name: str, namespace: str, **meta: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace, **meta}, "spec": {}, "status": {}}
