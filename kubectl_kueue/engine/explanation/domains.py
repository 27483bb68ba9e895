"""The topology trees that a workload could use, as they stand: what is free where, who holds the rest.

One record for each tree and each placement in it (a podSet, or a group of two). The numbers are those
that placement decides by (topology.md 3); this module only adds names.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.placing import concerns_topology
from kubectl_kueue.engine.requests import pod_requests
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.topology.elastic import assume
from kubectl_kueue.engine.topology.forest import TOPOLOGY_ANNOTATIONS, with_pod
from kubectl_kueue.engine.topology.placement import Placed, place
from kubectl_kueue.engine.topology.plan import PodSetToPlace, Task, plan_placements
from kubectl_kueue.engine.topology.request import PlacementRequest, Shape, resolve_shape
from kubectl_kueue.engine.topology.summary import DomainSummary, TreeSummary, hidden_nodes, summarize
from kubectl_kueue.engine.topology.tree import Amounts, TopologyTree
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.objects import Pod

Taken = dict[int, dict[str, int]]  # leaf -> what earlier podSets of the workload would take there
Choice = tuple[str, str]  # podSet and flavor
Who = tuple[str, str]  # kind and name
Crowd = dict[Who, tuple[int, Amounts]]  # -> pods, and the amounts of all of them


class Amount(Facts, frozen=True, omit_defaults=False):
    """An amount of one resource."""

    AMOUNTS = ("amount",)
    resource: str
    amount: int


class Room(Facts, frozen=True, omit_defaults=False):
    """One resource of one domain: capacity = used + free; `used` includes pods outside of the topology,
    `plain` of it. `free` may be negative."""

    AMOUNTS = ("capacity", "used", "plain", "free")
    resource: str
    capacity: int
    used: int
    plain: int
    free: int


class Occupant(Facts, frozen=True, omit_defaults=False):
    """Who holds some of a domain: a `workload` by its placement, or a `pod` on one of its nodes."""

    name: str
    kind: str
    pods: int
    holds: tuple[Amount, ...]


class Domain(Facts, frozen=True, omit_defaults=False):
    """One domain. `fit`: pods of the request that fit now; `slices`: whole slices; `own`: pods of the
    workload that are there; `excluded`: why a leaf takes none (summary.py); `held_by`: all others."""

    values: tuple[str, ...]
    nodes: int
    rooms: tuple[Room, ...]
    fit: int = 0
    slices: int = 0
    own: int = 0
    excluded: str = ""
    held_by: tuple[Occupant, ...] = ()


class Named(Facts, frozen=True, omit_defaults=False):
    """Nodes or leaves that one condition rules out."""

    why: str
    names: tuple[str, ...]


class Request(Facts, frozen=True):
    """What is to be placed: `count` pods that ask for `per_pod` each, together in one domain of `level`.

    `how` is required, preferred, unconstrained or implied (the podSet asks for no topology, its queue
    has no other flavors). `slice_size` is 1 without slices. `before`: podSets whose pods are counted as
    placed already.
    """

    count: int
    per_pod: tuple[Amount, ...]
    level: str = ""
    how: str = "implied"
    slice_level: str = ""
    slice_size: int = 1
    leader: str = ""
    before: tuple[str, ...] = ()


class Best(Facts, frozen=True):
    """The domain at the requested level that comes first: pods that fit there and in the whole tree.

    `lacks` is what there is too little of for all pods (nothing: it is there, in pieces that are too
    small): in that domain if it is required, else in the whole tree, without what no condition allows.
    """

    values: tuple[str, ...]
    fit: int = 0
    fit_in_tree: int = 0
    lacks: tuple[Amount, ...] = ()


class Tree(Facts, frozen=True):
    """One flavor's tree for one placement; `domains` by level, widest first, each in the order of values.

    `chosen`: the nomination settled for the flavor. `hidden` are nodes that the tree does not have,
    `excluded` leaves of it that take no pod. `request` and `best` are None where nothing can be asked:
    the placement is delayed, or makes no sense in this tree.
    """

    flavor: str
    topology: str
    levels: tuple[str, ...]
    pod_sets: tuple[str, ...]
    domains: tuple[tuple[Domain, ...], ...]
    chosen: bool = False
    request: Request | None = None
    best: Best | None = None
    hidden: tuple[Named, ...] = ()
    excluded: tuple[Named, ...] = ()


def trees_of(
    state: State, info: WorkloadInfo, queue: QueueNode, flavors: Collection[str], chosen: Collection[Choice]
) -> tuple[Tree, ...]:
    """The trees of these flavors, in the order of the ClusterQueue; none if topology has no say.

    `chosen` are the flavors of the nomination or reservation, podSet by podSet.
    """
    if queue.topology is None or not concerns_topology(info, queue, state.snapshot):
        return ()
    found: list[Tree] = []
    for flavor in dict.fromkeys(queue.topology.flavors):
        if flavor in flavors and flavor in state.snapshot.forest.trees:
            found.extend(_Look(state, info, queue, flavor, chosen).trees())
    return tuple(found)


class _Look:
    """One tree, with one workload in front of it."""

    def __init__(
        self, state: State, info: WorkloadInfo, queue: QueueNode, flavor: str, chosen: Collection[Choice]
    ) -> None:
        self._state = state
        self._info = info
        self._queue = queue
        self._tree = state.snapshot.forest.trees[flavor]
        self._chosen = chosen
        world = state.world
        self._hidden = hidden_nodes(self._tree, world.resource_flavors[flavor], world.nodes.values())
        self._occupants, self._own = self._inhabitants()

    def trees(self) -> Iterator[Tree]:
        taken: Taken = {}
        before: tuple[str, ...] = ()
        tasks = self._tasks()
        if not tasks:
            yield self._told(summarize(self._tree), None, {}, (), ())
        for task in tasks:
            yield self._told(
                summarize(self._tree, task.request, taken), task.request, taken, task.members, before
            )
            if not self._chosen or self._chose(task.members):
                self._assume(task, taken)
                before += task.members

    def _chose(self, members: Iterable[str]) -> bool:
        return any((member, self._tree.flavor) in self._chosen for member in members)

    def _tasks(self) -> tuple[Task, ...]:
        """The placements that would be made if every podSet got this flavor."""
        info, queue = self._info, self._queue
        assert queue.topology is not None
        pod_sets = [
            PodSetToPlace(
                name=pod_set.name,
                count=requested.count,
                spec=spec,
                topology=pod_set.topology_request,
                flavors={"pods": self._tree.flavor},
            )
            for pod_set, requested, spec in zip(
                info.obj.spec.pod_sets, info.pod_sets, info.adjusted, strict=True
            )
        ]
        forest = self._state.snapshot.forest
        return plan_placements(forest, queue.topology, info.key, pod_sets, reserved=True).tasks

    def _assume(self, task: Task, taken: Taken) -> None:
        """Later podSets see what this one takes, where it finds a place."""
        result = place(self._tree, task.request, assumed=taken, explain=False)
        if isinstance(result, Placed):
            assume(self._tree, taken, result.placement, task.request.requests)
            if result.leader is not None:
                assume(self._tree, taken, result.leader, task.request.leader_requests)

    # --- who is there -----------------------------------------------------------------------------

    def _inhabitants(self) -> tuple[dict[int, Crowd], dict[int, int]]:
        """Leaf -> who is there, and leaf -> pods of the workload itself."""
        tree = self._tree
        found: dict[int, Crowd] = {}
        own: dict[int, int] = {}
        for leaf, key, count, requests in self._placed():
            if key == self._info.key:
                own[leaf] = own.get(leaf, 0) + count
                continue
            _enter(found.setdefault(leaf, {}), ("workload", key), count, _times(requests, count))
        nodes = self._state.world.nodes
        for key, pod in sorted(self._state.world.pods.items()):
            node = nodes.get(pod.spec.node_name)
            if node is None or node.metadata.name in self._hidden or not _is_plain(pod):
                continue
            where = tree.leaf(tuple(node.metadata.labels[level] for level in tree.levels))
            if where is not None:
                _enter(found.setdefault(where, {}), ("pod", key), 1, with_pod(pod_requests(pod.spec)))
        return found, own

    def _placed(self) -> Iterator[tuple[int, str, int, Amounts]]:
        """(leaf, workload, pods, requests of one) of everything that is placed here."""
        forest = self._state.snapshot.forest
        for queue in self._state.snapshot.queues.values():
            for key, other in queue.workloads.items():
                for usage in other.placements:
                    if self._tree not in forest.sharing(usage.flavor):
                        continue
                    for values, count in usage.placement.domains:
                        leaf = self._tree.leaf(values)
                        if leaf is not None:
                            yield leaf, key, count, usage.requests

    # --- putting it together ----------------------------------------------------------------------

    def _told(
        self,
        summary: TreeSummary,
        request: PlacementRequest | None,
        taken: Taken,
        members: tuple[str, ...],
        before: tuple[str, ...],
    ) -> Tree:
        shape = resolve_shape(self._tree, request.topology) if request is not None else None
        asked = summary.level is not None and isinstance(shape, Shape)
        told = None
        if request is not None:
            told = _request(self._tree, request, shape if isinstance(shape, Shape) else None, before)
        return Tree(
            self._tree.flavor,
            self._tree.topology,
            self._tree.levels,
            members,
            tuple(tuple(self._domains(level, summary)) for level in range(len(summary.domains))),
            self._chose(members),
            told,
            self._best(summary, request, taken) if request is not None and asked else None,
            tuple(_named(_by_reason(self._hidden))),
            tuple(_named({why: [self._leaf_name(v) for v in vs] for why, vs in summary.excluded.items()})),
        )

    def _leaf_name(self, values: tuple[str, ...]) -> str:
        return values[-1] if self._tree.hostname_based else "/".join(values)

    def _domains(self, level: int, summary: TreeSummary) -> Iterator[Domain]:
        lowest = level == self._tree.lowest
        excluded = {v: why for why, leaves in summary.excluded.items() for v in leaves} if lowest else {}
        for index, domain in enumerate(summary.domains[level]):
            leaves = self._tree.leaf_range(level, index)
            yield Domain(
                domain.values,
                domain.nodes,
                tuple(_room(domain, resource) for resource in sorted(domain.capacity)),
                domain.pods,
                domain.slices,
                sum(self._own.get(leaf, 0) for leaf in leaves),
                excluded.get(domain.values, ""),
                tuple(self._holders(leaves, domain.capacity)),
            )

    def _holders(self, leaves: Iterable[int], resources: Collection[str]) -> Iterator[Occupant]:
        total: Crowd = {}
        for leaf in leaves:
            for who, (pods, amounts) in self._occupants.get(leaf, {}).items():
                _enter(total, who, pods, amounts)
        for (kind, name), (pods, amounts) in sorted(total.items()):
            holds = tuple(Amount(r, amounts[r]) for r in sorted(resources) if amounts.get(r, 0) > 0)
            if holds:
                yield Occupant(name, kind, pods, holds)

    def _best(self, summary: TreeSummary, request: PlacementRequest, taken: Taken) -> Best | None:
        if summary.level is None or summary.best is None:
            return None
        best = summary.domains[summary.level][summary.best]
        together = request.topology is not None and request.topology.required is not None
        leaves = self._tree.leaf_range(summary.level, summary.best) if together else range(self._tree.leaves)
        barred = self._barred(summary)
        lacks = []
        for resource in sorted(request.requests):
            need = request.requests[resource] * request.count + request.leader_requests.get(resource, 0)
            column = self._tree.remaining.get(resource, [0] * self._tree.leaves)
            free = sum(
                max(0, column[leaf] - taken.get(leaf, {}).get(resource, 0))
                for leaf in leaves
                if leaf not in barred
            )
            if need > free:
                lacks.append(Amount(resource, need - free))
        return Best(best.values, best.pods, sum(domain.pods for domain in summary.domains[0]), tuple(lacks))

    def _barred(self, summary: TreeSummary) -> set[int]:
        """Leaves that take no pod however much is free there."""
        values = {v for why, vs in summary.excluded.items() if not why.startswith("resource:") for v in vs}
        return {leaf for leaf, v in enumerate(self._tree.values[-1]) if v in values}


def _enter(crowd: Crowd, who: Who, pods: int, more: Amounts) -> None:
    before, held = crowd.get(who, (0, {}))
    crowd[who] = before + pods, {r: held.get(r, 0) + more.get(r, 0) for r in {**held, **more}}


def _times(requests: Amounts, pods: int) -> dict[str, int]:
    return {resource: amount * pods for resource, amount in requests.items()}


def _is_plain(pod: Pod) -> bool:
    """Whether the pod counts on its node: pods of placed workloads are counted with those."""
    if pod.status.phase in ("Succeeded", "Failed"):
        return False
    return TOPOLOGY_ANNOTATIONS.isdisjoint(pod.metadata.annotations)


def _room(domain: DomainSummary, resource: str) -> Room:
    plain, used = domain.plain[resource], domain.used[resource]
    return Room(resource, domain.capacity[resource], plain + used, plain, domain.remaining[resource])


def _request(
    tree: TopologyTree, request: PlacementRequest, shape: Shape | None, before: tuple[str, ...]
) -> Request:
    per_pod = tuple(Amount(r, v) for r, v in sorted(request.requests.items()))
    leader = request.leader or ""
    if shape is None:
        return Request(request.count, per_pod, leader=leader, before=before)
    return Request(
        request.count,
        per_pod,
        tree.levels[shape.level],
        _how(request, shape),
        tree.levels[shape.slice_level] if shape.layers else "",
        shape.slice_size,
        leader,
        before,
    )


def _how(request: PlacementRequest, shape: Shape) -> str:
    if request.topology is None:
        return "implied"
    if shape.required:
        return "required"
    return "unconstrained" if shape.unconstrained else "preferred"


def _by_reason(hidden: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for node, why in hidden.items():
        found.setdefault(why, []).append(node)
    return found


def _named(found: Mapping[str, Iterable[str]]) -> Iterator[Named]:
    for why, names in sorted(found.items()):
        yield Named(why, tuple(sorted(names)))
