"""Who waits where, and who is next: the queue manager (scheduling.md 3).

Per ClusterQueue a pending workload is in exactly one of: the heap (active), the inadmissible set
(tried or held back, waiting for an event), or in flight (popped, being scheduled).
"""

import heapq
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Protocol

from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import (
    EVICTED,
    FINISHED,
    GATED_BY,
    QUOTA_RESERVED,
    REQUEUED,
    Order,
    WorkloadInfo,
)


class RequeueReason(StrEnum):
    """Why a head goes back to its ClusterQueue."""

    NO_FIT = "NoFit"
    NO_CANDIDATES = "PreemptionNoCandidates"
    PENDING_PREEMPTION = "PendingPreemption"
    AFTER_NOMINATION = "FailedAfterNomination"
    NAMESPACE_MISMATCH = "NamespaceMismatch"
    PENDING_MIGRATION = "PendingMigration"
    GATED = "PreemptionGated"
    GENERIC = "Generic"


_IMMEDIATE = frozenset(
    (
        RequeueReason.AFTER_NOMINATION,
        RequeueReason.PENDING_PREEMPTION,
        RequeueReason.PENDING_MIGRATION,
    )
)
_PREEMPTING = (RequeueReason.PENDING_PREEMPTION, RequeueReason.PENDING_MIGRATION)
_SHAPE_DECIDES = (RequeueReason.NO_FIT, RequeueReason.NO_CANDIDATES)


class Heap(Protocol):
    """The active workloads of a ClusterQueue, best first."""

    def __contains__(self, key: str) -> bool: ...
    def __iter__(self) -> Iterator[WorkloadInfo]: ...
    def __len__(self) -> int: ...
    def upsert(self, info: WorkloadInfo) -> None: ...
    def remove(self, key: str) -> None: ...
    def pop(self, sticky: str | None) -> WorkloadInfo | None: ...


class OrderHeap:
    """A heap by priority, queue timestamp and UID; entries that were replaced are skipped on pop."""

    def __init__(self) -> None:
        self._entries: list[tuple[Order, str, WorkloadInfo]] = []
        self._live: dict[str, tuple[Order, str, WorkloadInfo]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._live

    def __iter__(self) -> Iterator[WorkloadInfo]:
        return (entry[2] for entry in self._live.values())

    def __len__(self) -> int:
        return len(self._live)

    def upsert(self, info: WorkloadInfo) -> None:
        old = self._live.get(info.key)
        if old is not None and old[0] == info.order:
            return
        entry = (info.order, info.key, info)
        self._live[info.key] = entry
        heapq.heappush(self._entries, entry)

    def remove(self, key: str) -> None:
        self._live.pop(key, None)

    def pop(self, sticky: str | None) -> WorkloadInfo | None:
        if sticky is not None and sticky in self._live:
            return self._live.pop(sticky)[2]
        while self._entries:
            entry = heapq.heappop(self._entries)
            if self._live.get(entry[1]) is entry:
                del self._live[entry[1]]
                return entry[2]
        return None


class Preemptor:
    """The workload of a ClusterQueue whose preemptions are running."""

    __slots__ = ("generation", "key", "sticky")

    def __init__(self, key: str, generation: int, sticky: bool) -> None:
        self.key = key
        self.generation = generation
        self.sticky = sticky


class PendingQueue:
    """Pending workloads of one ClusterQueue (3.1)."""

    __slots__ = (
        "by_shape",
        "heap",
        "inadmissible",
        "inflight",
        "name",
        "parked",
        "pop_cycle",
        "preemptor",
        "requeue_cycle",
        "strict",
    )

    def __init__(self, name: str, *, strict: bool, heap: Heap) -> None:
        self.name = name
        self.strict = strict
        self.heap = heap
        self.by_shape: dict[object, dict[str, WorkloadInfo]] = {}
        self.inadmissible: dict[str, tuple[WorkloadInfo, object]] = {}
        self.inflight: WorkloadInfo | None = None
        self.pop_cycle = 0
        self.requeue_cycle = -1
        self.parked: set[object] = set()
        self.preemptor: Preemptor | None = None

    @property
    def sticky(self) -> str | None:
        return self.preemptor.key if self.preemptor and self.preemptor.sticky else None

    def activate(self, info: WorkloadInfo) -> None:
        self.heap.upsert(info)
        self.by_shape.setdefault(info.shape, {})[info.key] = info

    def park(self, info: WorkloadInfo) -> None:
        self.inadmissible[info.key] = (info, parked_state(info))

    def pop(self) -> WorkloadInfo | None:
        info = self.heap.pop(self.sticky)
        if info is not None:
            self._forget_shape(info)
        return info

    def drop(self, info: WorkloadInfo) -> None:
        """The workload leaves this ClusterQueue, whichever part it was in."""
        if info.key in self.heap:
            self.heap.remove(info.key)
            self._forget_shape(info)
        self.inadmissible.pop(info.key, None)
        if self.inflight is info:
            self.inflight = None
        if self.preemptor is not None and self.preemptor.key == info.key:
            self.preemptor = None

    def park_shape(self, shape: object) -> None:
        """Everything active of this scheduling shape goes to the inadmissible set, unseen (3.5)."""
        self.parked.add(shape)
        for info in list(self.by_shape.get(shape, {}).values()):
            self.heap.remove(info.key)
            self._forget_shape(info)
            self.park(info)

    def pending(self) -> list[WorkloadInfo]:
        """Everyone who waits here, in no order."""
        out = [*self.heap, *(info for info, _ in self.inadmissible.values())]
        return [*out, self.inflight] if self.inflight is not None else out

    def _forget_shape(self, info: WorkloadInfo) -> None:
        same = self.by_shape.get(info.shape)
        if same is not None and same.pop(info.key, None) is not None and not same:
            del self.by_shape[info.shape]


def parked_state(info: WorkloadInfo) -> object:
    """What must change for a parked workload to be looked at again (3.2, T46)."""
    evicted, requeued = info.conditions.get(EVICTED), info.conditions.get(REQUEUED)
    return (
        evicted and (evicted.status, evicted.reason, evicted.time),
        requeued and (requeued.status, requeued.reason, requeued.time),
        info.generation,
    )


def is_admissible(info: WorkloadInfo, snapshot: Snapshot) -> bool:
    """Whether the workload may enter the queues at all (0.2, 1.7)."""
    if not info.active or info.is_true(FINISHED) or info.is_true("WaitingForReplacementPods"):
        return False
    reserved = info.conditions.get(QUOTA_RESERVED)
    if reserved is not None and (reserved.status or reserved.reason == "OnHold"):
        return False
    return not (info.uncountable or is_gated(info, snapshot))


def is_gated(info: WorkloadInfo, snapshot: Snapshot) -> bool:
    """Whether an external gate keeps the workload out (annotation admission-gated-by)."""
    return snapshot.gates["AdmissionGatedBy"] and bool(info.obj.metadata.annotations.get(GATED_BY))


def backoff_over(info: WorkloadInfo, now: int) -> bool:
    """Whether nothing tells the workload to wait before it is tried again."""
    if info.is_false(REQUEUED):
        return False
    return info.requeue_at is None or now >= info.requeue_at


class Queues:
    """All pending workloads, by ClusterQueue; LocalQueues only map names (3.1, 3.2).

    `local_queues` maps a known LocalQueue (present and not stopped) to its ClusterQueue's name.
    `records` are the workloads that were in the queues once: only those wake others when they end
    (3.6, trap T31). `requests` are the trees whose inadmissible workloads will be tried again.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        local_queues: Mapping[str, str],
        namespace_matches: Callable[[str, QueueNode], bool],
        make_heap: Callable[[QueueNode, PendingQueue], Heap],
    ) -> None:
        self.snapshot = snapshot
        self.local_queues = local_queues
        self.namespace_matches = namespace_matches
        self.by_name: dict[str, PendingQueue] = {}
        for name, queue in sorted(snapshot.queues.items()):
            pending = PendingQueue(name, strict=queue.strict, heap=OrderHeap())
            pending.heap = make_heap(queue, pending)
            self.by_name[name] = pending
        self.records: set[str] = set()
        self.requests: set[str] = set()
        self.where: dict[str, PendingQueue] = {}

    def queue_of(self, info: WorkloadInfo) -> PendingQueue | None:
        """The ClusterQueue that the workload's LocalQueue points to, if both are known."""
        return self.by_name.get(self.local_queues.get(info.local_queue, ""))

    def put(self, info: WorkloadInfo, *, changed: bool = False) -> None:
        """An admissible workload arrives or was updated (3.2)."""
        if info.local_queue not in self.local_queues:
            return
        self.records.add(info.key)
        queue = self.queue_of(info)
        if queue is None or queue.inflight is info:
            return
        self.where[info.key] = queue
        old = queue.inadmissible.get(info.key)
        if old is not None:
            if not changed and old[1] == parked_state(info):
                return
            del queue.inadmissible[info.key]
        active = info.key in queue.heap
        if not active and (
            not backoff_over(info, self.snapshot.now) or (not queue.strict and info.shape in queue.parked)
        ):
            queue.park(info)
            return
        queue.activate(info)

    def delete(self, info: WorkloadInfo) -> None:
        """The workload leaves the queues: it got quota, ended, or was deactivated."""
        queue = self.where.pop(info.key, None)
        if queue is not None:
            queue.drop(info)

    def heads(self) -> list[tuple[str, WorkloadInfo]]:
        """Pop the best of every active ClusterQueue (3.4): (ClusterQueue, workload) by queue name."""
        out = []
        for name, queue in self.by_name.items():
            if not self.snapshot.queues[name].active:
                continue
            queue.pop_cycle += 1
            info = queue.inflight = queue.pop()
            if info is not None:
                info.evaluated_generation = info.generation
                out.append((name, info))
        return out

    def requeue(self, info: WorkloadInfo, reason: RequeueReason) -> None:
        """A head comes back from a cycle (3.5)."""
        queue = self.queue_of(info)
        if queue is None or not is_admissible(info, self.snapshot):
            if queue is not None and queue.inflight is info:
                queue.inflight = None
            return
        self.where[info.key] = queue
        if reason in _PREEMPTING:
            queue.preemptor = Preemptor(info.key, info.evaluated_generation, sticky=not queue.strict)
        queue.inflight = None
        if backoff_over(info, self.snapshot.now) and _goes_on(queue, info, reason):
            queue.inadmissible.pop(info.key, None)
            queue.activate(info)
            return
        if info.key in queue.inadmissible or info.key in queue.heap:
            return
        queue.park(info)
        if info.shape is not None and reason in _SHAPE_DECIDES and not queue.strict:
            queue.park_shape(info.shape)

    def request(self, info: WorkloadInfo) -> None:
        """Ask to try the inadmissible workloads of the workload's tree again (3.6)."""
        if info.key not in self.records:
            return
        queue = self.queue_of(info)
        if queue is not None and queue.name not in self.snapshot.cyclic:
            self.requests.add(queue.name)

    def serve_requests(self) -> None:
        """Wake the inadmissible workloads of every tree that was asked for."""
        nodes = self.snapshot.queues
        roots = {nodes[name].root for name in self.requests}
        self.requests.clear()
        if not roots:
            return
        for queue in self.by_name.values():
            if nodes[queue.name].root in roots:
                self._wake(queue)

    def _wake(self, queue: PendingQueue) -> None:
        queue.requeue_cycle = queue.pop_cycle
        queue.parked.clear()
        node = self.snapshot.queues[queue.name]
        for key, (info, _) in list(queue.inadmissible.items()):
            if self.namespace_matches(info.namespace, node) and backoff_over(info, self.snapshot.now):
                del queue.inadmissible[key]
                queue.activate(info)

    def in_visible_order(self, queue: PendingQueue) -> list[WorkloadInfo]:
        """All pending of a ClusterQueue as the visibility API lists them (3.8)."""
        sticky = queue.sticky
        usage = self.snapshot.local_queue_usage
        if usage is None or not self.snapshot.queues[queue.name].usage_based:
            return sorted(queue.pending(), key=lambda info: (info.key != sticky, info.order))
        return sorted(queue.pending(), key=lambda info: (usage(info), info.key != sticky, info.order))


def _goes_on(queue: PendingQueue, info: WorkloadInfo, reason: RequeueReason) -> bool:
    """Whether a head is tried again at once instead of waiting for an event (3.5)."""
    if queue.strict and reason is not RequeueReason.NAMESPACE_MISMATCH:
        return True
    if reason in _IMMEDIATE or queue.requeue_cycle >= queue.pop_cycle:
        return True
    return info.last_assignment is not None and info.last_assignment.pending_flavors
