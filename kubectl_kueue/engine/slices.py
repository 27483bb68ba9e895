"""Elastic jobs: a scaled-up workload slice replaces an older one (preemption page 7.1).

The new slice asks only for the difference, on the flavors that the old one has.
"""

from typing import TYPE_CHECKING

from kubectl_kueue.engine.requests import PodSetRequests
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import REPLACEMENT_FOR, WorkloadInfo, reserved_pod_sets

if TYPE_CHECKING:
    from kubectl_kueue.engine.flavors import PodSetAssignment


def replacement_key(info: WorkloadInfo, snapshot: Snapshot) -> str | None:
    """Key of the slice that the workload says it replaces, if elastic jobs are on."""
    if not snapshot.gates["ElasticJobsViaWorkloadSlices"]:
        return None
    return info.obj.metadata.annotations.get(REPLACEMENT_FOR)


def replaced_slice(info: WorkloadInfo, queue: QueueNode, snapshot: Snapshot) -> "ReplacedSlice | None":
    """The old slice, if it holds quota in the same ClusterQueue and namespace."""
    key = replacement_key(info, snapshot)
    old = queue.workloads.get(key) if key else None
    if old is None or old.namespace != info.namespace:
        return None
    return ReplacedSlice(old, reserved_pod_sets(old, snapshot.gates))


class ReplacedSlice:
    """The old slice and what each of its podSets uses now."""

    __slots__ = ("_by_name", "info", "pod_sets")

    def __init__(self, info: WorkloadInfo, pod_sets: list[PodSetRequests]) -> None:
        self.info = info
        self.pod_sets = pod_sets
        self._by_name = {p.name: p for p in pod_sets}

    def added(self, pod_set: str, resource: str, amount: int) -> int:
        """The amount less what the podSet of that name uses of a resource in the old slice."""
        found = self._by_name.get(pod_set)
        return _less(amount, found.requests.get(resource, 0)) if found else amount

    def subtract(
        self, members: "list[PodSetAssignment]", resource: str, amount: int, flavor: str
    ) -> tuple[int, str | None]:
        """The amount less what the old slice has on this flavor.

        PodSets are paired by index. At the first one whose old flavor is another the subtraction
        ends, and that flavor (maybe "") is returned.
        """
        assert self.info.reservation is not None
        for member in members:
            if member.index >= len(self.pod_sets):
                return amount, ""
            other = self.info.reservation.pod_sets[member.index].flavors.get(resource, "")
            if other != flavor:
                return amount, other
            amount = _less(amount, self.pod_sets[member.index].requests.get(resource, 0))
        return amount, None


def _less(amount: int, old: int) -> int:
    """The difference of two requests: plain integers, of which even the largest is not unlimited."""
    return type(amount)(int(amount) - int(old))
