"""What a field may hold: the words in which the tables of kinds are written."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

Type = Literal["object", "map", "list", "text", "int", "bool", "quantity", "time", "any"]


@dataclass(frozen=True, slots=True)
class Shape:
    """The type of a value and its limits.

    `least` and `most` bound a number, the length of a text, or the number of entries. `unique` are the keys
    by which the elements of a list differ; ("",) means the elements themselves. `syntax` names a form of
    text.
    """

    type: Type
    fields: Mapping[str, "Shape"] | None = None
    required: tuple[str, ...] = ()
    item: "Shape | None" = None
    unique: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    options: tuple[str, ...] = ()
    syntax: str = ""


ANY = Shape("any")
TEXT = Shape("text")
BOOL = Shape("bool")
INT32 = Shape("int", least=-(2**31), most=2**31 - 1)
INT64 = Shape("int", least=-(2**63), most=2**63 - 1)
QUANTITY = Shape("quantity")
TIME = Shape("time")
SUBDOMAIN = Shape("text", most=253, syntax="subdomain")
REQUIRED_SUBDOMAIN = Shape("text", least=1, most=253, syntax="subdomain")
DNS_LABEL = Shape("text", most=63, syntax="dns-label")
LABEL_KEY = Shape("text", least=1, most=317, syntax="label-key")


def obj(required: str = "", /, **fields: Shape) -> Shape:
    """A mapping with these fields and no others; `required` names fields, separated by spaces."""
    return Shape("object", fields=fields, required=tuple(required.split()))


def each(item: Shape, least: int | None = None, most: int | None = None, unique: str = "") -> Shape:
    """A list; `unique` names the keys that tell its elements apart, "=" the elements themselves."""
    keys = ("",) if unique == "=" else tuple(unique.split())
    return Shape("list", item=item, least=least, most=most, unique=keys)


def entries(item: Shape, most: int | None = None) -> Shape:
    """A mapping with keys of one's own."""
    return Shape("map", item=item, most=most)


def text(least: int | None = None, most: int | None = None) -> Shape:
    """A text of so many characters."""
    return Shape("text", least=least, most=most)


def count(least: int = 0) -> Shape:
    """A 32-bit number from `least`."""
    return replace(INT32, least=least)


def one_of(*options: Any) -> Shape:
    """One of these texts; a Literal of the model stands for all of its values but the empty one."""
    words = [word for option in options for word in (get_args(option) or (option,)) if word != ""]
    return Shape("text", options=tuple(words))


def revised(shape: Shape, changes: Mapping[str, Shape | None]) -> Shape:
    """The shape with the fields at dotted paths replaced, added or (None) taken away; `x[]` is an element
    of the list x."""
    for path, change in changes.items():
        shape = _set(shape, path.replace("[]", ".[]").split("."), change)
    return shape


def demanding(shape: Shape, path: str, required: str) -> Shape:
    """The shape in which the object at the dotted path needs exactly these fields."""
    target = _at(shape, path)
    return revised(shape, {path: replace(target, required=tuple(required.split()))})


def _at(shape: Shape, path: str) -> Shape:
    for word in path.replace("[]", ".[]").split("."):
        found = shape.item if word == "[]" else (shape.fields or {}).get(word)
        assert found is not None, path
        shape = found
    return shape


def _set(shape: Shape, words: list[str], change: Shape | None) -> Shape:
    if not words:
        assert change is not None
        return change
    word, rest = words[0], words[1:]
    if word == "[]":
        assert shape.item is not None
        return replace(shape, item=_set(shape.item, rest, change))
    fields = dict(shape.fields or {})
    if not rest and change is None:
        del fields[word]
    else:
        fields[word] = _set(fields.get(word, ANY), rest, change)
    return replace(shape, fields=fields)
