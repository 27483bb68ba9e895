"""Whatever a manifest holds, a conversion ends with Workloads, refusals or notes, and each has its words."""

import copy
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_kueue.jobs import workloads_of
from kubectl_kueue.jobs.registry import INTEGRATIONS
from kubectl_kueue.views.convert import conversion_words
from tests.unit.test_jobs import written
from tests.worlds import read_cases

JOBS = [
    written(short)
    for case in read_cases("jobs", "building", "pods", "surroundings", "refusals")
    for short in case.get("objects", ())
]
ODD: list[Any] = [
    None,
    "",
    "x",
    "1",
    0,
    -1,
    3,
    1.5,
    True,
    [],
    {},
    [None],
    [{}],
    {"a": "b"},
    {"name": 1},
    2**40,
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a JSON value."""
    found = [path] if path else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        found += places(each, (*path, key))
    return found


@st.composite
def broken_jobs(draw: st.DrawFn) -> dict[str, Any]:
    job = copy.deepcopy(draw(st.sampled_from(JOBS)))
    for _ in range(draw(st.integers(1, 3))):
        *above, last = draw(st.sampled_from(places(job)))
        parent: Any = job
        for key in above:
            parent = parent[key]
        parent[last] = copy.deepcopy(draw(st.sampled_from(ODD)))
    return job


@settings(max_examples=400)
@given(st.lists(broken_jobs(), min_size=1, max_size=3))
def test_nothing_is_raised(jobs: list[dict[str, Any]]) -> None:
    before = copy.deepcopy(jobs)
    conversion = workloads_of(jobs)
    assert jobs == before
    msgspec.json.encode(conversion.workloads)
    for line in conversion_words(conversion):
        assert "\n" not in line.removesuffix("\n")


def test_empty_objects_of_every_kind() -> None:
    for group, kind in INTEGRATIONS:
        version = (
            f"{group}/v2beta1".removeprefix("/") if kind == "MPIJob" else f"{group}/v1".removeprefix("/")
        )
        for value in ({}, {"metadata": None}, {"metadata": {"name": "a"}, "spec": None}):
            conversion = workloads_of([{"apiVersion": version, "kind": kind, **value}])
            assert conversion.made or conversion.refusals or conversion.notes
