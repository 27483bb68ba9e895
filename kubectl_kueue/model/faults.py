"""Where does a value not fit its type, what stands there and what may stand there?

Used once decoding has failed: the decoder says that something is wrong, this finds the first place in
the order of the fields and says it as a person needs it, with a JSON pointer.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.duration import seconds
from kubectl_kueue.model.pointer import escaped
from kubectl_kueue.model.quantity import nanos
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.timestamp import parse_time

if TYPE_CHECKING:
    from msgspec import inspect


def find_fault(value: object, type_: type) -> str | None:
    """`/pointer: "found" is not what is allowed`, or None if the value (without nulls) fits the type."""
    return _fault(value, _type_info(type_), "")


def without_nulls(value: Any) -> Any:
    """The value with every `key: null` left out, at any depth: in Kubernetes null means absent."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


@cache
def _type_info(type_: type) -> "inspect.Type":
    from msgspec.inspect import type_info

    return type_info(type_)


def _fault(value: Any, info: "inspect.Type", pointer: str) -> str | None:
    return _FINDERS[type(info).__name__](value, info, pointer)


def _in_struct(value: Any, info: "inspect.StructType", pointer: str) -> str | None:
    if not isinstance(value, dict):
        return _say(pointer, value, "an object")
    for field in info.fields:
        here = f"{pointer}/{field.encode_name}"
        if field.encode_name in value:
            fault = _fault(value[field.encode_name], field.type, here)
            if fault is not None:
                return fault
        elif field.required:
            return f"{here} is missing"
    return None


def _in_list(value: Any, info: "inspect.ListType", pointer: str) -> str | None:
    if not isinstance(value, list):
        return _say(pointer, value, "a list")
    return _first(_fault(item, info.item_type, f"{pointer}/{i}") for i, item in enumerate(value))


def _in_dict(value: Any, info: "inspect.DictType", pointer: str) -> str | None:
    if not isinstance(value, dict):
        return _say(pointer, value, "an object")
    return _first(
        _fault(item, info.value_type, f"{pointer}/{escaped(bare(key))}") for key, item in value.items()
    )


def _in_union(value: Any, info: "inspect.UnionType", pointer: str) -> str | None:
    options = [option for option in info.types if type(option).__name__ != "NoneType"]
    faults = [_fault(value, option, pointer) for option in options]
    if None in faults or (value is None and len(options) < len(info.types)):
        return None
    return faults[0]


def _in_metadata(value: Any, info: "inspect.Metadata", pointer: str) -> str | None:
    syntax = (info.extra or {}).get("syntax")
    if syntax is None:
        return _fault(value, info.type, pointer)
    name, parse = _SYNTAXES[syntax]
    if not isinstance(value, str):
        return _say(pointer, value, name)
    try:
        parse(value)
    except InputError:
        return _say(pointer, value, name)
    return None


_SYNTAXES: dict[str, tuple[str, Callable[[str], object]]] = {
    "quantity": ("a Kubernetes quantity (such as 500m, 2, 1.5Gi or 1e3)", nanos),
    "time": ("an RFC 3339 time (such as 2025-03-01T12:00:00Z)", parse_time),
    "duration": ("a duration (such as 30s, 10m or 1h30m)", seconds),
}


def _in_literal(value: Any, info: "inspect.LiteralType", pointer: str) -> str | None:
    if isinstance(value, str) and value in info.values:
        return None
    return f"{pointer}: {shown(value)} is not one of {', '.join(str(word) for word in info.values if word)}"


def _in_int(value: Any, info: "inspect.IntType", pointer: str) -> str | None:
    low, high = info.ge, info.le
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and (low is None or value >= low) and (high is None or value <= high):
        return None
    return _say(pointer, value, "an integer" if low is None else f"an integer from {low} to {high}")


def _of(name: str, *types: type) -> Callable[[Any, Any, str], str | None]:
    def find(value: Any, info: "inspect.Type", pointer: str) -> str | None:
        return None if type(value) in types else _say(pointer, value, name)

    return find


def _anything(value: Any, info: "inspect.Type", pointer: str) -> str | None:
    return None


_FINDERS: dict[str, Callable[[Any, Any, str], str | None]] = {
    "StructType": _in_struct,
    "ListType": _in_list,
    "DictType": _in_dict,
    "UnionType": _in_union,
    "Metadata": _in_metadata,
    "LiteralType": _in_literal,
    "IntType": _in_int,
    "StrType": _of("a string", str),
    "BoolType": _of("true or false", bool),
    "FloatType": _of("a number", int, float),
    "AnyType": _anything,
    "RawType": _anything,
}


def _first(faults: Any) -> str | None:
    return next((fault for fault in faults if fault is not None), None)


def _say(pointer: str, value: object, allowed: str) -> str:
    found = f"{shown(value)} is not {allowed}"
    return f"{pointer}: {found}" if pointer else found
