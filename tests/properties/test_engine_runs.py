"""What holds for every run: it depends on what the world says, and on nothing else."""

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.simulate import Run, Stop, simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.views.verdict import verdict_document
from tests.properties.engine_worlds import Plan, plans, short
from tests.worlds import decode, run, scenario

MODES = st.sampled_from(["cycle", "until-idle"])


@given(plans(), MODES, st.integers(0, 2**32))
@settings(max_examples=80)
def test_a_run_is_always_the_same_and_the_order_of_objects_means_nothing(
    plan: Plan, mode: str, seed: int
) -> None:
    """Under fair sharing Cohorts keep theirs: equal shares of two of them are a tie that it decides."""
    document = scenario({**short(plan), "mode": mode})
    verdict = verdict_of(document)
    assert verdict_of(document) == verdict
    objects = document["objects"]
    cohorts = [entry for entry in objects if plan["fair"] and entry["kind"] == "Cohort"]
    others = [entry for entry in objects if entry not in cohorts]
    Random(seed).shuffle(others)
    document["objects"] = [*cohorts, *others]
    assert verdict_of(document) == verdict


@given(plans(), MODES)
@settings(max_examples=80)
def test_other_names_of_the_same_order_change_nothing_but_names(plan: Plan, mode: str) -> None:
    before = run({**short(plan), "mode": mode})
    after = run({**short(plan, name=lambda name: f"new-{name}"), "mode": mode})
    assert json.loads(json.dumps(after).replace("new-", "")) == before


@given(plans(fair=False), MODES)
@settings(max_examples=80)
def test_names_decide_nothing_where_times_do(plan: Plan, mode: str) -> None:
    """Every workload has a time of its own, so even names of the opposite order change nothing but names.

    (Under fair sharing equal shares of two cohorts are a tie that the order of the cohorts decides.)
    """
    before = run({**short(plan), "mode": mode})
    after = run({**short(plan, name=mirrored), "mode": mode})
    text = re.sub(r"\b(co|cq|fl|wr|wp)(\d)\b", lambda match: mirrored(match[0]), json.dumps(after))
    assert without_order_of_names(json.loads(text)) == without_order_of_names(before)


def mirrored(name: str) -> str:
    """wp0 is wp9, and the other way round."""
    return name[:2] + str(9 - int(name[2:]))


def without_order_of_names(verdict: dict[str, Any]) -> dict[str, Any]:
    """Sorted by name are: parked keys, evicted keys, attempts, reasons and targets."""
    return {
        **sets(verdict),
        "pendingOrder": verdict["pendingOrder"],
        "heads": [c["heads"] for c in verdict["cycles"]],
    }


def sets(value: Any) -> Any:
    """Lists without their order."""
    if isinstance(value, Mapping):
        return {key: sets(item) for key, item in value.items()}
    return sorted(json.dumps(sets(v), sort_keys=True) for v in value) if isinstance(value, list) else value


@given(plans(), MODES, st.integers(2, 1000))
@settings(max_examples=80)
def test_with_all_cpu_multiplied_only_amounts_change(plan: Plan, mode: str, scale: int) -> None:
    before = run({**short(plan), "mode": mode})
    after = run({**short(plan, scale=scale), "mode": mode})
    assert without_amounts(after) == without_amounts(before)


AMOUNTS = frozenset(("usage", "requests", "quotas", "lendable", "needed", "previous", "request", "capacity"))


def without_amounts(value: Any) -> Any:
    """All but quantities; usages of the nodes stay, without their numbers."""
    if isinstance(value, Mapping):
        return {
            k: without_amounts(v)
            for k, v in value.items()
            if k not in AMOUNTS or k in ("clusterQueues", "cohorts")
        }
    return [without_amounts(item) for item in value] if isinstance(value, list) else value


@given(st.booleans().flatmap(lambda fair: st.tuples(plans(fair=fair), plans(fair=fair))), MODES)
@settings(max_examples=80)
def test_what_is_in_another_tree_changes_nothing_here(both: tuple[Plan, Plan], mode: str) -> None:
    here = {**short(both[0]), "mode": mode}
    there = short(both[1], name=lambda name: name if name.startswith("fl") else f"other-{name}")
    if mode == "until-idle":
        there["pending"] = {}  # more heads would be more cycles
    parts = ("cohorts", "queues", "running", "pending")
    together = {**here, **{part: {**here[part], **there[part]} for part in parts}}
    assert without_the_other(run(together)) == without_the_other(run(here))


def without_the_other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: without_the_other(v) for k, v in value.items() if "other-" not in k}
    if isinstance(value, list):
        return [without_the_other(item) for item in value if not (isinstance(item, str) and "other-" in item)]
    return value


@given(plans(), st.integers(1, 5))
@settings(max_examples=80)
def test_no_run_is_longer_than_it_may_be(plan: Plan, most: int) -> None:
    finished = simulate(decode({**short(plan), "maxCycles": most}))
    assert len(finished.cycles) <= most
    assert [result.cycle for result in finished.cycles] == list(range(1, len(finished.cycles) + 1))
    if finished.stop is Stop.CAP:
        assert len(finished.cycles) == most
    longer = simulate(decode({**short(plan), "maxCycles": most + 1}))
    assert heads(longer)[: len(finished.cycles)] == heads(finished)


def heads(finished: Run) -> list[list[str]]:
    return [[entry.info.key for entry in result] for result in finished.cycles]


@given(plans())
@settings(max_examples=100)
def test_usage_is_what_was_there_and_what_was_admitted(plan: Plan) -> None:
    finished = simulate(decode(short(plan)))
    state = finished.state
    began = simulate(decode({**short(plan), "pending": {}, "mode": "cycle"})).state
    admitted = {
        (entry.queue.name, fr): 0
        for result in finished.cycles
        for entry in result
        for fr in entry.assignment.usage
    }
    for result in finished.cycles:
        for entry in result:
            if entry.status == "assumed":
                for fr, amount in entry.assignment.usage.items():
                    admitted[entry.queue.name, fr] += amount
    for name, queue in state.snapshot.queues.items():
        for fr, amount in queue.usage.items():
            held = [info.usage.get(fr, 0) for info in queue.workloads.values()]
            assert amount == sum(held)
            assert 0 <= amount <= began.snapshot.queues[name].usage.get(fr, 0) + admitted.get((name, fr), 0)


@given(plans())
@settings(max_examples=100)
def test_nobody_is_lost(plan: Plan) -> None:
    """Every workload holds quota or waits in exactly one part of its queue, at the end of every run."""
    state = simulate(decode(short(plan))).state
    for key, info in state.workloads.items():
        queue = state.queues.by_name[info.obj.spec.queue_name]
        places = [
            key in state.snapshot.queues[queue.name].workloads,
            key in queue.heap,
            key in queue.inadmissible,
            queue.inflight is info,
        ]
        assert places.count(True) == 1
        assert info.holds_quota == places[0]


@given(plans())
@settings(max_examples=100)
def test_a_tree_that_was_within_its_quota_still_is(plan: Plan) -> None:
    """Victims are gone by the end, so all that was admitted has room."""
    began = simulate(decode({**short(plan), "pending": {}, "mode": "cycle"})).state.snapshot
    ended = simulate(decode(short(plan))).state.snapshot
    for name, node in [*ended.cohorts.items(), *ended.queues.items()]:
        before = began.cohorts.get(name) or began.queues[name]
        for fr, amount in node.usage.items():
            if node.parent is None and before.usage.get(fr, 0) <= before.subtree.get(fr, 0):
                assert amount <= node.subtree.get(fr, 0)


def verdict_of(document: dict[str, Any]) -> dict[str, Any]:
    return verdict_document(
        simulate(decode_world([RawDocument("case", 1, 0, json.dumps(document).encode())]))
    )
