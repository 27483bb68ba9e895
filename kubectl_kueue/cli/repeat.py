"""Looking again and again: a new answer each time something has changed, through slow and lost servers."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ApiError, ConfigError, NotFoundError

if TYPE_CHECKING:
    from kubectl_kueue.cli.source import Source

T = TypeVar("T")


def repeat(
    session: Session,
    look: "Callable[[Source], T]",
    show: Callable[[T], None],
    fingerprint: Callable[[T], object],
    pause: float,
) -> None:
    """Print what `look` finds, and again whenever its `fingerprint` is another; `pause` in seconds.

    What goes wrong the first time ends it; later on it is told once and tried again. Raises ConfigError for
    --snapshot.
    """
    if session.flags.snapshot is not None:
        raise ConfigError("--watch needs a cluster: a snapshot does not change")
    from kubectl_kueue.cli.live import LiveSource

    before: object = None
    lost = ""
    first = True
    while True:
        source = LiveSource(session.server(), session.flags.namespace, session.clock)
        try:
            found = look(source)
        except (ApiError, NotFoundError) as error:
            if first:
                raise
            if str(error) != lost:
                lost = str(error)
                session.warn(f"Warning: {lost}; trying again every {pause:g}s")
            time.sleep(pause)
            continue
        if lost:
            session.warn("Warning: the server answers again")
            lost = ""
        now = fingerprint(found)
        if first or now != before:
            if not first:
                session.write("---" if session.flags.output in ("yaml", "kyaml") else "")
            show(found)
            sys.stdout.flush()
        first, before = False, now
        time.sleep(pause)
