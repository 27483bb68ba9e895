"""Documents for programs: json, yaml, name. Lossless, and still safe to look at on a terminal."""

import re
from typing import Any, TextIO

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.text import HOSTILE_BEYOND_ASCII, HOSTILE_BUT_NEWLINE, visible
from kubectl_kueue.views.page import Document


def write_json(document: Document, stream: TextIO) -> None:
    """Two spaces of indent, keys as given, letters of every script kept, control characters escaped."""
    import msgspec

    try:
        text = msgspec.json.format(msgspec.json.encode(document.data), indent=2).decode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can carry
        import json

        text = json.dumps(document.data, indent=2, ensure_ascii=True)
    # What JSON itself leaves raw (C1, marks of direction) can stand inside a string only: an escape is equal.
    stream.write(HOSTILE_BEYOND_ASCII.sub(_escape, text) + "\n")


def write_yaml(document: Document, stream: TextIO) -> None:
    """Block style, keys as given, long lines unfolded, control characters escaped."""
    import yaml

    try:
        text = _dump_yaml(document.data, getattr(yaml, "CSafeDumper", yaml.SafeDumper))
    except UnicodeEncodeError:
        text = _dump_yaml(document.data, yaml.SafeDumper)
    # Only strings that were forced into double quotes hold these, and there an escape is equal.
    stream.write(HOSTILE_BEYOND_ASCII.sub(_escape, text))


def write_names(document: Document, stream: TextIO) -> None:
    """One name a line. Raises ConfigError if the answer has no names."""
    if document.names is None:
        raise ConfigError("-o name: this answer is not a list of objects; use -o json or -o yaml")
    stream.writelines(f"{visible(name)}\n" for name in document.names)


def _dump_yaml(data: Any, base: Any) -> str:
    import yaml

    def text_scalar(dumper: Any, text: str) -> Any:
        reads_as_text = dumper.resolve(yaml.ScalarNode, text, (True, False)) == _YAML_TEXT
        if HOSTILE_BUT_NEWLINE.search(text) or (text and not reads_as_text) or _EXPONENT.fullmatch(text):
            return dumper.represent_scalar(_YAML_TEXT, text, style='"')
        return dumper.represent_scalar(_YAML_TEXT, text, style="|" if "\n" in text else None)

    # A subclass of its own, because add_representer changes the class that it is called on.
    Dumper: Any = type("Dumper", (base,), {"ignore_aliases": lambda self, data: True})
    Dumper.add_representer(str, text_scalar)
    return str(yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=2**20))


_YAML_TEXT = "tag:yaml.org,2002:str"
# PyYAML reads 1e3 as text, the YAML libraries of Kubernetes read a number.
_EXPONENT = re.compile(r"[-+]?[0-9.]+[eE][-+]?[0-9]+")


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
