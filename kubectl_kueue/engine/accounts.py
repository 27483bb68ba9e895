"""How much of which quota has a queue or cohort, how much does it use, borrow, lend, and who waits there?

The numbers are those of the scheduler's cache: what workloads with a quota reservation hold. Where not all
Workloads could be read they are what Kueue wrote into the status of the ClusterQueues.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kubectl_kueue.engine.explanation.causes import causes_of
from kubectl_kueue.engine.explanation.facts import Cause
from kubectl_kueue.engine.explanation.standing import as_it_stands, wants_quota
from kubectl_kueue.engine.fair_sharing import share_of
from kubectl_kueue.engine.lending import Loan, loans_of
from kubectl_kueue.engine.quota import FlavorResource, Node, ancestors, available_along
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.tally import Tally, take_status, usage_in
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.objects import LocalQueue
from kubectl_kueue.model.quantity import UNLIMITED
from kubectl_kueue.model.world import World


class Balance(NamedTuple):
    """Of one flavor and resource, in canonical units. Of a cohort: of all below it, its own quota included.

    `used` = own + borrowed + `over`, which is what it uses beyond all quota of its tree. Of the quota
    `nominal`, `lent` is in use elsewhere, `free` by nobody. `available` is what it could use on top now,
    borrowing included (negative: it is in debt).
    """

    fr: FlavorResource
    nominal: int = 0
    used: int = 0
    borrowed: int = 0
    lent: int = 0
    over: int = 0
    available: int = 0
    borrowing_limit: int | None = None
    lending_limit: int | None = None

    @property
    def own(self) -> int:
        return self.used - self.borrowed - self.over

    @property
    def free(self) -> int:
        return max(0, self.nominal - self.own - self.lent) if self.nominal != UNLIMITED else UNLIMITED


class Books:
    """The accounts of a world. `from_status`: usage is Kueue's word and not reckoned from the workloads.

    `state` is the cluster of the workloads that were read, `snapshot` the quota tree that counts.
    `tallies` has ClusterQueues and cohorts by node, `local_tallies` LocalQueues by "namespace/name".
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.from_status = _workloads_unknown(world)
        self.state = State(as_it_stands(world))
        self.snapshot = _snapshot_of_status(world) if self.from_status else self.state.snapshot
        self.tallies: dict[Node, Tally] = {}
        self.local_tallies: dict[str, Tally] = {key: Tally() for key in world.local_queues}
        self._count()
        self.loans: list[Loan] = [loan for root in self.roots() for loan in loans_of(root)]
        self._loaned: dict[tuple[Node, FlavorResource], list[int]] = {}
        self._nominal: dict[Node, dict[FlavorResource, int]] = {}
        self._available: dict[tuple[Node, FlavorResource], int] = {}
        self._sum_up()

    # --- the tree ---------------------------------------------------------------------------------

    def roots(self) -> Iterator[Node]:
        """Cohorts without a parent, then ClusterQueues in no tree, of a cycle of cohorts too; by name."""
        snapshot = self.snapshot
        yield from sorted((c for c in snapshot.cohorts.values() if c.parent is None), key=_name)
        yield from sorted((q for q in snapshot.queues.values() if q.parent is None), key=_name)

    def walk(self, start: Node | None = None, depth: int = 0) -> Iterator[tuple[int, Node]]:
        """A node (None: all) and everything below it, with its depth; ClusterQueues before cohorts."""
        pending = [(depth, node) for node in ([start] if start is not None else self.roots())][::-1]
        while pending:
            depth, node = pending.pop()
            yield depth, node
            below = sorted(node.children, key=lambda each: (not each.is_cluster_queue, each.name))
            pending.extend((depth + 1, child) for child in reversed(below))

    def local_queues_of(self, cluster_queue: str) -> list[str]:
        """Keys of the LocalQueues that lead to a ClusterQueue, by namespace and name."""
        return self._leading.get(cluster_queue, [])

    # --- accounts ---------------------------------------------------------------------------------

    def balances(self, node: Node) -> list[Balance]:
        """One for each flavor and resource that the node has quota of or uses, in the order of the specs."""
        used = (fr for fr, amount in self.tallies[node].used.items() if amount)
        frs = dict.fromkeys([*self._nominal[node], *used])
        return [self._balance(node, fr) for fr in frs]

    def _balance(self, node: Node, fr: FlavorResource) -> Balance:
        borrowed, lent, over = self._loaned.get((node, fr), (0, 0, 0))
        nominal = self._nominal[node].get(fr, 0)
        return Balance(
            fr,
            nominal,
            self.tallies[node].used.get(fr, 0),
            borrowed,
            lent,
            over,
            self._free(node, fr),
            node.borrowing_limit.get(fr),
            node.lending_limit.get(fr),
        )

    def _free(self, node: Node, fr: FlavorResource) -> int:
        """What is available to a node, each cohort above it reckoned once."""
        known, path, current = self._available, [], node
        while (current, fr) not in known:
            path.append(current)
            if current.parent is None:
                break
            current = current.parent
        free = known.get((current, fr), 0)
        for each in reversed(path):
            free = known[each, fr] = available_along((each,), fr, free)
        return free

    def share(self, node: Node) -> float | None:
        """The weighted share under fair sharing; None where there is none."""
        if not self.snapshot.fair_sharing or node.parent is None:
            return None
        return share_of(node).weighted

    def inactive(self, queue: QueueNode) -> tuple[Cause, ...]:
        """Why a ClusterQueue admits nothing; empty if it does."""
        queues_alone = self.from_status and not self.world.resource_flavors  # all that is in the file
        unread = ("ResourceFlavor",) if queues_alone else ()
        return causes_of(self.world, self.snapshot, queue, unread)

    def local_inactive(self, key: str) -> tuple[Cause, ...]:
        """Why a LocalQueue lets nobody in; empty if it does. Of code "" what Kueue says itself."""
        queue = self.world.local_queues[key]
        if queue.spec.stop_policy not in ("None", ""):
            return (Cause("Stopped"),)
        name = queue.spec.cluster_queue
        target = self.snapshot.queues.get(name)
        if target is not None:
            return (Cause("ClusterQueueInactive", name),) if self.inactive(target) else ()
        if "ClusterQueue" not in self.world.missing:
            return (Cause("ClusterQueueNotFound", name),)
        return _told_inactive(queue)

    def holders(self) -> Iterator[tuple[WorkloadInfo, dict[FlavorResource, int] | None]]:
        """Every workload with quota, and the part of it that counts as borrowed; None where not known.

        Kueue makes no such difference. Within a ClusterQueue those that got their quota last are taken to
        borrow, keys breaking ties.
        """
        for info, borrowed in self._holders_by_time():
            yield info, None if self.from_status else borrowed

    def _holders_by_time(self) -> Iterator[tuple[WorkloadInfo, dict[FlavorResource, int]]]:
        holding = [info for info in self.state.workloads.values() if info.holds_quota]
        before: dict[tuple[str, FlavorResource], int] = {}
        for info in sorted(holding, key=lambda each: (each.reserved_at or 0, each.key)):
            queue = self.snapshot.queues.get(info.cluster_queue)
            borrowed = {}
            for fr, amount in info.usage.items():
                used = before.get((info.cluster_queue, fr), 0)
                before[info.cluster_queue, fr] = used + amount
                nominal = queue.nominal.get(fr, 0) if queue is not None else 0
                beyond = max(0, used + amount - nominal) - max(0, used - nominal)
                if queue is not None and queue.parent is not None and beyond > 0:
                    borrowed[fr] = beyond
            yield info, borrowed

    # --- counting ---------------------------------------------------------------------------------

    def _count(self) -> None:
        self._leading: dict[str, list[str]] = {}
        for key, queue in sorted(self.world.local_queues.items()):
            self._leading.setdefault(queue.spec.cluster_queue, []).append(key)
        for node in self.snapshot.queues.values():
            self.tallies[node] = Tally()
        if self.from_status:
            self._count_by_status()
        else:
            self._count_workloads(self.state)

    def _count_workloads(self, state: State) -> None:
        counted = set()
        for name, node in self.snapshot.queues.items():
            tally = self.tallies[node]
            for info in node.workloads.values():
                counted.add(info.key)
                tally.hold(info)
                self.local_tallies.setdefault(info.local_queue, Tally()).hold(info)
            for info in state.queues.by_name[name].pending():
                counted.add(info.key)
                tally.wait(info)
                self.local_tallies.setdefault(info.local_queue, Tally()).wait(info)
        for key, info in state.workloads.items():
            if key in counted or not wants_quota(info.obj):
                continue
            if info.local_queue in self.local_tallies:
                self.local_tallies[info.local_queue].held_back += 1
            ahead = self.world.local_queues.get(info.local_queue)
            target = self.snapshot.queues.get(ahead.spec.cluster_queue) if ahead is not None else None
            if target is not None:
                self.tallies[target].held_back += 1

    def _count_by_status(self) -> None:
        for node in self.snapshot.queues.values():
            take_status(self.tallies[node], node.obj.status)
        for key, queue in self.world.local_queues.items():
            take_status(self.local_tallies[key], queue.status)

    def _sum_up(self) -> None:
        """From the leaves to the roots: quota and workloads of all below; from the loans what crosses."""
        for _, node in reversed(list(self.walk())):
            nominal = self._nominal[node] = dict(node.nominal)
            tally = self.tallies.setdefault(node, Tally())
            for child in node.children:
                tally.include(self.tallies[child])
                for fr, amount in self._nominal[child].items():
                    nominal[fr] = min(UNLIMITED, nominal.get(fr, 0) + amount)
        for loan in self.loans:
            borrowing = [loan.borrower, *ancestors(loan.borrower)]
            lending = [loan.lender, *ancestors(loan.lender)] if loan.lender is not None else []
            for node in borrowing:
                if loan.lender is None:
                    self._enter(node, loan, 2)
                elif node not in lending:
                    self._enter(node, loan, 0)
            for node in lending:
                if node not in borrowing:
                    self._enter(node, loan, 1)

    def _enter(self, node: Node, loan: Loan, side: int) -> None:
        self._loaned.setdefault((node, loan.fr), [0, 0, 0])[side] += loan.amount


def _name(node: Node) -> str:
    return node.name


def _workloads_unknown(world: World) -> bool:
    """Whether workloads, or the queues that they are in, were not all read, or are left out of a file."""
    if "Workload" in world.missing or "ClusterQueue" in world.missing:
        return True
    told = [queue.status for queue in world.cluster_queues.values()]
    return not world.workloads and any(each.reserving_workloads or each.pending_workloads for each in told)


def _snapshot_of_status(world: World) -> Snapshot:
    """The quota tree, in use as the status of the ClusterQueues has it."""
    snapshot = Snapshot(world, ())
    for queue in snapshot.queues.values():
        snapshot.charge(queue, usage_in(queue.obj.status.flavors_reservation))
    snapshot.settle()
    return snapshot


def _told_inactive(queue: LocalQueue) -> tuple[Cause, ...]:
    """What Kueue says itself about a LocalQueue whose ClusterQueue may not be read."""
    said = next((c for c in queue.status.conditions if c.type == "Active"), None)
    if said is None or said.status == "True":
        return ()
    return (Cause("", said.message or said.reason),)
