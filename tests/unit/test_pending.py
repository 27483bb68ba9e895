"""`pending` on small worlds: tests/cases/pending/rows.yaml; places from outside, groups, what-ifs."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.pending import (
    Survey,
    after_end,
    places,
    sole_blocker,
    survey,
    with_places,
)
from kubectl_kueue.engine.pending_groups import GROUPINGS, grouped, total
from kubectl_kueue.engine.when import forecast
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.world import LocalPlace
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.pending import Pending, groups_page, pending_page
from kubectl_kueue.views.pending_document import groups_document, pending_document
from tests.properties.engine_worlds import Plan, plans, short
from tests.reports.reports import FOLDER
from tests.unit.test_pending_when import live
from tests.worlds import decode, read_cases

CASES = read_cases("pending", "rows")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_rows(case: Mapping[str, Any]) -> None:
    shown = Pending(look(case), "")
    items = pending_document(shown).data["items"]
    assert [item["name"] for item in items] == [name for row in case["rows"] for name in row]
    expected = {name: fields for row in case["rows"] for name, fields in row.items()}
    for item in items:
        wanted = expected[item["name"]]
        assert {path: at(item, path) for path in wanted} == wanted
    assert list(lay_out(pending_page(shown), width=80))
    for by in GROUPINGS:
        groups = grouped(shown.rows(), by)
        assert sum(group.number for group in groups) == len(items)
        assert list(lay_out(groups_page(shown, groups, by), width=80))
        assert len(groups_document(shown, groups, by).data["items"]) == len(groups)


def look(case: Mapping[str, Any]) -> Survey:
    return survey(live(case), lambda key, local, cluster: True)


def at(item: Any, path: str) -> Any:
    for step in path.split("."):
        item = item.get(step)
    return item


def named(name: str) -> Mapping[str, Any]:
    return next(case for case in CASES if case["name"] == name)


def test_places_of_the_visibility_api_count() -> None:
    found = with_places(look(named("places in LocalQueues")), {"default/p3": (0, 0), "default/p1": (1, 1)})
    items = pending_document(Pending(found, "")).data["items"]
    assert [item["name"] for item in items] == ["p3", "p1", "p2"]
    assert [item["positionSource"] for item in items] == ["visibility", "visibility", ""]
    assert with_places(look(named("places in LocalQueues")), {}).told == frozenset()


def test_the_end_of_a_sole_holder() -> None:
    world = live(named("priority, then age, then UID"))
    found = survey(world, lambda key, local, cluster: True)
    holder = sole_blocker(found.waiters.values())
    assert holder == "default/r"
    assert after_end(world, "a", holder) == {
        "default/old": True,
        "default/twin": False,
        "default/urgent": True,
        "default/young": False,
    }


def test_only_who_never_can() -> None:
    found = look(named("what comes in, what evicts, what never can"))
    names = pending_document(Pending(found, "", never=True)).names
    assert names == ["workload.kueue.x-k8s.io/never"]


def test_one_queue_alone_says_the_same() -> None:
    world = live(named("what comes in, what evicts, what never can"))
    whole = survey(world, lambda key, local, cluster: cluster == "b")
    alone = survey(world, lambda key, local, cluster: cluster == "b", {"b"})
    assert pending_document(Pending(whole, "")).data == pending_document(Pending(alone, "")).data


def test_nothing_asked_for_is_no_amount() -> None:
    assert total([]) == {}


@given(plans())
@settings(max_examples=40, deadline=None)
def test_everybody_in_a_queue_has_a_row_in_its_place(plan: Plan) -> None:
    world = decode(short(plan))
    found = survey(world, lambda key, local, cluster: True)
    placed = {key: waiter.place for key, waiter in found.waiters.items() if waiter.place is not None}
    assert placed == places(world)
    rows = [w for w in Pending(found, "").rows() if w.place is not None]
    for queue in {w.cluster_queue for w in rows}:
        mine = [w.place.in_cluster_queue for w in rows if w.place and w.cluster_queue == queue]
        assert mine == sorted(mine)


# --- for somebody who may not see everything ----------------------------------------------------


def test_without_the_queues_the_own_status_is_told() -> None:
    world = live(named("priority, then age, then UID"))
    unseen = replace(
        world,
        cluster_queues={},
        resource_flavors={},
        missing={"ClusterQueue": "forbidden", "ResourceFlavor": "forbidden"},
        local_places={"default/old": LocalPlace(1, 4), "default/urgent": LocalPlace(0, 4)},
    )
    shown = Pending(survey(unseen, lambda key, local, cluster: True), "")
    data = pending_document(shown).data
    assert data["visible"] is False
    assert data["missing"] == {"ClusterQueue": "forbidden", "ResourceFlavor": "forbidden"}
    assert [(item["name"], item["position"]) for item in data["items"]][:2] == [
        ("urgent", {"inLocalQueue": 0}),
        ("old", {"inLocalQueue": 1}),
    ]
    text = "\n".join("".join(span.text for span in line) for line in lay_out(pending_page(shown), width=None))
    assert "ClusterRoleBinding" in text
    assert "2/4" in text


# --- a public report ----------------------------------------------------------------------------


def test_places_across_local_queues() -> None:
    """The order of report 98, from 0 as in the API."""
    (path,) = FOLDER.glob("98-*.yaml")
    world = decode_world(read_source(str(path)))
    found = survey(world, lambda key, local, cluster: cluster == "shared-cq", {"shared-cq"})
    rows = Pending(found, "").rows()
    told = [(w.key, w.place.in_cluster_queue, w.place.in_local_queue) for w in rows if w.place is not None]
    assert [(key.partition("/job-")[2].rpartition("-")[0], *places) for key, *places in told] == [
        ("b-urgent", 0, 0),
        ("a-old", 1, 0),
        ("b-mid", 2, 1),
        ("a-new", 3, 1),
    ]


# --- estimates of many --------------------------------------------------------------------------


@given(plans())
@settings(max_examples=25, deadline=None)
def test_nobody_starts_in_the_past(plan: Plan) -> None:
    world = decode(short(plan))
    keys = [w.key for w in survey(world, lambda key, local, cluster: True).waiters.values()]
    for bounds in forecast(world, keys, lambda: False).bounds.values():
        assert all(bound.at >= world.now and bound.workload in world.workloads for bound in bounds)
