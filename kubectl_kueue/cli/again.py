"""--watch of an answer that is made anew each time; watching.py follows what a server tells by itself."""

import re
import sys
from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ConfigError, InputError

T = TypeVar("T")

Interval = Annotated[
    str, typer.Option("--interval", metavar="TIME", help="How often with --watch (2s, 1m; at least 100ms).")
]

_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_SHORTEST, _LONGEST = 0.1, 86400
_BETWEEN = {"yaml": "---\n", "table": "\n", "wide": "\n"}
"""What stands between two answers, by format; JSON needs nothing, and KYAML begins with a `---` anyway."""


def read_interval(text: str) -> float:
    """Seconds of --interval, which are meant without a unit too. Raises ConfigError."""
    from kubectl_kueue.model.duration import seconds

    try:
        found = float(text) if _PLAIN.fullmatch(text) else seconds(text)
    except InputError as error:
        raise ConfigError(f"--interval: {error}") from None
    if not _SHORTEST <= found <= _LONGEST:
        raise ConfigError(f"--interval: {text[:80]} is not between 100ms and 24h")
    return found


def check_watch(session: Session) -> None:
    """Raise ConfigError for --snapshot."""
    if session.flags.snapshot is not None:
        raise ConfigError("--watch needs a cluster: a snapshot does not change")


def again(
    session: Session,
    look: Callable[[], T],
    show: Callable[[T], None],
    interval: float,
    fingerprint: Callable[[T], object] | None = None,
) -> None:
    """Show what `look` finds, for ever; with a `fingerprint` only when that is another than before.

    What goes wrong the first time ends it; later on it is told once and tried again.
    """
    from kubectl_kueue.output.live import repeat

    def make() -> T:
        session.forget()
        return look()

    between = _BETWEEN.get(session.flags.output or "table", "")
    repeat(make, show, sys.stdout, interval, session.warn, between, fingerprint)
