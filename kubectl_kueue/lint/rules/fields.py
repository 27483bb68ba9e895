"""Does an object have the fields of its kind, with values of their types and within their limits?

Answers as strict validation of the API server does, but with everything at once (spec 7.1).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace as replaced
from typing import Any

from kubectl_kueue.errors import InputError
from kubectl_kueue.lint.found import Found, Operation, found, replace
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.rules.misplaced import unknown_field
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import NEWEST_KINDS, VERSIONS, meant_kind
from kubectl_kueue.lint.schema.shapes import Shape
from kubectl_kueue.lint.values import amount
from kubectl_kueue.model.labels import is_label_key
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.timestamp import check_time


def check_fields(item: Item, scene: Scene) -> Iterator[Found]:
    """Every field that the API server would refuse or drop."""
    if item.kind not in NEWEST_KINDS and (meant := meant_kind(item.kind)):
        item = replaced(item, kind=meant)
    shape = VERSIONS.get(item.version, {}).get(item.kind)
    if shape is not None:
        yield from _check(item, item.value, shape, [])


def _check(item: Item, value: Any, shape: Shape, path: list[str | int]) -> Iterator[Found]:
    if value is None:  # as if it were not there
        return
    if not _fits(value, shape):
        rule = "api-quantity" if shape.type == "quantity" else "api-type"
        yield found(
            rule,
            pointer(*path),
            field=dotted(path),
            type=shape.type,
            value=shown(value),
            patch=_mended(value, shape, pointer(*path)),
        )
        return
    match shape.type:
        case "object":
            yield from _object(item, value, shape, path)
        case "map" | "list":
            yield from _collection(item, value, shape, path)
        case "text":
            yield from _text(value, shape, path)
        case "int":
            yield from _bounds(value, "number", shape, path)


def _fits(value: Any, shape: Shape) -> bool:
    match shape.type:
        case "any":
            return True
        case "object" | "map":
            return isinstance(value, dict)
        case "list":
            return isinstance(value, list)
        case "text":
            return isinstance(value, str)
        case "bool":
            return isinstance(value, bool)
        case "int":
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return whole and not isinstance(value, bool)
        case "quantity":
            # An unquoted 1.5 is no quantity for the schema: whole numbers and texts only.
            return not isinstance(value, float) and amount(value) is not None
        case "time":
            return isinstance(value, str) and _is_time(value)


def _mended(value: Any, shape: Shape, where: str) -> list[Operation]:
    """The value as it was meant, where there is one way only: quotes around a number, or none."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if shape.type == "quantity" and plain:
        return [replace(where, str(value))]
    if shape.type == "int" and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value):
        return [replace(where, int(value))]
    if shape.type == "bool" and value in ("true", "false"):
        return [replace(where, value == "true")]
    if shape.type == "text" and plain and not shape.options:
        return [replace(where, str(value))]
    return []


def _is_time(value: str) -> bool:
    try:
        check_time(value)
    except InputError:
        return False
    return True


def _object(item: Item, value: dict[str, Any], shape: Shape, path: list[str | int]) -> Iterator[Found]:
    fields = shape.fields or {}
    for name, inner in value.items():
        if name in fields:
            yield from _check(item, inner, fields[name], [*path, name])
        else:
            yield unknown_field(item, path, name, shape)
    for name in shape.required:
        if value.get(name) is None:
            yield found("api-required", pointer(*path, name), field=dotted([*path, name]))


def _collection(item: Item, value: Any, shape: Shape, path: list[str | int]) -> Iterator[Found]:
    yield from _bounds(len(value), "size", shape, path)
    assert shape.item is not None
    members = enumerate(value) if isinstance(value, list) else value.items()
    for key, member in members:
        if member is None:
            yield found(
                "api-type",
                pointer(*path, key),
                field=dotted([*path, key]),
                type=shape.item.type,
                value="null",
            )
        yield from _check(item, member, shape.item, [*path, key])
    if shape.unique:
        yield from _repeated(value, shape, path)


def _repeated(value: list[Any], shape: Shape, path: list[str | int]) -> Iterator[Found]:
    seen: dict[str, int] = {}
    for index, member in enumerate(value):
        if shape.unique == ("",):
            parts = list(member.values()) if isinstance(member, dict) else [member]
        elif isinstance(member, dict):
            parts = [member.get(name, _DEFAULTS.get(name)) for name in shape.unique]
        else:
            continue
        first = seen.setdefault(repr(parts), index)
        if first != index:
            yield found(
                "api-duplicate",
                pointer(*path, index),
                field=dotted(path),
                value=", ".join(bare(str(part)) for part in parts),
                first=f"{dotted(path)}[{first}]",
            )


_DEFAULTS = {"name": "main"}


def _text(value: str, shape: Shape, path: list[str | int]) -> Iterator[Found]:
    if shape.options:
        if value not in shape.options:
            yield _wrong_option(value, shape, path)
        return
    yield from _bounds(len(value), "length", shape, path)
    if shape.syntax and value and not SYNTAXES[shape.syntax](value):
        yield found("api-name", pointer(*path), field=dotted(path), value=shown(value), syntax=shape.syntax)


def _wrong_option(value: str, shape: Shape, path: list[str | int]) -> Found:
    near = [option for option in shape.options if option.lower() == value.lower()]
    patch = [replace(pointer(*path), near[0])] if near else []
    return found(
        "api-enum",
        pointer(*path),
        field=dotted(path),
        value=shown(value),
        options=", ".join(option or '""' for option in shape.options),
        patch=patch,
    )


def _bounds(size: int | float, what: str, shape: Shape, path: list[str | int]) -> Iterator[Found]:
    least, most = shape.least, shape.most
    if (least is not None and size < least) or (most is not None and size > most):
        limits = (
            f"at least {least}"
            if most is None
            else f"at most {most}"
            if least is None
            else f"{least} to {most}"
        )
        yield found("api-range", pointer(*path), field=dotted(path), what=what, size=size, limits=limits)


_LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_DNS_LABEL = re.compile(_LABEL)
_KIND = re.compile(r"[a-zA-Z](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?")


def is_subdomain(text: str) -> bool:
    """Whether the text can be the name of an object: a DNS subdomain of at most 253 characters."""
    return len(text) <= 253 and _SUBDOMAIN.fullmatch(text) is not None


SYNTAXES: Mapping[str, Callable[[str], bool]] = {
    "subdomain": lambda text: _SUBDOMAIN.fullmatch(text) is not None,
    "dns-label": lambda text: _DNS_LABEL.fullmatch(text) is not None,
    "label-key": is_label_key,
    "kind": lambda text: _KIND.fullmatch(text) is not None,
}


def dotted(path: list[str | int]) -> str:
    """A path as people write it: spec.podSets[0].count."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f".{key}" if text else key
    return text or "the object"
