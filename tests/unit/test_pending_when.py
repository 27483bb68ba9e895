"""When: tests/cases/pending/when.yaml. What a case does not name is free."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.history import history_of, quantile
from kubectl_kueue.engine.timeline import timeline
from kubectl_kueue.engine.when import estimate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.timestamp import SECOND
from kubectl_kueue.model.world import World
from kubectl_kueue.views.words.when import estimate_document, when_words
from tests.worlds import START, decode, read_cases, scenario

CASES = read_cases("pending", "when")
NEAR = 5 * SECOND
"""Cycles take a second each."""


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_when(case: Mapping[str, Any]) -> None:
    world = live(case)
    found = estimate(world, explain(world, "default/p"), lambda: False)
    start = int(START.timestamp()) * SECOND
    bounds = {bound.kind: bound.at - start for bound in found.bounds}
    assert bounds.keys() == case["bounds"].keys()
    for kind, seconds in case["bounds"].items():
        assert 0 <= bounds[kind] - seconds * SECOND < NEAR, kind
    assert found.unknown == case.get("unknown", "")
    told = when_words(found, world.now)
    assert told == case.get("words", told)
    assert estimate_document(found, world.now)["message"] == "; ".join(told)


def live(case: Mapping[str, Any]) -> World:
    """The world of a case, taken for that of a cluster."""
    return decode_world(
        [RawDocument("case", 1, 0, json.dumps({**scenario(case), "origin": "live"}).encode())]
    )


def test_no_time_is_told() -> None:
    world = live(CASES[0])
    assert estimate(world, explain(world, "default/p"), lambda: True).unknown == "time"


@pytest.mark.parametrize(
    ("percent", "elapsed", "expected"),
    [(50, -1, 2), (90, -1, 4), (100, -1, 4), (50, 2, 3), (90, 3, 4), (50, 4, -1)],
)
def test_quantiles(percent: int, elapsed: int, expected: int) -> None:
    assert quantile([1, 2, 3, 4], percent, elapsed) == expected


def test_history_prefers_the_local_queue() -> None:
    case = next(c for c in CASES if c["name"] == "run times of those that finished")
    history = history_of(live(case))
    assert history.of("default/a", "a") == (
        "LocalQueue",
        "default/a",
        [s * SECOND for s in (600, 1200, 2400)],
    )
    assert (history.of("default/other", "a") or ("",))[0] == "ClusterQueue"
    assert history.of("default/other", "b") is None


def test_a_cluster_that_never_comes_to_rest_is_left_in_time() -> None:
    """Time is looked at after every cycle: workloads can evict each other for ever."""
    pending = {name: {"queue": "a", "asks": 1} for name in ("p", "q", "r")}
    world = decode({"queues": {"a": {"quota": 4}}, "pending": pending})
    found = timeline(world, lambda info: None, lambda: True)
    assert found.cut_short
    assert len(found.stretches) == 1
