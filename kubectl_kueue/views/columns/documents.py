"""Objects for programs, as kubectl prints them: keys in alphabetical order, several as a List."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


def one_object(value: Mapping[str, Any], managed_fields: bool = False) -> dict[str, Any]:
    """An object with its keys in order, without metadata.managedFields unless they are wanted."""
    ordered: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value, order="sorted"))
    meta = ordered.get("metadata")
    if not managed_fields and isinstance(meta, dict):
        meta.pop("managedFields", None)
    return ordered


def object_list(values: Sequence[Mapping[str, Any]], managed_fields: bool = False) -> dict[str, Any]:
    """Several objects, of whatever kinds."""
    items = [one_object(value, managed_fields) for value in values]
    return {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}
