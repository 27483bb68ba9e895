"""Files, folders and standard input -> documents."""

import gzip
import io
import json
from pathlib import Path

import pytest

from kubectl_kueue.cluster import files
from kubectl_kueue.cluster.files import RawDocument, read_source
from kubectl_kueue.errors import InputError

NAMESPACE = b'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}'


def test_json_is_passed_on_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"\n  " + NAMESPACE + b"\n")
    assert read_source(str(path)) == [RawDocument(str(path), 1, 0, b"\n  " + NAMESPACE + b"\n")]


@pytest.mark.parametrize(
    "data",
    [
        NAMESPACE,
        b"\xef\xbb\xbf" + NAMESPACE,
        gzip.compress(NAMESPACE),
        b"apiVersion: v1\r\nkind: Namespace\r\n",
    ],
    ids=["plain", "byte order mark", "gzip", "windows lines"],
)
def test_standard_input(data: bytes) -> None:
    (document,) = read_source("-", io.BytesIO(data))
    assert document.source == "stdin"
    assert json.loads(document.content)["kind"] == "Namespace"


def test_yaml_documents_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(
        "# now: 2026-01-01T00:00:00Z\n"
        "kind: List\n"
        "items:\n"
        "- kind: Pod\n"
        "  metadata:\n"
        "    items: [1, 2]\n"
        "- kind: Node\n"
        "---\n"
        "---\n"
        "\n"
        "- 1\n"
        "-\n"
        "  a: b\n"
    )
    documents = read_source(str(path))
    assert [(d.index, d.line, d.item_lines, d.now) for d in documents] == [
        (1, 2, (4, 7), "2026-01-01T00:00:00Z"),
        (3, 11, (11, 13), "2026-01-01T00:00:00Z"),
    ]


def test_gzip_is_known_by_its_first_bytes_not_its_name(tmp_path: Path) -> None:
    (tmp_path / "packed.yaml").write_bytes(gzip.compress(b"kind: A") + gzip.compress(b"\nname: b"))
    (tmp_path / "plain.gz").write_bytes(b"kind: B")
    contents = [document.content for document in read_source(str(tmp_path))]
    assert contents == [b'{"kind":"A","name":"b"}', b'{"kind":"B"}']


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    read = ["a.json", "b/1.json.gz", "b/2.yml", "c.yaml"]
    for name in [*reversed(read), "notes.txt", ".hidden.yaml", ".git/x.yaml", "b/.x/y.json"]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(NAMESPACE) if name.endswith(".gz") else NAMESPACE)
    (tmp_path / "d.yaml").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    sources = [Path(document.source).relative_to(tmp_path) for document in read_source(str(tmp_path))]
    assert [str(source) for source in sources] == read


def test_json_values_one_after_the_other() -> None:
    data = b'{"a": 1}\n{"b": {"c": "}{"}}[1]\n\n {"d": "\xc3\xa4"} \n'
    documents = read_source("-", io.BytesIO(data))
    assert [(d.index, d.line, json.loads(d.content)) for d in documents] == [
        (1, 0, {"a": 1}),
        (2, 0, {"b": {"c": "}{"}}),
        (3, 0, [1]),
        (4, 0, {"d": "ä"}),
    ]


def test_flow_style_yaml_begins_like_json() -> None:
    (document,) = read_source("-", io.BytesIO(b"{kind: Pod, metadata: {name: a}}"))
    assert document.content == b'{"kind":"Pod","metadata":{"name":"a"}}'
    assert document.line == 1


def test_yaml_inside_a_document() -> None:
    document = RawDocument("a.yaml", 2, 7, b"{}")
    assert document.parse("kind: Configuration\nx: [1]") == {"kind": "Configuration", "x": [1]}
    assert document.parse("# nothing") is None
    with pytest.raises(InputError, match=r"^a\.yaml, YAML inside document 2, line 1: not valid YAML: "):
        document.parse("a: b: c")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "stdin: empty, there is no document in it"),
        (b" \n\t", "stdin: empty, there is no document in it"),
        (b"\x89PNG\r\n\x1a\n", "stdin: neither JSON nor YAML: not UTF-8 text (byte 0)"),
        (b"PK\x03\x04\x00\x00", "stdin: neither JSON nor YAML: binary data"),
        ("kind: ä".encode("latin-1"), "stdin: neither JSON nor YAML: not UTF-8 text (byte 6)"),
        (b"kind: a\x01", "stdin: not valid YAML: control characters are not allowed"),
        (b"\x1f\x8b\x08rubbish rubbish rubbish", "stdin: broken gzip: "),
        (gzip.compress(NAMESPACE * 100)[:50], "stdin: broken gzip: Compressed file ended before "),
        (b'{"a": ' * 5000, "stdin: not valid JSON: nested too deeply"),
        (b'{"a": 1}{"a": ', "stdin, line 1: not valid JSON: trailing characters (column 9)"),
        (b'{"a": 1}' + b'{"a": ' * 100_000, "stdin, line 1: not valid JSON: trailing characters (column 9)"),
        (b'{"a": 1}\n3', "stdin, line 2: not valid JSON: trailing characters (column 1)"),
        (b"- " * 300, "stdin, line 1: nested deeper than 200 levels"),
        (b"[" * 300, "stdin: not valid JSON: it ends in the middle (line 1)"),
        (b'k: "\\ud800"', "stdin, line 1: not valid YAML: found invalid Unicode character escape code"),
    ],
)
def test_bad_input_is_one_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_source("-", io.BytesIO(data))
    assert str(raised.value).startswith(message)
    assert "\n" not in str(raised.value)


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.json: No such file or directory$"):
        read_source(str(tmp_path / "missing.json"))
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(InputError, match=r"no \.json, \.yaml, \.yml or \.gz file in this folder$"):
        read_source(str(tmp_path))
    (tmp_path / "a.yaml").write_text("# nothing")
    with pytest.raises(InputError, match=r"empty, there is no document in it$"):
        read_source(str(tmp_path))


def test_more_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 2**10)
    for data in (b" " * 1025, gzip.compress(b" " * 100_000), gzip.compress(b" " * 2**20)):
        with pytest.raises(InputError, match=r"^stdin: larger than"):
            read_source("-", io.BytesIO(data))
