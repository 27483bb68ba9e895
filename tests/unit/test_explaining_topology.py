"""Topology trees as `explain` tells of them: the numbers add up, and agree with the engine's refusals."""

from functools import cache
from pathlib import Path

import pytest

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation import facts
from kubectl_kueue.engine.explanation.domains import Domain, Named, Tree
from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.engine.topology.reasons import NotFit
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.page import Page
from kubectl_kueue.views.topology import MOST_DRAWN, drawn_trees

TESTS = Path(__file__).parents[1]
WORLDS = sorted((TESTS / "data" / "conformance").glob("tas*/*.scenario.json"))
TREES = TESTS / "golden" / "data" / "trees.yaml"


@cache
def verdicts(path: Path) -> tuple[Verdict, ...]:
    world = decode_world(read_source(str(path)))
    return tuple(explain(world, key, topology=True) for key in world.workloads)


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.name.partition(".")[0])
def test_numbers_add_up(path: Path) -> None:
    for tree in (tree for verdict in verdicts(path) for tree in verdict.trees):
        for domain in (domain for level in tree.domains for domain in level):
            for room in domain.rooms:
                assert room.capacity == room.used + room.free
                assert 0 <= room.plain <= room.used
                held = sum(h.amount for o in domain.held_by for h in o.holds if h.resource == room.resource)
                assert held <= room.used
                assert held == room.used or domain.own
        for level, below in zip(tree.domains, tree.domains[1:], strict=False):
            for parent in level:
                children = [c for c in below if c.values[: len(parent.values)] == parent.values]
                assert summed(children) == (parent.nodes, parent.own, [r.free for r in parent.rooms])
                assert parent.fit <= sum(child.fit for child in children)


def summed(domains: list[Domain]) -> tuple[int, int, list[int]]:
    free = [sum(amounts) for amounts in zip(*([r.free for r in d.rooms] for d in domains), strict=True)]
    return sum(d.nodes for d in domains), sum(d.own for d in domains), free


def test_refusals_agree() -> None:
    """What the engine says did fit is what the tree of the chosen flavor says."""
    seen = 0
    for verdict in (verdict for path in WORLDS for verdict in verdicts(path)):
        gate = verdict.gate("topology")
        for pod_set, why in (
            ((m.pod_set, m.why) for m in gate.facts.misplaced)
            if gate is not None and isinstance(gate.facts, facts.Topology)
            else ()
        ):
            tree = next((t for t in verdict.trees if t.chosen and pod_set in t.pod_sets), None)
            if not isinstance(why, NotFit) or tree is None or tree.best is None or tree.request is None:
                continue
            if why.unit == "pod" and not tree.request.leader and tree.request.slice_size == 1:
                fit = tree.best.fit if tree.request.how == "required" else tree.best.fit_in_tree
                assert (why.fit, why.total) == (fit, tree.request.count)
                assert why.excluded == {e.why: len(e.names) for e in tree.excluded}
                seen += 1
    assert seen >= 5


def tree_of(name: str) -> Tree:
    world = decode_world(read_source(str(TREES)))
    return explain(world, f"ml/{name}", topology=True).trees[0]


def test_hidden_and_excluded() -> None:
    tree = tree_of("one-rack")
    assert tree.hidden == (
        Named("label:pool", ("web",)),
        Named("level:rack", ("new",)),
        Named("not-ready", ("cold",)),
        Named("unschedulable", ("cordoned",)),
    )
    assert tree.excluded == (
        Named("resource:nvidia.com/gpu", ("h1", "h3", "h5", "h6")),
        Named("taint:repair=fan:NoSchedule", ("h4",)),
    )


def test_own_places_are_marked() -> None:
    tree = tree_of("placed")
    assert {d.values[-1]: d.own for d in tree.domains[-1] if d.own} == {"h1": 1, "h6": 1}
    assert not any(o.name == "ml/placed" for level in tree.domains for d in level for o in d.held_by)


def test_only_if_asked_or_failing() -> None:
    world = decode_world(read_source(str(TREES)))
    shown = {name: bool(explain(world, f"ml/{name}").trees) for name in ("placed", "one-rack", "anywhere")}
    assert shown == {"placed": False, "one-rack": True, "anywhere": False}


def test_large_trees_are_drawn_in_part() -> None:
    small = tree_of("one-rack")
    host = small.domains[-1][0]
    hosts = tuple(
        Domain(("b1", "r1", f"n{i:04}"), 1, host.rooms, fit=int(i == MOST_DRAWN))
        for i in range(MOST_DRAWN + 9)
    )
    rack = Domain(("b1", "r1"), len(hosts), host.rooms, fit=1)
    block = Domain(("b1",), len(hosts), host.rooms, fit=1)
    tree = Tree("gpu", "racks", small.levels, ("main",), ((block,), (rack,), hosts), request=small.request)
    lines = ["".join(span.text for span in line) for line in lay_out(Page(list(drawn_trees([tree]))))]
    assert len(lines) == 2 + 2 + 4 + 1
    assert f"n{MOST_DRAWN:04}" in "".join(lines)
    assert f"{MOST_DRAWN + 5} more" in lines[-1]
