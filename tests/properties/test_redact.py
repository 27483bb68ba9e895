"""New names keep equalities and order, and no text passes that nobody knows."""

import json
import re
import string
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kubectl_kueue.model import carried
from kubectl_kueue.model.config import Configuration
from kubectl_kueue.model.forms import FORMS
from kubectl_kueue.model.redact import redact
from kubectl_kueue.model.shape import Entries, Fields, Items, Leaf, Shape, shape_of
from kubectl_kueue.model.texts import Texts
from kubectl_kueue.model.trim import shape_for, trim
from tests.worlds import CASES

NAMES = st.text(alphabet="ab12-.", min_size=1, max_size=5).filter(lambda text: text[0].isalnum())
LABELS = st.text(alphabet="abAB1_-.", max_size=5)


def world_of(pairs: list[tuple[str, str]], labels: list[str]) -> dict[str, Any]:
    objects: list[dict[str, Any]] = [
        {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Workload",
            "metadata": {"namespace": namespace, "name": name, "uid": f"{name}/{namespace}"},
        }
        for namespace, name in pairs
    ]
    objects += [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{i}", "labels": {"zone": label}}}
        for i, label in enumerate(labels)
    ]
    return {"now": "2026-01-01T00:00:00Z", "missing": {}, "notes": [], "objects": objects}


@given(st.lists(st.tuples(NAMES, NAMES), unique=True, max_size=8), st.lists(LABELS, max_size=6))
def test_order_and_equality(pairs: list[tuple[str, str]], labels: list[str]) -> None:
    found = redact(world_of(pairs, labels))
    metas = [each["metadata"] for each in found.document["objects"]]
    workloads, nodes = metas[: len(pairs)], metas[len(pairs) :]
    keys = [f"{namespace}/{name}" for namespace, name in pairs]
    old = [*keys, *(name for pair in pairs for name in pair)]
    new = [f"{meta['namespace']}/{meta['name']}" for meta in workloads]
    new += [meta[part] for meta in workloads for part in ("namespace", "name")]
    same_order(old, new)
    same_order([f"{name}/{namespace}" for namespace, name in pairs], [meta["uid"] for meta in workloads])
    same_order(labels, [meta["labels"]["zone"] for meta in nodes])


def same_order(old: list[str], new: list[str]) -> None:
    for a, x in zip(old, new, strict=True):
        for b, y in zip(old, new, strict=True):
            assert (a < b, a == b) == (x < y, x == y)


@given(st.lists(st.tuples(NAMES, NAMES), unique=True, max_size=8))
def test_no_piece_of_a_name_is_left(pairs: list[tuple[str, str]]) -> None:
    found = redact(world_of(pairs, []))
    old = {piece for pair in pairs for name in pair for piece in re.split("[-.]", name) if piece}
    new = {
        piece
        for each in found.document["objects"]
        for part in ("namespace", "name")
        for piece in re.split("[-.]", each["metadata"].get(part, ""))
        if piece
    }
    assert old.isdisjoint(new)


@given(st.text(alphabet=string.ascii_letters + string.digits + " -./:'\"(),\n\u202e", max_size=40))
def test_a_text_passes_only_if_every_word_is_known(text: str) -> None:
    texts = Texts({"acme": "x"}.get, {"cpu"}.__contains__)
    new = texts.replace(f"insufficient cpu in flavor acme {text}")
    if not new.startswith("(redacted"):
        assert "acme" not in re.split(r"[^a-z]", new)
        assert new.isascii()
        assert new.isprintable()
        again = Texts(lambda word: None, {"cpu", "x"}.__contains__)
        assert again.replace(new) == new


# --- every text of every kind -----------------------------------------------------------------------

KEPT = yaml.safe_load((CASES / "snapshot" / "kept.yaml").read_text())
HEADS = {
    **{kind: (group, version, form.type) for kind, (group, version, form) in FORMS.items()},
    **{kind: (group, "v1beta2", type_) for (group, kind), type_ in carried.OTHER_KINDS.items()},
    "Job": ("batch", "v1", carried.Job),
    "Deployment": ("apps", "v1", carried.Manager),
}
STYLES = {"names": "pl4nted-{}z", "words": "Pl4nted{}z"}
"""A text as people give names, and one that looks like a word of the API."""


def planted(shape: Shape, path: str, style: str, places: dict[str, str], type_: Any = str) -> Any:
    """A value that has all that the shape has; `places` gets where each planted text stands."""
    match shape:
        case Fields(struct, fields):
            types = {field.encode_name: field.type for field in structs.fields(struct)}
            if struct in carried.MORE:
                types |= {field.encode_name: field.type for field in structs.fields(carried.MORE[struct])}
            return {
                name: planted(inner, f"{path}.{name}", style, places, types[name])
                for name, inner in fields.items()
            }
        case Items(item):
            return [planted(item, f"{path}[]", style, places, _inner(type_))]
        case Entries(entry) if entry == Leaf("annotations"):
            return {
                key: planted(entry, f"{path}.{key}", style, places)
                for key in sorted({*carried.ANNOTATIONS, "x/y"})
            }
        case Entries(entry):
            return {
                _mark(f"{path}.KEY", style, places): planted(entry, f"{path}.*", style, places, _inner(type_))
            }
    return _mark(path, style, places) if _is_text(type_) else 1


def _mark(path: str, style: str, places: dict[str, str]) -> str:
    text = style.format(len(places))
    places[text] = path
    return text


def _inner(type_: Any) -> Any:
    """What is in a list or a map."""
    for each in (type_, *get_args(type_)):
        if get_origin(each) in (list, dict):
            return get_args(each)[-1]
    return Any


def _is_text(type_: Any) -> bool:
    """Numbers, times and quantities are checked when a snapshot is read."""
    if get_origin(type_) in (Union, UnionType):
        return any(_is_text(each) for each in get_args(type_) if get_origin(each) is not Annotated)
    return type_ in (str, Any) or get_origin(type_) is Literal


def _object(kind: str, style: str, places: dict[str, str]) -> dict[str, Any]:
    group, version, type_ = HEADS[kind]
    body = planted(shape_of(type_), kind, STYLES[style], places)
    if kind == "Deployment":  # else it is a job
        body["metadata"]["labels"] = {"app.kubernetes.io/name": "kueue"}
    value = {"apiVersion": f"{group}/{version}".removeprefix("/"), "kind": kind, **body}
    assert shape_for(value) == shape_of(type_)
    return trim(value) or {}


def _head(style: str, places: dict[str, str]) -> dict[str, Any]:
    """All of a snapshot but its objects."""
    return {
        "name": _mark("head.name", STYLES[style], places),
        "missing": {"Node": _mark("head.missing", STYLES[style], places)},
        "notes": [_mark("head.notes", STYLES[style], places)],
        "config": planted(shape_of(Configuration), "config", STYLES[style], places),
        "kueue": planted(shape_of(carried.KueueFound), "kueue", STYLES[style], places),
        "objects": [],
    }


def survivors(style: str, kind: str = "") -> set[str]:
    """Places whose text is still there in the redacted form of a `kind`, or of a head."""
    places: dict[str, str] = {}
    document = {"objects": [_object(kind, style, places)]} if kind else _head(style, places)
    left = json.dumps(redact(document).document)
    assert len(places) > 3
    return {place for text, place in places.items() if text in left}


def _is_exception(place: str, style: str) -> bool:
    kept = [*KEPT["names"], *(KEPT["words"] if style == "words" else ())]
    return any(_ends(place, each) for each in kept)


def _ends(place: str, end: str) -> bool:
    return f".{place}".endswith(f".{end}")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["", *HEADS])
def test_no_text_of_a_kind_is_left(kind: str, style: str) -> None:
    """Whatever stands where: it is renamed, dropped, or its place is in the list of exceptions."""
    assert not [place for place in sorted(survivors(style, kind)) if not _is_exception(place, style)]


def test_every_exception_is_one() -> None:
    """The list names nothing that is replaced anyway, so that it says what docs/snapshots.md says."""
    seen = {place for style in STYLES for kind in ("", *HEADS) for place in survivors(style, kind)}
    listed = [*KEPT["names"], *KEPT["words"]]
    assert not [each for each in listed if not any(_ends(place, each) for place in seen)]
