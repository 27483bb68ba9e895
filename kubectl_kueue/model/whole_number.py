"""A whole number that somebody wrote as a text: in an annotation, a label, a path, a message.

Python alone takes more for a number than the API server (digits of other scripts, blanks, underscores), and
raises ValueError for thousands of digits.
"""

import re

_WHOLE = re.compile(r"([-+]?)0*([0-9]{1,19})")
"""19 digits are what an int64 can have, zeros before them aside."""


def whole_number(text: str, bits: int = 32) -> int | None:
    """The number as Go reads a signed one of so many bits (at most 64); None if the text is none."""
    found = _WHOLE.fullmatch(text)
    if found is None:
        return None
    value = int(found[1] + found[2])
    return value if -(2 ** (bits - 1)) <= value < 2 ** (bits - 1) else None


def above_zero(text: str, bits: int = 32) -> int | None:
    """The same for numbers from 1 on."""
    value = whole_number(text, bits)
    return None if value is None or value < 1 else value


def is_digits(text: str) -> bool:
    """Whether the text is made of the digits 0 to 9 alone, however many."""
    return text.isascii() and text.isdecimal()
