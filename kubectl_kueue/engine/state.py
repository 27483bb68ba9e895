"""The cluster in motion: snapshot, queues and every workload, and the events that tie them together.

Scheduler (cycle.py) and controllers (lifecycle.py) change workloads only through the functions here,
so that cache, queues and workload never disagree (scheduling.md 0.2, 3.2).
"""

from itertools import repeat
from typing import Any

from kubectl_kueue.engine.admission_fair_sharing import LiveHeap, UsageLedger
from kubectl_kueue.engine.devices import DeviceRules
from kubectl_kueue.engine.flavor_match import match_key
from kubectl_kueue.engine.preemption.candidates import victim_key
from kubectl_kueue.engine.queues import Heap, OrderHeap, PendingQueue, Queues, is_admissible
from kubectl_kueue.engine.requests import TemplateRules
from kubectl_kueue.engine.second_pass import SecondPassQueue
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.taints import matches_selector
from kubectl_kueue.engine.topology.forest import TopologyUsage
from kubectl_kueue.engine.topology.workload import held_usages
from kubectl_kueue.engine.workload import (
    ADMITTED,
    EVICTED,
    FINISHED,
    QUOTA_RESERVED,
    WorkloadInfo,
    effective_priority,
    queue_timestamp,
    reserved_usage,
    scheduling_shape,
)
from kubectl_kueue.model.objects import PodSpec
from kubectl_kueue.model.timestamp import SECOND
from kubectl_kueue.model.world import World


class State:
    """One run's cluster; `workloads` maps keys to all that exist, `dirty` awaits the controllers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rules = TemplateRules(
            world.limit_ranges.values(), world.runtime_classes, world.config.resources, world.gates
        )
        self.devices = DeviceRules(world)
        self.workloads = {key: WorkloadInfo(key, obj) for key, obj in sorted(world.workloads.items())}
        for info in self.workloads.values():
            self._measure(info)
        self.snapshot = Snapshot(world, self.workloads.values())
        if self.snapshot.amount is not int:
            for info in self.workloads.values():
                self._near_int64(info)
        self._namespace_matches: dict[tuple[str, str], bool] = {}
        known = {
            key: lq.spec.cluster_queue
            for key, lq in world.local_queues.items()
            if lq.spec.stop_policy in ("None", "")
        }
        sharing = world.config.admission_fair_sharing
        self.ledger: UsageLedger | None = None
        if sharing is not None and world.gates["AdmissionFairSharing"]:
            self.ledger = UsageLedger(world, sharing, self.snapshot)
            self.snapshot.local_queue_usage = self.ledger.usage
        self.queues = Queues(self.snapshot, known, self.namespace_matches, self._make_heap)
        self.dirty: set[str] = set()
        self.timers: dict[str, int] = {}
        self.second_pass = SecondPassQueue()
        self.template_rejections: dict[str, Any] = {}
        holders = [info for info in self.workloads.values() if info.reservation is not None]
        for info in holders:
            info.placements = self._placements(info)
            self._arrive(info)
        if self.ledger is not None and not world.steady:
            self.ledger.resume()
        for info in self.workloads.values():
            if info.reservation is None:
                self._arrive(info)
        self.snapshot.settle()

    @property
    def now(self) -> int:
        return self.snapshot.now

    def namespace_matches(self, namespace: str, queue: QueueNode) -> bool:
        """Whether the ClusterQueue's selector takes the namespace; a missing namespace never matches."""
        key = (namespace, queue.name)
        found = self._namespace_matches.get(key)
        if found is None:
            obj = self.world.namespaces.get(namespace)
            found = obj is not None and matches_selector(
                queue.obj.spec.namespace_selector,
                {"kubernetes.io/metadata.name": namespace, **obj.metadata.labels},
            )
            self._namespace_matches[key] = found
        return found

    # --- what is derived from a workload ----------------------------------------------------------

    def _measure(self, info: WorkloadInfo) -> None:
        """Requests, match keys and usage: what the spec and the reservation amount to."""
        gates = self.world.gates
        spec = info.obj.spec
        info.priority = effective_priority(info, gates)
        if info.reservation is not None:
            info.usage = reserved_usage(info, gates)
        info.adjusted = [self.rules.adjusted(p.template.spec, info.namespace) for p in spec.pod_sets]
        info.devices = self.devices.resolve(info.obj)
        asked = info.devices.pod_sets if info.devices is not None else repeat(None, len(spec.pod_sets))
        info.pod_sets = [
            self.rules.pod_set_requests(p, adjusted, info.reclaimable, devices)
            for p, adjusted, devices in zip(spec.pod_sets, info.adjusted, asked, strict=True)
        ]
        info.match_keys = [
            match_key(adjusted, p.topology_request, requests.requests)
            for p, adjusted, requests in zip(spec.pod_sets, info.adjusted, info.pod_sets, strict=True)
        ]
        self.renew(info)

    def _near_int64(self, info: WorkloadInfo) -> None:
        amount = self.snapshot.amount
        for pod_set in info.pod_sets:
            pod_set.requests = {r: amount(v) for r, v in pod_set.requests.items()}
        info.usage = {fr: amount(v) for fr, v in info.usage.items()}

    def renew(self, info: WorkloadInfo) -> None:
        """Recompute what depends on conditions."""
        gates = self.world.gates
        info.renew()
        info.queue_time = queue_timestamp(info, self.world.config, gates)
        info.order = (-info.priority, info.queue_time, info.uid, info.key)
        info.victim_key = victim_key(info)
        if info.shape is None and info.reservation is None and gates["SchedulingEquivalenceHashing"]:
            info.shape = scheduling_shape(info)

    def _measure_reservation(self, info: WorkloadInfo) -> None:
        """Quota and places that a reservation just written takes."""
        info.usage = reserved_usage(info, self.world.gates)
        info.placements = self._placements(info)
        if self.snapshot.amount is not int:
            self._near_int64(info)

    def _placements(self, info: WorkloadInfo) -> list[TopologyUsage]:
        """What the reservation occupies in the topology trees, by the pod templates with their defaults."""
        assert info.reservation is not None
        if not self.snapshot.forest.trees:
            return []
        specs = {p.name: spec for p, spec in zip(info.obj.spec.pod_sets, info.adjusted, strict=True)}
        return held_usages(
            self.snapshot.forest,
            [(p.flavors, p.topology, specs.get(p.name, PodSpec())) for p in info.reservation.pod_sets],
        )

    def _make_heap(self, queue: QueueNode, pending: PendingQueue) -> Heap:
        if self.ledger is not None and queue.usage_based:
            return LiveHeap(pending, self.ledger)
        return OrderHeap()

    # --- events -----------------------------------------------------------------------------------

    def _arrive(self, info: WorkloadInfo) -> None:
        self.dirty.add(info.key)
        if info.holds_quota:
            self.snapshot.add(info)
            self.second_pass.update(info, self.world.gates, self.now)
        elif is_admissible(info, self.snapshot):
            self.queues.put(info)

    def updated(self, info: WorkloadInfo, *, changed: bool = False) -> None:
        """A workload's status was written; it did not gain or lose its quota."""
        self.dirty.add(info.key)
        self.renew(info)
        if info.holds_quota:
            queue = self._queue_of_reservation(info)
            if queue is not None:
                queue.generation += 1
                queue.by_priority = None
            self.second_pass.update(info, self.world.gates, self.now)
        elif is_admissible(info, self.snapshot):
            self.queues.put(info, changed=changed)

    def reserved(self, info: WorkloadInfo) -> None:
        """A workload got its quota reservation."""
        self.dirty.add(info.key)
        self.renew(info)
        self._measure_reservation(info)
        self.queues.delete(info)
        self.snapshot.add(info)
        queue = self._queue_of_reservation(info)
        if queue is not None:
            queue.generation += 1  # the write that confirms it ages records of this queue alone (2.7)
            if self.ledger is not None:
                self.ledger.reserve(info, queue)
        self.second_pass.update(info, self.world.gates, self.now)

    def placed(self, info: WorkloadInfo) -> None:
        """A second pass wrote the reservation anew."""
        self.dirty.add(info.key)
        self.renew(info)
        self._measure_reservation(info)
        self.snapshot.add(info)
        # what is still pending is queued by the event of this write: handled when the clock has moved
        self.second_pass.again(info, self.world.gates, self.now + SECOND)

    def released(self, info: WorkloadInfo) -> None:
        """Take the reservation away; the workload is pending again and wakes its tree."""
        self.dirty.add(info.key)
        self.snapshot.remove(info)
        info.reservation = None
        self.renew(info)
        if is_admissible(info, self.snapshot) and (info.requeue_at is None or info.requeue_at <= self.now):
            self.queues.put(info, changed=True)
        self.queues.request(info)

    def ended(self, info: WorkloadInfo) -> None:
        """Finished or deactivated: it leaves queues and cache at once and wakes its tree."""
        self.dirty.add(info.key)
        if info.reservation is not None:
            self.snapshot.remove(info)
        self.renew(info)
        self.queues.request(info)
        self.queues.delete(info)

    def settle_usage(self, info: WorkloadInfo) -> None:
        """Admission fair sharing learns that a workload was admitted or never will be."""
        if self.ledger is None:
            return
        queue = self._queue_of_reservation(info)
        if queue is not None and info.is_true(ADMITTED) and info.key in queue.workloads:
            if self.ledger.awaits(info):
                self.ledger.settle(info, queue)
        elif not info.active or info.is_true(FINISHED):
            self.ledger.drop(info)

    def queue_ahead(self, info: WorkloadInfo) -> QueueNode | None:
        """The ClusterQueue that the workload's LocalQueue points to, if both are known."""
        return self.snapshot.queues.get(self.queues.local_queues.get(info.local_queue, ""))

    def _queue_of_reservation(self, info: WorkloadInfo) -> QueueNode | None:
        return self.snapshot.queues.get(info.cluster_queue)


def state_of(info: WorkloadInfo) -> str:
    """The workload's state in one word, first that applies (conformance form)."""
    if info.is_true(FINISHED):
        return "Finished"
    reserving = info.is_true(QUOTA_RESERVED)
    if info.is_true(EVICTED) and reserving:
        return "Evicting"
    if info.is_true(ADMITTED):
        return "Admitted"
    if reserving:
        return "QuotaReserved"
    if not info.active:
        return "Inactive"
    return "Evicted" if info.is_true(EVICTED) else "Pending"
