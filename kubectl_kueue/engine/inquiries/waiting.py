"""What keeps those that wait in a ClusterQueue? Each is nominated as if it were the head now."""

from collections.abc import Iterable, Iterator, Sequence

from kubectl_kueue.engine.explanation.alone import nominate_alone, reason_code
from kubectl_kueue.engine.explanation.questions import CODES, about_queues, about_requests, about_workload
from kubectl_kueue.engine.explanation.verdict import GateState
from kubectl_kueue.engine.inquiries.records import Group, Head
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.world import World

MOST_NOMINATED = 400
"""Workloads of a queue that are nominated one by one; the rest is told by Kueue's own conditions."""

NEVER = frozenset(["NoMatchingFlavor", "ExceedsMaxQuota", "Misconfigured"])
"""Codes of workloads that do not get in whoever ends."""


def head_of(state: State, queue: QueueNode, order: Sequence[WorkloadInfo]) -> Head | None:
    """What would become of the first in the order."""
    if not order:
        return None
    info = order[0]
    entry = nominate_alone(state, info, queue)[-1]
    code = reason_code(entry)
    evicts = tuple(sorted({target.workload.key for target in entry.targets}))
    return Head(info.key, code, code in NEVER, evicts, len(order) - 1)


def groups_of(
    state: State, world: World, queue: QueueNode, order: Sequence[WorkloadInfo], held: Iterable[str]
) -> tuple[Group, ...]:
    """Those that wait by reason, the most frequent first; `held` are in no queue (gated, backing off, …)."""
    found: dict[str, list[str]] = {}
    for key, code in (*_in_queue(state, queue, order), *_held(state, world, queue, held)):
        found.setdefault(code, []).append(key)
    groups = [
        Group(code, len(keys), keys[0], len(keys) if code in NEVER else 0) for code, keys in found.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.count, group.reason)))


def _in_queue(state: State, queue: QueueNode, order: Sequence[WorkloadInfo]) -> Iterator[tuple[str, str]]:
    """Equal shapes get equal answers, so each is asked for once."""
    known: dict[object, str] = {}
    asked = 0
    for info in order:
        shape = info.shape if info.shape is not None else info.key
        if shape not in known and asked < MOST_NOMINATED:
            known[shape] = reason_code(nominate_alone(state, info, queue)[-1])
            asked += 1
        code = known.get(shape) or _said(info) or "PendingEvaluation"
        # It fits alone, but those in front of it are dealt with first.
        yield info.key, "PendingEvaluation" if code == "QuotaReserved" and info is not order[0] else code


def _held(state: State, world: World, queue: QueueNode, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    for key in keys:
        info = state.workloads.get(key)
        if info is None:
            continue
        gates = [*about_workload(state, info), *about_queues(state, world, info)]
        gates.extend(about_requests(state, info, queue))
        failed = next((g.name for g in gates if g.state is GateState.FAILED), "")
        yield key, CODES.get(failed, "PendingEvaluation")


def _said(info: WorkloadInfo) -> str:
    """Kueue's own code, if it writes the granular ones."""
    conditions = info.obj.status.conditions
    found = next((c.reason for c in conditions if c.type == "QuotaReserved"), "")
    return "" if found in ("Pending", "Inadmissible") else found
