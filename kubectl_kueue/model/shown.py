"""How a value of an untrusted document looks in a message: short, in ASCII, without control characters."""

import json

_LENGTH = 40


def shown(value: object) -> str:
    """A JSON value as it is written, cut after 40 characters; a list or an object by its sort only."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f'"{bare(value)}"'
    text = json.dumps(value)
    return text if len(text) <= _LENGTH else text[:_LENGTH] + "…"


def bare(text: str, length: int = _LENGTH) -> str:
    """A text without quotes around it, cut after `length` characters."""
    return json.dumps(text[:length])[1:-1] + "…" * (len(text) > length)
