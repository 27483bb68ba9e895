"""What looks again and again at a flapping server holds no more in the end than in the beginning.

Seconds for every change; KUEUE_WATCH_SECONDS=3600 for an hour of each (two minutes with KUEUE_NIGHTLY).
"""

import os
from pathlib import Path

import pytest

from tests.reliability.watching import COMMANDS, watch

SECONDS = float(os.environ.get("KUEUE_WATCH_SECONDS") or (120 if os.environ.get("KUEUE_NIGHTLY") else 5))
GROWTH = 4_000
"""KiB that may be left after the first third."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what a process holds is read from /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_leaks(name: str, tmp_path: Path) -> None:
    held = watch(name, SECONDS, tmp_path)
    third = len(held) // 3
    first, last = held[:third], held[-third:]
    assert max(each.rss for each in last) - max(each.rss for each in first) < GROWTH, held[
        :: max(1, third // 3)
    ]
    for field in ("descriptors", "sockets", "threads", "connections"):
        begun, ended = (max(getattr(each, field) for each in part) for part in (first, last))
        assert ended <= begun + 8, (field, begun, ended)
