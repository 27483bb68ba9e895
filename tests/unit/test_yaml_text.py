"""YAML as kubectl reads it."""

from itertools import pairwise
from typing import Any

import pytest

from kubectl_kueue.cluster import yaml_text
from kubectl_kueue.cluster.yaml_text import read_yaml
from kubectl_kueue.errors import InputError


def value_of(text: str) -> Any:
    (document,) = read_yaml(text, "test")
    return document.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("'null'", "null"),
        ("yes", True),
        ("Off", False),
        ("'yes'", "yes"),
        ("y", "y"),
        ("12", 12),
        ("-7", -7),
        ("+7", 7),
        ("0x1F", 31),
        ("0b101", 5),
        ("010", 8),
        ("0o10", 8),
        ("-0x10", -16),
        ("08", 8.0),
        ("1_000", 1000),
        ("9223372036854775808", 9223372036854775808.0),
        ("9" * 5000, "9" * 5000),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        ("1.2.3", "1.2.3"),
        ("-", [None]),
        ("500m", "500m"),
        ("1Gi", "1Gi"),
        ("12:30:45", "12:30:45"),
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ("!!str 12", "12"),
        ("!!int '12'", 12),
        ("!!float 12", 12),
        ("! 12", "12"),
        ("=", "="),
        ("|\n  a\n  b\n", "a\nb\n"),
        (">-\n  a\n  b\n", "a b"),
    ],
)
def test_scalars(text: str, value: Any) -> None:
    found = value_of(f"k: {text}" if text != "-" else "k:\n  -")
    assert found == {"k": value}
    assert type(found["k"]) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1: a", {"1": "a"}),
        ("true: a", {"true": "a"}),
        ("no: a", {"false": "a"}),
        ("1.5: a", {"1.5": "a"}),
        ("2026-01-01: a", {"2026-01-01": "a"}),
        ("? a\n: b", {"a": "b"}),
        ("a: &x [1, 2]\nb: *x", {"a": [1, 2], "b": [1, 2]}),
        ("a: &x k\n*x : v", {"a": "k", "k": "v"}),
        ("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}),
        ("a: {<<: [{p: 1}, {p: 2, q: 2}], r: 3}", {"a": {"p": 1, "q": 2, "r": 3}}),
        ("a: {'<<': {p: 1}}", {"a": {"<<": {"p": 1}}}),
        ("'<<': a\nb: <<", {"<<": "a", "b": "<<"}),
    ],
)
def test_mappings(text: str, value: Any) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: {c: 1, 'c': 2}", "line 2: the key 'c' stands twice in one mapping"),
        ("1: a\n'1': b", "line 2: the key '1' stands twice in one mapping"),
        ("'<<': 1\n'<<': 2", "line 2: the key '<<' stands twice in one mapping"),
        ("? [a]\n: b", "line 1: a key must be a plain value"),
        ("? {a: b}\n: b", "line 1: a key must be a plain value"),
        ("~: b", "line 1: a key must be a plain value"),
        ("a: &x [1]\n*x : b", "line 2: a key must be a plain value"),
        ("a: .inf", "line 1: .inf is not a number that JSON has"),
        ("a: -.INF", "line 1: -.INF is not a number that JSON has"),
        ("\na: !!binary aGk=", "line 2: 'aGk=' with the tag 'tag:yaml.org,2002:binary' cannot be read"),
        ("a: !!int x", "line 1: 'x' with the tag 'tag:yaml.org,2002:int' cannot be read"),
        ("a: !Sub {b: c}", "line 1: the tag '!Sub' cannot be read"),
        ("a: !!set {b}", "line 1: the tag 'tag:yaml.org,2002:set' cannot be read"),
        ("{<<: 3}", "line 1: `<<` merges mappings only"),
        ("a: *b", "line 1: the alias *b stands for nothing, or for itself"),
        ("a: &b [*b]", "line 1: the alias *b stands for nothing, or for itself"),
        ("a: &b 1\n--- \na: *b", "line 3: the alias *b stands for nothing, or for itself"),
        ("a: [\n", "line 2: not valid YAML: did not find expected node content"),
        ("- " * 201, "line 1: nested deeper than 200 levels"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_yaml(text, "test")
    assert str(raised.value) == f"test, {message}"


def test_aliases_that_would_blow_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "abcdefghijklmnop"
    bomb = "a: &a [x, x, x]\n" + "".join(
        f"{name}: &{name} [*{last}, *{last}, *{last}]\n" for last, name in pairwise(names)
    )
    monkeypatch.setattr(yaml_text, "MAX_REPEATED", 2_000_000)
    with pytest.raises(InputError, match="aliases repeat more than 2 MB of text"):
        read_yaml(bomb, "test")
    assert value_of(bomb[: bomb.index("f: ")])["e"][0][0][0][0] == ["x", "x", "x"]


def test_every_document_of_a_stream() -> None:
    documents = read_yaml("%YAML 1.1\n---\na: 1\n...\n---\n---\n# end\n- x\n", "test")
    assert [(d.value, d.line) for d in documents] == [({"a": 1}, 3), (None, 6), (["x"], 8)]


def test_the_parser_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    monkeypatch.setattr(yaml_text, "_LOADER", yaml.SafeLoader)
    assert value_of("a: [1, {b: 'x'}, yes]\nc: 2026-01-01") == {"a": [1, {"b": "x"}, True], "c": "2026-01-01"}
    with pytest.raises(
        InputError, match=r"^test, line 1: not valid YAML: mapping values are not allowed here"
    ):
        read_yaml("a: b: c", "test")
