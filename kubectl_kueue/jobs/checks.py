"""Where the rules of a job write down what is broken."""

from typing import Any

from kubectl_kueue.jobs.reading import Path
from kubectl_kueue.jobs.records import Refusal, Severity, Subject
from kubectl_kueue.model.pointer import pointer


class Checks:
    """The refusals of one object."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.refusals: list[Refusal] = []

    def add(self, code: str, path: Path, severity: Severity = "refused", **facts: Any) -> None:
        """The object breaks the rule `code` at `path`."""
        self.refusals.append(Refusal(self._subject, code, pointer(*path), facts, severity))
