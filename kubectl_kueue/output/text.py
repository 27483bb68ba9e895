"""Text from a cluster on its way to a terminal: nothing hidden, nothing obeyed, columns that line up."""

import re
import unicodedata

# DEL, C1; marks and overrides of writing direction; line and paragraph separators; lone surrogates, which
# no encoding takes. Whoever controls a label or a message controls these. Patterns are kept as text: most
# runs meet only printable ASCII and need not pay for compiling them.
_BEYOND_ASCII = "\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
HOSTILE = f"[\x00-\x1f{_BEYOND_ASCII}]"
HOSTILE_BUT_NEWLINE = f"[\x00-\x09\x0b-\x1f{_BEYOND_ASCII}]"
HOSTILE_BUT_LAYOUT = f"[\x00-\x08\x0b-\x1f{_BEYOND_ASCII}]"
HOSTILE_BEYOND_ASCII = f"[{_BEYOND_ASCII}]"
# Blanks are looked at from their first one only: a million of them are walked through once.
_BREAKS = r"(?:(?<! ) +)?(?:\r\n|[\n\t]) *"


def visible(text: str) -> str:
    """`text` on one line: line breaks and tabs become a space, other control characters an escape (\\x1b)."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(HOSTILE, _escape, re.sub(_BREAKS, " ", text))


def visible_lines(text: str) -> str:
    """`text` with its line feeds and tabs, every other control character as an escape."""
    return re.sub(HOSTILE_BUT_LAYOUT, _escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def display_width(text: str) -> int:
    """How many cells of a terminal `text` takes: wide East Asian characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def fitting(text: str, width: int) -> int:
    """How many characters of `text` fit into `width` cells, at least one."""
    if text.isascii():
        return max(1, width)
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > width:
            return max(1, index)
    return len(text)


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
