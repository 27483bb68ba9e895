"""The writing commands of kueuectl's recordings, against the recorded objects: what must be the same, is.

Skipped where the recordings are not.
"""

import io
import re
import shlex
from pathlib import Path

import pytest

from tests.api.fake import FakeServer, merge_patch
from tests.conftest import REPOSITORY, Finished, Kueue

SHARED = REPOSITORY.parent / "shared"
RECORDINGS = SHARED / "transcripts"
VERBS = ("create", "stop", "resume", "delete", "patch")
# A verb may follow the name where kueuectl has none.
VERB = re.compile(r"(?<=\S) +(stopped|resumed)?( \(no change\))?(?= \(|$)", re.MULTILINE)
# What was done before the recording, and is not in the objects.
BEFORE = {
    "resume-wl2": ("workloads", "diag", "job-max-exec-1dcc2", {"spec": {"active": False}}),
    "patch-cq-undo": ("clusterqueues", "", "open-cq", {"metadata": {"labels": {"peer": "x"}}}),
}
# Refused by the validation of a real server, which the fake one has not; recorded after later changes; uid.
LEFT_OUT = {
    "create-cq-bad-preempt",
    "create-cq-bad-strategy-srv",
    "create-cq-dry-server",
    "delete-wl-prompt",
    "delete-wl-yes",
}
# Another exit code, another first line, or a local refusal: INDEX.md allows it.
BETTER = {
    "create-bad": 1,
    "create-cq-bad-strategy": 1,
    "delete-wl-missing": 1,
    "delete-wl-noconfirm": 1,
}


def names() -> list[str]:
    return sorted(
        path.stem
        for verb in VERBS
        for path in RECORDINGS.glob(f"{verb}-*.cmd")
        if not path.stem.endswith(("-help", "-bare", "-get")) and " get " not in path.read_text()
        if path.stem not in LEFT_OUT
    )


pytestmark = pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings here")


@pytest.mark.parametrize("name", names())
def test_recording(name: str, kueue: Kueue, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with FakeServer(SHARED / "dumps" / "before-mutations") as server:
        config = ["--kubeconfig", server.kubeconfig(tmp_path / "config"), "--cache-dir", str(tmp_path)]
        if name in BEFORE:
            resource, namespace, item, patch = BEFORE[name]
            found = server.find(resource, item, namespace)
            assert found is not None
            merge_patch(found, patch)
        words = shlex.split((RECORDINGS / f"{name}.cmd").read_text())[1:]
        finished = kueue(*words, *config, program="kueuectl")
    recorded = Finished(*((RECORDINGS / f"{name}.{suffix}").read_text() for suffix in ("out", "err")), 0)
    code = BETTER.get(name, int((RECORDINGS / f"{name}.rc").read_text()))
    if name in ("create-bad", "create-cq-bad-strategy"):
        assert finished.code == code
        return
    if name == "create-cq-dry-json":
        import json

        assert json.loads(finished.stdout) == json.loads(recorded.stdout)
        return
    if "clusterqueue.kueue" in recorded.stdout or "localqueue.kueue" in recorded.stdout:
        assert VERB.sub("", finished.stdout) == VERB.sub("", recorded.stdout)
    else:
        assert finished.stdout == recorded.stdout
    assert first_line(finished.stderr) == first_line(recorded.stderr)
    assert finished.code == code


def first_line(text: str) -> str:
    """What follows the first line of an error is the usage text, which is free."""
    return text.partition("\n")[0]
