"""JSON patches on one YAML document by cutting its text: only the lines of what changes are touched.

The nodes of the document know where they begin and end. What cannot be cut so (aliases, texts in block style,
the last field of a mapping, elements of lists) is left to the round trip of yaml_edit.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml


class Uncut(Exception):
    """A change that this module does not make."""


def splice(text: str, operations: Sequence[Mapping[str, Any]]) -> str:
    """The document with a JSON patch made. Raises Uncut."""
    for operation in operations:
        text = _Cutter(text).apply(operation)
    return text


def pointer_words(pointer: str) -> list[str]:
    """The words of a JSON pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Cutter:
    """One text and its nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        if any(
            isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None
            for event in yaml.parse(text, Loader=_LOADER)
        ):
            raise Uncut
        self.root: Any = yaml.compose(text, Loader=_LOADER)

    def apply(self, operation: Mapping[str, Any]) -> str:
        words = pointer_words(operation["path"])
        match operation["op"]:
            case "remove":
                return self._removed(words)
            case "move":
                source = pointer_words(operation["from"])
                if source[:-1] == words[:-1]:
                    return self._renamed(source, words[-1])
                value = self._value(source)
                return _Cutter(self._removed(source))._added(words, value)
            case _:
                return self._added(words, operation["value"])

    # --- looking ------------------------------------------------------------------------------------------

    def _mapping(self, words: Sequence[str]) -> Any:
        """The mapping at a path."""
        node = self.root
        for word in words:
            if isinstance(node, yaml.SequenceNode):
                node = node.value[int(word)]
            else:
                node = self._entry(node, word)[1]
        if not isinstance(node, yaml.MappingNode):
            raise Uncut
        return node

    def _entry(self, mapping: Any, word: str) -> tuple[Any, Any]:
        if isinstance(mapping, yaml.MappingNode):
            for key, value in mapping.value:
                if key.value == word:
                    return key, value
        raise Uncut

    def _value(self, words: Sequence[str]) -> Any:
        from kubectl_kueue.cluster.yaml_text import read_yaml

        value = read_yaml(self.text, "")[0].value
        for word in words:
            value = value[int(word)] if isinstance(value, list) else value[word]
        return value

    def _last(self, node: Any) -> int:
        """Where the content of a node ends, without the comments behind it."""
        if isinstance(node, yaml.ScalarNode):
            if node.style in ("|", ">"):
                raise Uncut
            return int(node.end_mark.index)
        if node.flow_style or not node.value:
            return int(node.end_mark.index)
        last = node.value[-1]
        return self._last(last[1]) if isinstance(node, yaml.MappingNode) else self._last(last)

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _line_end(self, index: int) -> int:
        """Behind the line break."""
        end = self.text.find("\n", index)
        return len(self.text) if end < 0 else end + 1

    def _lines(self, key: Any, value: Any) -> tuple[int, int]:
        """The whole lines of a field. Raises Uncut if it shares them with something else."""
        start = self._line_start(key.start_mark.index)
        if self.text[start : key.start_mark.index].strip():
            raise Uncut
        last = max(self._last(value), key.end_mark.index)
        return start, self._line_end(last)

    # --- cutting ------------------------------------------------------------------------------------------

    def _replaced(self, start: int, end: int, text: str) -> str:
        return self.text[:start] + text + self.text[end:]

    def _renamed(self, words: Sequence[str], name: str) -> str:
        key, _ = self._entry(self._mapping(words[:-1]), words[-1])
        return self._replaced(key.start_mark.index, key.end_mark.index, _flow(name))

    def _removed(self, words: Sequence[str]) -> str:
        mapping = self._mapping(words[:-1])
        key, value = self._entry(mapping, words[-1])
        if not mapping.flow_style:
            if len(mapping.value) == 1:
                raise Uncut
            return self._replaced(*self._lines(key, value), "")
        index = [each.value for each, _ in mapping.value].index(words[-1])
        if index + 1 < len(mapping.value):
            return self._replaced(key.start_mark.index, mapping.value[index + 1][0].start_mark.index, "")
        start = mapping.value[index - 1][1].end_mark.index if index else key.start_mark.index
        return self._replaced(start, value.end_mark.index, "")

    def _added(self, words: Sequence[str], value: Any) -> str:
        mapping = self._mapping(words[:-1])
        if any(key.value == words[-1] for key, _ in mapping.value):
            return self._changed(mapping, words[-1], value)
        if mapping.flow_style or not mapping.value:
            inner = f"{_flow(words[-1])}: {_flow(value)}"
            if not mapping.value:
                start = mapping.start_mark.index + 1
                return self._replaced(start, mapping.end_mark.index - 1, inner)
            end = mapping.value[-1][1].end_mark.index
            return self._replaced(end, end, f", {inner}")
        key, last = mapping.value[-1]
        end = self._line_end(max(self._last(last), key.end_mark.index))
        begin = "" if self.text[:end].endswith("\n") else "\n"
        return self._replaced(end, end, begin + _block({words[-1]: value}, key.start_mark.column))

    def _changed(self, mapping: Any, name: str, value: Any) -> str:
        key, old = self._entry(mapping, name)
        plain = isinstance(old, yaml.ScalarNode) and old.style not in ("|", ">") and old.value != ""
        if mapping.flow_style or (plain and not isinstance(value, dict | list)):
            return self._replaced(old.start_mark.index, old.end_mark.index, _flow(value))
        return self._replaced(*self._lines(key, old), _block({name: value}, key.start_mark.column))


def _flow(value: Any) -> str:
    """A value in one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, width=2**20, sort_keys=False, allow_unicode=True
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _block(value: Any, column: int) -> str:
    """A field over several lines, indented."""
    text: str = yaml.safe_dump(
        value, default_flow_style=False, width=2**20, sort_keys=False, allow_unicode=True
    )
    return "".join(f"{' ' * column}{line}\n" for line in text.splitlines())
