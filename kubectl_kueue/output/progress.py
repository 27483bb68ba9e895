"""How far a long reading is: one line on the terminal of somebody who waits, gone when the answer comes."""

import time
from collections import Counter
from threading import Lock
from typing import Protocol, TextIO

PATIENCE = 1.0
"""Seconds that pass before anything is shown."""

_INTERVAL = 0.2
_ERASE = "\r\x1b[K"


class Named(Protocol):
    """A kind, as far as its name goes."""

    @property
    def plural(self) -> str: ...


class Progress:
    """Counts objects by kind and shows the counts on `stream`, a terminal. Used by several threads."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._due = time.monotonic() + PATIENCE
        self._shown = False

    def reading(self, kind: Named, count: int) -> None:
        """`count` more objects of the kind have come."""
        with self._lock:
            self._counts[kind.plural] += count
            now = time.monotonic()
            if now < self._due:
                return
            self._due = now + _INTERVAL
            self._shown = True
            told = ", ".join(f"{number} {name}" for name, number in self._counts.most_common(3))
            self._stream.write(f"{_ERASE}Reading ... {told}")
            self._stream.flush()

    def begin_again(self) -> None:
        """Everything is read anew: counts and patience begin with it."""
        self.done()
        with self._lock:
            self._counts.clear()
            self._due = time.monotonic() + PATIENCE

    def done(self) -> None:
        """Take the line away."""
        with self._lock:
            if self._shown:
                self._shown = False
                self._stream.write(_ERASE)
                self._stream.flush()
