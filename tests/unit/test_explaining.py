"""`explain` on small worlds: tests/cases/explaining. What a case does not name is free."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.admit import admit_outcomes, admit_page
from kubectl_kueue.views.explain import explain_document, explain_page
from tests.worlds import read_cases, scenario

CASES = read_cases("explaining", "blocked", "quota", "preemption", "turns")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_explaining(case: Mapping[str, Any]) -> None:
    origin = {"origin": "live"} if case.get("live") else {}
    world = decode_world([RawDocument("case", 1, 0, json.dumps({**scenario(case), **origin}).encode())])
    outcomes = admit_outcomes(run := simulate(as_it_stands(world)), None)
    for name, expected in case["explain"].items():
        key = name if "/" in name else f"default/{name}"
        verdict = explain(world, key)
        document = explain_document(verdict)
        found = {path: at(document, path, fits=verdict.fits_alone) for path in expected}
        assert {path: as_far_as(expected[path], found[path]) for path in expected} == expected
        if not under_way(world) and key in outcomes:
            assert outcomes[key] == document["verdict"]
        assert list(lay_out(explain_page(verdict, trace=True), width=80))
    assert list(lay_out(admit_page(run, None, trace=True), width=80))


def under_way(world: Any) -> bool:
    """Whether an eviction of a live cluster is under way: then a run is one step ahead of the answer."""
    workloads = as_it_stands(world).workloads.values()
    return not world.steady and any(c.type == "Evicted" for w in workloads for c in w.status.conditions)


def at(document: Mapping[str, Any], path: str, *, fits: bool) -> Any:
    """The value at a dotted path; it may begin with the name of a gate. None where there is nothing."""
    if path == "fits":
        return fits
    first, *rest = path.split(".")
    gate = next((g for g in document["gates"] if g["name"] == first), None)
    value: Any = gate if rest and gate is not None and rest[0] in ("state", "facts") else document[first]
    for step in rest:
        value = value[int(step)] if isinstance(value, list) else value.get(step)
    return value


def as_far_as(wanted: Any, got: Any) -> Any:
    """What was got, without what nobody asked for."""
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return {key: as_far_as(value, got.get(key)) for key, value in wanted.items()}
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return [as_far_as(*pair) for pair in zip(wanted, got, strict=True)]
    return got
