"""Whatever stands in a manifest, lint answers; and what it mends by itself stays mended."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.lint.found import add, move, remove, replace
from kubectl_kueue.lint.mend import mended
from kubectl_kueue.lint.run import Finding
from kubectl_kueue.model.patches import apply_json
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.views.words.lint.sentences import advice, says
from tests.lint_cases import BASES, find

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=5),
    st.just("9" * 30),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["name", "spec", "key", "a"]), inner, max_size=3),
    ),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in members:
        if (*path, key) not in (("kind",), ("apiVersion",)):
            found += places(inner, (*path, key))
    return found


def spoilt(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    copy = deepcopy(value)
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = by
    return copy


@given(st.data())
def test_anything_is_answered(data: st.DataObject) -> None:
    own = []
    for name in data.draw(st.lists(st.sampled_from(sorted(BASES)), min_size=1, max_size=6)):
        value = BASES[name]
        for _ in range(data.draw(st.integers(0, 2))):
            value = spoilt(value, data.draw(st.sampled_from(places(value))), data.draw(VALUES))
        own.append(value)
    around = [BASES[name] for name in data.draw(st.lists(st.sampled_from(sorted(BASES)), max_size=6))]
    found = find(own, around, whole=data.draw(st.booleans()))
    assert all(words(each) for each in found)
    for each in found:
        if each.found.patch:
            after, made = mended(each.item.value, [each.found.patch])
            assert made
            assert after != each.item.value


def words(each: Finding) -> bool:
    if each.found.rule == "defined-twice":
        return True
    advice(each.found)
    return bool(says(each.found))


@given(st.data())
def test_what_is_mended_is_what_a_json_patch_makes(data: st.DataObject) -> None:
    """The operations of findings, made without a copy of the whole, at any place that is there or is not."""
    value = json.loads(json.dumps(BASES[data.draw(st.sampled_from(sorted(BASES)))]))  # nothing shared in it
    pointers = st.sampled_from([pointer(*path) for path in places(value)] + ["/spec/new", "/metadata/a/b"])
    makers = st.one_of(
        st.builds(remove, pointers),
        st.builds(move, pointers, pointers),
        st.builds(replace, pointers, st.just("x")),
        st.builds(add, pointers, st.just("x")),
    )
    patch = data.draw(st.lists(makers, min_size=1, max_size=4))
    before = deepcopy(value)
    after, made = mended(value, [patch])
    assert value == before
    try:
        wanted = apply_json(value, patch)
    except ConfigError:
        assert not made
        wanted = value
    assert after == wanted
