"""What holds for every dominant resource share, and for the tournament of heads."""

from math import inf
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_kueue.engine.fair_sharing import share_of, share_without, tournament
from kubectl_kueue.engine.quota import FlavorResource, add_usage, ancestors, remove_usage
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo
from tests.properties.engine_worlds import Plan, plans, short
from tests.worlds import state_of

CPU = [FlavorResource(f"fl{i}", "cpu") for i in range(2)]


@given(plans(fair=True), st.data())
@settings(max_examples=150)
def test_a_share_is_never_negative_and_never_falls_with_usage(plan: Plan, data: st.DataObject) -> None:
    snapshot = state_of(short(plan)).snapshot
    queue = data.draw(st.sampled_from(list(snapshot.queues.values())))
    nodes = [*snapshot.queues.values(), *snapshot.cohorts.values()]
    before = {node.name: share_of(node) for node in nodes}
    add_usage(queue, data.draw(st.sampled_from(CPU[: plan["flavors"]])), data.draw(st.integers(0, 9)) * 1000)
    way_up = {queue.name, *(node.name for node in ancestors(queue))}
    for node in nodes:
        share, old = share_of(node), before[node.name]
        assert share.weighted >= 0
        assert share.key >= old.key
        assert set(old.borrowed) <= set(share.borrowed)
        assert node.name in way_up or share.key == old.key
        assert (share.weighted == inf) == (node.weight == 0 and share.ratio > 0)
        if node.parent is None:
            assert share.key == (0, 0.0)
            assert not share.borrowing


@given(plans(fair=True), st.data())
@settings(max_examples=100)
def test_a_share_without_a_workload_is_the_share_once_it_is_gone(plan: Plan, data: st.DataObject) -> None:
    snapshot = state_of(short(plan)).snapshot
    held = [(queue, info) for queue in snapshot.queues.values() for info in queue.workloads.values()]
    for queue, info in held:
        foretold = share_without(queue, info.usage)
        for fr, amount in info.usage.items():
            remove_usage(queue, fr, amount)
        now = share_of(queue)
        assert (foretold.key, set(foretold.borrowed)) == (now.key, set(now.borrowed))
        snapshot.undo()


class Head(NamedTuple):
    """Enough of an entry for the tournament."""

    queue: QueueNode
    info: WorkloadInfo
    charged: dict[FlavorResource, int]
    is_preemptor: bool


@given(plans(fair=True), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_the_tournament_does_not_depend_on_the_order_of_its_heads(plan: Plan, random: Any) -> None:
    heads = heads_of(state_of(short(plan)))
    state = state_of(short(plan))
    before = used(state)
    order = [head.info.key for head in tournament(heads_of(state), state.snapshot)]
    assert sorted(order) == sorted(head.info.key for head in heads)
    assert used(state) == before
    again = heads_of(state)
    random.shuffle(again)
    assert [head.info.key for head in tournament(again, state.snapshot)] == order
    for cohort in state.snapshot.cohorts.values():
        random.shuffle(cohort.children)
    assert [head.info.key for head in tournament(again, state.snapshot)] == order


@given(plans(fair=True))
@settings(max_examples=150)
def test_who_goes_first_in_a_flat_cohort(plan: Plan) -> None:
    """The one that need not borrow, then the smaller share, the higher priority, the older."""
    flat = {**plan, "cohorts": plan["cohorts"][:1] or [(None, [(0, None, None)] * plan["flavors"])]}
    flat["queues"] = [{**queue, "cohort": 0} for queue in plan["queues"]]
    state = state_of(short(flat))
    waiting = heads_of(state)
    for head in tournament(list(waiting), state.snapshot):
        assert rank(head) == min(rank(other) for other in waiting)
        waiting.remove(head)
        for fr, amount in head.charged.items():
            add_usage(head.queue, fr, amount)


def used(state: State) -> dict[str, Any]:
    queues = state.snapshot.queues.items()
    return {name: {fr: amount for fr, amount in queue.usage.items() if amount} for name, queue in queues}


def heads_of(state: State) -> list[Head]:
    """The heads of all queues, each asking for its first flavor."""
    best: dict[str, WorkloadInfo] = {}
    for info in sorted(state.workloads.values(), key=lambda info: info.order):
        if not info.holds_quota:
            best.setdefault(info.obj.spec.queue_name, info)
    return [
        Head(state.snapshot.queues[name], info, {CPU[0]: info.pod_sets[0].requests["cpu"]}, False)
        for name, info in best.items()
    ]


def rank(head: Head) -> tuple[Any, ...]:
    """What decides, on the state with the head's own request."""
    add_usage(head.queue, CPU[0], head.charged[CPU[0]])
    share = share_of(head.queue)
    remove_usage(head.queue, CPU[0], head.charged[CPU[0]])
    return CPU[0] in share.borrowed, share.key, -head.info.priority, head.info.queue_time
