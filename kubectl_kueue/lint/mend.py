"""The patches of findings, put together: one after the other on the object that the ones before left.

Only what lies on the way to a changed place is copied, so that an object may have thousands of faults.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from kubectl_kueue.lint.found import Operation
from kubectl_kueue.model.pointer import path_of
from kubectl_kueue.model.whole_number import is_digits, whole_number


def mended(
    value: dict[str, Any], patches: Iterable[Sequence[Operation]]
) -> tuple[dict[str, Any], list[Operation]]:
    """The object with every patch that can still be made, and the operations that made it so.

    A patch whose place an earlier one has changed is left out; what it was for is found again later.
    """
    made: list[Operation] = []
    for patch in patches:
        wanted = [each for each in patch if not _is_there(value, each)]
        if not wanted:
            continue
        try:
            value = _applied(value, wanted)
        except LookupError:
            continue
        made += wanted
    return value, made


def _is_there(value: dict[str, Any], operation: Operation) -> bool:
    """Whether an operation only makes room (`add … {}`) where there is some already."""
    if operation["op"] != "add" or operation["value"] != {}:
        return False
    try:
        return isinstance(_at(value, path_of(operation["path"])), dict)
    except LookupError:
        return False


def _applied(value: Any, operations: Iterable[Operation]) -> Any:
    """A value with the operations that findings have. Raises LookupError for a place that is not there."""
    for operation in operations:
        path = path_of(operation["path"])
        match operation["op"]:
            case "move":
                source = path_of(operation["from"])
                moved = _at(value, source)
                value = _changed(_changed(value, source, "remove"), path, "add", moved)
            case "remove":
                value = _changed(value, path, "remove")
            case op:
                value = _changed(value, path, op, operation["value"])
    return value


def _at(value: Any, path: Sequence[str]) -> Any:
    for part in path:
        value = value[_key(value, part)]
    return value


def _changed(value: Any, path: Sequence[str], op: str, new: Any = None) -> Any:
    """A value with one place added, replaced or removed; all else is shared with the old one."""
    (part, *rest) = path
    key, copy = _key(value, part), value.copy()
    if rest:
        copy[key] = _changed(value[key], rest, op, new)
    elif op == "add" and isinstance(value, list):
        copy.insert(key, new)
    elif op == "add":
        copy[key] = new
    else:
        value[key]
        if op == "remove":
            del copy[key]
        else:
            copy[key] = new
    return copy


def _key(holder: Any, part: str) -> Any:
    """The key of a part of a pointer in a mapping or list."""
    if isinstance(holder, dict):
        return part
    index = len(holder) if part == "-" else whole_number(part) if is_digits(part) else None
    if not isinstance(holder, list) or index is None:
        raise LookupError(part)
    return index
