"""Asking many things at the same time. The threads are daemons: an error, or Ctrl-C, waits for no server."""

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

AT_ONCE = 6
"""What is asked at the same time: enough to hide the way to the server, few enough for its fairness."""

T = TypeVar("T")
S = TypeVar("S")


class Errand(Generic[T]):
    """What somebody was sent to do."""

    def __init__(self, act: Callable[[], T]) -> None:
        self._act = act
        self._done = Event()
        self._value: T
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._value = self._act()
        except BaseException as error:
            self._error = error
        self._done.set()

    def result(self) -> T:
        """What came of it, when it is done. Raises what it raised."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._value


class Errands:
    """Runs errands in the order in which they come, some at once."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._waiting: deque[Errand[Any]] = deque()
        self._threads = 0
        self._lock = Lock()

    def begin(self, act: Callable[[], T]) -> Errand[T]:
        """Have it done as soon as somebody is free."""
        errand = Errand(act)
        with self._lock:
            self._waiting.append(errand)
            if self._threads < self._at_once:
                self._threads += 1
                Thread(target=self._work, daemon=True).start()
        return errand

    def drop(self) -> None:
        """Begin none of those that wait."""
        with self._lock:
            self._waiting.clear()

    def _work(self) -> None:
        """Until there is none; a thread counts as gone before anybody can leave another errand to it."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                errand = self._waiting.popleft()
            errand.run()


def at_once(act: Callable[[S], T], subjects: Iterable[S]) -> list[T]:
    """The results in the order of the subjects. Raises what the first that failed raised."""
    errands = Errands()
    begun = [errands.begin(partial(act, subject)) for subject in subjects]
    try:
        return [errand.result() for errand in begun]
    finally:
        errands.drop()
