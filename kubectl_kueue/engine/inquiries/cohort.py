"""Who uses what in a cohort, who waits, and who could take its own quota back?"""

from collections.abc import Iterator
from typing import NamedTuple

from kubectl_kueue.engine.explanation.alone import nominate_alone, reason_code
from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.explanation.scope import around
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.inquiries.clusterqueue import quota_line
from kubectl_kueue.engine.inquiries.records import QuotaLine
from kubectl_kueue.engine.inquiries.unseen import charge_unseen, waiting_unseen
from kubectl_kueue.engine.inquiries.waiting import NEVER
from kubectl_kueue.engine.quota import FlavorResource, Node, available
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.world import World


class Member(Facts, frozen=True, omit_defaults=False):
    """A ClusterQueue of the cohort or of one below it: what it uses of one flavor and resource.

    `idle` is what it does not use of its own quota, `lends` what others may use of that at most. Empty
    `flavor`: it has no quota and uses none.
    """

    AMOUNTS = ("nominal", "used", "borrows", "idle", "lends")
    queue: str
    cohort: str
    flavor: str
    resource: str
    nominal: int
    used: int
    borrows: int
    idle: int
    lends: int
    pending: int = 0
    active: bool = True


class Waiter(Facts, frozen=True):
    """The first of a ClusterQueue that waits, and what it could do now.

    `evicts`: whom it would evict; `owed`: quota of its own ClusterQueue that others use, so that reclaiming
    could help; `policy`: reclaimWithinCohort, which says whether it may.
    """

    queue: str
    workload: str
    reason: str
    never: bool = False
    evicts: tuple[str, ...] = ()
    policy: str = "Never"
    owed: bool = False
    pending: int = 0


class CohortInquiry(NamedTuple):
    """The answer about a Cohort. `parents` go upwards; `own` is quota of the Cohort itself and all below,
    as far as it is lent to it; `unseen` counts those that wait and may not be read; `hidden`: nor
    may its ClusterQueues."""

    name: str
    exists: bool
    parents: tuple[str, ...]
    quota: tuple[QuotaLine, ...]
    members: tuple[Member, ...]
    waiters: tuple[Waiter, ...]
    now: int
    unseen: int = 0
    hidden: bool = False


def inquire_cohort(world: World, name: str) -> CohortInquiry:
    """The answer. Raises KeyError if nobody uses that name, or if the cohorts above it form a ring."""
    members = sorted(n for n, q in world.cluster_queues.items() if _is_below(world, q.spec.cohort_name, name))
    if name not in world.cohorts and not members:
        raise KeyError(name)
    standing = as_it_stands(world)
    state = State(around(standing, members[0], "") if members else standing)
    node = state.snapshot.cohorts.get(name)
    if node is None:
        raise KeyError(name)
    charge_unseen(world, state.snapshot)
    queues = [state.snapshot.queues[n] for n in members]
    waiters = tuple(_waiters(state, queues))
    return CohortInquiry(
        name,
        name in world.cohorts,
        tuple(each.name for each in reversed(node.chain[:-1])),
        tuple(_quota(node)),
        tuple(row for queue in queues for row in _rows(state, queue)),
        waiters,
        world.now,
        waiting_unseen(world, queues, sum(waiter.pending for waiter in waiters)),
        "ClusterQueue" in world.missing,
    )


def _is_below(world: World, cohort: str, root: str) -> bool:
    seen: set[str] = set()
    while cohort and cohort not in seen:
        if cohort == root:
            return True
        seen.add(cohort)
        found = world.cohorts.get(cohort)
        cohort = found.spec.parent_name if found is not None else ""
    return False


def _quota(node: Node) -> Iterator[QuotaLine]:
    for fr in dict.fromkeys([*node.subtree, *node.usage]):
        yield quota_line(node, fr, node.subtree.get(fr, 0))


def _pending(state: State, queue: QueueNode) -> list[WorkloadInfo]:
    found = state.queues.by_name.get(queue.name)
    return state.queues.in_visible_order(found) if found is not None else []


def _rows(state: State, queue: QueueNode) -> Iterator[Member]:
    waiting = len(_pending(state, queue))
    above = queue.parent.name if queue.parent is not None else ""
    frs = list(dict.fromkeys([*queue.nominal, *(fr for fr, v in queue.usage.items() if v)]))
    for fr in frs or [FlavorResource("", "")]:
        nominal, used = queue.nominal.get(fr, 0), queue.usage.get(fr, 0)
        yield Member(
            queue.name,
            above,
            fr.flavor,
            fr.resource,
            nominal,
            used,
            max(0, used - nominal),
            max(0, nominal - used),
            max(0, nominal - queue.local.get(fr, 0)),
            waiting,
            queue.active,
        )


def _waiters(state: State, queues: list[QueueNode]) -> Iterator[Waiter]:
    for queue in queues:
        order = _pending(state, queue)
        if not order or not queue.active:
            continue
        entry = nominate_alone(state, order[0], queue)[-1]
        code = reason_code(entry)
        wanted = {resource for pod_set in order[0].pod_sets for resource in pod_set.requests}
        owed = any(
            available(queue, fr) < queue.nominal[fr] - queue.usage.get(fr, 0)
            for fr in queue.nominal
            if fr.resource in wanted
        )
        yield Waiter(
            queue.name,
            order[0].key,
            code,
            code in NEVER,
            tuple(sorted({target.workload.key for target in entry.targets})),
            queue.preemption.reclaim_within_cohort or "Never",
            owed,
            len(order),
        )
