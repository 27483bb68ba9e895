"""The end of a request, whatever its server does: time-outs of sockets begin again with every byte."""

import socket
import time
from threading import TIMEOUT_MAX, Condition, Lock, Thread
from typing import Any


class Alarm:
    """Ends the connection that it holds after so many seconds (None: never), under whoever reads from it.

    `late`: it has done so. `connected`: the pool came as far as sending the request.
    """

    def __init__(self, seconds: float | None) -> None:
        self.late = self.connected = False
        self._rung = False
        self._lock = Lock()
        self._socket: socket.socket | None = None
        self.end = None if seconds is None else time.monotonic() + seconds
        if self.end is not None:
            _WATCH.set(self, self.end)

    def hold(self, connected: Any) -> None:
        """This socket is the one to end. Raises OSError."""
        if self.end is None:
            return
        # A second handle of it: TLS takes the first one away while it shakes hands.
        held = socket.fromfd(connected.fileno(), connected.family, connected.type)
        with self._lock:
            before, self._socket = self._socket, held
            if self._rung:
                self._shut()
        if before is not None:
            before.close()

    def cancel(self) -> None:
        """The connection may go on, or ends by itself."""
        if self.end is None:
            return
        _WATCH.unset(self)
        with self._lock:
            held, self._socket = self._socket, None
        if held is not None:
            held.close()

    def ring(self) -> None:
        """The time is over."""
        with self._lock:
            self._rung = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is None:
            return
        self.late = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it ended by itself


class _Watch:
    """One thread for all alarms: most never ring, and a thread for each would cost more than a request."""

    def __init__(self) -> None:
        self._ends: dict[Alarm, float] = {}
        self._changed = Condition()
        self._wakes = 0.0  # when the thread looks again; 0: there is none yet

    def set(self, alarm: Alarm, end: float) -> None:
        with self._changed:
            self._ends[alarm] = end
            if not self._wakes:
                self._wakes = end
                Thread(target=self._run, daemon=True).start()
            elif end < self._wakes:
                self._changed.notify()

    def unset(self, alarm: Alarm) -> None:
        with self._changed:
            self._ends.pop(alarm, None)

    def _run(self) -> None:
        while True:
            with self._changed:
                now = time.monotonic()
                due = [alarm for alarm, end in self._ends.items() if end <= now]
                for alarm in due:
                    del self._ends[alarm]
                if not due:
                    self._wakes = min((now + TIMEOUT_MAX / 2, *self._ends.values()))
                    self._changed.wait(self._wakes - now)
            for alarm in due:
                alarm.ring()


_WATCH = _Watch()
