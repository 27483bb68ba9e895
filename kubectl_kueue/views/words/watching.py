"""The line above a view that is renewed again and again: how old it is, and what is wrong."""

from kubectl_kueue.views.page import Cell, Span

LATE = 3.0
"""Seconds beyond the interval after which the age of the data is worth a warning."""


def watch_words(title: str, interval: float, age: float | None, error: str) -> list[Cell]:
    """The head of the screen; `age` in seconds of the data that is shown, None if there is none yet."""
    told: list[Cell] = [Span(title, "strong"), f"   every {_seconds(interval)}   "]
    if age is None:
        told.append("reading ...")
    elif error or age > interval + LATE:
        told.append(Span(f"data of {_seconds(int(age))} ago", "warn"))
    else:
        told.append(Span("up to date", "dim"))
    if error:
        told.append(Span(f"   {error}", "bad"))
    return told


BACK = "Warning: the server answers again"


def lost_words(error: str, interval: float) -> str:
    """What is said between two answers where there is no screen to say it on."""
    return f"Warning: {error}; trying again every {_seconds(interval)}"


def more_words(lines: int) -> str:
    """What a screen says about lines that it has no room for."""
    return f"... {lines} more line{'' if lines == 1 else 's'}"


def _seconds(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:g}s"
    return f"{int(seconds) // 60}m" if seconds < 7200 else f"{int(seconds) // 3600}h"
