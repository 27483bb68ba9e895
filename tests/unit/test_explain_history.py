"""`explain`: who preempted a workload, and a status that lags behind."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.inquiries.staleness import PATIENCE, overdue
from kubectl_kueue.engine.preemptions import history
from kubectl_kueue.model.objects import (
    Condition,
    EvictionCount,
    ObjectMeta,
    SchedulingStats,
    Workload,
    WorkloadStatus,
)
from kubectl_kueue.model.timestamp import format_time, parse_time
from kubectl_kueue.model.world import World
from kubectl_kueue.views.explain_history import history_blocks, history_document
from kubectl_kueue.views.words.history import loop_words
from tests.worlds import decode, read_cases

START = parse_time("2026-01-01T10:00:00Z")
MINUTE = 60_000_000


def message(preemptor: str, cause: str) -> str:
    return (
        f"Preempted to accommodate a workload (UID: u-{preemptor}, JobUID: j-{preemptor}) due to {cause}; "
        f"preemptor path: /root/{preemptor}-cq; preemptee path: /root/v-cq"
    )


def at(minute: int) -> str:
    return format_time(START + minute * MINUTE)


def workload(name: str, told: dict[str, Any]) -> Workload:
    conditions, stats = [], None
    if "by" in told:
        preemptor, minute, cause = told["by"]
        text = message(preemptor, cause)
        conditions = [
            Condition(type=t, status="True", message=text, last_transition_time=at(minute))
            for t in ("Evicted", "Preempted")
        ]
        stats = SchedulingStats(evictions=[EvictionCount(reason="Preempted", count=told["count"])])
    meta = ObjectMeta(name=name, namespace="t", uid=f"u-{name}", creation_timestamp=at(0))
    return Workload(metadata=meta, status=WorkloadStatus(conditions=conditions, scheduling_stats=stats))


def event(victim: str, preemptor: str, minute: int, cause: str, times: int = 1) -> dict[str, Any]:
    return {
        "reason": "Preempted",
        "involvedObject": {"kind": "Workload", "namespace": "t", "name": victim},
        "eventTime": at(minute),
        "count": times,
        "message": message(preemptor, cause),
    }


def preempts(name: str) -> dict[str, Any]:
    about = {"kind": "Workload", "namespace": "t", "name": name, "uid": f"u-{name}"}
    text = "Preempted workload t/a (UID: u-a) in ClusterQueue v-cq"
    return {"reason": "PreemptedWorkload", "involvedObject": about, "eventTime": at(1), "message": text}


@pytest.mark.parametrize("case", read_cases("subjects", "history"), ids=lambda case: case["name"])
def test_the_past_is_told(case: dict[str, Any]) -> None:
    world = World(now=0, workloads={f"t/{n}": workload(n, told) for n, told in case["workloads"].items()})
    events = [event(*each) for each in case.get("events", ())] + [
        preempts(n) for n in case.get("preempts", ())
    ]
    found = history(world, f"t/{case['of']}", events)
    expect = case["expect"]
    if expect is None:
        assert found is None
        return
    assert found is not None

    def minute(moment: int) -> int:
        return (moment - START) // MINUTE

    assert [[p.preemptor, minute(p.at), p.cause] for p in found.preempted] == expect["preempted"]
    assert [[p.victim, p.preemptor, minute(p.at)] for p in found.chain] == expect.get("chain", [])
    loops = [[x.one, x.other, x.times, minute(x.first), minute(x.last)] for x in found.loops]
    assert loops == expect.get("loops", [])
    assert found.count == expect["count"]
    assert list(history_blocks(found, START))
    assert history_document(found)["count"] == expect["count"]


NAMES = st.sampled_from("abcd")
EVENTS = st.lists(
    st.tuples(NAMES, NAMES, st.integers(0, 50), st.sampled_from(["Fair Sharing within the cohort", "x", ""]))
)
JUNK = st.lists(
    st.dictionaries(
        st.sampled_from(["reason", "involvedObject", "series", "count", "message", "eventTime", "metadata"]),
        st.one_of(
            st.none(), st.just("Preempted"), st.integers(), st.lists(st.integers()), st.just({"kind": 1})
        ),
    )
)


@given(EVENTS, JUNK)
def test_any_past_has_an_end(told: list[tuple[str, str, int, str]], junk: list[dict[str, Any]]) -> None:
    """Nobody comes up twice in a chain, it goes back in time, and a loop counts what was told of the two."""
    evicted = {"by": ["b", 30, "prioritization in the ClusterQueue"], "count": 1}
    world = World(now=0, workloads={f"t/{n}": workload(n, evicted if n == "a" else {}) for n in "abcd"})
    found = history(world, "t/a", [*(event(*each) for each in told), *junk])
    assert found is not None
    moments = [each.at for each in found.preempted]
    assert moments == sorted(moments, reverse=True)
    links = [each.at for each in (found.preempted[0], *found.chain)]
    assert links == sorted(links, reverse=True)
    assert len({each.victim for each in found.chain}) == len(found.chain)
    assert all(loop.times >= 2 and loop.first <= loop.last for loop in found.loops)


def test_a_loop_is_told_with_its_span() -> None:
    case = next(c for c in read_cases("subjects", "history") if c["name"] == "two that evict each other")
    world = World(now=0, workloads={f"t/{n}": workload(n, told) for n, told in case["workloads"].items()})
    found = history(world, "t/a", [event(*each) for each in case["events"]])
    assert found is not None
    assert loop_words(found.loops[0], START) == "t/a and t/b evicted each other 6 times in 20m"


def test_a_message_of_an_older_release_still_tells_the_preemptor() -> None:
    old = Condition(
        type="Preempted", status="True", message="Preempted to accommodate a workload (UID: u-b)", reason=""
    )
    world = World(
        now=0, workloads={"t/a": Workload(status=WorkloadStatus(conditions=[old])), "t/b": workload("b", {})}
    )
    found = history(world, "t/a")
    assert found is not None
    assert [each.preemptor for each in found.preempted] == ["t/b"]


@pytest.mark.parametrize(
    ("origin", "waited", "late"), [("live", 11, True), ("live", 4, False), ("", 11, False)]
)
def test_kueue_is_late_with_what_fits(origin: str, waited: int, late: bool) -> None:
    world = decode({"queues": {"a": {"quota": 4}}, "pending": {"p": {"queue": "a", "asks": 2}}})
    (key,) = world.workloads
    created = parse_time(world.workloads[key].metadata.creation_timestamp or "")
    import msgspec

    world = msgspec.structs.replace(world, now=created + waited * MINUTE, steady=not origin)
    found = overdue(world, explain(world, key))
    assert (found is not None) is late
    assert found is None or world.now - found.since > PATIENCE
