"""Values as kubectl prints them: its JSON, its plain text, and the escapes of its quoted strings.

Templates and custom columns promise kubectl's bytes, and those are Go's: floats turn to exponents at other
places than Python's, JSON escapes < > &, an object as text is `map[a:1 b:[x y]]`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

_INT64 = range(-(2**63), 2**63)
_JSON_SMALLEST = -6
_UNSAFE = re.compile("[<>&\u2028\u2029]")
_SHORT = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))", re.DOTALL)


def scalar_text(value: Any) -> str:
    """A scalar as jsonpath prints it."""
    if value is None:
        return "null"
    return plain_text(value)


def plain_text(value: Any) -> str:
    """Any value as text: `<nil>`, true, 1e+06, map[key:value], [first second]."""
    match value:
        case None:
            return "<nil>"
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _number(value, largest=6, smallest=-4)
        case Mapping():
            return f"map[{' '.join(f'{key}:{plain_text(value[key])}' for key in sorted(value))}]"
        case _:
            return f"[{' '.join(map(plain_text, value))}]"


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON with sorted keys, without a line feed at the end; `indent` None: on one line without spaces."""
    return escape_json("".join(_json(value, indent, "\n")))


def escape_json(text: str) -> str:
    """JSON text with < > & and the line separators of Unicode as escapes, as Go writes it."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _json(value: Any, indent: int | None, newline: str) -> Sequence[str]:
    if isinstance(value, str):
        return [encode_basestring(value)]
    if value is None or isinstance(value, bool):
        return [json.dumps(value)]
    if isinstance(value, int | float):
        return [_number(value, largest=21, smallest=_JSON_SMALLEST)]
    inner = newline if indent is None else newline + " " * indent
    if isinstance(value, Mapping):
        colon = ":" if indent is None else ": "
        items = [[encode_basestring(key), colon, *_json(value[key], indent, inner)] for key in sorted(value)]
        return _joined("{}", items, indent, inner, newline)
    return _joined("[]", [_json(item, indent, inner) for item in value], indent, inner, newline)


def _joined(
    brackets: str, items: Sequence[Sequence[str]], indent: int | None, inner: str, newline: str
) -> Sequence[str]:
    if not items:
        return [brackets]
    if indent is None:
        inner = newline = ""
    pieces = [brackets[0]]
    for index, item in enumerate(items):
        pieces += ["," if index else "", inner, *item]
    return [*pieces, newline, brackets[1]]


def _number(value: int | float, *, largest: int, smallest: int) -> str:
    """The shortest text of a number; floats outside of 10**smallest..10**largest get an exponent.

    Text has two digits in an exponent (1e-07), JSON as many as it takes (1e-7).
    """
    if isinstance(value, int) and value in _INT64:
        return str(value)
    sign, digits, power = Decimal(repr(float(value))).as_tuple()
    if not isinstance(power, int):
        return {"n": "NaN", "N": "NaN", "F": "-Inf" if sign else "+Inf"}[power]
    text = "".join(map(str, digits)).lstrip("0")
    stripped = text.rstrip("0")
    if not stripped:
        return "0"
    power += len(text) - len(stripped)
    minus, exponent = "-" * sign, len(stripped) + power - 1
    if exponent < smallest or exponent >= largest:
        fraction = f".{stripped[1:]}" if stripped[1:] else ""
        places = 1 if smallest == _JSON_SMALLEST else 2
        return f"{minus}{stripped[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):0{places}d}"
    return minus + format(Decimal(stripped).scaleb(power), "f")


def quote(text: str) -> str:
    """`text` in double quotes, as Go's %q writes it."""
    return encode_basestring(text)


def unquote(text: str) -> str | None:
    """What a quoted string (its quotes included) stands for, or None if an escape in it means nothing.

    An escape of a byte that is no UTF-8 becomes U+FFFD.
    """
    mark, body = text[0], text[1:-1]
    pieces: list[bytes] = []
    position = 0
    while position < len(body):
        match = _ESCAPE.match(body, position)
        if match is None:
            if body[position] == "\\":
                return None
            pieces.append(body[position].encode(errors="replace"))
            position += 1
            continue
        piece = _unescaped(match, mark)
        if piece is None:
            return None
        pieces.append(piece)
        position = match.end()
    return b"".join(pieces).decode(errors="replace")


def _unescaped(match: re.Match[str], mark: str) -> bytes | None:
    byte, short, long, octal, letter = match.groups()
    if letter is not None:
        known = letter if letter == mark else _SHORT.get(letter)
        return None if known is None else known.encode()
    if byte or octal:
        number = int(byte, 16) if byte else int(octal, 8)
        return bytes([number]) if number < 256 else None
    number = int(short or long, 16)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000:
        return None
    return chr(number).encode()
