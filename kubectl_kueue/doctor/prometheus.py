"""Lines of Prometheus' text format -> samples."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple


class Sample(NamedTuple):
    """One value of one series."""

    name: str
    labels: Mapping[str, str]
    value: float


_LINE = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+([-+.0-9a-zA-Z]+)(?:\s+-?[0-9]+)?\s*")
_LABEL = re.compile(r'(?<!\w)([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")


def samples(text: str, names: Collection[str]) -> Iterator[Sample]:
    """The samples of these names; lines that are none are passed by."""
    for line in text.splitlines():
        if line.startswith("#") or re.split(r"[{\s]", line, maxsplit=1)[0] not in names:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        try:
            value = float(found[3])
        except ValueError:
            continue
        if value - value == 0:  # neither NaN nor infinite
            labels = {key: _ESCAPE.sub(_plain, raw) for key, raw in _LABEL.findall(found[2] or "")}
            yield Sample(found[1], labels, value)


def _plain(match: re.Match[str]) -> str:
    return "\n" if match[1] == "n" else match[1]
