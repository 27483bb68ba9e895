"""The cluster as the scheduler sees it in a cycle: quota tree, queues' rules, who holds quota.

`Snapshot` is private to one run. Between cycles it is the
scheduler's cache (workloads enter and leave for good); within a cycle every change is a simulation
that its journal takes back (scheduling.md 0.2, 2.7, 2.8, 4.2).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kubectl_kueue.engine.quota import FlavorResource, Node, add_usage, column, refresh, remove_usage, undo
from kubectl_kueue.engine.topology.forest import build_forest
from kubectl_kueue.engine.topology.plan import QueueTopology
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.config import Configuration, Gates
from kubectl_kueue.model.objects import (
    ClusterQueue,
    ClusterQueuePreemption,
    FlavorFungibility,
    ResourceFlavor,
    ResourceGroup,
)
from kubectl_kueue.model.quantity import NANO, Saturating, nanos, quota
from kubectl_kueue.model.world import World

Mark = tuple[int, int]

MULTIKUEUE = "kueue.x-k8s.io/multikueue"
PROVISIONING = "kueue.x-k8s.io/provisioning-request"


class QuotaGroup:
    """One resource group of a ClusterQueue: covered resources and flavors in order."""

    __slots__ = ("covered", "flavors", "index")

    def __init__(self, index: int, group: ResourceGroup) -> None:
        self.index = index
        self.covered = frozenset(group.covered_resources)
        self.flavors = [f.name for f in group.flavors]


class QueueNode(Node):
    """A ClusterQueue: a leaf of the quota tree together with its rules and its workloads.

    `workloads` holds quota here, by key. `generation` counts what may have made recorded scan
    progress stale (2.7). `inactive` lists why it admits nothing; empty means active.
    """

    __slots__ = (
        "by_priority",
        "checks",
        "checks_for_all",
        "covers_pods",
        "flavors",
        "fungibility",
        "generation",
        "group_of",
        "groups",
        "inactive",
        "multikueue",
        "obj",
        "preemption",
        "provisioning_flavors",
        "stop_policy",
        "strict",
        "tas_only",
        "topology",
        "usage_based",
        "workloads",
    )

    def __init__(self, obj: ClusterQueue) -> None:
        super().__init__(obj.metadata.name, is_cluster_queue=True)
        spec = obj.spec
        self.obj = obj
        self.strict = spec.queueing_strategy == "StrictFIFO"
        self.stop_policy = spec.stop_policy or "None"
        self.preemption = _preemption(spec.preemption)
        self.fungibility = spec.flavor_fungibility or FlavorFungibility()
        self.groups = [QuotaGroup(i, g) for i, g in enumerate(spec.resource_groups)]
        self.group_of: dict[str, QuotaGroup] = {}
        for group in self.groups:
            for resource in group.covered:
                self.group_of.setdefault(resource, group)
        self.flavors = list(dict.fromkeys(f for g in self.groups for f in g.flavors))
        self.covers_pods = "pods" in self.group_of
        strategy = spec.admission_checks_strategy
        self.checks = (
            [(c.name, frozenset(c.on_flavors) or frozenset(self.flavors)) for c in strategy.admission_checks]
            if strategy
            else []
        )
        every = frozenset(self.flavors)
        self.checks_for_all = frozenset(name for name, on in self.checks if on >= every)
        scope = spec.admission_scope
        self.usage_based = scope is not None and scope.admission_mode == "UsageBasedAdmissionFairSharing"
        self.multikueue = False
        self.provisioning_flavors: frozenset[str] = frozenset()
        self.tas_only = False
        self.topology: QueueTopology | None = None
        self.inactive: list[tuple[str, str]] = []
        self.generation = 0
        self.workloads: dict[str, WorkloadInfo] = {}
        self.by_priority: list[WorkloadInfo] | None = None

    @property
    def active(self) -> bool:
        return not self.inactive

    @property
    def borrows_by_preemption(self) -> bool:
        """Whether borrowWithinCohort lets it preempt for quota that it only borrows; empty means Never."""
        borrowing = self.preemption.borrow_within_cohort
        return borrowing is not None and borrowing.policy not in ("Never", "")


def _preemption(found: ClusterQueuePreemption | None) -> ClusterQueuePreemption:
    """No `preemption` object means Never everywhere; an empty reclaim policy in one does not."""
    if found is None:
        return ClusterQueuePreemption(reclaim_within_cohort="Never", within_cluster_queue="Never")
    return found


Rank = tuple[frozenset[FlavorResource], str, int | None, int | None]
"""What decides who is a candidate: what is needed, the policy, the preemptor's priority, its time."""


class Borrowing:
    """Who is over its quota, as the heads of one cycle found it while nothing was simulated.

    `sides`: below a cohort and for what is needed, by child; `candidates`: below a cohort but not below one
    of its children (preemption/classical.py); `groups`: in the whole tree, by queue (preemption/fair.py).
    """

    __slots__ = ("candidates", "groups", "sides")

    def __init__(self) -> None:
        self.sides: dict[tuple[Node, frozenset[FlavorResource]], dict[Node, list[QueueNode]]] = {}
        self.candidates: dict[tuple[Node, Node | None, Rank], tuple[list[str], list[WorkloadInfo]]] = {}
        self.groups: dict[tuple[Node, Rank], list[tuple[QueueNode, list[WorkloadInfo]]]] = {}

    def clear(self) -> None:
        self.sides.clear()
        self.candidates.clear()
        self.groups.clear()


class Snapshot:
    """Quota tree and everything that decisions read; see the module's first lines.

    `queues` holds every ClusterQueue, inactive ones too (their quota counts); `cyclic` names those
    under a cycle of Cohorts, which hang in no tree. `amount` makes the int type in which this world
    computes. `duels` takes down the comparisons of fair sharing's tournament (None: nobody watches).
    """

    def __init__(self, world: World, workloads: Iterable[WorkloadInfo]) -> None:
        self.now = world.now
        self.cycle = 0
        self.gates: Gates = world.gates
        self.config: Configuration = world.config
        self.flavors: Mapping[str, ResourceFlavor] = world.resource_flavors
        self.fair_sharing = world.config.fair_sharing_enabled
        self.journal: list[tuple[Node, FlavorResource, int]] = []
        self.flavor_matches: dict[Any, Any] = {}
        self.topology_levels = {
            name: [level.node_label for level in t.spec.levels] for name, t in world.topologies.items()
        }
        self.local_queue_usage: Callable[[WorkloadInfo], float] | None = None
        self.queues: dict[str, QueueNode] = {}
        self.cohorts: dict[str, Node] = {}
        self.cyclic: set[str] = set()
        self._active_below: dict[Node, list[QueueNode]] = {}
        self._borrowing = Borrowing()
        self.amount = _amount_type(world, workloads)
        self.forest = build_forest(world)
        self.duels: list[Any] | None = None
        self._build(world)

    def _build(self, world: World) -> None:
        nodes = {name: QueueNode(cq) for name, cq in world.cluster_queues.items()}
        parents = {name: c.spec.parent_name for name, c in world.cohorts.items() if c.spec.parent_name}
        cohorts: dict[str, Node] = {}

        def cohort(name: str) -> Node:
            node = cohorts.get(name)
            if node is None:
                node = cohorts[name] = Node(name, is_cluster_queue=False)
                node.weight = 0.0 if name not in world.cohorts else 1.0
                node.journal = self.journal
            return node

        for name, c in world.cohorts.items():
            node = cohort(name)
            self._read_quotas(node, c.spec.resource_groups)
            node.weight = _weight(c.spec.fair_sharing.weight if c.spec.fair_sharing else None)
        cyclic_cohorts = _cyclic(parents)
        for name, parent in parents.items():
            if name not in cyclic_cohorts:
                _attach(cohort(name), cohort(parent))
        for name, queue in nodes.items():
            queue.journal = self.journal
            spec = queue.obj.spec
            queue.weight = _weight(spec.fair_sharing.weight if spec.fair_sharing else None)
            self._read_quotas(queue, spec.resource_groups)
            self._judge_activity(queue, world)
            if spec.cohort_name in cyclic_cohorts:
                self.cyclic.add(name)
            elif spec.cohort_name:
                _attach(queue, cohort(spec.cohort_name))
        self.queues = nodes
        self.cohorts = {n: c for n, c in cohorts.items() if n not in cyclic_cohorts}
        self.cyclic_cohorts = {n: c for n, c in cohorts.items() if n in cyclic_cohorts}
        self.refresh_quotas()

    def refresh_quotas(self) -> None:
        active = {name for name, q in self.queues.items() if q.active}
        for node in [*self.cohorts.values(), *self.cyclic_cohorts.values(), *self.queues.values()]:
            if node.parent is None:
                refresh(node, active)

    def _read_quotas(self, node: Node, groups: list[ResourceGroup]) -> None:
        for group in groups:
            for flavor in group.flavors:
                for q in flavor.resources:
                    fr = column(flavor.name, q.name)
                    node.nominal[fr] = self.amount(quota(q.name, q.nominal_quota))
                    if q.borrowing_limit is not None:
                        node.borrowing_limit[fr] = self.amount(quota(q.name, q.borrowing_limit))
                    if q.lending_limit is not None:
                        node.lending_limit[fr] = self.amount(quota(q.name, q.lending_limit))

    def _judge_activity(self, queue: QueueNode, world: World) -> None:
        """Why the ClusterQueue is inactive, first reason first (2.8)."""
        tas = self.gates["TopologyAwareScheduling"]
        why = queue.inactive
        if queue.obj.metadata.deletion_timestamp:
            why.append(("Terminating", ""))
        if queue.stop_policy != "None":
            why.append(("Stopped", ""))
        why.extend(("FlavorNotFound", f) for f in queue.flavors if f not in world.resource_flavors)
        missing, inactive, controllers = [], [], {}
        for name, _ in queue.checks:
            check = world.admission_checks.get(name)
            if check is None:
                if "AdmissionCheck" not in world.missing:  # what may not be read is no cause
                    missing.append(name)
                continue
            controllers[name] = check.spec.controller_name
            if not any(c.type == "Active" and c.status == "True" for c in check.status.conditions):
                inactive.append(name)
        why.extend(("AdmissionCheckNotFound", n) for n in missing)
        why.extend(("AdmissionCheckInactive", n) for n in inactive)
        multikueue = [n for n, c in controllers.items() if c == MULTIKUEUE]
        provisioning = {n for n, c in controllers.items() if c == PROVISIONING}
        queue.multikueue = bool(multikueue)
        queue.provisioning_flavors = frozenset().union(*(on for n, on in queue.checks if n in provisioning))
        if len(multikueue) > 1:
            why.extend(("MultipleMultiKueueAdmissionChecks", n) for n in multikueue)
        every = set(queue.flavors)
        why.extend(
            ("MultiKueueAdmissionCheckAppliedPerFlavor", n)
            for n, on in queue.checks
            if n in multikueue and not on >= every
        )
        if multikueue and provisioning:
            why.append(("MultiKueueWithProvisioningRequest", ""))
        if tas and not multikueue:
            for name in queue.flavors:
                flavor = world.resource_flavors.get(name)
                topology = flavor.spec.topology_name if flavor else None
                if topology and topology not in world.topologies:
                    why.append(("TopologyNotFound", topology))
        queue.tas_only = tas and all(self.topology_name(f) for f in queue.flavors)
        if tas:
            queue.topology = QueueTopology(
                queue.flavors, queue.tas_only, queue.multikueue, queue.provisioning_flavors
            )

    def topology_name(self, flavor: str) -> str | None:
        """The Topology a flavor is laid out on; None where topology does not matter."""
        found = self.flavors.get(flavor)
        if found is None or not self.gates["TopologyAwareScheduling"]:
            return None
        return found.spec.topology_name

    def active_below(self, root: Node) -> list[QueueNode]:
        """The active ClusterQueues of the whole tree under a root."""
        found = self._active_below.get(root)
        if found is None:
            pending, found = [root], []
            for node in pending:
                pending.extend(node.children)
                if isinstance(node, QueueNode) and node.active:
                    found.append(node)
            self._active_below[root] = found
        return found

    # --- who holds quota --------------------------------------------------------------------------

    def add(self, info: WorkloadInfo) -> None:
        """Take a workload with a reservation into its ClusterQueue, for good."""
        queue = self.queues.get(info.cluster_queue)
        if queue is None:
            return
        queue.workloads[info.key] = info
        queue.by_priority = None
        self.charge(queue, info.usage)
        self.forest.admit(info.placements)

    def remove(self, info: WorkloadInfo) -> None:
        """Let a workload go and free its quota, for good."""
        queue = self.queues.get(info.cluster_queue)
        if queue is None or queue.workloads.pop(info.key, None) is None:
            return
        queue.by_priority = None
        self.release(queue, info.usage)
        self.forest.release(info.placements)
        queue.generation += 1

    def charge(self, queue: QueueNode, usage: Mapping[FlavorResource, int]) -> None:
        for fr, amount in usage.items():
            add_usage(queue, fr, amount)

    def release(self, queue: QueueNode, usage: Mapping[FlavorResource, int]) -> None:
        for fr, amount in usage.items():
            remove_usage(queue, fr, amount)

    def begin_cycle(self) -> None:
        self.cycle += 1
        self._borrowing.clear()
        self.forest.begin_cycle()

    def settle(self) -> None:
        """Make the changes since the last settling permanent."""
        self._borrowing.clear()
        self.journal.clear()

    # --- simulations ------------------------------------------------------------------------------

    @property
    def untouched(self) -> bool:
        """Whether no change is being simulated."""
        return not self.journal

    @property
    def borrowing(self) -> "Borrowing":
        """What is known of those over their quota; nothing while a change is being simulated."""
        return self._borrowing if self.untouched else Borrowing()

    def mark(self) -> Mark:
        """A point to which `undo` can return."""
        return len(self.journal), self.forest.mark()

    def undo(self, mark: Mark = (0, 0)) -> None:
        """Take back every simulated change since the mark (by default all since `settle`)."""
        undo(self.journal, mark[0])
        self.forest.undo(mark[1])

    @contextmanager
    def without(self, workloads: Iterable[WorkloadInfo]) -> Iterator[None]:
        """The snapshot with the quota of some workloads free; undone at the end."""
        mark = self.mark()
        for info in workloads:
            self.take_out(info)
        try:
            yield
        finally:
            self.undo(mark)

    def take_out(self, info: WorkloadInfo) -> None:
        """Simulate that a workload's quota and its places are free."""
        self.release(self.queues[info.cluster_queue], info.usage)
        self.forest.remove(info.placements)

    def put_back(self, info: WorkloadInfo) -> None:
        """Simulate that a workload taken out uses its quota again."""
        self.charge(self.queues[info.cluster_queue], info.usage)
        self.forest.add(info.placements)


def _attach(child: Node, parent: Node) -> None:
    child.parent = parent
    parent.children.append(child)


def _weight(text: str | int | float | None) -> float:
    """Fair sharing weight: the double nearest to the decimal; 1.0 if absent (preemption page 4.1)."""
    return 1.0 if text is None else nanos(text) / NANO


def _cyclic(parents: Mapping[str, str]) -> set[str]:
    """Cohorts whose way upwards never ends: on a cycle, or below one."""
    verdict: dict[str, bool] = {}
    for start in parents:
        path: list[str] = []
        on_path: set[str] = set()
        name = start
        while name in parents and name not in verdict and name not in on_path:
            path.append(name)
            on_path.add(name)
            name = parents[name]
        endless = verdict.get(name, name in on_path)
        for passed in path:
            verdict[passed] = endless
    return {name for name, endless in verdict.items() if endless}


def _amount_type(world: World, workloads: Iterable[WorkloadInfo]) -> Callable[[int], int]:
    """Plain ints where no sum can come near int64, saturating ones otherwise."""
    largest = count = 1
    for groups in (
        *(c.spec.resource_groups for c in world.cluster_queues.values()),
        *(c.spec.resource_groups for c in world.cohorts.values()),
    ):
        for group in groups:
            for flavor in group.flavors:
                for q in flavor.resources:
                    count += 1
                    for text in (q.nominal_quota, q.borrowing_limit, q.lending_limit):
                        if text is not None:
                            largest = max(largest, abs(quota(q.name, text)))
    for info in workloads:
        count += 1
        for pod_set in info.pod_sets:
            count += 1
            for amount in pod_set.requests.values():
                largest = max(largest, amount)
        for amount in info.usage.values():
            largest = max(largest, abs(amount))
    return int if largest * count < 2**62 else Saturating
