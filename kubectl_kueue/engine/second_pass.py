"""Workloads that hold their quota and still need a place: delayed topologies, failed nodes
(scheduling.md 6.7, topology.md 7.1, 8)."""

from kubectl_kueue.engine.flavors import Assignment, FlavorChoice, Mode, PodSetAssignment, pod_set_groups
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.requests import PodSetRequests
from kubectl_kueue.engine.workload import ADMITTED, WorkloadInfo, reserved_pod_sets
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.timestamp import SECOND

LONGEST_DELAY = 30 * SECOND


def needs_second_pass(info: WorkloadInfo, gates: Gates) -> bool:
    """Whether the workload must be scheduled again while it holds its reservation."""
    if not gates["TopologyAwareScheduling"] or not info.holds_quota or info.evicted:
        return False
    assert info.reservation is not None
    pod_sets = info.reservation.pod_sets
    if info.is_true(ADMITTED):
        nodes = set(info.unhealthy_nodes)
        return bool(nodes) and any(
            values[-1] in nodes
            for p in pod_sets
            if p.topology is not None
            for values, _ in p.topology.domains
        )
    delayed = any(p.delayed == "Pending" for p in pod_sets)
    return delayed and bool(info.checks) and all(check.state == "Ready" for check in info.checks)


def held_assignment(info: WorkloadInfo, gates: Gates, counts: list[int] | None) -> Assignment:
    """The reservation as an assignment: flavors as they are, everything Fit, nothing scanned (7.1).

    The members of a podSet group share the entry of a resource, as after a scan.
    """
    assert info.reservation is not None
    assignment = Assignment()
    index = {p.name: i for i, p in enumerate(info.obj.spec.pod_sets)}
    group_of = {member: group[0] for group in pod_set_groups(info) for member in group}
    shared: dict[tuple[int, str], FlavorChoice] = {}
    for held, counted in zip(info.reservation.pod_sets, reserved_pod_sets(info, gates), strict=True):
        position = index.get(held.name, 0)
        requests: PodSetRequests = counted if counts is None else counted.scaled(counts[position])
        assigned = PodSetAssignment(position, requests)
        group = group_of[position]
        assigned.flavors = {
            r: shared.setdefault((group, r), FlavorChoice(f, Mode.FIT, 0)) for r, f in held.flavors.items()
        }
        assigned.topology, assigned.delayed = held.topology, held.delayed
        for resource, flavor in held.flavors.items():
            fr = FlavorResource(flavor, resource)
            assignment.usage[fr] = assignment.usage.get(fr, 0) + requests.requests.get(resource, 0)
        assignment.pod_sets.append(assigned)
    assignment.mode = Mode.FIT
    return assignment


class SecondPassQueue:
    """Who is waiting for a second pass, and until when: 1 s, then 2, 4, … 30 s per failed attempt."""

    def __init__(self) -> None:
        self._ready: dict[str, int] = {}
        self._attempts: dict[str, int] = {}

    def update(self, info: WorkloadInfo, gates: Gates, now: int) -> None:
        """The workload changed: it joins, stays or leaves."""
        if not needs_second_pass(info, gates):
            self._ready.pop(info.key, None)
            self._attempts.pop(info.key, None)
        elif info.key not in self._ready:
            self._ready[info.key] = now + self._delay(info.key)

    def again(self, info: WorkloadInfo, gates: Gates, now: int) -> None:
        """An attempt succeeded; what is still pending starts anew with the shortest delay."""
        self._attempts.pop(info.key, None)
        self.update(info, gates, now)

    def retry(self, info: WorkloadInfo, now: int) -> None:
        """An attempt failed: wait longer."""
        self._attempts[info.key] = self._attempts.get(info.key, 0) + 1
        self._ready[info.key] = now + self._delay(info.key)

    def take_ready(self, now: int) -> list[str]:
        """Keys of the workloads whose time has come, in key order; they leave the queue."""
        ready = sorted(key for key, at in self._ready.items() if at <= now)
        for key in ready:
            del self._ready[key]
        return ready

    def __bool__(self) -> bool:
        return bool(self._ready)

    def _delay(self, key: str) -> int:
        return min(SECOND << min(self._attempts.get(key, 0), 10), LONGEST_DELAY)
