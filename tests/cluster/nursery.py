"""Runs the program in processes of its own that need not load it: they are forked from one that has.

Loading takes several times as long as what a command does, and these tests run two hundred commands.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from selectors import EVENT_READ, DefaultSelector
from types import TracebackType
from typing import Any, NamedTuple

import kubectl_kueue

REPOSITORY = Path(__file__).parents[2]
ENDS_WITHIN = 60
LOADED = ("kubernetes.client", "kubernetes.config", "typer", "rich.console", "yaml", "jsonpatch")


class Ended(NamedTuple):
    """What a process left behind."""

    stdout: str
    stderr: str
    code: int


class Nursery:
    """The process that others are forked from. Its folder takes what they read and write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> "Nursery":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, arguments: Sequence[str], env: Mapping[str, str], stdin: str = "") -> Ended:
        """Run `kubectl-kueue ARGUMENTS`."""
        files = [self._folder / name for name in ("stdin", "stdout", "stderr")]
        files[0].write_text(stdin)
        order = {"arguments": list(arguments), "env": dict(env), "files": [str(file) for file in files]}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        with DefaultSelector() as selector:
            selector.register(self._process.stdout, EVENT_READ)
            if not selector.select(ENDS_WITHIN + 30):
                raise TimeoutError(f"no answer to {arguments}")
        code = int(self._process.stdout.readline())
        return Ended(files[1].read_text(), files[2].read_text(), code)


def _tend() -> None:
    """Fork a process for each order that comes in, and answer with its exit code."""
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(order)
            return
        status = os.waitpid(child, 0)[1]
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _become(order: dict[str, Any]) -> None:
    """Be the program, as if this process had been started for it."""
    for number, (name, mode) in enumerate(
        zip(order["files"], (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)
    ):
        file = os.open(name, mode | os.O_CREAT | (os.O_TRUNC if number else 0), 0o600)
        os.dup2(file, number)
        os.close(file)
    sys.stdin = os.fdopen(0, closefd=False)
    os.environ.clear()
    os.environ.update(order["env"])
    signal.alarm(ENDS_WITHIN)
    sys.argv = ["kubectl-kueue", *order["arguments"]]

    from kubectl_kueue.__main__ import main

    code = main()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # an orderly end would touch, and so copy, all of the memory that is shared


def _load() -> None:
    """Load all that a command may need. What cannot be loaded is for the command to complain about."""
    rooms = walk_packages(kubectl_kueue.__path__, "kubectl_kueue.", onerror=lambda _: None)
    for name in (*LOADED, *(module.name for module in rooms)):
        with suppress(ImportError):
            import_module(name)


if __name__ == "__main__":
    _load()
    _tend()
