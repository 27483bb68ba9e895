"""The reading tables: files in, objects or one line of error out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from msgspec import inspect

from kubectl_kueue.cluster.files import RawDocument, read_source
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.decode import add_objects, decode_world
from kubectl_kueue.model.forms import FORMS
from kubectl_kueue.model.timestamp import format_time, parse_time
from kubectl_kueue.model.world import World

READING = Path(__file__).parents[1] / "cases" / "reading"
TABLES = sorted(path for path in READING.glob("*.yaml") if path.stem != "twins")
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['case']}")
    for path in TABLES
    for case in yaml.safe_load(path.read_text())
]


@pytest.mark.parametrize("case", CASES)
def test_reading(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`files` are read in their order and `apply` put over them (into `namespace`); `expect` maps paths in
    the world, words with blanks between, to values; `notes` are all notes of the reader.
    """
    assert case.keys() <= {"case", "files", "apply", "namespace", "now", "error", "expect", "notes"}
    monkeypatch.chdir(tmp_path)
    if "error" in case:
        with pytest.raises(InputError) as raised:
            _read(case)
        assert str(raised.value) == case["error"]
        return
    world = _read(case)
    assert {path: _look_up(world, path) for path in case["expect"]} == case["expect"]
    if "notes" in case:
        assert list(world.notes) == case["notes"]


def _read(case: dict[str, Any]) -> World:
    now = parse_time(case["now"]) if "now" in case else None
    world = decode_world(_documents(case["files"]), now=now)
    if "apply" in case:
        world = add_objects(world, _documents(case["apply"]), namespace=case.get("namespace"))
    return world


def _documents(files: Mapping[str, str]) -> list[RawDocument]:
    documents = []
    for name, text in files.items():
        Path(name).write_text(text)
        documents += read_source(name)
    return documents


def _look_up(world: World, path: str) -> Any:
    value: Any = world
    for step in path.split():
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list):
            value = value[int(step)]
        else:
            value = getattr(value, step)
    return format_time(value) if path == "now" else msgspec.to_builtins(value)


# --- bytes that no file of a table can hold -----------------------------------------------------

NAMESPACE = b'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}'


POD = b'{"kind": "Pod", "metadata": {"name": "p"}, "spec": '
NUMBER = b'{"overhead": {"cpu": ' + b"9" * 5000 + b"}}"
NEST = b'{"affinity": {"podAffinity": {"a": ' + b"[" * 800 + b"]" * 800 + b"}}}"


@pytest.mark.parametrize(
    ("contents", "error"),
    [
        ([], "the input: no objects"),
        ([b'{"kind": "List", "ite'], "test, document 1: not valid JSON: Input data was truncated"),
        ([b"[" * 5000], "test, document 1: nested too deeply"),
        ([POD + NUMBER + b"}"], "test, document 1, Pod p: Integer value out of range"),
        ([b'{"kind": "Pod", "metadata": "\xff"}'], "test, document 1: not UTF-8 text (byte 29)"),
        ([b'{"items": 1, "kind": "List"}'], "test, document 1: /items: 1 is not a list"),
        ([b'[{"kind": 3}]'], "test, document 1, object 1: /kind: 3 is not a string"),
        ([b'[{"kind": "\xff"}]'], "test, document 1: not UTF-8 text (byte 11)"),
        ([b"[[]]"], "test, document 1, object 1: a list is not an object"),
        ([b'{"kind": "A"}', b'{"kind": "B"}'], "test: no object that Kueue's scheduler reads (found A, B)"),
        ([POD + NEST + b"}", POD + b"3}"], "test, document 2, Pod p: /spec: 3 is not an object"),
    ],
)
def test_bytes(contents: list[bytes], error: str) -> None:
    with pytest.raises(InputError) as raised:
        decode_world([RawDocument("test", index, 0, content) for index, content in enumerate(contents, 1)])
    assert str(raised.value) == error


def test_what_is_ignored_may_look_like_anything() -> None:
    strange = [
        {"apiVersion": "v1", "kind": "ConfigMap", "data": {"config.kueue.x-k8s.io": 3}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": ["--feature-gates"]}},
        {"apiVersion": "example.com/v1", "kind": "Thing", "items": {}, "objects": 3, "metadata": 7},
        {"apiVersion": "example.com/v1", "kind": "Config", "clusters": [], "contexts": {}, "x": [None]},
    ]
    documents = [_document(value) for value in strange[:3]] + [RawDocument("test", 1, 0, NAMESPACE)]
    world = decode_world(documents)
    assert world.namespaces.keys() == {"a"}
    assert add_objects(world, documents).namespaces == world.namespaces


def test_applying_without_replacing() -> None:
    world = decode_world([RawDocument("test", 1, 0, NAMESPACE)])
    assert (
        add_objects(world, [RawDocument("f", 1, 0, NAMESPACE)], replace=False).namespaces == world.namespaces
    )
    other = NAMESPACE.replace(b"}}", b', "labels": {"x": "y"}}}')
    with pytest.raises(
        InputError, match=r"^f, document 1, Namespace a: it is in the snapshot with different"
    ):
        add_objects(world, [RawDocument("f", 1, 0, other)], replace=False)
    assert "x" in add_objects(world, [RawDocument("f", 1, 0, other)]).namespaces["a"].metadata.labels


def test_the_namespace_of_applied_objects() -> None:
    world = decode_world([RawDocument("test", 1, 0, NAMESPACE)])
    queue = _document(
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "q"}}
    )
    assert add_objects(world, [queue]).local_queues.keys() == {"default/q"}
    assert add_objects(world, [queue], namespace="b").local_queues.keys() == {"b/q"}


# --- two versions of one object ---------------------------------------------------------------


@pytest.mark.parametrize(
    "twin",
    [
        pytest.param(twin, id=f"{twin['v1beta2']['kind']} {twin['v1beta2']['metadata']['name']}")
        for twin in yaml.safe_load((READING / "twins.yaml").read_text())
    ],
)
def test_both_api_versions_decode_to_the_same(twin: dict[str, Any]) -> None:
    old, new = (decode_world([_document(twin[version])]) for version in ("v1beta1", "v1beta2"))
    assert old == new


def _document(value: Any) -> RawDocument:
    return RawDocument("test", 1, 0, msgspec.json.encode(value))


# --- every quantity, time and duration is looked at -------------------------------------------


def _marked_texts() -> list[Any]:
    """(kind, document that holds one bad text, its JSON pointer) for each marked text of each kind."""
    found = []
    for kind, (group, version, form) in FORMS.items():
        api_version = f"{group}/{version}" if group else version
        for steps, value in _bad_texts(inspect.type_info(form.type)):
            pointer = "".join(f"/{step}" for step in steps)
            metadata = {"name": "x"} | value.pop("metadata", {})
            document = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **value}
            found.append(pytest.param(document, pointer, id=f"{kind} {pointer}"))
    return found


def _bad_texts(info: inspect.Type) -> list[tuple[list[str], Any]]:
    """Each path to a marked text below the type, with the smallest JSON value that has a bad text there."""
    if isinstance(info, inspect.Metadata):
        return [([], "?")] if info.extra else _bad_texts(info.type)
    if isinstance(info, inspect.UnionType):
        return [found for option in info.types for found in _bad_texts(option)]
    if isinstance(info, inspect.ListType):
        return [(["0", *steps], [value]) for steps, value in _bad_texts(info.item_type)]
    if isinstance(info, inspect.DictType):
        return [(["key", *steps], {"key": value}) for steps, value in _bad_texts(info.value_type)]
    if isinstance(info, inspect.StructType):
        needed = {field.encode_name: _any(field.type) for field in info.fields if field.required}
        return [
            ([field.encode_name, *steps], needed | {field.encode_name: value})
            for field in info.fields
            for steps, value in _bad_texts(field.type)
        ]
    return []


def _any(info: inspect.Type) -> Any:
    return info.values[0] if isinstance(info, inspect.LiteralType) else "x"


@pytest.mark.parametrize(("document", "pointer"), _marked_texts())
def test_every_quantity_and_time_is_checked(document: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InputError, match=r'"\?" is not a') as raised:
        decode_world([_document(document)])
    assert f": {pointer}: " in str(raised.value)
