"""What a check found: a status, a code that says what kind of thing it is, and facts. Never a sentence."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class Status(StrEnum):
    """How it is, the worst last but one; skipped: nobody could look."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    SKIPPED = "skipped"


class Finding(NamedTuple):
    """One line of the answer.

    `check` is the id of the check ("group/name"), filled in by `examine`; `code` names the sentence; `object`
    is "Kind/name" or "Kind/namespace/name", "" where it is about many or none. Facts are texts, whole
    numbers, or sequences and mappings of such; times are texts in RFC 3339.
    """

    status: Status
    code: str
    object: str = ""
    facts: Mapping[str, Any] = {}
    check: str = ""

    @property
    def group(self) -> str:
        """The first half of the check's id."""
        return self.check.partition("/")[0]


def ok(code: str, object_: str = "", **facts: Any) -> Finding:
    """All is well."""
    return Finding(Status.OK, code, object_, facts)


def warning(code: str, object_: str = "", **facts: Any) -> Finding:
    """Somebody should look at it."""
    return Finding(Status.WARNING, code, object_, facts)


def error(code: str, object_: str = "", **facts: Any) -> Finding:
    """Something does not work."""
    return Finding(Status.ERROR, code, object_, facts)


def skipped(code: str, object_: str = "", **facts: Any) -> Finding:
    """Nobody could look, and why."""
    return Finding(Status.SKIPPED, code, object_, facts)
