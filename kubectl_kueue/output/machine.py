"""Documents for programs: json, yaml, kyaml, name. Lossless, and still safe to look at on a terminal.

Objects of Kubernetes are written as kubectl writes them, documents of our own in the order of reading.
"""

import re
from collections.abc import Mapping
from typing import Any, TextIO

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.key_order import in_order
from kubectl_kueue.output.text import HOSTILE_BEYOND_ASCII, HOSTILE_BUT_NEWLINE, visible
from kubectl_kueue.views.page import Document


def write_json(document: Document, stream: TextIO) -> None:
    """Keys as given, two spaces of indent (objects: four), control characters escaped."""
    import msgspec

    indent = 4 if document.objects else 2
    try:
        text = msgspec.json.format(msgspec.json.encode(document.data), indent=indent).decode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can carry
        import json

        text = json.dumps(document.data, indent=indent, ensure_ascii=True)
    if document.objects:
        from kubectl_kueue.output.go_text import escape_json

        text = escape_json(text)
    # What JSON itself leaves raw (C1, marks of direction) can stand inside a string only: an escape is equal.
    stream.write(re.sub(HOSTILE_BEYOND_ASCII, _escape, text) + "\n")


def write_yaml(document: Document, stream: TextIO) -> None:
    """Block style, control characters escaped; keys as given and long lines unfolded, but keys of objects
    sorted and their lines folded at 80 columns."""
    import yaml

    try:
        text = _dump_yaml(document, getattr(yaml, "CSafeDumper", yaml.SafeDumper))
    except UnicodeEncodeError:
        text = _dump_yaml(document, yaml.SafeDumper)
    # Only strings that were forced into double quotes hold these, and there an escape is equal.
    stream.write(re.sub(HOSTILE_BEYOND_ASCII, _escape, text))


def write_kyaml(document: Document, stream: TextIO) -> None:
    """Flow style in double quotes; keys of objects sorted, of other documents as given."""
    from kubectl_kueue.output.kyaml import kyaml_text

    data = plain_data(document)
    stream.write(kyaml_text(_sorted(data) if document.objects else data))


def write_names(document: Document, stream: TextIO) -> None:
    """One name a line. Raises ConfigError if the answer has no names."""
    if document.names is None:
        raise ConfigError("-o name: this answer is not a list of objects; use -o json or -o yaml")
    stream.writelines(f"{visible(name)}\n" for name in document.names)


def plain_data(document: Document) -> Any:
    """The data of a document as dicts, lists and scalars."""
    import msgspec

    return msgspec.to_builtins(document.data)


def without_managed_fields(document: Document) -> Document:
    """The document without metadata.managedFields of its object or of the items of its list."""
    if not document.objects:
        return document
    data = _without(document.data)
    if isinstance(items := data.get("items"), list | tuple):
        data["items"] = [_without(item) if isinstance(item, Mapping) else item for item in items]
    return document._replace(data=data)


def _without(data: Mapping[str, Any]) -> dict[str, Any]:
    kept = dict(data)
    metadata = kept.get("metadata")
    if isinstance(metadata, Mapping) and "managedFields" in metadata:
        kept["metadata"] = {key: value for key, value in metadata.items() if key != "managedFields"}
    return kept


def _sorted(data: Any) -> Any:
    """`data` with the keys of every object in kubectl's order."""
    if isinstance(data, Mapping):
        return {key: _sorted(data[key]) for key in in_order(data)}
    return [_sorted(item) for item in data] if isinstance(data, list | tuple) else data


def _dump_yaml(document: Document, base: Any) -> str:
    import yaml

    def text_scalar(dumper: Any, text: str) -> Any:
        lines = "\n" in text
        quoted = re.search(HOSTILE_BUT_NEWLINE, text) or (not lines and _reads_otherwise(dumper, text))
        style = '"' if quoted or (document.objects and not text) else "|" if lines else None
        return dumper.represent_scalar(_YAML_TEXT, text, style=style)

    # A subclass of its own, because add_representer changes the class that it is called on.
    Dumper: Any = type("Dumper", (base,), {"ignore_aliases": lambda self, data: True})
    Dumper.add_representer(str, text_scalar)
    data = _sorted(document.data) if document.objects else document.data
    width = 80 if document.objects else 2**20
    return str(yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=width))


_YAML_TEXT = "tag:yaml.org,2002:str"
# What a number, a date, a boolean, null or a merge key starts with (and nothing starts with nothing).
_SUSPECTS = frozenset("-+.0123456789~<yYnNtTfFoO")
# What the YAML libraries of Kubernetes take for something else and PyYAML for text: y and n, 1e3, 08, -.5,
# 0o17, 2001-1-2.
_OTHER_TYPES = re.compile(
    r"[yYnN]|[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?|[-+]?0o[0-7]+"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
)


def _reads_otherwise(dumper: Any, text: str) -> bool:
    """Whether `text` without quotes would be read as a number, a date, a boolean, null."""
    import yaml

    if text[:1] not in _SUSPECTS:
        return False
    resolved = dumper.resolve(yaml.ScalarNode, text, (True, False))
    return resolved != _YAML_TEXT or _OTHER_TYPES.fullmatch(text) is not None


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
