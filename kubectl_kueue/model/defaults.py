"""What the API server fills in when it stores an object (kueuectl.md 6.2, scheduling.md 9.2).

For manifests as people write them; what a server returned has all of it already, and a recorded
snapshot is taken as it is. Defaults that hold everywhere are those of the structs in objects.py.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.objects import ObjectMeta

NAMESPACED = frozenset({"LocalQueue", "Workload", "LimitRange", "Pod", "ResourceClaimTemplate"})


def as_stored(kind: str, value: Any, *, created: str, namespace: str = "default") -> Any:
    """The object as the server would return it if it were created at the time `created` (RFC 3339).

    An absent uid is made from kind, namespace and name, so that the same manifest always gets the same.
    """
    meta: ObjectMeta = value.metadata
    if kind in NAMESPACED and not meta.namespace:
        meta = replace(meta, namespace=namespace)
    if not meta.uid or not meta.creation_timestamp:
        uid = meta.uid or _uid(kind, meta)
        meta = replace(meta, uid=uid, creation_timestamp=meta.creation_timestamp or created)
    if meta is not value.metadata:
        value = replace(value, metadata=meta)
    fill = _FILL.get(kind)
    return value if fill is None else fill(value)


def _uid(kind: str, meta: ObjectMeta) -> str:
    from uuid import NAMESPACE_URL, uuid5

    return str(uuid5(NAMESPACE_URL, f"{kind}/{meta.namespace}/{meta.name}"))


def _cluster_queue(queue: kinds.ClusterQueue) -> kinds.ClusterQueue:
    spec = queue.spec
    preemption = spec.preemption or kinds.ClusterQueuePreemption()
    borrowing = preemption.borrow_within_cohort or kinds.BorrowWithinCohort()
    fungibility = spec.flavor_fungibility or kinds.FlavorFungibility()
    filled = replace(
        spec,
        preemption=replace(
            preemption,
            reclaim_within_cohort=preemption.reclaim_within_cohort or "Never",
            within_cluster_queue=preemption.within_cluster_queue or "Never",
            borrow_within_cohort=replace(borrowing, policy=borrowing.policy or "Never"),
        ),
        flavor_fungibility=replace(
            fungibility,
            when_can_borrow=fungibility.when_can_borrow or "MayStopSearch",
            when_can_preempt=fungibility.when_can_preempt or "TryNextFlavor",
        ),
        fair_sharing=_weighted(spec.fair_sharing),
    )
    return queue if filled == spec else replace(queue, spec=filled)


def _cohort(cohort: kinds.Cohort) -> kinds.Cohort:
    weighted = _weighted(cohort.spec.fair_sharing)
    return replace(cohort, spec=replace(cohort.spec, fair_sharing=weighted))


def _local_queue(queue: kinds.LocalQueue) -> kinds.LocalQueue:
    if queue.spec.fair_sharing is None:
        return queue
    return replace(queue, spec=replace(queue.spec, fair_sharing=_weighted(queue.spec.fair_sharing)))


def _pod(pod: kinds.Pod) -> kinds.Pod:
    """Limits count as requests where there is none; for Workloads it is Kueue that does this."""
    containers = [_requesting(container) for container in pod.spec.containers]
    init_containers = [_requesting(container) for container in pod.spec.init_containers]
    return replace(pod, spec=replace(pod.spec, containers=containers, init_containers=init_containers))


_FILL: Mapping[str, Callable[[Any], Any]] = {
    "ClusterQueue": _cluster_queue,
    "Cohort": _cohort,
    "LocalQueue": _local_queue,
    "Pod": _pod,
}


def _weighted(fair_sharing: kinds.FairSharing | None) -> kinds.FairSharing | None:
    if fair_sharing is None or fair_sharing.weight is not None:
        return fair_sharing
    return kinds.FairSharing(weight="1")


def _requesting(container: kinds.Container) -> kinds.Container:
    resources = container.resources
    if resources.limits.keys() <= resources.requests.keys():
        return container
    return replace(
        container, resources=replace(resources, requests={**resources.limits, **resources.requests})
    )
