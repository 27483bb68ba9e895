"""An object as `kubectl describe` prints what it knows nothing about: every field, in words, aligned.

Kept byte for byte, so that scripts that search this text find it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from kubectl_kueue.views.describe.events import Happening, event_cells

HIDDEN_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
LONGEST_ANNOTATION = 140
GAP = 2

_SHOWN_FIRST = frozenset({"name", "namespace", "labels", "annotations", "managedFields"})
_PLAIN_WORD = re.compile(r"[A-Za-z-]+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|-")
_ACRONYMS = frozenset({"API", "URL", "UID", "OSB", "GUID"})


def dump_lines(value: Mapping[str, Any], events: Sequence[Happening] | None) -> list[str]:
    """The lines for one object; `events` None: they could not be read and nothing is said of them."""
    meta = value.get("metadata") or {}
    lines = [
        f"Name:\t{meta.get('name', '')}",
        f"Namespace:\t{meta.get('namespace', '')}",
        *_labels(meta.get("labels") or {}),
        *_annotations(meta.get("annotations") or {}),
        *_fields(value, 0),
        *(_events(events) if events is not None else ()),
    ]
    return aligned("\n".join(lines).split("\n"))


def title(key: str) -> str:
    """A field name in words: Nominal Quota, API Version, Pod - Template - Hash; what has other characters
    (a label with a domain) stays."""
    if not _PLAIN_WORD.fullmatch(key):
        return key
    words = _WORDS.findall(key)
    return " ".join(w.upper() if w.upper() in _ACRONYMS else w[:1].upper() + w[1:] for w in words)


def aligned(lines: Sequence[str]) -> list[str]:
    """Cells that end with a tab, padded to the widest of their column in consecutive lines that have it."""
    rows = [line.split("\t") for line in lines]
    return ["".join(cells) for cells in _padded(rows, 0)]


def _padded(rows: list[list[str]], column: int) -> list[list[str]]:
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and len(rows[end]) > column + 1:
            end += 1
        if end > start:
            block = rows[start:end]
            width = max(len(cells[column]) for cells in block)
            for cells in block:
                cells[column] = cells[column].ljust(width + GAP) if width else ""
            _padded(block, column + 1)
        start = max(end, start + 1)
    return rows


def _labels(labels: Mapping[str, Any]) -> Iterator[str]:
    pairs = [f"{key}={labels[key]}" for key in sorted(labels)] or ["<none>"]
    yield f"Labels:\t{pairs[0]}"
    yield from (f"\t{pair}" for pair in pairs[1:])


def _annotations(annotations: Mapping[str, Any]) -> Iterator[str]:
    told = [line for key in sorted(annotations) for line in _annotation(key, str(annotations[key]))]
    told = told or ["<none>"]
    yield f"Annotations:\t{told[0]}"
    yield from (f"\t{line}" for line in told[1:])


def _annotation(key: str, text: str) -> list[str]:
    if key == HIDDEN_ANNOTATION:
        return []
    text = text.removesuffix("\n")
    if "\n" not in text and len(key) + 2 + len(text) <= LONGEST_ANNOTATION:
        return [f"{key}: {text}"]
    return [f"{key}:", *(f"  {_shortened(line, LONGEST_ANNOTATION - 2)}" for line in text.split("\n"))]


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _fields(value: Mapping[str, Any], level: int, left_out: Collection[str] = ()) -> Iterator[str]:
    indent = "  " * level
    for key in sorted(value):
        if key in left_out:
            continue
        found, label = value[key], title(key)
        if isinstance(found, dict):
            yield f"{indent}{label}:"
            yield from _fields(found, level + 1, _SHOWN_FIRST if not level and key == "metadata" else ())
        elif isinstance(found, list):
            yield f"{indent}{label}:"
            for item in found:
                if isinstance(item, dict):
                    yield from _fields(item, level + 1)
                else:
                    yield f"{indent}  {_scalar(item)}"
        else:
            yield f"{indent}{label}:\t{_scalar(found)}"


def _scalar(value: Any) -> str:
    match value:
        case None:
            return "<nil>"
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{' '.join(map(_scalar, value))}]"
        case dict():
            return f"map[{' '.join(f'{key}:{_scalar(value[key])}' for key in sorted(value))}]"
    return str(value)


def _events(events: Sequence[Happening]) -> Iterator[str]:
    if not events:
        yield "Events:\t<none>"
        return
    yield "Events:"
    yield "  Type\tReason\tAge\tFrom\tMessage"
    yield "  ----\t------\t----\t----\t-------"
    for event in events:
        yield "  " + "\t".join(event_cells(event))
