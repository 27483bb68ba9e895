"""What time it is. Every other room gets `now` as an argument."""

import time


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000  # noqa: TID251 - this is the place where the clock is read
