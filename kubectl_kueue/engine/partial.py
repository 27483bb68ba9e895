"""With how many pods fewer would a workload fit? (scheduling.md 5.11)"""

from collections.abc import Callable
from typing import TypeVar

from kubectl_kueue.engine.workload import WorkloadInfo

T = TypeVar("T")


def reduced_counts(info: WorkloadInfo, attempt: Callable[[list[int]], T | None]) -> T | None:
    """Bisect for the smallest reduction that is good; None if no podSet may shrink or none is.

    It trusts that fewer pods are never worse, as the real scheduler does: the answer counts only if
    the reduction it ends on was itself tried.
    """
    counts = [p.count for p in info.obj.spec.pod_sets]
    deltas = [p.count - (p.count if p.min_count is None else p.min_count) for p in info.obj.spec.pod_sets]
    total = sum(deltas)
    if total <= 0:
        return None
    low, high = 0, total + 1
    found: T | None = None
    while low < high:
        middle = (low + high) // 2
        result = attempt([c - d * middle // total for c, d in zip(counts, deltas, strict=True)])
        if result is not None:
            found, high = result, middle
        else:
            low = middle + 1
    return found if low <= total else None
