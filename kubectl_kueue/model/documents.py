"""Which objects does a document hold, and what does it say about them all?

A document is a snapshot ({now, features, config, objects}: the conformance form), a list as kubectl
prints it, a bare array of objects, or one object. Objects stay undecoded here, as slices of its bytes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.config import Document, setting_notes
from kubectl_kueue.model.faults import find_fault, without_nulls
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.syntax import check_syntax


class SourceDocument(Protocol):
    """A document as cluster/ hands it over."""

    @property
    def source(self) -> str:
        """Where it comes from, for messages: a file name, "stdin"."""

    @property
    def index(self) -> int:
        """Its number in the source, from 1."""

    @property
    def line(self) -> int:
        """Its first line in the source, from 1; 0 if lines mean nothing there (JSON)."""

    @property
    def content(self) -> bytes:
        """The document as JSON."""

    @property
    def item_lines(self) -> Sequence[int]:
        """First lines of the elements of `items`, `objects` or the bare array; empty if unknown."""

    @property
    def now(self) -> str | None:
        """The time of the data if the source says it outside the document (a comment header)."""

    def parse(self, text: str) -> object:
        """The JSON value of a YAML text that stands inside the document. Raises InputError."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """An opened document. `head` is there for a snapshot; `kind` and `api_version` are what the items of
    a list have when they do not say it themselves. A list inside of another has its place in `outer`.
    """

    document: SourceDocument
    objects: Sequence[msgspec.Raw]
    word: str = ""
    head: Document | None = None
    kind: str = ""
    api_version: str = ""
    outer: str = ""
    depth: int = 0

    @property
    def recorded(self) -> bool:
        """Whether the objects are taken as they are, API defaults not filled in."""
        return self.head is not None

    def place(self, index: int) -> str:
        """Where the object with this index stands, for messages."""
        lines = () if self.outer else self.document.item_lines
        line = f" (line {lines[index]})" if index < len(lines) else ""
        item = f", {self.word} {index + 1}{line}" if self.word else ""
        return (self.outer or document_place(self.document)) + item


def open_document(document: SourceDocument) -> Parcel:
    """Find the objects of one document. Raises InputError, one line, for what is no snapshot at all."""
    place = document_place(document)
    try:
        if not document.content.isascii():
            document.content.decode()
        return _open(document, place)
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: not UTF-8 text (byte {error.start})") from None
    except RecursionError:
        raise InputError(f"{place}: nested too deeply") from None
    except msgspec.DecodeError as error:
        raise InputError(f"{place}: not valid JSON: {error}") from None


def open_list(parcel: Parcel, index: int, kind: str, api_version: str) -> Parcel:
    """The list that stands as object `index` in a parcel. Raises InputError if it has no proper items."""
    place = parcel.place(index)
    if parcel.depth == MAX_DEPTH:
        raise InputError(f"{place}: lists inside of lists, more than {MAX_DEPTH} deep")
    try:
        items = _LIST.decode(parcel.objects[index]).items or []
    except msgspec.ValidationError as error:
        value = without_nulls(msgspec.json.decode(parcel.objects[index]))
        raise InputError(f"{place}, {bare(kind)}: {find_fault(value, _List) or error}") from None
    return Parcel(
        parcel.document,
        items,
        "item",
        head=parcel.head,
        kind=kind.removesuffix("List"),
        api_version=api_version,
        outer=place,
        depth=parcel.depth + 1,
    )


def document_place(document: SourceDocument) -> str:
    """Where a document stands, for messages."""
    line = f" (line {document.line})" if document.line else ""
    return f"{document.source}, document {document.index}{line}"


class _Envelope(msgspec.Struct, rename="camel"):
    """What tells the forms apart, read in one pass; Raw where another kind may have any type."""

    kind: msgspec.Raw = msgspec.Raw()
    api_version: msgspec.Raw = msgspec.Raw()
    items: list[msgspec.Raw] | msgspec.UnsetType | None = msgspec.UNSET
    objects: list[msgspec.Raw] | None = None
    message: msgspec.Raw = msgspec.Raw()
    clusters: msgspec.Raw = msgspec.Raw()
    contexts: msgspec.Raw = msgspec.Raw()
    cycles: msgspec.Raw = msgspec.Raw()
    final: msgspec.Raw = msgspec.Raw()
    # The fields of a snapshot's head.
    now: msgspec.Raw = msgspec.Raw()
    name: msgspec.Raw = msgspec.Raw()
    mode: msgspec.Raw = msgspec.Raw()
    max_cycles: msgspec.Raw = msgspec.Raw()
    features: msgspec.Raw = msgspec.Raw()
    config: msgspec.Raw = msgspec.Raw()
    origin: msgspec.Raw = msgspec.Raw()
    missing: msgspec.Raw = msgspec.Raw()
    notes: msgspec.Raw = msgspec.Raw()


class _List(msgspec.Struct):
    items: list[msgspec.Raw] | None = None


MAX_DEPTH = 8
"""Lists that may stand in each other below the first."""

_LIST = msgspec.json.Decoder(_List)
_FIRST = re.compile(rb"\s*(\S)")
_KEY = re.compile(rb'\s*[{,]\s*("(?:[^"\\]|\\.)*")\s*:\s*')
_KEY_TEXT = msgspec.json.Decoder(str)
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ENVELOPE = msgspec.json.Decoder(_Envelope)
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
_HEAD = msgspec.json.Decoder(Document)
_NO_CONFIG = Document().config
_HEAD_FIELDS = [(field.encode_name, field.name) for field in msgspec.structs.fields(Document)]


def _open(document: SourceDocument, place: str) -> Parcel:
    content = document.content
    first = _FIRST.match(content)
    if first and first[1] == b"[":
        return Parcel(document, _ARRAY.decode(content), "object")
    if not first or first[1] != b"{":
        value = msgspec.json.decode(content)
        raise InputError(f"{place}: {shown(value)} is neither a snapshot nor a Kubernetes object")
    top = _envelope(content, place)
    if not document.line and (key := _repeated_key(content)) is not None:
        raise InputError(f'{place}: the key "{bare(key)}" is there twice')
    kind, api_version = _text(top.kind), _text(top.api_version)
    if not kind and top.objects is not None:
        return Parcel(document, top.objects, "object", _head(top, place))
    if (stranger := _stranger(top, kind)) is not None:
        raise InputError(f"{place}: {stranger}")
    if kind.endswith("List") and top.items is not msgspec.UNSET:
        item_kind = kind.removesuffix("List")
        return Parcel(document, top.items or [], "item", kind=item_kind, api_version=api_version)
    return Parcel(document, [msgspec.Raw(content)])


def _repeated_key(content: bytes) -> str | None:
    """The first key that a JSON document has twice at its top. Deeper ones are not looked for: the decoder
    takes the last of them, and a scan of every object would cost more than decoding does.
    """
    members = _MEMBERS.decode(content)
    seen: set[str] = set()
    end = 0
    while found := _KEY.match(content, end):
        key = _KEY_TEXT.decode(found[1])
        last = bytes(members[key])
        if key in seen or not content.startswith(last, found.end()):
            return key
        seen.add(key)
        end = found.end() + len(last)
    return None


def _envelope(content: bytes, place: str) -> _Envelope:
    try:
        return _ENVELOPE.decode(content)
    except msgspec.ValidationError as error:
        value = msgspec.json.decode(content)
        kind = value.get("kind")
        if isinstance(kind, str) and not kind.endswith("List"):
            return _Envelope(kind=msgspec.Raw(msgspec.json.encode(kind)))
        fault = find_fault(without_nulls(value), _Envelope)
        raise InputError(f"{place}: {fault or error}") from None


def _stranger(top: _Envelope, kind: str) -> str | None:
    """What a document is that is taken for a snapshot by mistake."""
    if kind in ("", "Config") and top.clusters and top.contexts:
        return "this is a kubeconfig, not a snapshot"
    if kind == "Status" and top.message:
        return f"not a snapshot but an error of the API server: {bare(_text(top.message), 200)}"
    if kind:
        return None
    if top.cycles and top.final:
        return "this is a verdict, not a snapshot"
    if top.now:
        return "this looks like a snapshot, but it has no `objects`"
    return "neither a snapshot (no `objects`) nor a Kubernetes object (no `kind`)"


def _head(top: _Envelope, place: str) -> Document:
    """The fields around the objects; its notes name what `config` has that Kueue does not know.

    Raises InputError with the pointer of what is wrong.
    """
    head = _decoded_head(top, place)
    config = msgspec.json.decode(top.config) if head.config is not _NO_CONFIG else None
    notes = setting_notes(config) if isinstance(config, dict) else ()
    told = [note for note in notes if note not in head.notes]
    return msgspec.structs.replace(head, notes=[*head.notes, *told]) if told else head


def _decoded_head(top: _Envelope, place: str) -> Document:
    content = msgspec.json.encode({name: raw for name, field in _HEAD_FIELDS if (raw := getattr(top, field))})
    try:
        head = _HEAD.decode(content)
        check_syntax(head)
        return head
    except (msgspec.ValidationError, InputError) as error:
        value = without_nulls(msgspec.json.decode(content))
        fault = find_fault(value, Document)
        if fault is not None:
            raise InputError(f"{place}: {fault}") from None
        try:
            return msgspec.convert(value, Document)
        except msgspec.ValidationError:
            raise InputError(f"{place}: {error}") from None


def _text(raw: msgspec.Raw) -> str:
    """The string in a Raw; "" for anything else."""
    value = msgspec.json.decode(raw) if raw else ""
    return value if isinstance(value, str) else ""
