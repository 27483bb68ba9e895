"""What time it is. Every other room gets `now` as an argument."""

import time
from collections.abc import Callable


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000  # noqa: TID251 - this is the place where the clock is read


def deadline(seconds: float) -> Callable[[], bool]:
    """A function that says whether so many seconds have passed since now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
