"""FILE | DIR | - -> the documents in it, as bytes of JSON.

Knows formats (JSON, YAML, gzip), not meanings. JSON is passed on as it was read; only YAML is parsed.
"""

import io
import json
import os
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from kubectl_kueue.errors import InputError

if TYPE_CHECKING:
    from gzip import GzipFile

NAMES = (".json", ".yaml", ".yml", ".gz")
MAX_BYTES = 2**30


class RawDocument(msgspec.Struct, frozen=True):
    """One document of a file: `index` counts from 1, `line` is its first line (0 for JSON), `content` is
    JSON, `item_lines` are the first lines of the elements of its list, `now` is the time that a comment at
    the top of the file gives (`# now: 2026-08-20T10:16:02Z`).
    """

    source: str
    index: int
    line: int
    content: bytes
    item_lines: Sequence[int] = ()
    now: str | None = None

    def parse(self, text: str) -> object:
        """The JSON value of a YAML text that stands inside this document. Raises InputError."""
        from kubectl_kueue.cluster.yaml_text import read_yaml

        documents = read_yaml(text, f"{self.source}, YAML inside document {self.index}")
        return documents[0].value if documents else None


def read_source(path: str, stdin: BinaryIO | None = None) -> list[RawDocument]:
    """The documents of a file, of every file of a folder, or of standard input (-).

    A folder is searched with its subfolders, in the order of the names, for .json, .yaml, .yml and .gz.
    Raises InputError for what cannot be read, is empty, or is neither JSON nor YAML.
    """
    documents = [
        document for name, data in read_contents(path, stdin) for document in documents_in(name, data)
    ]
    if not documents:
        raise InputError(f"{'stdin' if path == '-' else path}: empty, there is no document in it")
    return documents


def read_contents(path: str, stdin: BinaryIO | None = None) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of a file, of every file of a folder, or of standard input. Raises InputError."""
    if path == "-":
        yield "stdin", _read(stdin or _standard_input(), "stdin")
    elif os.path.isdir(path):
        yield from ((name, _read_file(name)) for name in _files(path))
    else:
        yield path, _read_file(path)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # so is it when the process was started without one
        raise InputError("stdin: it is closed, there is nothing to read")
    return sys.stdin.buffer


def _files(folder: str) -> Iterator[str]:
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [os.path.join(root, n) for n in names if n.endswith(NAMES) and not n.startswith(".")]
    if not found:
        raise InputError(f"{folder}: no {', '.join(NAMES[:-1])} or {NAMES[-1]} file in this folder")
    yield from sorted(found)


def _read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return _read(file, path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _read(file: BinaryIO, source: str) -> bytes:
    """All bytes, unpacked if they are gzip."""
    data = _at_most(file, MAX_BYTES + 1)
    if data[:2] == b"\x1f\x8b" and len(data) <= MAX_BYTES:
        import gzip

        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = _at_most(packed, MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{source}: broken gzip: {error}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{source}: larger than {MAX_BYTES >> 30} GiB")
    return data


def _at_most(file: "BinaryIO | GzipFile", most: int) -> bytes:
    """The bytes of a file, read piece by piece: asked for so many at once, Python makes room for them all."""
    pieces, left = [], most
    while left > 0 and (piece := file.read(min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


_FIRST = re.compile(rb"\s*(\S)")


def documents_in(source: str, data: bytes) -> list[RawDocument]:
    """The documents in the bytes of a file. Raises InputError."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    first = _FIRST.match(data)
    if first is None:
        return []
    if first[1] in b"{[":
        try:
            return _json_documents(source, data)
        except _FlowYaml:
            pass
    return _yaml_documents(source, data)


# --- JSON -------------------------------------------------------------------------------------

_RAW = msgspec.json.Decoder(msgspec.Raw)
_BARE_KEY = re.compile(rb"[\s{[]*\w+:")
_AT_BYTE = re.compile(r"(?:JSON is malformed: )?(.*) \(byte (\d+)\)")


class _FlowYaml(Exception):
    """The file begins like JSON, but its keys have no quotes."""


def _json_documents(source: str, data: bytes) -> list[RawDocument]:
    """The file as one value, or cut into several that follow each other."""
    try:
        _RAW.decode(data)
        contents = [data]
        if not data.isascii():
            data.decode()
    except RecursionError:
        raise InputError(f"{source}: not valid JSON: nested too deeply") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not valid JSON: not UTF-8 text (byte {error.start})") from None
    except msgspec.DecodeError as error:
        if _BARE_KEY.match(data):
            raise _FlowYaml from None
        if "trailing" not in str(error):
            raise InputError(_malformed(source, data, error)) from None
        contents = list(_json_stream(source, data, error))
    return [RawDocument(source, index, 0, content) for index, content in enumerate(contents, 1)]


def _json_stream(source: str, data: bytes, error: Exception) -> Iterator[bytes]:
    """Values one after the other, as `jq -c .items[]` prints them."""
    try:
        text = data.decode()
        decode, end = json.JSONDecoder().raw_decode, 0
        while start := _VALUE.match(text, end):
            _, end = decode(text, start.start(1))
            yield text[start.start(1) : end].encode()
    except (ValueError, RecursionError):
        raise InputError(_malformed(source, data, error)) from None
    if text[end:].strip():
        raise InputError(_malformed(source, data, error))


_VALUE = re.compile(r"\s*([{\[])")


def _malformed(source: str, data: bytes, error: Exception) -> str:
    if "truncated" in str(error):
        return f"{source}: not valid JSON: it ends in the middle (line {_line(data)})"
    found = _AT_BYTE.fullmatch(str(error))
    if found is None:
        return f"{source}: not valid JSON: {error}"
    # The decoder points behind the first trailing character, and at any other wrong one.
    before = data[: int(found[2]) - ("trailing" in found[1])]
    column = len(before) - before.rfind(b"\n")
    return f"{source}, line {_line(before)}: not valid JSON: {found[1]} (column {column})"


def _line(before: bytes) -> int:
    return before.count(b"\n") + 1


# --- YAML -------------------------------------------------------------------------------------

_HEADER = re.compile(r"""#\s*now:\s*["']?([^\s"']+)""")


def _yaml_documents(source: str, data: bytes) -> list[RawDocument]:
    from kubectl_kueue.cluster.yaml_text import read_yaml

    documents = read_yaml(_text(source, data), source)
    now = _header_time(data)
    return [
        RawDocument(source, index, document.line, _encode(source, document.value), document.item_lines, now)
        for index, document in enumerate(documents, 1)
        if document.value is not None
    ]


def _text(source: str, data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: neither JSON nor YAML: not UTF-8 text (byte {error.start})") from None
    if "\0" in text:
        raise InputError(f"{source}: neither JSON nor YAML: binary data")
    return text


def _encode(source: str, value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, RecursionError, OverflowError) as error:
        raise InputError(f"{source}: cannot be JSON: {error}") from None


def _header_time(data: bytes) -> str | None:
    """The `# now: …` among the comments at the top of the file."""
    for line in data.decode().splitlines():
        if not line.startswith("#"):
            return None
        if found := _HEADER.match(line):
            return found[1]
    return None
