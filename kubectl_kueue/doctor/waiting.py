"""Which workloads wait, which hold quota, and since when?"""

from collections.abc import Mapping

from kubectl_kueue.model.objects import Condition, Workload
from kubectl_kueue.model.timestamp import SECOND, parse_time

PATIENCE = 5 * 60 * SECOND
"""What has stood still for this long does not just need a moment."""


def found(workload: Workload, type_: str) -> Condition | None:
    """The condition of this type."""
    return next((c for c in workload.status.conditions if c.type == type_), None)


def holds(workload: Workload, type_: str) -> bool:
    """Whether the condition of this type is True."""
    return any(c.type == type_ and c.status == "True" for c in workload.status.conditions)


def waits(workload: Workload) -> bool:
    """Whether it is active and has neither quota nor an end."""
    return (
        workload.spec.active
        and workload.metadata.deletion_timestamp is None
        and not holds(workload, "Finished")
        and not holds(workload, "QuotaReserved")
    )


def keeps_quota(workload: Workload) -> bool:
    """Whether it holds quota."""
    return (
        workload.status.admission is not None
        and holds(workload, "QuotaReserved")
        and not holds(workload, "Finished")
    )


def since(workload: Workload) -> int:
    """The last moment at which anything happened to it, in microseconds since 1970."""
    times = [
        workload.metadata.creation_timestamp,
        *(c.last_transition_time for c in workload.status.conditions),
    ]
    return max((parse_time(time) for time in times if time), default=0)


def by_uid(workloads: Mapping[str, Workload]) -> dict[str, str]:
    """Keys of the workloads by uid."""
    return {each.metadata.uid: key for key, each in workloads.items() if each.metadata.uid}
