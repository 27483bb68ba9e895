"""Every cell of machine.yaml, in a process of its own: pipes, disks, homes, clocks, signals."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import REPOSITORY
from tests.reliability.cells import Finished, read_table, sane

CELLS = read_table("machine")["cells"]
PATCHES = {
    "full disk": """
import errno, os
def full(handle): raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
os.fsync = full
""",
    "clock ahead": "clock.now = lambda now=clock.now: now() + 365 * 86_400_000_000",
    "clock behind": "clock.now = lambda now=clock.now: now() - 365 * 86_400_000_000",
    "clock at zero": "clock.now = lambda: 0",
    "no stdout": "import os; os.close(1); sys.stdout = None",
    "no stderr": "import os; os.close(2); sys.stderr = None",
}
SCRIPT = """
import sys
from kubectl_kueue.cluster import clock
from kubectl_kueue.__main__ import main
{patch}
sys.exit(main())
"""
ENVIRONMENTS: dict[str, dict[str, str | None]] = {
    "read-only home": {"HOME": "/proc"},
    "no home": {"HOME": None, "USER": None, "LOGNAME": None},
    "dumb terminal": {"TERM": "dumb", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "COLUMNS": "-3"},
}


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell['how']}-{cell['run'].split()[0]}")
def test_a_machine_has_its_outcome(cell: dict[str, Any], fake: FakeServer, tmp_path: Path) -> None:
    how, file = cell["how"], tmp_path / "FILE"
    file.write_text("old")
    if how == "ctrl-c":
        fake.faults = [[Fault("/apis/kueue.x-k8s.io/v1beta2/*", "slow", 20), -1]]
    cache = [] if how in ("read-only home", "no home") else ["--cache-dir", str(_cache(how, tmp_path))]
    words = [str(file) if word == "FILE" else word for word in cell["run"].split()]
    finished = _finish(how, [*words, *cache], fake.kubeconfig(tmp_path / "config"), fake)
    sane(finished._replace(code=0))
    first = finished.stderr.partition("\n")[0].replace(str(file), "FILE")
    assert (finished.code, first) == (cell["code"], cell["says"])
    assert (file.read_text() == "old") == (cell["code"] != 0 or "FILE" not in cell["run"])
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".FILE")], "no half file is left"


def _cache(how: str, folder: Path) -> Path:
    cache = folder / "cache"
    if how == "broken cache":
        for name in ("servergroups.json", "kueue.x-k8s.io/v1beta2/serverresources.json"):
            for place in (cache / "discovery").glob("*"):
                (place / name).write_text("{")
        cache.write_text("no folder at all")
    return cache


def _finish(how: str, words: list[str], kubeconfig: str, fake: FakeServer) -> Finished:
    environment = {**os.environ, "KUBECONFIG": kubeconfig}
    for name, value in ENVIRONMENTS.get(how, {}).items():
        environment.pop(name, None) if value is None else environment.update({name: value})
    script = SCRIPT.format(patch=PATCHES.get(how, ""))
    out: int | Any = subprocess.PIPE
    if how == "full stdout":
        out = os.open("/dev/full", os.O_WRONLY)
    elif how == "closed pipe":
        reader, out = os.pipe()
        os.close(reader)
    with subprocess.Popen(
        [sys.executable, "-c", script, *words],
        cwd=REPOSITORY,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        preexec_fn=_small_files if how == "small disk" else None,
    ) as process:
        if how == "ctrl-c":
            _when_asked(fake)
            process.send_signal(signal.SIGINT)
        try:
            told, complaint = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    if isinstance(out, int) and out > 2:
        os.close(out)
    return Finished(process.returncode, (told or b"").decode(), complaint.decode())


def _small_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


def _when_asked(fake: FakeServer) -> None:
    """The process waits for an object."""
    deadline = time.monotonic() + 20
    while not any("workloads" in path or "clusterqueues" in path for path in fake.paths()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.1)
