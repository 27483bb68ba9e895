"""A command that looks again and again at a flapping server, and what it holds meanwhile.

python -m tests.reliability.watching SECONDS [COMMAND]    figures of every command that watches
"""

import itertools
import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.api import fake as api
from tests.api.fake import FakeServer, Fault
from tests.conftest import REPOSITORY

COMMANDS: Mapping[str, str] = {
    "pending": "pending -A --watch --interval 0.1",
    "top": "top --watch --interval 100ms",
    "top on a terminal": "top --watch --interval 100ms",
    "get": "get workloads -A --watch",
    "get as JSON": "get workloads -A --watch -o json",
}
"""Every way of watching there is."""

FLAPS: Sequence[Sequence[Fault]] = [
    [],
    [Fault("*", "status", 503)],
    [],
    [Fault("*/workloads", "cut")],
    [Fault("*", "drop")],
    [],
    [Fault("*/clusterqueues", "status", 403)],
    [Fault("*/workloads", "retry", (429, 0), 2)],
    [Fault("*/pendingworkloads", "status", 500)],
]
BEAT = 0.12
"""Seconds between two changes of the world and of its faults."""


class Held(NamedTuple):
    """What the process and the server held at one moment: KiB, and counts."""

    second: float
    rss: int
    descriptors: int
    sockets: int
    threads: int
    connections: int


def watch(name: str, seconds: float, folder: Path) -> list[Held]:
    """What a command held, beat by beat; it must still run at the end."""
    api.MAX_WATCH_SECONDS = seconds + 60  # one watch for all the time, as nobody ends it
    with FakeServer(watch_seconds=seconds + 60) as fake:
        fake.requests = fake.requests.__class__(maxlen=50)
        connection = ("--kubeconfig", fake.kubeconfig(folder / "config"), "--cache-dir", str(folder / "c"))
        words = [*COMMANDS[name].split(), *connection]
        with _running(words, folder / "log", terminal=name.endswith("terminal")) as process:
            _settle(fake, process)
            return list(_flapping(fake, process, folder / "log", seconds))


def _settle(fake: FakeServer, process: "subprocess.Popen[bytes]") -> None:
    """Until it has looked twice: what fails before the first answer ends a command, and should."""
    end = time.monotonic() + 60
    while sum(path.endswith("/workloads") for path in fake.paths()) < 2 and process.poll() is None:
        assert time.monotonic() < end, "it does not begin"
        time.sleep(BEAT)
    time.sleep(1)


@contextmanager
def _running(words: Sequence[str], log: Path, *, terminal: bool) -> "Iterator[subprocess.Popen[bytes]]":
    ours, theirs = pty.openpty() if terminal else (-1, -1)
    with log.open("wb") as file:
        output: Any = theirs if terminal else file
        process = subprocess.Popen(
            [sys.executable, "-m", "kubectl_kueue", *words],
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=file,
            env={**os.environ, "TERM": "xterm"},
        )
        if terminal:
            os.close(theirs)
            threading.Thread(target=_drain, args=(ours,), daemon=True).start()
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def _drain(terminal: int) -> None:
    with suppress(OSError):
        while os.read(terminal, 65536):
            pass
    os.close(terminal)


def _flapping(
    fake: FakeServer, process: "subprocess.Popen[bytes]", log: Path, seconds: float
) -> Iterator[Held]:
    begin = time.monotonic()
    for number, faults in enumerate(itertools.cycle(FLAPS)):
        fake.faults = [[fault, fault.times] for fault in faults]
        item = fake.objects["workloads"][number % 3]
        item["metadata"]["labels"]["n"] = str(number)
        fake.change("workloads", item)
        del fake.log[:-100]
        time.sleep(BEAT)
        assert process.poll() is None, log.read_text()[-500:]
        if log.stat().st_size > 50_000_000:
            os.truncate(log, 0)
        yield _held(process.pid, time.monotonic() - begin, fake)
        if time.monotonic() - begin > seconds:
            return


def _held(process: int, second: float, fake: FakeServer) -> Held:
    place = Path(f"/proc/{process}")
    fields = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    targets = []
    for path in (place / "fd").iterdir():
        with suppress(OSError):
            targets.append(str(path.readlink()))
    sockets = sum(target.startswith("socket:") for target in targets)
    memory, threads = int(fields["VmRSS"].split()[0]), int(fields["Threads"])
    return Held(second, memory, len(targets), sockets, threads, fake.connections)


def main(seconds: float, names: Sequence[str]) -> None:
    for name in names or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            held = watch(name, seconds, Path(folder))
        third = len(held) // 3
        parts = [held[:third], held[third : 2 * third], held[2 * third :]]
        memory = ", ".join(f"{max(each.rss for each in part) / 1024:.1f}" for part in parts)
        rest = "; ".join(
            f"{field} {', '.join(str(max(getattr(each, field) for each in part)) for part in parts)}"
            for field in Held._fields[2:]
        )
        print(f"{name}: {held[-1].second:.0f} s, {len(held)} beats; MiB {memory}; {rest}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
