"""Fields of a manifest that somebody wrote: each may be absent, null or of a wrong type."""

from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str | int, ...]


class Malformed(Exception):
    """The field at `path` has another type than the API has there."""

    def __init__(self, path: Path, wanted: str, found: Any) -> None:
        super().__init__(path)
        self.path, self.wanted, self.found = path, wanted, found


def at(value: Any, *path: str | int) -> Any:
    """The value at the path; None if it, or anything above it, is absent. Raises Malformed."""
    for depth, part in enumerate(path):
        if value is None:
            return None
        if isinstance(part, int):
            if not isinstance(value, list):
                raise Malformed(path[:depth], "a list", value)
            value = value[part] if part < len(value) else None
        elif isinstance(value, dict):
            value = value.get(part)
        else:
            raise Malformed(path[:depth], "an object", value)
    return value


def mapping(value: Any, *path: str | int) -> dict[str, Any]:
    """The object at the path, empty if absent. Raises Malformed."""
    found = at(value, *path)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise Malformed(path, "an object", found)
    return found


def texts(value: Any, *path: str | int) -> dict[str, str]:
    """The map of texts (labels, annotations) at the path. Raises Malformed."""
    found = mapping(value, *path)
    for key, each in found.items():
        if each is not None and not isinstance(each, str):
            raise Malformed((*path, key), "a text", each)
    return {key: each or "" for key, each in found.items()}


def objects(value: Any, *path: str | int) -> list[dict[str, Any]]:
    """The list of objects at the path, empty if absent. Raises Malformed."""
    found = at(value, *path)
    if found is None:
        return []
    if not isinstance(found, list):
        raise Malformed(path, "a list", found)
    for index, each in enumerate(found):
        if not isinstance(each, dict):
            raise Malformed((*path, index), "an object", each)
    return found


def text(value: Any, *path: str | int) -> str:
    """The text at the path, empty if absent. Raises Malformed."""
    found = at(value, *path)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise Malformed(path, "a text", found)
    return found


def whole(value: Any, *path: str | int, default: int) -> int:
    """The whole number, not below 0, at the path. Raises Malformed."""
    found = whole_or_none(value, *path)
    return default if found is None else found


def whole_or_none(value: Any, *path: str | int) -> int | None:
    """The same, None if absent."""
    found = at(value, *path)
    if found is None:
        return None
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, bool) or not isinstance(found, int):
        raise Malformed(path, "a whole number", found)
    if not 0 <= found <= MAX_INT32:
        raise Malformed(path, f"a number from 0 to {MAX_INT32}", found)
    return found


def truth(value: Any, *path: str | int) -> bool:
    """The boolean at the path, False if absent. Raises Malformed."""
    found = at(value, *path)
    if found is None:
        return False
    if not isinstance(found, bool):
        raise Malformed(path, "true or false", found)
    return found


def copied(value: Any) -> Any:
    """A copy of a JSON value that can be changed without the original."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    if isinstance(value, list):
        return [copied(each) for each in value]
    return value


def go_bool(word: str) -> bool | None:
    """What Go reads in the text; None if it is no boolean."""
    return _GO_BOOLEANS.get(word)


def find_path(value: Any, tail: Path, found: Any) -> Path:
    """The whole path of a field of which only the last part is known."""
    for path, each in _walk(value, ()):
        if path[len(path) - len(tail) :] == tail and each == found and type(each) is type(found):
            return path
    return tail


def _walk(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    pairs: Any = ()
    if len(path) > _DEEPEST:
        return
    if isinstance(value, Mapping):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, each in pairs:
        yield from _walk(each, (*path, key))


_DEEPEST = 60
MAX_INT32 = 2**31 - 1
_GO_BOOLEANS: Mapping[str, bool] = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}
