"""-o jsonpath: a template of kubectl's dialect over a document -> text, with kubectl's bytes.

Checked against kubectl itself by tests/cases/output/jsonpath.yaml.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.go_text import json_text, plain_text, quote, scalar_text
from kubectl_kueue.output.jsonpath_parser import (
    Chunk,
    Descend,
    Every,
    Field,
    Filter,
    Index,
    Literal,
    Slice,
    Step,
    Steps,
    Union,
    Word,
    parse,
)

Values = Sequence[Any]


def render(template: str, data: Any, *, allow_missing: bool = True, as_json: bool = False) -> str:
    """What `template` prints of `data`. Without `allow_missing` a key that is nowhere is an error; `as_json`
    prints one list of results for each part of the template.

    Raises ConfigError in kubectl's words for a template that is malformed or does not fit the data.
    """
    chunks = parse(template)
    try:
        results = find(chunks, data, allow_missing=allow_missing)
    except ConfigError as error:
        raise ConfigError(
            f"error executing jsonpath {quote(template)}: Error executing template: {error}"
        ) from None
    if as_json:
        return "".join(json_text(values, indent=4) + "\n" for values in results)
    return "".join(" ".join(map(_text, values)) for values in results)


def find(chunks: Sequence[Chunk], data: Any, *, allow_missing: bool = True) -> list[Values]:
    """What each part of a template finds, parts of a range once for every round.

    Raises ConfigError with the bare reason.
    """
    return list(_run(_blocks(iter(chunks)), [data], allow_missing))


def _text(value: Any) -> str:
    return json_text(value) if _is_object(value) or _is_list(value) else scalar_text(value)


# --- range and end --------------------------------------------------------------------------------


class _Loop(NamedTuple):
    over: Steps
    body: "Sequence[Chunk | _Loop]"


def _blocks(chunks: Iterator[Chunk], *, inside: bool = False) -> "list[Chunk | _Loop]":
    """Chunks with every {range} and what follows up to its {end} (or to the end of all) put into a loop."""
    blocks: list[Chunk | _Loop] = []
    for chunk in chunks:
        if inside and _has(chunk, "end"):
            break
        if _has(chunk, "range"):
            assert not isinstance(chunk, str)
            blocks.append(_Loop(chunk, _blocks(chunks, inside=True)))
        else:
            blocks.append(chunk)
    return blocks


def _has(chunk: Chunk, name: str) -> bool:
    return not isinstance(chunk, str) and Word(name) in chunk


def _run(blocks: "Sequence[Chunk | _Loop]", values: Values, allow_missing: bool) -> Iterator[Values]:
    for block in blocks:
        match block:
            case str():
                yield [block]
            case _Loop(over=over, body=body):
                rounds = _walk(over, values, allow_missing)
                for value in rounds:
                    yield from _run(body, [value], allow_missing)
                if not rounds:  # still say what is wrong with the body
                    list(_run(body, [], allow_missing))
            case _:
                yield _walk(block, values, allow_missing)


# --- steps ----------------------------------------------------------------------------------------


class _Missing(ConfigError):
    """A key that no value has."""


def _walk(steps: Steps, values: Values, allow_missing: bool) -> Values:
    for step in steps:
        values = _take(step, values, allow_missing)
    return values


def _take(step: Step, values: Values, allow_missing: bool) -> Values:
    match step:
        case Field(name=name):
            found = [value[name] for value in values if _is_object(value) and name in value]
            if values and not found and not allow_missing:
                raise _Missing(f"{name} is not found")
            return found
        case Every():
            return [child for value in values for child in _children(value)]
        case Descend():
            return [below for value in values for below in _descendants(value)]
        case Index() | Slice():
            return [item for value in values if value is not None for item in _part(step, value)]
        case Union(branches=branches):
            return [item for branch in branches for item in _walk(branch, values, allow_missing)]
        case Filter():
            return [item for value in values for item in _matching(step, value, allow_missing)]
        case Literal(value=value):
            return [value]
        case Word(name="range"):
            return values
        case Word(name="end"):
            raise ConfigError("not in range, nothing to end")
        case Word(name=name):
            raise ConfigError(f"unrecognized identifier {name}")


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _children(value: Any) -> Values:
    """kubectl takes the values of an object in random order; here it is the order of the keys."""
    if _is_object(value):
        return [value[key] for key in sorted(value)]
    return list(value) if _is_list(value) else []


def _descendants(value: Any) -> Iterator[Any]:
    """Objects, lists and texts that are not empty; numbers and the like are not reached this way."""
    if isinstance(value, str) and value:
        yield value
    elif children := _children(value):
        yield value
        for child in children:
            yield from _descendants(child)


def _part(step: Index | Slice, value: Any) -> Values:
    if not _is_list(value):
        raise ConfigError(f"{_go_type(value)} is not array or slice")
    length = len(value)
    if isinstance(step, Index):
        position = step.position + length if step.position < 0 else step.position
        return [value[_within(position, length, position)]]
    start = _from_end(step.start or 0, length)
    stop = length if step.stop is None else _from_end(step.stop, length)
    if start == stop:
        return []
    _within(start, length, start)
    _within(stop, length + 1, stop - 1, length)
    if start > stop:
        raise ConfigError(f"starting index {start} is greater than ending index {stop}")
    if step.step is not None and step.step <= 0:
        raise ConfigError("step must be > 0")
    return list(value[start : stop : step.step])


def _from_end(position: int, length: int) -> int:
    return position + length if position < 0 else position


def _within(position: int, limit: int, shown: int, length: int | None = None) -> int:
    if not 0 <= position < limit:
        raise ConfigError(
            f"array index out of bounds: index {shown}, length {limit if length is None else length}"
        )
    return position


def _go_type(value: Any) -> str:
    if _is_object(value):
        return "map[string]interface {}"
    return {"int": "int64", "float": "float64"}.get(_kind(value), _kind(value))


# --- filters --------------------------------------------------------------------------------------


def _matching(step: Filter, value: Any, allow_missing: bool) -> Iterator[Any]:
    if not _is_list(value):
        raise ConfigError(f"{plain_text(value)} is not array or slice and cannot be filtered")
    for item in value:
        if _passes(step, item, allow_missing):
            yield item


def _passes(step: Filter, item: Any, allow_missing: bool) -> bool:
    if not step.operator:
        try:
            return bool(_walk(step.left, [item], allow_missing))
        except _Missing:
            return False
        except ConfigError:  # kubectl takes an expression that fails for one that finds something
            return True
    left = _walk(step.left, [item], allow_missing)
    if not left:
        return False
    _only_one(left)
    right = _walk(step.right, [item], allow_missing)
    if not right:
        return False
    _only_one(right)
    return _compare(step.operator, left[0], right[0])


def _only_one(values: Values) -> None:
    if len(values) > 1:
        raise ConfigError("can only compare one element at a time")


def _compare(operator: str, left: Any, right: Any) -> bool:
    match operator:
        case "==":
            return _equal(left, right)
        case "!=":
            return not _equal(left, right)
        case "<":
            return _less(left, right)
        case "<=":
            return _less(left, right) or _equal(left, right)
        case ">":
            return not (_less(left, right) or _equal(left, right))
        case ">=":
            return not _less(left, right)
    raise ConfigError(f"unrecognized filter operator {operator}")


def _equal(left: Any, right: Any) -> bool:
    _same_kind(left, right)
    return bool(left == right)


def _less(left: Any, right: Any) -> bool:
    if _same_kind(left, right) == "bool":
        raise ConfigError("invalid type for comparison")
    return bool(left < right)


def _same_kind(left: Any, right: Any) -> str:
    kinds = _kind(left), _kind(right)
    if "" in kinds:
        raise ConfigError("invalid type for comparison")
    if kinds[0] != kinds[1]:
        raise ConfigError("incompatible types for comparison")
    return kinds[0]


def _kind(value: Any) -> str:
    """The kind of a scalar; empty for null, objects and lists, which cannot be compared."""
    match value:
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "float"
        case str():
            return "string"
    return ""
