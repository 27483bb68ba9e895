"""Topology in the verdict: flavors are chosen, can the pods also be placed? (topology.md 2, 7)

A workload that fits by quota but not in its trees falls back to Preempt, and to NoFit if it could
not even be placed with all topology-aware pods gone.
"""

from collections.abc import Sequence

from kubectl_kueue.engine.flavors import Assignment, Mode, PodSetAssignment
from kubectl_kueue.engine.slices import ReplacedSlice
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyUsage
from kubectl_kueue.engine.topology.plan import PlacementPlan, PodSetToPlace, plan_placements
from kubectl_kueue.engine.topology.workload import WorkloadPlacement, excess, place_workload
from kubectl_kueue.engine.workload import AdmittedPodSet, WorkloadInfo

ELASTIC = "kueue.x-k8s.io/elastic-job"
GROUP_WORKLOAD = "kueue.x-k8s.io/is-group-workload"


def concerns_topology(info: WorkloadInfo, queue: QueueNode, snapshot: Snapshot) -> bool:
    """Whether placement has a say: a topology is requested, or implied by the ClusterQueue."""
    if not snapshot.gates["TopologyAwareScheduling"]:
        return False
    return info.wants_topology or queue.tas_only


def place_assignment(
    snapshot: Snapshot,
    queue: QueueNode,
    info: WorkloadInfo,
    assignment: Assignment,
    *,
    replaced: ReplacedSlice | None = None,
    second_pass: bool = False,
) -> None:
    """Place what an assignment chose flavors for, and settle its mode (7).

    The plan stays on the assignment: every later question about its topology is asked with it.
    """
    if assignment.mode is Mode.NO_FIT:
        return
    plan = _plan(snapshot, queue, info, assignment, replaced, second_pass)
    assignment.plan = plan
    by_name = {p.name: p for p in assignment.pod_sets}
    for name in plan.delayed:
        by_name[name].delayed = "Pending"
    if plan.errors:
        for name, error in plan.errors.items():
            by_name[name].error = error
        assignment.mode = Mode.NO_FIT
        return
    if assignment.mode is Mode.FIT:
        result = place_workload(snapshot.forest, plan)
        if result.failed is None:
            record(assignment, result)
        else:
            by_name[result.failed].reasons.append(result.failures[result.failed])
            _set_mode(assignment, by_name[result.failed], Mode.PREEMPT)
    if assignment.mode is Mode.PREEMPT and not plan.unhealthy:
        result = place_workload(snapshot.forest, plan, simulate_empty=True, explain=False)
        if result.failed is not None:
            _set_mode(assignment, by_name[result.failed], Mode.NO_FIT)
        else:
            for name in plan.pod_sets:
                _set_mode(assignment, by_name[name], Mode.PREEMPT)


def _set_mode(assignment: Assignment, pod_set: PodSetAssignment, mode: Mode) -> None:
    """All flavors of one podSet, shared by its group, get the mode; so does the workload, outright."""
    for choice in pod_set.flavors.values():
        choice.mode = mode
    assignment.mode = mode


def _plan(
    snapshot: Snapshot,
    queue: QueueNode,
    info: WorkloadInfo,
    assignment: Assignment,
    replaced: ReplacedSlice | None,
    second_pass: bool,
) -> PlacementPlan:
    held = {p.name: p for p in info.reservation.pod_sets} if second_pass and info.reservation else {}
    previous = _previous(snapshot, replaced)
    updates = [u for check in info.checks if check.state == "Ready" for u in check.updates]
    specs = {p.name: (p, adjusted) for p, adjusted in zip(info.obj.spec.pod_sets, info.adjusted, strict=True)}
    pod_sets = []
    for assigned in sorted(assignment.pod_sets, key=lambda p: p.index):
        pod_set, spec = specs[assigned.name]
        kept = held.get(assigned.name)
        pod_sets.append(
            PodSetToPlace(
                name=assigned.name,
                count=assigned.count,
                spec=spec,
                topology=pod_set.topology_request,
                flavors={r: c.flavor for r, c in assigned.flavors.items()},
                updates=[u for u in updates if u.name == assigned.name] if second_pass else (),
                current=kept.topology if kept else None,
                previous=previous.get(assigned.name),
            )
        )
    assert queue.topology is not None
    return plan_placements(
        snapshot.forest,
        queue.topology,
        info.key,
        pod_sets,
        reserved=second_pass,
        unhealthy=info.unhealthy_nodes if second_pass else (),
        stays=_of_single_pod(info) and snapshot.gates["SkipReassignmentForPodOwnedWorkloads"],
        elastic=ELASTIC in info.obj.metadata.annotations,
    )


def _of_single_pod(info: WorkloadInfo) -> bool:
    """Whether the workload is one Pod's own, so that its pods cannot be moved (8)."""
    meta = info.obj.metadata
    owners = [(owner.kind, owner.api_version) for owner in meta.owner_references]
    return owners == [("Pod", "v1")] and GROUP_WORKLOAD not in meta.annotations


def _previous(snapshot: Snapshot, replaced: ReplacedSlice | None) -> dict[str, TopologyPlacement]:
    if replaced is None or not snapshot.gates["ElasticJobsViaWorkloadSlicesWithTAS"]:
        return {}
    assert replaced.info.reservation is not None
    return {p.name: p.topology for p in replaced.info.reservation.pod_sets if p.topology is not None}


def record(assignment: Assignment, result: WorkloadPlacement) -> None:
    """Keep where each podSet would go, and what that takes in the trees."""
    assignment.placed = result.placed
    for pod_set in assignment.pod_sets:
        usage = result.placed.get(pod_set.name)
        if usage is None:
            continue
        pod_set.topology = usage.placement
        if pod_set.delayed == "Pending":
            pod_set.delayed = "Ready"


def placements_succeed(snapshot: Snapshot, plan: PlacementPlan) -> bool:
    """Whether the whole plan can be placed on the state as simulated now."""
    return place_workload(snapshot.forest, plan, explain=False).failed is None


def record_for_preemption(
    snapshot: Snapshot, assignment: Assignment, victims: Sequence[WorkloadInfo]
) -> None:
    """Where the pods would go once the victims are gone; without victims, in an empty cluster."""
    plan = assignment.plan
    if plan is None or not plan.tasks or plan.unhealthy:
        return
    with snapshot.without(victims):
        record(
            assignment,
            place_workload(snapshot.forest, plan, simulate_empty=not victims, explain=False),
        )


def topology_claims(info: WorkloadInfo, assignment: Assignment, *, second_pass: bool) -> list[TopologyUsage]:
    """What the recorded topology takes in the trees on top of what the workload holds."""
    if not second_pass or info.reservation is None:
        return list(assignment.placed.values())
    held = {p.name: p for p in info.reservation.pod_sets}
    return [excess(usage, _held(held.get(name))) for name, usage in assignment.placed.items()]


def _held(pod_set: AdmittedPodSet | None) -> TopologyPlacement | None:
    return pod_set.topology if pod_set is not None else None
