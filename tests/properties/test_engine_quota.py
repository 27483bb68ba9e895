"""What holds for every quota tree, whoever uses what."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import given, settings
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


Trees = st.SearchStrategy[Tree]
AMOUNTS = st.integers(0, 9)
FLAVORS = (CPU, GPU)


def trees(amounts: Sequence[int] = range(10), amount_type: Callable[[int], int] = int) -> Trees:
    """Up to four levels of cohorts with up to four ClusterQueues, with and without quotas and limits.

    Made from a seed: drawn piece by piece by hypothesis most trees would be flat and without limits.
    """
    return st.integers(0, 2**32).map(lambda seed: _tree(Random(seed), amounts, amount_type))


def used_trees() -> Trees:
    """A tree in which workloads came and went."""
    return st.integers(0, 2**32).map(lambda seed: _use(Random(seed), _tree(Random(seed), range(10), int)))


def _tree(random: Random, amounts: Sequence[int], amount_type: Callable[[int], int]) -> Tree:
    journal: list[tuple[Node, FlavorResource, int]] = []
    cohorts = [Node(f"co{i}", is_cluster_queue=False) for i in range(random.randint(1, 4))]
    nodes = [*cohorts, *(Node(f"cq{i}", is_cluster_queue=True) for i in range(random.randint(1, 4)))]
    for i, node in enumerate(nodes):
        node.journal = journal
        for fr in FLAVORS:
            for held, chance in ((node.nominal, 0.8), (node.borrowing_limit, 0.3), (node.lending_limit, 0.4)):
                if random.random() < chance:
                    held[fr] = amount_type(random.choice(amounts))
        if i:
            node.parent = random.choice([*cohorts[:i], cohorts[min(i, len(cohorts)) - 1]])
            node.parent.children.append(node)
    refresh(nodes[0], {node.name for node in nodes})
    return Tree(nodes)


def _use(random: Random, tree: Tree) -> Tree:
    held: list[tuple[Node, FlavorResource, int]] = []
    for _ in range(random.randint(0, 12)):
        if held and random.random() < 0.3:
            remove_usage(*held.pop(random.randrange(len(held))))
        else:
            held.append((random.choice(tree.queues), random.choice(FLAVORS), random.randint(0, 9)))
            add_usage(*held[-1])
    for queue in tree.queues:
        for fr in FLAVORS:
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


def nearest_level(queue: Node, fr: FlavorResource, amount: int) -> tuple[int, bool]:
    """Height of the nearest subtree that holds the amount, less what quotas below it keep for themselves."""
    if queue.parent is None or queue.nominal.get(fr, 0) >= usage(queue, fr) + amount:
        return 0, queue.parent is not None
    amount -= max(0, local(queue, fr) - usage(queue, fr))
    for cohort in ancestors(queue):
        if cohort.parent is None or subtree(cohort, fr) >= usage(cohort, fr) + amount:
            return cohort.height, cohort.parent is not None
        amount -= max(0, local(cohort, fr) - usage(cohort, fr))
    raise AssertionError("there is always a root")


def every(tree: Tree) -> Iterator[tuple[Node, FlavorResource]]:
    return ((node, fr) for node in tree.nodes for fr in FLAVORS)


@given(used_trees())
@settings(max_examples=300)
def test_kept_numbers_are_those_of_the_definitions(tree: Tree) -> None:
    for node, fr in every(tree):
        assert node.subtree.get(fr, 0) == subtree(node, fr)
        assert node.local.get(fr, 0) == local(node, fr)
        assert node.potential.get(fr, 0) == potential(node, fr)
        assert node.usage.get(fr, 0) == usage(node, fr)
        assert available(node, fr) == free(node, fr)
        assert free_local(node, fr) == max(0, local(node, fr) - usage(node, fr))


@given(used_trees(), st.data())
@settings(max_examples=300)
def test_what_a_queue_takes_is_what_it_has_less(tree: Tree, data: st.DataObject) -> None:
    queue, fr = data.draw(st.sampled_from(tree.queues)), data.draw(st.sampled_from(FLAVORS))
    amount = data.draw(AMOUNTS)
    before, others = available(queue, fr), {n.name: available(n, fr) for n in tree.nodes}
    assert fits(queue, {fr: amount}) == (amount <= max(0, before))
    add_usage(queue, fr, amount)
    assert available(queue, fr) == before - amount
    for node in tree.nodes:
        assert others[node.name] - amount <= available(node, fr) <= others[node.name]


@given(used_trees(), st.data())
@settings(max_examples=300)
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
@settings(max_examples=300)
def test_the_borrow_level_is_a_height_on_the_way_up_and_never_falls(tree: Tree) -> None:
    for queue in tree.queues:
        heights = [node.height for node in ancestors(queue)]
        assert heights == sorted(set(heights))
        levels = [borrow_level(queue, CPU, amount) for amount in range(30)]
        assert levels == [nearest_level(queue, CPU, amount) for amount in range(30)]
        assert [level for level, _ in levels] == sorted(level for level, _ in levels)
        assert {level for level, _ in levels} <= {0, *heights}
        for amount, (level, may_reclaim) in enumerate(levels):
            assert (level == 0) == (not exceeds(queue, CPU, amount))
            assert may_reclaim == (level < queue.root.height)


@given(used_trees())
@settings(max_examples=300)
def test_within_nominal_is_within_every_one(tree: Tree) -> None:
    for node in tree.nodes:
        over = [fr for fr in FLAVORS if usage(node, fr) > subtree(node, fr)]
        assert within_nominal(node, FLAVORS) == (not over)
        assert [fr for fr in FLAVORS if not within_nominal(node, (fr,))] == over


@given(
    trees([0, 1, 2**62, MAX_INT64 - 1, UNLIMITED], Saturating),
    st.lists(st.sampled_from([0, 1, 2**62, MAX_INT64 - 1]), min_size=1, max_size=4),
)
@settings(max_examples=300)
def test_near_int64_nothing_leaves_its_range(tree: Tree, amounts: list[int]) -> None:
    queue = tree.queues[0]
    for amount in amounts:
        add_usage(queue, CPU, Saturating(amount))
    for node in tree.nodes:
        kept = [amounts.get(CPU, 0) for amounts in (node.subtree, node.potential, node.usage)]
        assert all(MIN_INT64 <= number <= MAX_INT64 for number in (*kept, available(node, CPU)))
        if node.nominal.get(CPU) == UNLIMITED:
            assert node.subtree[CPU] == UNLIMITED
            assert node.parent is not None or available(node, CPU) in (UNLIMITED, 0)


@given(trees())
@settings(max_examples=300)
def test_far_from_int64_saturating_amounts_are_plain_ones(tree: Tree) -> None:
    plain = [(node.subtree, node.local, node.potential) for node in tree.nodes]
    for node in tree.nodes:
        for amounts in (node.nominal, node.borrowing_limit, node.lending_limit):
            amounts.update({fr: Saturating(amount) for fr, amount in amounts.items()})
    refresh(tree.nodes[0], {node.name for node in tree.nodes})
    assert [(node.subtree, node.local, node.potential) for node in tree.nodes] == plain
