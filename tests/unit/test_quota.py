"""The quota tree: who owns how much, who uses it, who may borrow (tests/cases/quota)."""

from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kueue.engine.fair_sharing import lendable_to, share_of
from kubectl_kueue.engine.quota import (
    FlavorResource,
    Node,
    add_usage,
    available,
    borrow_level,
    fits,
    remove_usage,
)
from kubectl_kueue.engine.snapshot import Snapshot
from tests.worlds import read_cases, state_of

CPU = FlavorResource("default", "cpu")


@pytest.mark.parametrize("case", read_cases("quota", "trees"), ids=lambda case: case["name"])
def test_trees(case: dict[str, Any]) -> None:
    snapshot = state_of(case).snapshot
    nodes: dict[str, Node] = {**snapshot.cohorts, **snapshot.queues}
    for step in case["steps"]:
        for name, amount in step.get("use", {}).items():
            add_usage(nodes[name], CPU, amount * 1000)
        for name, amount in step.get("free", {}).items():
            remove_usage(nodes[name], CPU, amount * 1000)
        wanted = step.get("is", {})
        assert {key: _facts(key, value, nodes, snapshot) for key, value in wanted.items()} == wanted
    snapshot.undo()
    assert all(not any(node.usage.values()) for node in nodes.values())


def test_a_change_of_quotas_renews_what_was_kept() -> None:
    queues = {"a": {"cohort": "team", "quota": 1}, "b": {"cohort": "team", "quota": 3}}
    snapshot = state_of({"queues": queues, "running": {"r": {"queue": "a", "asks": 2}}}).snapshot
    queue = snapshot.queues["a"]
    assert share_of(queue).weighted == 250.0
    queue.nominal[CPU] = 1500
    snapshot.refresh_quotas()
    assert share_of(queue).weighted == 500 * 1000 / 4500
    assert lendable_to(snapshot.cohorts["team"]) == {"cpu": 4500}


def test_what_is_simulated_is_undone_by_an_error_too() -> None:
    state = state_of({"queues": {"a": {"quota": 3}}, "running": {"r": {"queue": "a", "asks": 2}}})
    snapshot, (running,) = state.snapshot, state.snapshot.queues["a"].workloads.values()
    with pytest.raises(LookupError), snapshot.without([running]):
        raise LookupError
    assert snapshot.untouched
    assert snapshot.queues["a"].usage[CPU] == 2000


def _facts(key: str, wanted: Any, nodes: Mapping[str, Node], snapshot: Snapshot) -> Any:
    """What holds for the nodes that are asked about, in whole cpus."""
    match key:
        case "cyclic":
            return sorted(snapshot.cyclic)
        case "height":
            return {name: nodes[name].height for name in wanted}
        case "available":
            return {name: available(nodes[name], CPU) / 1000 for name in wanted}
        case "level":
            return {asked: [*borrow_level(*_asked(asked, nodes))] for asked in wanted}
        case "fits":
            return {asked: _fits(*_asked(asked, nodes)) for asked in wanted}
    return {name: getattr(nodes[name], key).get(CPU, 0) / 1000 for name in wanted}


def _asked(text: str, nodes: Mapping[str, Node]) -> tuple[Node, FlavorResource, int]:
    name, amount = text.split()
    return nodes[name], CPU, int(amount) * 1000


def _fits(node: Node, fr: FlavorResource, amount: int) -> bool:
    return fits(node, {fr: amount})
