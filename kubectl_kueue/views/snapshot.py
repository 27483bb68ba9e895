"""What `snapshot` tells about the file that it wrote."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.model.trim import Trimmed
from kubectl_kueue.views.page import Column, Document, KeyValues, Page, Span, Table, Text

ALWAYS_LEFT_OUT = (
    "of every object commands, arguments, environment, volumes, images (but that of Kueue's manager), "
    "managedFields, annotations that Kueue does not read"
)


class Written(NamedTuple):
    """A snapshot that was written: where, its bytes there, and what is in it. `map_path` is "" if nothing was
    renamed; `proved` of `pending` workloads were explained before and after; `example` is one of them.
    """

    path: str
    size: int
    document: Mapping[str, Any]
    trimmed: Trimmed
    map_path: str = ""
    renamed: int = 0
    dropped_texts: int = 0
    proved: int = 0
    pending: int = 0
    example: str = ""


def written_page(written: Written) -> Page:
    """The summary for people."""
    blocks: list[Any] = [
        Text([Span(f"Wrote {written.path}", "strong"), f" ({_size(written.size)})"]),
        _counts(written.document["objects"]),
        KeyValues([("Kueue", _kueue(written.document)), *_doubts(written)]),
    ]
    if written.map_path:
        blocks.append(Text([_renaming(written)]))
        blocks.append(
            Text([f"{written.map_path} says what was called what: keep it, and keep it to yourself."])
        )
    else:
        blocks.append(Text(["Names are as they are in the cluster; --redact replaces them."]))
    blocks.append(KeyValues([("Replay", replay(written))]))
    return Page(blocks)


def written_document(written: Written) -> Document:
    """The summary for programs."""
    kinds = Counter(str(each.get("kind")) for each in written.document["objects"])
    data: dict[str, Any] = {
        "file": written.path,
        "bytes": written.size,
        "objects": dict(sorted(kinds.items())),
        "missing": written.document["missing"],
        "leftOut": dict(sorted(written.trimmed.left_out.items())),
        "eventsLeftOut": written.trimmed.events_left_out,
        "redacted": bool(written.map_path),
    }
    if written.map_path:
        data |= {
            "map": written.map_path,
            "renamed": written.renamed,
            "droppedTexts": written.dropped_texts,
            "compared": {"explained": written.proved, "pending": written.pending},
        }
    return Document({**data, "replay": replay(written)}, names=[written.path])


def replay(written: Written) -> str:
    """The command that asks the snapshot."""
    namespace, slash, name = written.example.partition("/")
    subject = f"{name} -n {namespace}" if slash else "NAME -n NAMESPACE"
    return f"kubectl kueue explain workload {subject} --snapshot {written.path}"


def _counts(objects: Sequence[Mapping[str, Any]]) -> Table:
    kinds = Counter(str(each.get("kind")) for each in objects)
    rows = [(kind, str(count)) for kind, count in sorted(kinds.items())]
    return Table([Column("KIND"), Column("OBJECTS", "right")], rows)


def _kueue(document: Mapping[str, Any]) -> str:
    found = document.get("kueue", {})
    version = f"{found['version']} (image of its manager)" if "version" in found else "version not found"
    place = found.get("configuration")
    where = f"Configuration of {place['kind']} {_name(place)}" if place else "no Configuration found"
    gates = len(document["features"])
    return f"{version}; {where}; {gates or 'no'} feature gate{'' if gates == 1 else 's'} set"


def _name(place: Mapping[str, str]) -> str:
    return "/".join(place[part] for part in ("namespace", "name") if part in place)


def _doubts(written: Written) -> list[tuple[str, str]]:
    found = []
    missing = written.document["missing"]
    if missing:
        found.append(("Not read", "; ".join(f"{kind}: {why}" for kind, why in sorted(missing.items()))))
    left = [f"{count} {kind}" for kind, count in sorted(written.trimmed.left_out.items())]
    if written.trimmed.events_left_out:
        left.append(f"{written.trimmed.events_left_out} events (older than an hour, or about other objects)")
    left.append(ALWAYS_LEFT_OUT)
    found.append(("Left out", "; ".join(left)))
    return found


def _renaming(written: Written) -> str:
    asked = f"explain of {written.proved} pending workloads"
    if written.proved < written.pending:
        asked = f"explain of {written.proved} of {written.pending} pending workloads"
    dropped = f", {written.dropped_texts} messages dropped" if written.dropped_texts else ""
    return (
        f"Redacted: {written.renamed} names replaced{dropped}. "
        f"{asked[0].upper()}{asked[1:]} and admit --dry-run answer the same as before."
    )


def _size(count: int) -> str:
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.1f} KiB" if count < 1024**2 else f"{count / 1024**2:.1f} MiB"
