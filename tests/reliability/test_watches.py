"""What looks again and again at a flapping server takes no more memory in the end; commands that run side by
side share a cache."""

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.fake import FakeServer, Fault
from tests.conftest import REPOSITORY

SECONDS = 120.0 if os.environ.get("KUEUE_NIGHTLY") else 6.0
GROWTH = 4_000  # KiB that may be left after the first third
FLAPS = [
    [],
    [Fault("*", "status", 503)],
    [],
    [Fault("*/workloads", "cut")],
    [Fault("*", "drop")],
    [],
    [Fault("*/clusterqueues", "status", 403)],
    [Fault("*/workloads", "retry", (429, 0), 2)],
]


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer(watch_seconds=0.5) as running:
        running.requests = running.requests.__class__(maxlen=50)
        yield running


def start(
    fake: FakeServer, folder: Path, *words: str, output: Any = subprocess.PIPE
) -> "subprocess.Popen[bytes]":
    connection = ("--kubeconfig", fake.kubeconfig(folder / "config"), "--cache-dir", str(folder / "cache"))
    return subprocess.Popen(
        [sys.executable, "-m", "kubectl_kueue", *words, *connection],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
    )


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(
    "words",
    [("pending", "-A", "--watch", "--interval", "0.1"), ("top", "--watch", "--interval", "100ms")],
    ids=" ".join,
)
def test_memory_is_flat(words: tuple[str, ...], fake: FakeServer, tmp_path: Path) -> None:
    log = (tmp_path / "log").open("wb")
    process = start(fake, tmp_path, *words, output=log)
    sizes = []
    try:
        time.sleep(2)
        end = time.monotonic() + SECONDS
        for number, faults in enumerate(itertools.cycle(FLAPS)):
            fake.faults = [[fault, fault.times] for fault in faults]
            item = fake.objects["workloads"][number % 3]
            item["metadata"]["labels"]["n"] = str(number)
            fake.change("workloads", item)
            fake.log.clear()
            time.sleep(0.12)
            assert process.poll() is None, (tmp_path / "log").read_text()[-500:]
            sizes.append(_memory(process.pid))
            if time.monotonic() > end:
                break
    finally:
        process.kill()
        process.wait()
        log.close()
    third = len(sizes) // 3
    assert max(sizes[-third:]) - max(sizes[:third]) < GROWTH, sizes[:: max(1, third // 3)]


def _memory(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_commands_at_the_same_time_share_a_cache(fake: FakeServer, tmp_path: Path) -> None:
    lines = [
        ("get", "cq", "-o", "json"),
        ("list", "workloads", "-A"),
        ("explain", "workload", "job-too-big-e0dc5", "-n", "diag"),
    ]
    alone = {words: _answer(start(fake, tmp_path, *words)) for words in lines}
    for path in (tmp_path / "cache").rglob("*.json"):
        path.unlink()
    together = [(words, start(fake, tmp_path, *words)) for words in lines * 2]
    for words, process in together:
        code, told = _answer(process)
        assert code == 0
        assert len(told) == len(alone[words][1])
    written = list((tmp_path / "cache").rglob("*"))
    assert not [path for path in written if path.name.startswith(".new-")]
    for path in written:
        if path.suffix == ".json":
            json.loads(path.read_bytes())


def _answer(process: "subprocess.Popen[bytes]") -> tuple[int, bytes]:
    told, _ = process.communicate(timeout=60)
    return process.returncode, told
