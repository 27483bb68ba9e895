"""On which line does each value of a YAML or JSON text stand? JSON pointer -> line, for every document."""

from typing import Any

MAX_TEXT = 20_000_000
"""Characters up to which lines are looked for: beyond, a report by line is of no use to anybody."""


def pointer_lines(text: str) -> list[dict[str, int]]:
    """For each document the line (from 1) of the value at a JSON pointer; of a field it is that of its key.

    What stands behind an alias has no line of its own. Texts that are no YAML, or too long, have no lines.
    """
    import yaml

    if len(text) > MAX_TEXT:
        return []
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    walk = _Walk()
    try:
        for event in yaml.parse(text, Loader=loader):
            walk.take(event, yaml)
    except yaml.YAMLError:
        return walk.documents
    return walk.documents


def nearest_line(lines: dict[str, int], pointer: str) -> int:
    """The line of a pointer, or of the nearest value around it that has one; 0 if there is none."""
    while pointer not in lines:
        if not pointer:
            return 0
        pointer = pointer.rpartition("/")[0]
    return lines[pointer]


class _Walk:
    """The way through one text: the open collections, each with its pointer and what comes next in it."""

    def __init__(self) -> None:
        self.documents: list[dict[str, int]] = []
        self._open: list[_Place] = []

    def take(self, event: Any, yaml: Any) -> None:
        kind = type(event)
        if kind is yaml.DocumentStartEvent:
            self.documents.append({})
        elif kind in (yaml.ScalarEvent, yaml.AliasEvent):
            self._value(event, event.value if kind is yaml.ScalarEvent else "*")
        elif kind in (yaml.MappingStartEvent, yaml.SequenceStartEvent):
            pointer = self._value(event, "")
            self._open.append(_Place(pointer, kind is yaml.MappingStartEvent))
        elif kind in (yaml.MappingEndEvent, yaml.SequenceEndEvent):
            self._open.pop()

    def _value(self, event: Any, text: str) -> str:
        """Note the line of a value, or keep a key for the value that follows."""
        line: int = event.start_mark.line + 1
        place = self._open[-1] if self._open else None
        if place is None:
            self.documents[-1][""] = line
            return ""
        if place.mapping and place.key is None:
            place.key = text.replace("~", "~0").replace("/", "~1")
            self.documents[-1].setdefault(f"{place.pointer}/{place.key}", line)
            return ""
        pointer = f"{place.pointer}/{place.index if place.key is None else place.key}"
        self.documents[-1].setdefault(pointer, line)
        place.key, place.index = None, place.index + 1
        return pointer


class _Place:
    __slots__ = ("index", "key", "mapping", "pointer")

    def __init__(self, pointer: str, mapping: bool) -> None:
        self.pointer = pointer
        self.mapping = mapping
        self.key: str | None = None
        self.index = 0
