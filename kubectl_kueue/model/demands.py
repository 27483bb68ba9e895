"""What does the API server demand of an object beyond the types of its fields?

`check_demands` holds everywhere: what it refuses is in no recorded world either, and the engine could not
answer it. `find_refusal` is for manifests and lists only, as recorded worlds hold such objects.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kubectl_kueue.errors import InputError
from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.labels import selector_fault
from kubectl_kueue.model.shown import bare, shown

MAX_LEVELS = 16


def check_demands(value: kinds.Object) -> None:
    """Raise InputError with the JSON pointer of the first field whose content cannot be."""
    find = _DEMANDS.get(type(value))
    if find is not None and (fault := find(value)) is not None:
        raise InputError(fault)


def find_refusal(value: Any) -> str | None:
    """`/pointer: what is wrong` for what no API server would have stored, or None."""
    if not value.metadata.name:
        return "/metadata/name is missing"
    find = _REFUSALS.get(type(value))
    return None if find is None else find(value)


def find_anonymous(value: Any) -> str | None:
    """Which part of its name a Workload or a LocalQueue of a snapshot lacks, or None."""
    if not value.metadata.name:
        return "/metadata/name is missing"
    return None if value.metadata.namespace else "/metadata/namespace is missing"


def _topology(topology: kinds.Topology) -> str | None:
    count = len(topology.spec.levels)
    if 1 <= count <= MAX_LEVELS:
        return None
    return f"/spec/levels: a Topology has 1 to {MAX_LEVELS} levels, this one {count or 'none'}"


def _selector(queue: kinds.ClusterQueue) -> str | None:
    selector = queue.spec.namespace_selector
    return None if selector is None else selector_fault(selector, "/spec/namespaceSelector")


def _contradiction(workload: kinds.Workload) -> str | None:
    """Two conditions of one type that say different things; recorded worlds hold some that agree."""
    conditions = workload.status.conditions
    if len(conditions) < 2:
        return None
    seen: dict[str, tuple[int, str]] = {}
    for index, condition in enumerate(conditions):
        first, status = seen.setdefault(condition.type, (index, condition.status))
        if status != condition.status:
            return _same_type(condition, index, first)
    return None


def _same_type(condition: kinds.Condition, index: int, first: int) -> str:
    pointer = "/status/conditions"
    return f'{pointer}/{index}/type: "{bare(condition.type)}" is also the type of {pointer}/{first}'


_DEMANDS: Mapping[type, Callable[[Any], str | None]] = {
    kinds.Topology: _topology,
    kinds.ClusterQueue: _selector,
    kinds.Workload: _contradiction,
}


def _reclaim_policy(queue: kinds.ClusterQueue) -> str | None:
    preemption = queue.spec.preemption
    if preemption is None or preemption.reclaim_within_cohort != "LowerOrNewerEqualPriority":
        return None
    found = shown(preemption.reclaim_within_cohort)
    return f"/spec/preemption/reclaimWithinCohort: {found} is not one of Any, LowerPriority, Never"


def _repeated(workload: kinds.Workload) -> str | None:
    seen: dict[str, int] = {}
    for index, condition in enumerate(workload.status.conditions):
        first = seen.setdefault(condition.type, index)
        if first != index:
            return _same_type(condition, index, first)
    return None


_REFUSALS: Mapping[type, Callable[[Any], str | None]] = {
    kinds.ClusterQueue: _reclaim_policy,
    kinds.Workload: _repeated,
}
