"""What does the world at hand hold that a run does not act out? (docs/simulation.md)

Only what these workloads can meet is told: a check of a ClusterQueue that is not theirs says nothing about
them, nor does one that they have behind them.
"""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.engine.snapshot import MULTIKUEUE, PROVISIONING
from kubectl_kueue.engine.workload import ADMITTED, FINISHED
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.objects import ClusterQueue, Workload
from kubectl_kueue.model.world import World

BEYOND = "beyond-"
"""The codes of these assumptions begin with it."""

# Gates by which the scheduler decides otherwise, though not here: the value that is acted out.
_ACTED_OUT: Mapping[str, bool] = {
    "FinishOrphanedWorkloads": True,
    "SchedulerLibraryIntegration": False,
    "SchedulerLongRequeueInterval": False,
    "TASFailedNodeReplacement": True,
    "VectorizedResourceRequests": True,
}
_KUEUE = "kueue.x-k8s.io"


def beyond(world: World, keys: Iterable[str]) -> Iterator[Assumption]:
    """What answers about these workloads leave out, each once."""
    waiting = [world.workloads[key] for key in keys if _waits(world.workloads[key])]
    if not waiting:
        return
    queues = _queues_of(world, waiting)
    found = [
        *_checks(world, queues),
        *_readiness(world),
        *_owners(waiting),
        *_variants(world.gates, queues),
        *_gates_of_preemption(world.gates, waiting),
        *_nodes(world, queues),
        *(
            _told("gate", f"{name}={str(not on).lower()}")
            for name, on in _ACTED_OUT.items()
            if _off(world, name)
        ),
    ]
    yield from dict.fromkeys(found)


def _told(what: str, about: str = "") -> Assumption:
    return Assumption(f"{BEYOND}{what}", about)


def _waits(workload: Workload) -> bool:
    return not any(c.status == "True" and c.type in (ADMITTED, FINISHED) for c in workload.status.conditions)


def _queues_of(world: World, workloads: Iterable[Workload]) -> list[ClusterQueue]:
    """The ClusterQueues that they wait in front of, by name."""
    names = {
        queue.spec.cluster_queue
        for key in {f"{w.metadata.namespace}/{w.spec.queue_name}" for w in workloads}
        if (queue := world.local_queues.get(key)) is not None
    }
    return [world.cluster_queues[name] for name in sorted(names) if name in world.cluster_queues]


# --- controllers ----------------------------------------------------------------------------------


def _checks(world: World, queues: Iterable[ClusterQueue]) -> Iterator[Assumption]:
    """Admission checks: nobody here sets their state."""
    strategies = (queue.spec.admission_checks_strategy for queue in queues)
    names = {
        check.name for strategy in strategies if strategy is not None for check in strategy.admission_checks
    }
    for name in sorted(names):
        check = world.admission_checks.get(name)
        match check.spec.controller_name if check is not None else "":
            case "":
                continue
            case str(controller) if controller == PROVISIONING:
                yield _told("provisioning", name)
            case str(controller) if controller == MULTIKUEUE:
                yield _told("multikueue", name)
            case controller:
                yield _told("check", f"{name} ({controller})")


def _readiness(world: World) -> Iterator[Assumption]:
    wait = world.config.wait_for_pods_ready
    if wait is not None and wait.enable and not world.gates["DisableWaitForPodsReady"]:
        yield _told("block-admission" if wait.block_admission else "pods-ready")


def _owners(workloads: Iterable[Workload]) -> Iterator[Assumption]:
    """Jobs of kinds for which Kueue has no integration of its own."""
    kinds = {
        (owner.api_version.rpartition("/")[0], owner.kind)
        for workload in workloads
        for owner in workload.metadata.owner_references
        if owner.controller
    }
    for group, kind in sorted(kinds - FRAMEWORKS.keys()):
        if kind and group != _KUEUE:
            yield _told("framework", f"{kind}.{group}" if group else kind)


# --- gates ----------------------------------------------------------------------------------------


def _off(world: World, gate: str) -> bool:
    return world.gates.get(gate, _ACTED_OUT[gate]) is not _ACTED_OUT[gate]


def _variants(gates: Gates, queues: Iterable[ClusterQueue]) -> Iterator[Assumption]:
    if not gates["ConcurrentAdmission"]:
        return
    policies = [q.spec.concurrent_admission_policy for q in queues if q.spec.concurrent_admission_policy]
    if policies:
        yield _told("variants")
    if any(p.migration is not None and p.migration.mode == "RetainFirstAdmission" for p in policies):
        yield _told("retain-first")


def _gates_of_preemption(gates: Gates, workloads: Iterable[Workload]) -> Iterator[Assumption]:
    if not (gates["ConcurrentAdmission"] or gates["MultiKueueOrchestratedPreemption"]):
        return
    for workload in workloads:
        opened = {gate.name for gate in workload.status.preemption_gates if gate.position == "Open"}
        if any(gate.name not in opened for gate in workload.spec.preemption_gates):
            yield _told("preemption-gates")


def _nodes(world: World, queues: Iterable[ClusterQueue]) -> Iterator[Assumption]:
    """Where places on nodes decide: which nodes there are, and what else runs on them."""
    if not world.gates["TopologyAwareScheduling"]:
        return
    named = {f.name for q in queues for group in q.spec.resource_groups for f in group.flavors}
    flavors = (world.resource_flavors.get(name) for name in named)
    if any(flavor is not None and flavor.spec.topology_name for flavor in flavors):
        yield _told("nodes")
