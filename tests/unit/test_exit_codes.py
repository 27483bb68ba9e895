"""What `--exit-code` counts: a gate on manifests is about them, not about what else waits."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import kubectl_kueue.engine.explain as engine
from tests.conftest import Kueue

SNAPSHOT = "examples/snapshot.json"  # train-big waits, train-huge can never run


@pytest.fixture
def manifests(tmp_path: Path) -> Path:
    """Two Jobs: `a.json` fits, `b.json` has to wait."""
    for name, pods in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.json").write_bytes(msgspec.json.encode(_job(name, pods)))
    return tmp_path


def _job(name: str, pods: int) -> dict[str, Any]:
    container = {"name": "main", "image": "x", "resources": {"requests": {"nvidia.com/gpu": "1"}}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": name,
            "namespace": "team-a",
            "labels": {
                "kueue.x-k8s.io/queue-name": "gpu",
                "kueue.x-k8s.io/priority-class": "research",
            },
        },
        "spec": {
            "parallelism": pods,
            "completions": pods,
            "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
        },
    }


@pytest.mark.parametrize("command", ["explain", "admit --dry-run"])
@pytest.mark.parametrize(("what", "code"), [("a.json", 0), ("b.json", 11), (".", 11)])
def test_the_workloads_of_the_files_count(
    command: str, what: str, code: int, manifests: Path, kueue: Kueue
) -> None:
    arguments = (*command.split(), "-f", str(manifests / what), "--exit-code", "--snapshot", SNAPSHOT)
    assert kueue(*arguments).code == code


def test_every_workload_of_the_files_is_explained_once(
    manifests: Path, kueue: Kueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = engine.explain

    def explain(world: Any, key: str, **options: Any) -> Any:
        asked.append(key)
        return real(world, key, **options)

    monkeypatch.setattr(engine, "explain", explain)
    arguments = ("explain", "-f", str(manifests), "--exit-code", "--no-suggest", "--snapshot", SNAPSHOT)
    assert kueue(*arguments).code == 11
    assert len(asked) == len(set(asked)) == 2


@pytest.mark.parametrize(("words", "code"), [((), 12), (("team-a/train-big",), 11)])
def test_without_files_all_that_are_reported_count(words: tuple[str, ...], code: int, kueue: Kueue) -> None:
    assert kueue("admit", "--dry-run", *words, "--exit-code", "--snapshot", SNAPSHOT).code == code


def test_a_named_workload_counts_alone(manifests: Path, kueue: Kueue) -> None:
    finished = kueue(
        *("admit", "--dry-run", "team-a/train-huge", "-f", str(manifests / "a.json")),
        *("--exit-code", "--snapshot", SNAPSHOT),
    )
    assert finished.code == 12


def test_a_gate_without_a_name_does_not_pass(kueue: Kueue) -> None:
    finished = kueue("explain", "--exit-code", "--snapshot", SNAPSHOT)
    assert finished.code == 1
    assert finished.stderr.startswith("Error: the name of the workload is missing")
