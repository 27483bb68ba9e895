"""`KIND/NAME:path=value`: one field of one object set to something else, in a copy of the world.

A path is what the API writes, with dots; `spec.` may be left out. `[0]`, `[name=x]` and `[*]` choose
elements of a list, `["a.b/c"]` is a key with dots in it; a key that is there already needs no brackets. A
quota has a short form: `nominalQuota.RESOURCE.FLAVOR`, as have `borrowingLimit` and `lendingLimit`. `+=` adds
to a number or a quantity (also a negative amount) and puts an element behind a list; the value null takes a
field away.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.demands import find_refusal
from kubectl_kueue.model.forms import FORMS
from kubectl_kueue.model.gather import typed
from kubectl_kueue.model.quantity import nanos
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.whole_number import whole_number
from kubectl_kueue.model.world import World

QUOTA_FIELDS = ("nominalQuota", "borrowingLimit", "lendingLimit")
GATE = "gate"
"""The kind of a feature gate: gate/NAME=true."""

CONFIGURATION = "configuration"
"""The kind of Kueue's own Configuration, of which there is one: configuration:path=value."""


class Change(NamedTuple):
    """One setting. `kind` is the API's name of the kind or one of the two above, `name` a key in a World."""

    kind: str
    name: str
    path: str
    value: Any
    adds: bool = False
    text: str = ""


_STEP = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[([^\]"]*)\]|([^.\[\]]+)')


def parse_change(text: str, find_kind: Callable[[str], str]) -> Change:
    """Read one setting; `find_kind` gives the API's name for a word of the command line.

    Raises InputError for what has not the form KIND/NAME:path=value.
    """
    found = _split(text)
    if found is None:
        raise InputError(f'"{bare(text)}" is not KIND/NAME:PATH=VALUE')
    kind = found["kind"]
    if kind not in (GATE, CONFIGURATION):
        kind = find_kind(kind)
    return Change(
        kind, found["name"] or "", found["path"] or "", _value(found["value"]), bool(found["adds"]), text
    )


def apply_changes(world: World, changes: Iterable[Change], *, namespace: str | None = None) -> World:
    """The world with every change made, one after the other.

    `namespace` is meant where a namespaced kind is named without one. Raises InputError for an object, a
    field or a value that cannot be.
    """
    for change in changes:
        try:
            world = _applied(world, change, namespace)
        except InputError as error:
            raise InputError(f"{change.text or change.path}: {error}") from None
    return world


def _split(text: str) -> Mapping[str, str] | None:
    """The parts of a setting: the first = outside of brackets divides path and value."""
    depth, quoted = 0, False
    for index, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "[]":
            depth += 1 if letter == "[" else -1
        elif not quoted and depth == 0 and letter == "=":
            return _parts(text[:index], text[index + 1 :])
    return None


def _parts(left: str, value: str) -> Mapping[str, str] | None:
    adds = left.endswith("+")
    subject, colon, path = left.removesuffix("+").partition(":")
    kind, slash, name = subject.partition("/")
    whole = bool(slash and name and (path if kind != GATE else not colon)) or (kind == CONFIGURATION and path)
    if not kind or not whole:
        return None
    return {"kind": kind, "name": name, "path": path, "adds": "+" if adds else "", "value": value}


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


# --- objects --------------------------------------------------------------------------------------


def _applied(world: World, change: Change, namespace: str | None) -> World:
    if change.kind == GATE:
        if not isinstance(change.value, bool):
            raise InputError("a feature gate is true or false")
        return replace(world, gates=Gates({**world.gates, change.name: change.value}))
    if change.kind == CONFIGURATION:
        value = msgspec.to_builtins(world.config)
        _set(value, _steps(change.path), change)
        _check_known(type(world.config), _steps(change.path))
        return replace(world, config=typed(value, type(world.config)))
    form = FORMS[change.kind][2] if change.kind in FORMS else None
    if form is None:
        raise InputError(f"the scheduler does not read {bare(change.kind)}")
    objects = getattr(world, form.field)
    key = _key(objects, change.name, namespace, namespaced=form.namespaced)
    value = msgspec.to_builtins(objects[key])
    steps = _whole_path(value, change.path)
    _set(value, steps, change)
    _check_known(form.type, steps)
    made = _made(value, form.type, change)
    if (fault := find_refusal(made)) is not None:
        raise InputError(fault)
    meta = objects[key].metadata
    if (made.metadata.name, made.metadata.namespace) != (meta.name, meta.namespace):
        raise InputError("an object cannot be renamed")
    if steps[-1] in QUOTA_FIELDS and any(nanos(quota) < 0 for quota in _at(value, steps)):
        raise InputError("a quota cannot be below 0")
    return replace(world, **{form.field: {**objects, key: made}})


def _key(objects: Mapping[str, Any], name: str, namespace: str | None, *, namespaced: bool) -> str:
    if name in objects:
        return name
    if namespaced and "/" not in name:
        found = [key for key in objects if key.rpartition("/")[2] == name]
        home = [key for key in found if key == f"{namespace}/{name}"]
        if len(home or found) == 1:
            return (home or found)[0]
        if found:
            raise InputError(f"it is in several namespaces: {', '.join(sorted(found))}")
    raise InputError("there is no such object")


def _made(value: Any, type_: type, change: Change) -> Any:
    """The object of its JSON value. A number may have been meant as text (a label, a name)."""
    try:
        return typed(value, type_)
    except InputError:
        if isinstance(change.value, str) or change.adds or change.value is None:
            raise
        written = _split(change.text)
        text = change._replace(value=written["value"] if written is not None else str(change.value))
        _set(value, _whole_path(value, change.path), text)
        return typed(value, type_)


# --- paths ----------------------------------------------------------------------------------------

Step = str | int | tuple[str, str] | None
"""A key, an index, the element whose field has a value, or None for every element."""


def _steps(path: str) -> list[Step]:
    steps: list[Step] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            raise InputError(f'the path "{bare(path)}" cannot be read at "{bare(path[at:])}"')
        quoted, bracket, word = found.groups()
        steps.append(word if word is not None else quoted if quoted is not None else _chosen(bracket))
        at = found.end()
        if at < len(path) and path[at] == ".":
            at += 1
    return steps


def _chosen(bracket: str) -> Step:
    if bracket == "*":
        return None
    if (index := whole_number(bracket)) is not None:
        return index
    name, equals, value = bracket.partition("=")
    if not equals:
        raise InputError(f'"[{bare(bracket)}]" is neither an index nor [name=value] nor [*]')
    return name, value


def _whole_path(value: Mapping[str, Any], path: str) -> list[Step]:
    """The steps from the top of the object."""
    first = path.partition(".")[0].partition("[")[0]
    if first in QUOTA_FIELDS:
        return _quota_path(value, first, path[len(first) :].lstrip("."))
    steps = _steps(path)
    if not steps:
        raise InputError("the path is empty")
    if first not in ("metadata", "spec", "status") and ("spec" in value or first not in value):
        return ["spec", *steps]
    return steps


def _quota_path(value: Mapping[str, Any], field: str, rest: str) -> list[Step]:
    """The place of RESOURCE.FLAVOR: both may have dots, so the object itself tells where one ends."""
    groups = value.get("spec", {}).get("resourceGroups", [])
    for g, group in enumerate(groups):
        for f, flavor in enumerate(group.get("flavors", [])):
            for r, resource in enumerate(flavor.get("resources", [])):
                if rest == f"{resource['name']}.{flavor['name']}":
                    return ["spec", "resourceGroups", g, "flavors", f, "resources", r, field]
    raise InputError(f'it has no quota "{bare(rest)}" (RESOURCE.FLAVOR)')


def _set(value: Any, steps: list[Step], change: Change) -> None:
    """Set, add to or take away what the steps lead to, in place."""
    step, rest = _longest(value, steps) if isinstance(steps[0], str) else (steps[0], steps[1:])
    for key in _places(value, step):
        if rest:
            _set(_inside(value, key, rest[0]), rest, change)
        elif change.value is None and not change.adds:
            value.pop(key, None) if isinstance(value, dict) else value.pop(key)
        else:
            value[key] = _sum(value, key, change.value) if change.adds else change.value


def _check_known(type_: type, steps: Iterable[Step]) -> None:
    """Raise InputError for a field that the scheduler does not read: setting it could change no verdict."""
    types: list[msgspec.inspect.Type] = [msgspec.inspect.type_info(type_)]
    for step in steps:
        found = [inner for each in types for inner in _inner(each, step)]
        if not found:
            raise InputError(f'the scheduler reads no field "{bare(str(step))}" there')
        types = found


def _inner(type_: msgspec.inspect.Type, step: Step) -> Iterator[msgspec.inspect.Type]:
    """What a step into a value of this type leads to."""
    match type_:
        case msgspec.inspect.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == step)
        case msgspec.inspect.ListType(item_type=item) if not isinstance(step, str):
            yield item
        case msgspec.inspect.DictType(value_type=value) if isinstance(step, str):
            yield value
        case msgspec.inspect.UnionType(types=types):
            for each in types:
                yield from _inner(each, step)
        case msgspec.inspect.Metadata(type=inner):
            yield from _inner(inner, step)
        case msgspec.inspect.AnyType():
            yield type_


def _longest(value: Any, steps: list[Step]) -> tuple[Step, list[Step]]:
    """The longest run of words that is a key here: keys of labels and resources have dots in them."""
    words = list(_while_words(steps))
    for count in range(len(words), 1, -1):
        if isinstance(value, dict) and ".".join(words[:count]) in value:
            return ".".join(words[:count]), steps[count:]
    return steps[0], steps[1:]


def _while_words(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if not isinstance(step, str):
            return
        yield step


def _places(value: Any, step: Step) -> list[Any]:
    """The keys or indices that a step chooses. Raises InputError where it chooses nothing that can be."""
    if isinstance(step, str):
        if not isinstance(value, dict):
            raise InputError(f'there is no field "{bare(step)}" here')
        return [step]
    if not isinstance(value, list):
        raise InputError("only a list has elements")
    if step is None:
        return list(range(len(value)))
    if isinstance(step, int):
        if not -len(value) <= step < len(value):
            raise InputError(f"the list has {len(value)} elements")
        return [step]
    name, wanted = step
    found = [index for index, each in enumerate(value) if str(each.get(name, "")) == wanted]
    if not found:
        raise InputError(f'no element has {bare(name)} "{bare(wanted)}"')
    return found


def _inside(value: Any, key: Any, then: Step) -> Any:
    """What is at the key, made anew where nothing is."""
    if isinstance(value, dict) and value.get(key) is None:
        value[key] = {} if isinstance(then, str) else []
    return value[key]


def _at(value: Any, steps: list[Step]) -> Iterator[Any]:
    """What the steps lead to, where something is there."""
    if not steps:
        yield from () if value is None else (value,)
        return
    step, rest = _longest(value, steps) if isinstance(steps[0], str) else (steps[0], steps[1:])
    for key in _places(value, step):
        yield from _at(value.get(key) if isinstance(value, dict) else value[key], rest)


def _sum(value: Any, key: Any, more: Any) -> Any:
    there = value.get(key) if isinstance(value, dict) else value[key]
    if there is None:
        return [more] if isinstance(more, dict) else more
    if isinstance(there, list):
        return [*there, more]
    if isinstance(there, int) and isinstance(more, int) and not isinstance(there, bool):
        return there + more
    return _quantity(nanos(there) + nanos(more))


def _quantity(nano: int) -> str:
    for suffix, unit in (("", 10**9), ("m", 10**6), ("u", 10**3)):
        if nano % unit == 0:
            return f"{nano // unit}{suffix}"
    return f"{nano}n"
