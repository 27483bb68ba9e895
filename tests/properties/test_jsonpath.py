"""Whatever a template and an object hold, jsonpath answers or says what is wrong, and never stumbles."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.custom_columns import column_lines, parse_column_file, parse_columns
from kubectl_kueue.output.go_text import json_text
from kubectl_kueue.output.jsonpath import render

pieces = st.sampled_from(
    [
        *"{}[]().,:;*?@$'\"\\-+=!<>~ \n\ta0159é",
        "..",
        "[?(",
        ")]",
        "==",
        "{range ",
        "{end}",
        "['a']",
        "{.a}",
        "[*]",
        "[0]",
        "[-1]",
        "[0:2:1]",
        "true",
        "\\u12",
        "999999999999999999999",
    ]
)
templates = st.lists(pieces, max_size=12).map("".join) | st.text(max_size=20)
keys = st.sampled_from(["a", "b", "a.b", ""])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(templates, values, st.booleans(), st.booleans())
def test_a_template_prints_text_or_is_refused(
    template: str, value: object, allow_missing: bool, as_json: bool
) -> None:
    with suppress(ConfigError):
        assert isinstance(render(template, value, allow_missing=allow_missing, as_json=as_json), str)


@given(st.text(st.characters(exclude_characters="{"), max_size=20), values)
def test_text_without_braces_is_printed_as_it_is(text: str, value: object) -> None:
    assert render(text, value) == text


@given(st.dictionaries(keys, st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5), min_size=1))
def test_the_whole_object_is_its_json(value: dict[str, object]) -> None:
    assert render("{}", value) == json_text(value)


@given(templates, st.dictionaries(keys, values, max_size=3))
def test_custom_columns_print_a_line_an_object_or_are_refused(spec: str, value: dict[str, object]) -> None:
    with suppress(ConfigError):
        assert len(list(column_lines(parse_columns(f"A:{spec}"), {"items": [value, value]}))) == 3
    with suppress(ConfigError):
        assert len(list(column_lines(parse_column_file(f"A B\n{spec} .a\n"), value, header=False))) == 1
