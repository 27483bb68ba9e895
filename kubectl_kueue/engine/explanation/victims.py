"""Whom does a workload evict, and what had they? Told as it was before the run took their quota away."""

from collections.abc import Mapping

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.explanation.facts import Holding, Victim
from kubectl_kueue.engine.preemption.candidates import Target
from kubectl_kueue.engine.workload import WorkloadInfo


class Before:
    """Who held quota at the start, since when, and who had been told to go by then."""

    def __init__(self, workloads: Mapping[str, WorkloadInfo]) -> None:
        holding = [(key, info) for key, info in workloads.items() if info.holds_quota]
        self.evicting = frozenset(key for key, info in holding if info.evicted)
        self._held = {
            key: (info.cluster_queue, dict(info.usage), info.reserved_at or 0) for key, info in holding
        }

    def victims_of(self, entry: Entry) -> tuple[Victim, ...]:
        """Those that the entry evicts, or would, by name."""
        found = {t.workload.key: self._victim(t, entry) for t in entry.preempting or entry.targets}
        return tuple(found[key] for key in sorted(found))

    def _victim(self, target: Target, entry: Entry) -> Victim:
        key = target.workload.key
        queue, usage, since = self._held.get(key, ("", {}, 0))
        holds = tuple(
            Holding(fr.flavor, fr.resource, usage[fr])
            for fr in sorted(entry.assignment.usage)
            if usage.get(fr, 0) > 0
        )
        priority = target.workload.priority
        return Victim(key, str(target.reason), queue, holds, priority, since, key in self.evicting)
