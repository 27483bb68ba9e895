"""-o kyaml: YAML that no reader takes for something else. Braces and brackets everywhere, every text in
double quotes, keys bare where nothing but a text could be meant, a comma behind every item.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PLAIN_KEY = re.compile(r"[A-Za-z](?:[A-Za-z0-9_./-]*[A-Za-z0-9])?")
# What some version of YAML reads as true, false or null.
_TAKEN = frozenset(
    ["y", "n", "yes", "no", "on", "off", "t", "f", "true", "false", "null", "nan", "inf", "infinity"]
)


def kyaml_text(data: Any) -> str:
    """One document with its `---`, keys in the order in which they are given."""
    return f"---\n{_value(data, '')}\n"


def _value(value: Any, margin: str) -> str:
    if isinstance(value, Mapping):
        members = (f"{_key(key)}: {_value(each, margin + '  ')}" for key, each in value.items())
        return _enclosed("{", members, "}", margin)
    if isinstance(value, Sequence) and not isinstance(value, str):
        if value and all(isinstance(each, Mapping) for each in value):  # [{ ... }, { ... }]
            return f"[{', '.join(_value(each, margin) for each in value)}]"
        return _enclosed("[", (_value(each, margin + "  ") for each in value), "]", margin)
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _enclosed(start: str, parts: Iterator[str], end: str, margin: str) -> str:
    lines = "".join(f"{margin}  {part},\n" for part in parts)
    return f"{start}\n{lines}{margin}{end}" if lines else start + end


def _key(key: str) -> str:
    plain = _PLAIN_KEY.fullmatch(key) and key.lower() not in _TAKEN
    return key if plain else _text(key)


def _text(text: str) -> str:
    """A JSON string is one of YAML as well, once nothing in it is invisible."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if quoted.isprintable() else "".join(map(_visible, quoted))


def _visible(letter: str) -> str:
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
