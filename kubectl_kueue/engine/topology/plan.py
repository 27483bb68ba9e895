"""Which podSets of a workload are to be placed, in which trees, in which order? (topology.md 2, 2.1)"""

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from kubectl_kueue.engine.requests import pod_requests
from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyForest, with_pod
from kubectl_kueue.engine.topology.reasons import (
    ElasticPreferred,
    ElasticRequired,
    NoTopologyFlavor,
    NoTopologyInformation,
    SeveralTopologyFlavors,
    TopologyError,
)
from kubectl_kueue.engine.topology.request import PlacementRequest, node_filter, requests_topology
from kubectl_kueue.model.objects import PodSetTopologyRequest, PodSetUpdate, PodSpec


class QueueTopology(msgspec.Struct, frozen=True):
    """What of a ClusterQueue decides: its flavors, and its checks that postpone placement.

    `tas_only` makes podSets without a topology request implied ones; `provisioning_flavors` are the
    flavors with a ProvisioningRequest check.
    """

    flavors: Sequence[str]
    tas_only: bool = False
    multikueue: bool = False
    provisioning_flavors: frozenset[str] = frozenset()


class PodSetToPlace(msgspec.Struct, frozen=True, kw_only=True):
    """One podSet after its flavors were chosen.

    `spec` is the pod template that counts (overhead and defaults filled in), `flavors` maps resource
    to flavor, `updates` come from the Ready checks. `current` is the assignment it holds, `previous`
    that of the podSet of the same name in the slice that an elastic job's workload replaces.
    """

    name: str
    count: int
    spec: PodSpec
    topology: PodSetTopologyRequest | None
    flavors: Mapping[str, str]
    updates: Sequence[PodSetUpdate] = ()
    current: TopologyPlacement | None = None
    previous: TopologyPlacement | None = None


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One placement to make. `members` are its podSets in spec order, the leader's included.

    With `repair` only the pods on the failed node move; with `previous` (podSet -> placement) only
    what the replaced slice did not have is placed.
    """

    flavor: str
    members: tuple[str, ...]
    request: PlacementRequest
    repair: TopologyPlacement | None = None
    previous: Mapping[str, TopologyPlacement] = {}


class PlacementPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All placements of a workload, in order; podSets whose placement waits; podSets in error.

    `unhealthy` is the failed node that `repair` tasks move away from. With any error nothing is placed.
    """

    workload: str
    tasks: tuple[Task, ...] = ()
    delayed: tuple[str, ...] = ()
    errors: dict[str, TopologyError] = {}
    unhealthy: str = ""

    @property
    def pod_sets(self) -> list[str]:
        """The podSets that would be placed."""
        return [name for task in self.tasks for name in task.members]


def plan_placements(
    forest: TopologyForest,
    queue: QueueTopology,
    workload: str,
    pod_sets: Sequence[PodSetToPlace],
    *,
    reserved: bool = False,
    unhealthy: Sequence[str] = (),
    stays: bool = False,
    elastic: bool = False,
) -> PlacementPlan:
    """Collect the placements of a workload whose flavors are chosen and whose mode is not NoFit.

    `reserved`: it holds a quota reservation; `unhealthy`: its failed nodes; `stays`: its pods are left
    there all the same; `elastic`: its job scales by workload slices. `workload` is its key.
    """
    delayed: list[str] = []
    errors: dict[str, TopologyError] = {}
    by_flavor: dict[str, list[PodSetToPlace]] = {}
    elastic = elastic and forest.gates["ElasticJobsViaWorkloadSlicesWithTAS"]
    for pod_set in _by_group(pod_sets):
        if not _takes_part(queue, pod_set, unhealthy):
            continue
        found = _flavor(forest, queue, pod_set, elastic)
        if isinstance(found, TopologyError):
            errors[pod_set.name] = found
        elif queue.multikueue or (not reserved and found in queue.provisioning_flavors):
            delayed.append(pod_set.name)
        else:
            by_flavor.setdefault(found, []).append(pod_set)
    tasks = [
        task
        for flavor, members in sorted(by_flavor.items())
        for task in _tasks(flavor, members, repair=bool(unhealthy))
        if not errors and not (unhealthy and stays)
    ]
    return PlacementPlan(
        workload=workload,
        tasks=tuple(tasks),
        delayed=tuple(delayed),
        errors=errors,
        unhealthy=unhealthy[0] if unhealthy else "",
    )


def _takes_part(queue: QueueTopology, pod_set: PodSetToPlace, unhealthy: Sequence[str]) -> bool:
    if pod_set.count <= 0 or not (queue.tas_only or requests_topology(pod_set.topology)):
        return False
    return pod_set.current is None or _names(pod_set.current, unhealthy)


def _names(placement: TopologyPlacement, nodes: Sequence[str]) -> bool:
    return any(values[-1] in nodes for values, _ in placement.domains if values)


def _flavor(
    forest: TopologyForest, queue: QueueTopology, pod_set: PodSetToPlace, elastic: bool
) -> str | TopologyError:
    """The tree to place a podSet in."""
    if elastic and pod_set.topology is not None:
        if pod_set.topology.required is not None:
            return ElasticRequired()
        if pod_set.topology.preferred is not None:
            return ElasticPreferred()
    if not any(flavor in forest.trees for flavor in queue.flavors):
        return NoTopologyInformation()
    found = sorted({flavor for flavor in pod_set.flavors.values() if flavor in forest.trees})
    if not found:
        return NoTopologyFlavor()
    return found[0] if len(found) == 1 else SeveralTopologyFlavors(tuple(found))


def _tasks(flavor: str, pod_sets: Sequence[PodSetToPlace], *, repair: bool) -> list[Task]:
    """Placements in one tree: groups together; repairs singly, and then nothing else."""
    if repair:
        return [_repair(flavor, pod_set) for pod_set in pod_sets if pod_set.current is not None]
    return [_fresh(flavor, list(members)) for _, members in groupby(pod_sets, _group_key)]


def _by_group(pod_sets: Sequence[PodSetToPlace]) -> list[PodSetToPlace]:
    """In spec order, but the members of a group all at the position of the first."""
    first: dict[str, int] = {}
    for i, pod_set in enumerate(pod_sets):
        first.setdefault(_group_key(pod_set), i)
    return sorted(pod_sets, key=lambda pod_set: first[_group_key(pod_set)])


def _group_key(pod_set: PodSetToPlace) -> str:
    """Equal for members of a group (podSet names hold no slash)."""
    group = pod_set.topology.pod_set_group_name if pod_set.topology else None
    return f"group/{group}" if group else pod_set.name


def _repair(flavor: str, pod_set: PodSetToPlace) -> Task:
    return Task(
        flavor=flavor, members=(pod_set.name,), request=placement_request(pod_set), repair=pod_set.current
    )


def _fresh(flavor: str, members: Sequence[PodSetToPlace]) -> Task:
    """A podSet alone, or leader and workers: the leader has fewer pods, on a tie it is the second."""
    leader = None
    workers = members[0]
    if len(members) > 1:
        leader = members[0] if members[0].count < members[1].count else members[1]
        workers = members[1] if leader is members[0] else members[0]
    return Task(
        flavor=flavor,
        members=tuple(m.name for m in members),
        request=placement_request(workers, leader),
        previous={m.name: m.previous for m in members if m.previous is not None},
    )


def placement_request(workers: PodSetToPlace, leader: PodSetToPlace | None = None) -> PlacementRequest:
    """What a podSet asks of a tree, or a group of two: nodes are filtered for the workers alone (T12)."""
    nodes, conflict = node_filter(workers.name, workers.spec, workers.updates)
    return PlacementRequest(
        pod_set=workers.name,
        count=workers.count,
        requests=with_pod(pod_requests(workers.spec)),
        topology=workers.topology if requests_topology(workers.topology) else None,
        nodes=nodes,
        leader=leader.name if leader else None,
        leader_requests=with_pod(pod_requests(leader.spec)) if leader else {},
        conflict=conflict,
    )
