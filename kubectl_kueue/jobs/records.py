"""What a conversion has to tell: the Workloads, what the webhooks change and refuse, and what is assumed.

Facts only: views/convert.py makes the sentences. A code stands for one kind of fact and stays the same.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Severity = Literal["refused", "no-workload"]
"""Refused: the API server does not take the object. No-workload: it does, but no Workload is made of it."""


class Subject(NamedTuple):
    """The object that is spoken of; `place` is its index among the objects that were given."""

    kind: str
    namespace: str
    name: str
    place: int


class Change(NamedTuple):
    """What a webhook of Kueue writes into the object at `path` (a JSON pointer)."""

    subject: Subject
    code: str
    path: str
    value: Any


class Refusal(NamedTuple):
    """A rule (kueuectl.md 7.7 and 7.8) that the object breaks at `path` (a JSON pointer)."""

    subject: Subject
    code: str
    path: str
    facts: Mapping[str, Any]
    severity: Severity = "refused"


class Note(NamedTuple):
    """Something that the answer rests on, or why an object was passed by."""

    subject: Subject
    code: str
    facts: Mapping[str, Any]


class Made(NamedTuple):
    """A Workload, and the indexes of the objects of which it is made."""

    workload: dict[str, Any]
    indexes: tuple[int, ...]


class Conversion(NamedTuple):
    """`made` in the order of the objects; `changes`, `refusals` and `notes` as they were found."""

    made: list[Made]
    changes: list[Change]
    refusals: list[Refusal]
    notes: list[Note]

    @property
    def workloads(self) -> list[dict[str, Any]]:
        """The Workloads as manifests, kueue.x-k8s.io/v1beta2."""
        return [each.workload for each in self.made]
