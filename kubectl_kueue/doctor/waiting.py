"""Which workloads wait, and which hold quota?"""

from collections.abc import Mapping

from kubectl_kueue.model.objects import Condition, Workload


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


def by_uid(workloads: Mapping[str, Workload]) -> dict[str, str]:
    """Keys of the workloads by uid."""
    return {each.metadata.uid: key for key, each in workloads.items() if each.metadata.uid}
