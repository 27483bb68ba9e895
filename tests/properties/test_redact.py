"""New names keep equalities and order, and no text passes that nobody knows."""

import re
import string
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.model.redact import redact
from kubectl_kueue.model.texts import Texts

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
