"""Objects for programs, as kubectl prints them: keys in alphabetical order, several as a List."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kubectl_kueue.views.page import Document


def object_document(values: Sequence[Mapping[str, Any]], names: Sequence[str], *, single: bool) -> Document:
    """The one object with `single`, else a List of the objects, of whatever kinds."""
    items = [_sorted(value) for value in values]
    if single and len(items) == 1:
        return Document(items[0], names, objects=True)
    metadata = {"resourceVersion": ""}
    data = {"apiVersion": "v1", "items": items, "kind": "List", "metadata": metadata}
    return Document(data, names, objects=True)


def _sorted(value: Mapping[str, Any]) -> dict[str, Any]:
    ordered: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value, order="sorted"))
    return ordered
