"""Who can have a say in one workload's verdict? A world with nobody else in it.

ClusterQueues meet only below a common root cohort, so the rest of a large cluster need not be set up.
Places on nodes are shared by everybody: where a Topology has a say nothing is left out.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from kubectl_kueue.engine.workload import JOB_UID, REPLACEMENT_FOR
from kubectl_kueue.model.objects import Cohort, Pod, Workload, WorkloadStatus
from kubectl_kueue.model.world import World

_MANAGED = (
    "kueue.x-k8s.io/managed",
    "kueue.x-k8s.io/queue-name",
    "kueue.x-k8s.io/podset",
    "kueue.x-k8s.io/tas",
)


def around(world: World, cluster_queue: str, key: str) -> World:
    """The world of one ClusterQueue's tree, and the workload `key` in any case."""
    queue = world.cluster_queues.get(cluster_queue)
    if queue is None:
        subject = {key: world.workloads[key]}
        return replace(world, cluster_queues={}, workloads=subject, resource_flavors={})
    root = _root(queue.spec.cohort_name, world.cohorts)
    queues = {
        name: other
        for name, other in world.cluster_queues.items()
        if other is queue or (root and _root(other.spec.cohort_name, world.cohorts) == root)
    }
    named = {f.name for q in queues.values() for g in q.spec.resource_groups for f in g.flavors}
    flavors = {name: flavor for name, flavor in world.resource_flavors.items() if name in named}
    if any(flavor.spec.topology_name for flavor in flavors.values()):
        return world
    local_queues = {k: q for k, q in world.local_queues.items() if q.spec.cluster_queue in queues}
    workloads = {
        k: workload
        for k, workload in world.workloads.items()
        if k == key or _takes_part(workload, queues, local_queues)
    }
    return replace(
        world,
        cluster_queues=queues,
        resource_flavors=flavors,
        local_queues=local_queues,
        workloads=workloads,
    )


def deserted(world: World, key: str) -> World:
    """The same cluster with this workload alone in it, and without the pods of any other workload."""
    workload = world.workloads[key]
    kept = WorkloadStatus(reclaimable_pods=workload.status.reclaimable_pods)
    workloads = {key: replace(workload, status=kept)}
    replaced = workload.metadata.annotations.get(REPLACEMENT_FOR, "")
    if replaced in world.workloads:
        workloads[replaced] = world.workloads[replaced]
    owners = {owner.uid for w in world.workloads.values() for owner in w.metadata.owner_references}
    owners |= {w.metadata.labels.get(JOB_UID, "") for w in world.workloads.values()}
    pods = {k: pod for k, pod in world.pods.items() if not _is_managed(pod, owners)}
    return replace(world, workloads=workloads, pods=pods)


def _root(cohort: str, cohorts: Mapping[str, Cohort]) -> str:
    """The name at the end of the way upwards; of a cycle its least name."""
    seen: dict[str, None] = {}
    while cohort not in seen:
        seen[cohort] = None
        found = cohorts.get(cohort)
        if found is None or not found.spec.parent_name:
            return cohort
        cohort = found.spec.parent_name
    ring = list(seen)
    return min(ring[ring.index(cohort) :])


def _takes_part(workload: Workload, queues: Mapping[str, object], local_queues: Mapping[str, object]) -> bool:
    admission = workload.status.admission
    if admission is not None and admission.cluster_queue in queues:
        return True
    return f"{workload.metadata.namespace}/{workload.spec.queue_name}" in local_queues


def _is_managed(pod: Pod, owners: set[str]) -> bool:
    """Whether the pod belongs to some workload, so that it ends with it."""
    meta = pod.metadata
    if any(label in meta.labels or label in meta.annotations for label in _MANAGED):
        return True
    return any(owner.uid in owners for owner in meta.owner_references if owner.uid)
