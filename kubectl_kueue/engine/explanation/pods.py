"""Which pods belong to a workload, and do they run? As far as pods were read."""

from collections.abc import Iterator

from kubectl_kueue.engine.explanation.facts import Pods, PodState, Promised
from kubectl_kueue.engine.explanation.scope import deserted
from kubectl_kueue.engine.explanation.standing import is_ghost
from kubectl_kueue.engine.promises import allocatable, nodes_of, promises_of, provisioned, reported
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.workload import JOB_UID, PODS_READY, WorkloadInfo
from kubectl_kueue.model.objects import Pod
from kubectl_kueue.model.quantity import UNLIMITED
from kubectl_kueue.model.world import World

WORKLOAD = "kueue.x-k8s.io/workload"


def pods_of(world: World, info: WorkloadInfo) -> Pods:
    """Pods of the workload: by Kueue's annotation or label, by owner, or as its owner."""
    expected = sum(p.count for p in info.reservation.pod_sets) if info.reservation is not None else 0
    meta = info.obj.metadata
    uids = {owner.uid for owner in meta.owner_references if owner.uid}
    if JOB_UID in meta.labels:
        uids.add(meta.labels[JOB_UID])
    found = tuple(
        PodState(pod.metadata.name, pod.status.phase or "Unknown", pod.spec.node_name)
        for _, pod in sorted(world.pods.items())
        if pod.metadata.namespace == info.namespace and _belongs(pod, info.name, uids)
    )
    nowhere = any(pod.phase == "Pending" and not pod.node for pod in found)
    promised = tuple(_unkept(world, info)) if nowhere else ()
    return Pods(expected, found, info.is_true(PODS_READY), is_ghost(world.workloads[info.key]), promised)


def _unkept(world: World, info: WorkloadInfo) -> Iterator[Promised]:
    """Of what the workload got: flavors whose quotas add up to more than their nodes have."""
    if not world.nodes:
        return
    members, grown = nodes_of(world), provisioned(world)
    for (flavor, resource), promise in promises_of(world).items():
        nodes = members.get(flavor, [])
        held = info.usage.get(FlavorResource(flavor, resource), 0)
        if not held or not nodes or flavor in grown or promise.amount >= UNLIMITED:
            continue
        there = sum(allocatable(node, resource) for node in nodes)
        if promise.amount > there and reported(world, resource):
            queues, cohorts = tuple(promise.queues), tuple(promise.cohorts)
            yield Promised(flavor, resource, promise.amount, there, len(nodes), queues, cohorts)


def _belongs(pod: Pod, workload: str, uids: set[str]) -> bool:
    meta = pod.metadata
    if workload in (meta.annotations.get(WORKLOAD), meta.labels.get(WORKLOAD)):
        return True
    if meta.uid in uids or meta.labels.get(JOB_UID) in uids:
        return True
    return any(owner.uid in uids for owner in meta.owner_references)


def unmanaged_pods(world: World, info: WorkloadInfo) -> tuple[str, ...]:
    """Running pods on nodes that no workload accounts for and that ask for something it asks for too."""
    wanted = {resource for p in info.pod_sets for resource in p.requests}
    found = []
    for key, pod in sorted(deserted(world, info.key).pods.items()):
        if not pod.spec.node_name or pod.status.phase in ("Succeeded", "Failed"):
            continue
        asks = {r for container in pod.spec.containers for r in container.resources.requests}
        if asks & wanted:
            found.append(key)
    return tuple(found)
