"""What is said about one code of `doctor`, and how its object is written."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Facts = Mapping[str, Any]


class Words(NamedTuple):
    """What is said about one code. Each is made of the object's name and the facts."""

    says: Callable[[str, Facts], str]
    effect: Callable[[str, Facts], str] = lambda name, f: ""
    steps: Callable[[str, Facts], Iterable[str]] = lambda name, f: ()


def own_name(name: str) -> str:
    """ "train" of "Workload team-a/train"."""
    return name.rpartition("/")[2].rpartition(" ")[2]


def key_of(name: str) -> str:
    """ "team-a/train" of the same."""
    return name.partition(" ")[2]


def when(time: str) -> str:
    """A time of the API in short: its date and minute, UTC."""
    return time[:16].replace("T", " ") if len(time) >= 16 else time or "unknown"
