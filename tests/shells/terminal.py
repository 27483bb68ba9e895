"""A shell at a terminal, as a person has it: keys go in, what stands on its command line comes out."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

TAB = "\t"
CLEAR = "\x15"  # Ctrl-U
SHOW = "\x14"  # Ctrl-T: each shell is set up to write its command line to $LINE_FILE
PATIENCE = 20.0

_ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()].|.)")


class Terminal:
    """Runs a shell in `folder` until the `with` block ends; `setup` is typed into it first."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path, setup: str):
        self._line_file = folder / "line"
        self._shown = ""
        settings = {**environment, "LINE_FILE": str(self._line_file), "TERM": "xterm", "PS1": "$ "}
        self._pid, self._handle = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], list(command), settings)  # noqa: S606 - this is the child
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 200, 0, 0))
        self.type(f"{setup}\necho rea''dy\n")
        self._wait(lambda: "ready" in self._shown)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *problem: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._handle)

    def type(self, keys: str) -> None:
        os.write(self._handle, keys.encode())

    def completed(self, line: str) -> str:
        """The command line after typing this and TAB."""
        self._line_file.unlink(missing_ok=True)
        self.type(line + TAB + SHOW)
        self._wait(lambda: self._line_file.exists() and self._line_file.read_text().endswith("\n"))
        self.type(CLEAR)
        return self._line_file.read_text().removesuffix("\n")

    def shown(self, line: str, tabs: int = 2) -> str:
        """What the terminal shows after typing this and pressing TAB, without colours and such."""
        self._settle()
        self._shown = ""
        self.type(line)
        for _ in range(tabs):
            self._settle()
            self.type(TAB)
        self._settle(1.0)
        found = _ESCAPES.sub("", self._shown)
        self.type(CLEAR)
        self._settle()
        return found

    def _wait(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, f"the shell shows: {self._shown[-2000:]!r}"
            self._read(0.05)

    def _settle(self, quiet: float = 0.3) -> None:
        """Until nothing more comes; a program that runs at the prompt may take its time."""
        while self._read(quiet):
            pass

    def _read(self, seconds: float) -> bool:
        poll = select.poll()  # select() takes no handle beyond the first 1,024
        poll.register(self._handle, select.POLLIN)
        ready = poll.poll(seconds * 1000)
        if not ready:
            return False
        try:
            text = os.read(self._handle, 65536).decode(errors="replace")
        except OSError:
            return False
        self._shown += text
        return bool(text)
