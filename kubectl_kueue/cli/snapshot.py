"""`snapshot`: everything that an answer depends on, in one file."""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.errors import ConfigError, InputError, KueueError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session
    from kubectl_kueue.cli.source import Gathered
    from kubectl_kueue.cluster.files import RawDocument
    from kubectl_kueue.model.redact import Redacted
    from kubectl_kueue.model.trim import Trimmed
    from kubectl_kueue.model.world import World

app = new_app()

EXPLAINED = 100
"""How many pending workloads are explained before and after a redaction, at most."""

EFFORT = 300_000
"""And fewer in a large cluster, where each one takes longer: this divided by the workloads, at least 10."""


@command(app)
def snapshot(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Option(
            "--file", metavar="FILE", help="Write there (FILE.gz: packed) instead of to standard output."
        ),
    ] = None,
    redact: Annotated[
        bool, typer.Option("--redact", help="Replace names, and prove that the answers stay the same.")
    ] = False,
) -> None:
    """Write everything that explain and admit read into one file.

    What pods run (images, commands, arguments, environment, volumes) is never written. With --redact the
    names are replaced as well, in their order, and the command compares the answers before it writes; the
    file FILE.map beside it says what was called what.

    \b
    Examples:
      kubectl kueue snapshot --file kueue.json
      kubectl kueue snapshot --file kueue.json.gz --redact
      kubectl kueue explain workload train-big -n team-a --snapshot kueue.json
    """
    session = session_of(context)
    to_stdout = file is None or file == "-"
    if file == "":
        raise ConfigError("--file is empty: pass FILE")
    if redact and to_stdout:
        raise ConfigError("--redact needs --file FILE: the map of the names is written beside it")
    if to_stdout and session.flags.output is None:
        session.flags.output = "json"
    session.check_output()
    if to_stdout and session.flags.output not in ("json", "yaml"):
        raise ConfigError(f"a snapshot is -o json or -o yaml, not {session.flags.output}")

    trimmed, world = _taken(session)
    if to_stdout:
        from kubectl_kueue.views.page import Document, Page

        session.emit(page=lambda: Page([]), document=lambda: Document(trimmed.document))
        return
    assert file is not None
    _write(session, file, trimmed, world, redact=redact)


def _taken(session: "Session") -> "tuple[Trimmed, World]":
    """The snapshot and its world, which is that of the source. Raises KueueError if it is not."""
    from kubectl_kueue.model.trim import build_document

    live = session.flags.snapshot is None
    gathered = session.source().everything()
    world = _live_world(gathered) if live else session.world()
    trimmed = build_document(
        gathered.documents,
        world,
        head=gathered.head,
        live=live,
        missing=gathered.missing,
        parse=_raw({}).parse,
    )
    document = trimmed.document
    known = set(_read_back(document).notes)
    document["notes"] = [note for note in dict.fromkeys((*gathered.notes, *world.notes)) if note not in known]
    return trimmed, _verified(document, world)


def _live_world(gathered: "Gathered") -> "World":
    from kubectl_kueue.model.timestamp import format_time

    head = {"now": format_time(gathered.now), "origin": "live", "missing": dict(gathered.missing)}
    return _read({**head, "notes": list(gathered.notes), "objects": list(gathered.documents)})


def _verified(document: dict[str, Any], world: "World") -> "World":
    """The world that the document is read to, once it is known to be the same."""
    from kubectl_kueue.model.trim import difference

    new = _read_back(document)
    if (what := difference(world, new)) is not None:
        raise KueueError(
            f"the snapshot would not be read to what it was made of ({what}); nothing was written"
        )
    return new


def _write(session: "Session", file: str, trimmed: "Trimmed", world: "World", *, redact: bool) -> None:
    from kubectl_kueue.cluster.write_file import write_files
    from kubectl_kueue.views.snapshot import Written, written_document, written_page

    document = trimmed.document
    contents = {file: encoded(document)}
    told: dict[str, Any] = {"example": next(iter(_pending(world, 1)), "")}
    if redact:
        redacted, told = _redacted(document, world)
        document = redacted.document
        map_path = f"{file}.map"
        # The map goes first: a snapshot without its map is worth less than a map without its snapshot.
        contents = {map_path: _encoded_map(redacted), file: encoded(document)}
        told |= {
            "map_path": map_path,
            "renamed": len(redacted.names) + len(redacted.uids),
            "dropped_texts": redacted.dropped,
        }
    write_files(contents)
    size = os.path.getsize(file) if os.path.isfile(file) else len(contents[file])
    written = Written(file, size, document, trimmed, **told)
    session.emit(page=lambda: written_page(written), document=lambda: written_document(written))


def _redacted(document: dict[str, Any], world: "World") -> "tuple[Redacted, dict[str, Any]]":
    """The document under new names. Raises KueueError if it would answer otherwise."""
    from kubectl_kueue.model.redact import redact
    from kubectl_kueue.views.replay import ask, equal_under, first_difference

    redacted = redact(document)
    new = _read_back(redacted.document)
    same = equal_under(redacted)
    total = len(world.workloads) or 1
    keys, all_keys = _pending(world, min(EXPLAINED, max(10, EFFORT // total))), _pending(world, total)
    names = dict(zip(sorted(world.workloads), sorted(new.workloads), strict=False))
    if len(world.workloads) != len(new.workloads) or not all(same(*pair) for pair in names.items()):
        raise KueueError("--redact: the new names would stand in another order; nothing was written")
    before, after = ask(world, keys), ask(new, [names[key] for key in keys])
    if (place := first_difference(before, after, same)) is not None:
        raise KueueError(
            f"--redact: under the new names the answer would differ ({place}); nothing was written"
        )
    example = names[keys[0]] if keys else ""
    return redacted, {"proved": len(keys), "pending": len(all_keys), "example": example}


def _pending(world: "World", limit: int) -> list[str]:
    from kubectl_kueue.views.replay import pending

    return pending(world, limit)


def encoded(document: dict[str, Any]) -> bytes:
    """The document as JSON, one object a line."""
    import msgspec

    head = msgspec.json.encode({**document, "objects": []})
    objects = b",\n".join(msgspec.json.encode(each) for each in document["objects"])
    return head.removesuffix(b"[]}") + b"[\n" + objects + b"\n]}\n"


def _encoded_map(redacted: "Redacted") -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode({**redacted.names, **redacted.uids}), indent=2) + b"\n"


def _read(document: dict[str, Any]) -> "World":
    from kubectl_kueue.model.decode import decode_world

    return decode_world([_raw(document)])


def _read_back(document: dict[str, Any]) -> "World":
    """The world of a document that is to be written. Raises KueueError if it is none."""
    try:
        return _read(document)
    except InputError as error:
        raise KueueError(f"the snapshot could not be read back ({error}); nothing was written") from None


def _raw(document: dict[str, Any]) -> "RawDocument":
    import msgspec

    from kubectl_kueue.cluster.files import RawDocument

    return RawDocument("the cluster", 1, 0, msgspec.json.encode(document))
