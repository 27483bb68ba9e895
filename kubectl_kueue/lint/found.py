"""What a check finds: the rule, where, and the facts from which views/ makes the sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "info"]
Operation = dict[str, Any]


class Found(NamedTuple):
    """A rule that does not hold at `pointer` of an object.

    `patch` is a JSON patch (RFC 6902) of the object, empty where what to do is not unambiguous. `severity` is
    another than the rule's own.
    """

    rule: str
    pointer: str
    facts: Mapping[str, str] = {}
    patch: Sequence[Operation] = ()
    severity: Severity | None = None


def found(
    rule: str,
    pointer: str,
    *,
    patch: Sequence[Operation] = (),
    severity: Severity | None = None,
    **facts: object,
) -> Found:
    """A Found with its facts as texts."""
    return Found(rule, pointer, {name: str(value) for name, value in facts.items()}, patch, severity)


def move(source: str, target: str) -> Operation:
    """The field at one pointer goes to another."""
    return {"op": "move", "from": source, "path": target}


def remove(pointer: str) -> Operation:
    """The field goes away."""
    return {"op": "remove", "path": pointer}


def add(pointer: str, value: Any) -> Operation:
    """A field comes in, or takes the place of the one that is there."""
    return {"op": "add", "path": pointer, "value": value}


def replace(pointer: str, value: Any) -> Operation:
    """The field gets another value."""
    return {"op": "replace", "path": pointer, "value": value}
