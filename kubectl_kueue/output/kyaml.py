"""-o kyaml: the subset of YAML of KEP-5295, which no reader takes for something else.

Braces and brackets everywhere, every text in double quotes, keys bare unless they could be read as another
type, a comma after every item, brackets of a list of objects kept together ([{ ... }, { ... }]).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_kueue.output.go_text import json_text

_INDENT = "  "
_BARE = re.compile(r"\w(?:[\w./-]*\w)?")
_WORDS = frozenset({"null", "true", "false", "t", "f", "y", "n", "yes", "no", "on", "off"})
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LEADING_SPACE = "\\"
_ESCAPES: Mapping[str, str] = {
    "\\": "\\\\", '"': '\\"', "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v",
    "\f": "\\f", "\r": "\\r", "\x1b": "\\e", "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P",
}  # fmt: skip


def kyaml_text(data: Any) -> str:
    """One document with its `---`, keys in the order in which they are given."""
    return f"---\n{_value(data, 0)}\n"


def _value(value: Any, level: int) -> str:
    match value:
        case None:
            return "null"
        case str():
            return _quoted(value, level)
        case bool() | int() | float():
            return json_text(value)
        case Mapping():
            return _mapping(value, level)
        case _:
            return _sequence(value, level)


def _mapping(value: Mapping[str, Any], level: int) -> str:
    if not value:
        return "{}"
    inner = _INDENT * (level + 1)
    lines = (f"{inner}{_key(key)}: {_value(item, level + 1)},\n" for key, item in value.items())
    return f"{{\n{''.join(lines)}{_INDENT * level}}}"


def _sequence(value: Sequence[Any], level: int) -> str:
    if all(isinstance(item, Mapping | Sequence) and not isinstance(item, str) for item in value):
        return f"[{', '.join(_value(item, level) for item in value)}]"
    inner = _INDENT * (level + 1)
    lines = (f"{inner}{_value(item, level + 1)},\n" for item in value)
    return f"[\n{''.join(lines)}{_INDENT * level}]"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) and not _reads_otherwise(key) else f'"{_escaped(key)}"'


def _reads_otherwise(text: str) -> bool:
    """Whether some reader of YAML takes the bare `text` for a number, a date, null, or true and false."""
    if text.lower() in _WORDS or _DATE.match(text):
        return True
    digits = text.replace("_", "")
    for read in (float, lambda text: int(text, 0), float.fromhex):
        try:
            read(digits)
        except ValueError:
            continue
        except OverflowError:
            pass
        return digits[:1].isdigit() or digits.lower() in ("inf", "infinity", "nan")
    return False


def _quoted(text: str, level: int) -> str:
    """A text of several lines has one line of output each: a backslash at the end of a line hides the break
    and the indent, and one before a space at the start of a line keeps that space."""
    if "\n" not in text:
        return f'"{_escaped(text)}"'
    inner = _INDENT * (level + 1)
    lines = (
        f"{inner}{_LEADING_SPACE if line.startswith(' ') else ' '}{_escaped(line)}\\\n"
        for line in _LINE.findall(text)
    )
    return f'"\\\n{"".join(lines)}{inner}"'


def _escaped(text: str) -> str:
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter.isprintable():
        return letter
    code = ord(letter)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    if 0xD800 <= code < 0xE000:
        code = 0xFFFD
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
