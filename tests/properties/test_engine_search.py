"""What holds for every search: nothing stays changed, and what is found is enough and allowed."""

from typing import Any

from hypothesis import given, settings

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.fair_sharing import share_of
from kubectl_kueue.engine.flavors import Mode
from kubectl_kueue.engine.nominate import nominate
from kubectl_kueue.engine.preemption.candidates import PreemptionReason, Question
from kubectl_kueue.engine.preemption.search import requested_amounts
from kubectl_kueue.engine.quota import FlavorResource, Node
from kubectl_kueue.engine.snapshot import Snapshot
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo
from tests.properties.engine_worlds import Plan, plans, short
from tests.worlds import state_of


def nominated(plan: Plan) -> tuple[State, list[Entry]]:
    """The heads of the first cycle, each nominated against the untouched snapshot."""
    state = state_of(short(plan))
    entries = [Entry(info, state.snapshot.queues[name]) for name, info in state.queues.heads()]
    for entry in entries:
        nominate(state, entry)
    return state, entries


@given(plans())
@settings(max_examples=150)
def test_a_nomination_leaves_everything_as_it_was(plan: Plan) -> None:
    before = usages(state_of(short(plan)).snapshot)
    state, _ = nominated(plan)
    assert usages(state.snapshot) == before
    assert not state.snapshot.journal


@given(plans())
@settings(max_examples=150)
def test_targets_are_enough_needed_and_allowed(plan: Plan) -> None:
    state, entries = nominated(plan)
    for entry in entries:
        targets = [target.workload for target in entry.targets]
        if not targets:
            continue
        assert entry.assignment.mode is Mode.PREEMPT
        assert len({info.key for info in targets}) == len(targets)
        question = question_of(entry)
        assert room(state.snapshot, question, targets)
        # the last one that was removed is never put back, the others only stay where they are needed
        spare = [t for t in targets if needless(state.snapshot, question, targets, t)]
        assert len(spare) <= 1
        assert all(allowed(entry, target.workload, target.reason) for target in entry.targets)


def question_of(entry: Entry) -> Question:
    """What the final search was asked for."""
    requests = requested_amounts(entry.info, entry.assignment, None)
    needed = frozenset(
        FlavorResource(choice.flavor, resource)
        for assigned in entry.assignment.pod_sets
        for resource, choice in assigned.flavors.items()
        if choice.mode is Mode.PREEMPT
    )
    return Question(entry.info, entry.queue, requests, needed)


def room(snapshot: Snapshot, question: Question, gone: list[WorkloadInfo]) -> bool:
    with snapshot.without(gone):
        return question.fits(borrow=True)


def needless(snapshot: Snapshot, question: Question, targets: list[WorkloadInfo], one: WorkloadInfo) -> bool:
    """Whether there is room, even without borrowing, with this target left where it is."""
    with snapshot.without([target for target in targets if target is not one]):
        return question.fits(borrow=False)


def allowed(entry: Entry, info: WorkloadInfo, reason: PreemptionReason) -> bool:
    """Whether the policies of the preemptor's ClusterQueue let this one go for this reason."""
    own = info.key in entry.queue.workloads
    rules = entry.queue.preemption
    policy = rules.within_cluster_queue if own else rules.reclaim_within_cohort
    if own != (reason is PreemptionReason.IN_CLUSTER_QUEUE):
        return False
    if reason is PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING:
        borrowing = rules.borrow_within_cohort
        limit = borrowing.max_priority_threshold if borrowing else None
        if info.priority >= entry.info.priority or (limit is not None and info.priority > limit):
            return False
    if policy == "LowerPriority":
        return info.priority < entry.info.priority
    if policy == "LowerOrNewerEqualPriority" and info.priority == entry.info.priority:
        return info.queue_time > entry.info.queue_time
    return policy == "Any" or (policy != "Never" and info.priority < entry.info.priority)


@given(plans())
@settings(max_examples=100)
def test_simulations_undo_shares_as_well(plan: Plan) -> None:
    snapshot = state_of(short(plan)).snapshot
    before = shares(snapshot)
    for queue in snapshot.queues.values():
        for info in queue.workloads.values():
            mark = snapshot.mark()
            snapshot.take_out(info)
            shares(snapshot)  # kept on the nodes, until the usage changes
            snapshot.put_back(info)
            assert shares(snapshot) == before
            snapshot.undo(mark)
            assert shares(snapshot) == before


def usages(snapshot: Snapshot) -> dict[str, Any]:
    """Every usage of the tree, and who holds quota where."""
    return {
        **{node.name: {fr: v for fr, v in node.usage.items() if v} for node in nodes(snapshot)},
        "held": {name: sorted(queue.workloads) for name, queue in snapshot.queues.items()},
    }


def shares(snapshot: Snapshot) -> dict[str, Any]:
    return {node.name: share_of(node).key for node in nodes(snapshot)}


def nodes(snapshot: Snapshot) -> list[Node]:
    return [*snapshot.cohorts.values(), *snapshot.queues.values()]
