"""`--set` changes what its path says, and nothing else: tests/cases/supposing/changes.yaml."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from kubectl_kueue.cluster.kinds import known_kind
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.change import Change, apply_changes, parse_change
from kubectl_kueue.model.forms import FORMS
from tests.worlds import decode, read_cases

CASES = [{"name": case["set"], **case} for case in read_cases("supposing", "changes")]
WORLD = {"queues": {"a": {"quota": 4}}, "pending": {"p": {"queue": "a", "asks": 1}}}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_change(case: Mapping[str, Any]) -> None:
    world = decode(WORLD)
    if "error" in case:
        with pytest.raises(InputError) as error:
            apply_changes(world, [read(case["set"])])
        assert case["error"] in str(error.value)
        assert "\n" not in str(error.value)
        return
    made = apply_changes(world, [read(case["set"])])
    field = FORMS[case["kind"]][2].field
    value = msgspec.to_builtins(getattr(made, field)[case["name"]])
    assert as_far_as(case["gives"], value) == case["gives"]
    others = {key: each for key, each in getattr(made, field).items() if key != case["name"]}
    kept = {key: each for key, each in getattr(world, field).items() if key != case["name"]}
    assert others == kept
    assert replace(made, **{field: {}}) == replace(world, **{field: {}})


def test_a_gate_and_the_configuration_can_be_supposed() -> None:
    world = decode(WORLD)
    made = apply_changes(world, [read("gate/ConcurrentAdmission=true")])
    assert made.gates["ConcurrentAdmission"]
    made = apply_changes(world, [read('configuration:resources.excludeResourcePrefixes=["x"]')])
    assert made.config.resources.exclude_resource_prefixes == ["x"]
    assert {f.name for f in fields(world) if getattr(world, f.name) != getattr(made, f.name)} == {"config"}


@given(st.text(max_size=40))
def test_any_text_is_a_change_or_a_clear_error(text: str) -> None:
    world = decode(WORLD)
    for start in ("", "cq/a:", "cq/a:nominalQuota.cpu.default", "wl/p:podSets", "wl/p:"):
        try:
            apply_changes(world, [read(start + text)])
        except InputError:
            continue


def read(text: str) -> Change:
    def find(word: str) -> str:
        kind = known_kind(word)
        if kind is None:
            raise InputError(f'no kind "{word}"')
        return kind.kind

    return parse_change(text, find)


def as_far_as(wanted: Any, got: Any) -> Any:
    """What was got, without what nobody asked for."""
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return {
            key: as_far_as(value, got.get(key)) if value != {} else got.get(key)
            for key, value in wanted.items()
        }
    if isinstance(wanted, list) and isinstance(got, list):
        return [as_far_as(one, other) for one, other in zip(wanted, got, strict=False)]
    return got
