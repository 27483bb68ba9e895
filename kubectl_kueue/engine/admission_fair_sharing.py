"""Which LocalQueue of a ClusterQueue used less lately? Admission fair sharing (preemption page 6).

Per LocalQueue a decaying record of what its admitted workloads used, plus a penalty for each
workload from the moment it reserves quota until it is admitted. Amounts are decimals of nine digits,
kept as whole nano-units (nano-cores, nano-bytes); factors are doubles, taken by their shortest text.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import inf

from kubectl_kueue.engine.queues import PendingQueue
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.workload import ADMITTED, WorkloadInfo
from kubectl_kueue.model.config import AdmissionFairSharingConfig, ResourcesConfig
from kubectl_kueue.model.duration import seconds
from kubectl_kueue.model.objects import LocalQueue
from kubectl_kueue.model.quantity import NANO, nanos
from kubectl_kueue.model.timestamp import SECOND, parse_time
from kubectl_kueue.model.world import World

Decimals = dict[str, int]  # resource -> nano-units


class _Record:
    """What one LocalQueue consumed, and the penalties of its workloads that are not admitted yet."""

    __slots__ = ("consumed", "pending", "updated")

    def __init__(self, now: int) -> None:
        self.consumed: Decimals = {}
        self.pending: dict[str, Decimals] = {}
        self.updated = now


class UsageLedger:
    """Usage of every LocalQueue in the run.

    A recorded world starts with nothing consumed; a live one with what the LocalQueues' status says,
    decayed to now.
    """

    def __init__(self, world: World, config: AdmissionFairSharingConfig, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._half_life = seconds(config.usage_half_life_time)
        self._interval = seconds(config.usage_sampling_interval)
        self._weights = config.resource_weights
        self._resources: ResourcesConfig = world.config.resources
        self._local_queues: Mapping[str, LocalQueue] = world.local_queues
        self._records: dict[str, _Record] = {}

    def usage(self, info: WorkloadInfo) -> float:
        """Usage of the workload's LocalQueue: weighted sum in plain units, divided by its weight (6.2)."""
        local_queue = self._local_queues.get(info.local_queue)
        sharing = local_queue.spec.fair_sharing if local_queue else None
        weight = 1.0 if sharing is None or sharing.weight is None else nanos(sharing.weight) / NANO
        if weight <= 0:
            return inf
        record = self._records.get(info.local_queue)
        if record is None:
            return 0.0
        total = dict(record.consumed)
        for penalty in record.pending.values():
            _add(total, penalty)
        return sum(self._weights.get(r, 1.0) * (float(total[r]) * 1e-9) for r in sorted(total)) / weight

    def has_penalty(self, local_queue: str) -> bool:
        record = self._records.get(local_queue)
        return record is not None and bool(record.pending)

    def reserve(self, info: WorkloadInfo, queue: QueueNode) -> None:
        """The entry penalty, from the moment of the reservation (6.1)."""
        if not queue.usage_based:
            return
        factor = self._alpha(self._interval)
        asked: Decimals = {}
        for pod_set in info.pod_sets:
            for resource, amount in pod_set.requests.items():
                if self._resources.quota_check_strategy != "IgnoreUndeclared" or resource in queue.group_of:
                    asked[resource] = asked.get(resource, 0) + _plain(resource, amount)
        self._record(info).pending[info.key] = {r: _scale(v, factor) for r, v in asked.items()}

    def settle(self, info: WorkloadInfo, queue: QueueNode) -> None:
        """The workload is admitted: its penalty becomes consumption (6.1)."""
        if not queue.usage_based:
            return
        record = self._record(info)
        self._sample(info.local_queue, record)
        _add(record.consumed, record.pending.pop(info.key, {}))

    def awaits(self, info: WorkloadInfo) -> bool:
        """Whether the workload has a penalty that is not settled yet."""
        record = self._records.get(info.local_queue)
        return record is not None and info.key in record.pending

    def drop(self, info: WorkloadInfo) -> None:
        """The workload will not be admitted: its penalty goes without being consumed."""
        record = self._records.get(info.local_queue)
        if record is not None:
            record.pending.pop(info.key, None)

    def _record(self, info: WorkloadInfo) -> _Record:
        record = self._records.get(info.local_queue)
        if record is None:
            record = self._records[info.local_queue] = _Record(self._snapshot.now)
        return record

    def _sample(self, local_queue: str, record: _Record) -> None:
        elapsed = max(0, self._snapshot.now - record.updated) / SECOND
        factor = self._alpha(elapsed)
        consumed = {r: _scale(v, 1 - factor) for r, v in record.consumed.items()}
        _add(consumed, {r: _scale(v, factor) for r, v in self._used_now(local_queue).items()})
        record.consumed, record.updated = consumed, self._snapshot.now

    def _used_now(self, local_queue: str) -> Decimals:
        """What the admitted workloads of the LocalQueue use, summed over flavors."""
        used: Decimals = {}
        target = self._local_queues.get(local_queue)
        queue = self._snapshot.queues.get(target.spec.cluster_queue) if target else None
        for info in queue.workloads.values() if queue else ():
            if info.local_queue == local_queue and info.is_true(ADMITTED):
                for fr, amount in info.usage.items():
                    used[fr.resource] = used.get(fr.resource, 0) + _plain(fr.resource, amount)
        return used

    def _alpha(self, elapsed: float) -> float:
        return 0.0 if self._half_life == 0 else 1.0 - 0.5 ** (elapsed / self._half_life)

    def resume(self) -> None:
        """Go on from the LocalQueues' status, decayed to now; who uses quota now must be in the snapshot."""
        for key, local_queue in self._local_queues.items():
            sharing = local_queue.status.fair_sharing
            status = sharing.admission_fair_sharing_status if sharing else None
            if status is None or self._half_life == 0:
                continue
            record = self._records[key] = _Record(self._snapshot.now)
            record.consumed = {r: nanos(q) for r, q in status.consumed_resources.items()}
            if status.last_update:
                record.updated = parse_time(status.last_update)
                self._sample(key, record)


def _plain(resource: str, amount: int) -> int:
    return int(amount) * (NANO // 1000 if resource == "cpu" else NANO)


def _scale(value: int, factor: float) -> int:
    """value * factor, the double taken by its shortest text, truncated toward zero at nine digits."""
    product = value * Fraction(repr(factor))
    return int(product)


def _add(total: Decimals, more: Decimals) -> None:
    for resource, amount in more.items():
        total[resource] = total.get(resource, 0) + amount


class LiveHeap:
    """An array heap whose comparison looks at usages as they are now, while its arrangement is older.

    Nothing moves when a usage changes; the root may rank behind others and is popped first all the
    same. Only while a LocalQueue of the ClusterQueue has a penalty pending is every entry sifted
    again before a pop (6.3).
    """

    def __init__(self, queue: PendingQueue, ledger: UsageLedger) -> None:
        self._queue = queue
        self._ledger = ledger
        self._items: list[WorkloadInfo] = []
        self._index: dict[str, int] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._index

    def __iter__(self) -> Iterator[WorkloadInfo]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def upsert(self, info: WorkloadInfo) -> None:
        index = self._index.get(info.key)
        if index is None:
            index = self._index[info.key] = len(self._items)
            self._items.append(info)
            self._up(index)
        else:
            self._items[index] = info  # an update moves nothing

    def remove(self, key: str) -> None:
        index = self._index.get(key)
        if index is None:
            return
        last = len(self._items) - 1
        self._swap(index, last)
        del self._index[self._items.pop().key]
        if index < last:
            self._fix(index)

    def pop(self, sticky: str | None) -> WorkloadInfo | None:
        if not self._items:
            return None
        if any(self._ledger.has_penalty(lq) for lq in {info.local_queue for info in self._items}):
            for info in list(self._items):
                self._fix(self._index[info.key])
        best = self._items[0]
        self.remove(best.key)
        return best

    def _before(self, i: int, j: int) -> bool:
        return self._rank(self._items[i]) < self._rank(self._items[j])

    def _rank(self, info: WorkloadInfo) -> tuple[object, ...]:
        return self._ledger.usage(info), info.key != self._queue.sticky, info.order

    def _swap(self, i: int, j: int) -> None:
        items = self._items
        items[i], items[j] = items[j], items[i]
        self._index[items[i].key], self._index[items[j].key] = i, j

    def _fix(self, index: int) -> None:
        if not self._down(index):
            self._up(index)

    def _up(self, index: int) -> None:
        while index:
            parent = (index - 1) // 2
            if not self._before(index, parent):
                return
            self._swap(index, parent)
            index = parent

    def _down(self, index: int) -> bool:
        start = index
        while (child := 2 * index + 1) < len(self._items):
            if child + 1 < len(self._items) and self._before(child + 1, child):
                child += 1
            if not self._before(child, index):
                break
            self._swap(index, child)
            index = child
        return index > start
