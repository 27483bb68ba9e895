"""What holds for every quota tree, whoever uses what."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.engine.quota import (
    FlavorResource,
    Node,
    add_usage,
    ancestors,
    available,
    borrow_level,
    exceeds,
    fits,
    free_local,
    refresh,
    remove_usage,
    undo,
    within_nominal,
)
from kubectl_kueue.model.quantity import MAX_INT64, MIN_INT64, UNLIMITED, Saturating

CPU = FlavorResource("f", "cpu")
GPU = FlavorResource("g", "gpu")


class Tree(NamedTuple):
    """Cohorts and ClusterQueues of one root, parents before children."""

    nodes: list[Node]

    @property
    def queues(self) -> list[Node]:
        return [node for node in self.nodes if node.is_cluster_queue]

    def usages(self) -> list[dict[FlavorResource, int]]:
        return [{fr: amount for fr, amount in node.usage.items() if amount} for node in self.nodes]


AMOUNTS = st.integers(0, 9)
LIMITS = st.none() | AMOUNTS


@st.composite
def trees(draw: st.DrawFn, amounts: st.SearchStrategy[Any] = AMOUNTS, amount_type: Any = int) -> Tree:
    journal: list[tuple[Node, FlavorResource, int]] = []
    nodes: list[Node] = []
    for i in range(draw(st.integers(1, 3))):
        nodes.append(Node(f"co{i}", is_cluster_queue=False))
    for i in range(draw(st.integers(1, 4))):
        nodes.append(Node(f"cq{i}", is_cluster_queue=True))
    cohorts = [node for node in nodes if not node.is_cluster_queue]
    for i, node in enumerate(nodes):
        node.journal = journal
        for fr in (CPU, GPU):
            node.nominal[fr] = amount_type(draw(amounts))
            for limits in (node.borrowing_limit, node.lending_limit):
                if (limit := draw(st.none() | amounts)) is not None:
                    limits[fr] = amount_type(limit)
        if i:
            node.parent = draw(st.sampled_from(cohorts[:i]))
            node.parent.children.append(node)
    refresh(nodes[0], {node.name for node in nodes})
    return Tree(nodes)


@st.composite
def used_trees(draw: st.DrawFn) -> Tree:
    """A tree in which workloads came and went."""
    tree = draw(trees())
    held: list[tuple[Node, FlavorResource, int]] = []
    for _ in range(draw(st.integers(0, 12))):
        if held and draw(st.booleans()):
            node, fr, amount = held.pop(draw(st.integers(0, len(held) - 1)))
            remove_usage(node, fr, amount)
        else:
            held.append(
                (draw(st.sampled_from(tree.queues)), draw(st.sampled_from([CPU, GPU])), draw(AMOUNTS))
            )
            add_usage(*held[-1])
    for queue in tree.queues:
        for fr in (CPU, GPU):
            assert queue.usage.get(fr, 0) == sum(a for node, f, a in held if node is queue and f == fr)
    return tree


# --- the definitions, spelled out (scheduling.md 2.2 to 2.4) ----------------------------------------


def subtree(node: Node, fr: FlavorResource) -> int:
    return node.nominal.get(fr, 0) + sum(subtree(c, fr) - local(c, fr) for c in node.children)


def local(node: Node, fr: FlavorResource) -> int:
    limit = node.lending_limit.get(fr)
    return 0 if limit is None else max(0, subtree(node, fr) - limit)


def potential(node: Node, fr: FlavorResource) -> int:
    if node.parent is None:
        return subtree(node, fr)
    most, limit = local(node, fr) + potential(node.parent, fr), node.borrowing_limit.get(fr)
    return most if limit is None else min(most, subtree(node, fr) + limit)


def usage(node: Node, fr: FlavorResource) -> int:
    if node.is_cluster_queue:
        return node.usage.get(fr, 0)
    return sum(max(0, usage(child, fr) - local(child, fr)) for child in node.children)


def free(node: Node, fr: FlavorResource) -> int:
    if node.parent is None:
        return subtree(node, fr) - usage(node, fr)
    up, limit = free(node.parent, fr), node.borrowing_limit.get(fr)
    if limit is not None:
        stored = subtree(node, fr) - local(node, fr)
        up = min(up, stored - max(0, usage(node, fr) - local(node, fr)) + limit)
    return max(0, local(node, fr) - usage(node, fr)) + up


def every(tree: Tree) -> Iterator[tuple[Node, FlavorResource]]:
    return ((node, fr) for node in tree.nodes for fr in (CPU, GPU))


@given(used_trees())
def test_kept_numbers_are_those_of_the_definitions(tree: Tree) -> None:
    for node, fr in every(tree):
        assert node.subtree[fr] == subtree(node, fr)
        assert node.local.get(fr, 0) == local(node, fr)
        assert node.potential[fr] == potential(node, fr)
        assert node.usage.get(fr, 0) == usage(node, fr)
        assert available(node, fr) == free(node, fr)
        assert free_local(node, fr) == max(0, local(node, fr) - usage(node, fr))


@given(used_trees(), st.data())
def test_what_a_queue_takes_is_what_it_has_less(tree: Tree, data: st.DataObject) -> None:
    queue, fr = data.draw(st.sampled_from(tree.queues)), data.draw(st.sampled_from([CPU, GPU]))
    amount = data.draw(AMOUNTS)
    before, others = available(queue, fr), {n.name: available(n, fr) for n in tree.nodes}
    assert fits(queue, {fr: amount}) == (amount <= max(0, before))
    add_usage(queue, fr, amount)
    assert available(queue, fr) == before - amount
    for node in tree.nodes:
        assert others[node.name] - amount <= available(node, fr) <= others[node.name]


@given(used_trees(), st.data())
def test_undo_restores_every_usage(tree: Tree, data: st.DataObject) -> None:
    journal = tree.nodes[0].journal
    mark, before = len(journal), tree.usages()
    for _ in range(data.draw(st.integers(1, 6))):
        change = data.draw(st.sampled_from([add_usage, remove_usage]))
        change(data.draw(st.sampled_from(tree.queues)), CPU, data.draw(AMOUNTS))
    undo(journal, mark)
    assert tree.usages() == before
    undo(journal, 0)
    assert not any(tree.usages())


@given(used_trees())
def test_the_borrow_level_is_a_height_on_the_way_up_and_never_falls(tree: Tree) -> None:
    for queue in tree.queues:
        heights = [node.height for node in ancestors(queue)]
        assert heights == sorted(set(heights))
        levels = [borrow_level(queue, CPU, amount) for amount in range(30)]
        assert [level for level, _ in levels] == sorted(level for level, _ in levels)
        assert {level for level, _ in levels} <= {0, *heights}
        for amount, (level, may_reclaim) in enumerate(levels):
            assert (level == 0) == (not exceeds(queue, CPU, amount))
            assert may_reclaim == (level < queue.root.height)


@given(used_trees())
def test_within_nominal_is_within_every_one(tree: Tree) -> None:
    for node in tree.nodes:
        over = [fr for fr in (CPU, GPU) if usage(node, fr) > subtree(node, fr)]
        assert within_nominal(node, (CPU, GPU)) == (not over)
        assert [fr for fr in (CPU, GPU) if not within_nominal(node, (fr,))] == over


@given(
    trees(st.sampled_from([0, 1, 2**62, MAX_INT64 - 1, UNLIMITED]), Saturating),
    st.lists(st.sampled_from([0, 1, 2**62, MAX_INT64 - 1]), min_size=1, max_size=4),
)
def test_near_int64_nothing_leaves_its_range(tree: Tree, amounts: list[int]) -> None:
    queue = tree.queues[0]
    for amount in amounts:
        add_usage(queue, CPU, Saturating(amount))
    for node in tree.nodes:
        numbers = (node.subtree[CPU], node.potential[CPU], node.usage.get(CPU, 0), available(node, CPU))
        assert all(MIN_INT64 <= number <= MAX_INT64 for number in numbers)
        if node.nominal[CPU] == UNLIMITED:
            assert node.subtree[CPU] == UNLIMITED
            assert node.parent is not None or available(node, CPU) in (UNLIMITED, 0)


@given(trees())
def test_far_from_int64_saturating_amounts_are_plain_ones(tree: Tree) -> None:
    plain = [(node.subtree, node.local, node.potential) for node in tree.nodes]
    for node in tree.nodes:
        for amounts in (node.nominal, node.borrowing_limit, node.lending_limit):
            amounts.update({fr: Saturating(amount) for fr, amount in amounts.items()})
    refresh(tree.nodes[0], {node.name for node in tree.nodes})
    assert [(node.subtree, node.local, node.potential) for node in tree.nodes] == plain
