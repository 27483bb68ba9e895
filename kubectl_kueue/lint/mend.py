"""The patches of findings, put together: one after the other on the object that the ones before left."""

from collections.abc import Iterable, Sequence
from typing import Any

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.lint.found import Operation
from kubectl_kueue.lint.values import dig, path_of
from kubectl_kueue.model.patches import apply_json


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
            value = apply_json(value, wanted)
        except ConfigError:
            continue
        made += wanted
    return value, made


def _is_there(value: dict[str, Any], operation: Operation) -> bool:
    """Whether an operation only makes room (`add … {}`) where there is some already."""
    if operation["op"] != "add" or operation["value"] != {}:
        return False
    words: list[str | int] = [int(word) if word.isdecimal() else word for word in path_of(operation["path"])]
    return isinstance(dig(value, *words), dict)
