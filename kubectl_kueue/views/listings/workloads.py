"""Workloads, a line each: kueuectl's table, and with -o wide what its four status words hide."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.slim import LocalQueue, Workload, true_condition
from kubectl_kueue.model.status_words import kueuectl_status, queue_stop, true_status
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.views.durations import age, short_duration
from kubectl_kueue.views.page import Column, Listing

Places = tuple[int, int]
"""In the LocalQueue and in the ClusterQueue, both from 0."""


class WorkloadRow(NamedTuple):
    """The cells of one workload; `state` and `reason` are for -o wide."""

    namespace: str
    name: str
    job_type: str
    job_name: str
    local_queue: str
    cluster_queue: str
    status: str
    exec_time: str
    age: str
    priority: int
    state: str
    reason: str

    @property
    def key(self) -> str:
        """namespace/name."""
        return f"{self.namespace}/{self.name}"


def workload_row(workload: Workload, queue: LocalQueue | None, now: int) -> WorkloadRow:
    """`queue`: the LocalQueue that spec.queueName names, if it is there and known."""
    meta, conditions = workload.metadata, workload.status.conditions
    status = true_status(workload, now, queue_stop(queue))
    return WorkloadRow(
        namespace=meta.namespace,
        name=meta.name,
        job_type=", ".join(dict.fromkeys(_short(owner.kind.lower()) for owner in meta.owners)),
        job_name=", ".join(dict.fromkeys(owner.name for owner in meta.owners)),
        local_queue=workload.spec.queue_name,
        cluster_queue=cluster_queue_of(workload, queue),
        status=kueuectl_status(conditions),
        exec_time=_exec_time(workload, now),
        age=age(meta.creation_timestamp, now),
        priority=workload.spec.priority,
        state=status.word,
        reason=status.detail,
    )


def workload_listing(
    rows: Iterable[WorkloadRow], positions: Mapping[str, Places], *, namespaces: bool
) -> Listing:
    """The table; `positions` by "namespace/name"."""
    lines = [
        (
            *((row.namespace,) if namespaces else ()),
            row.name,
            row.job_type,
            row.job_name,
            row.local_queue,
            row.cluster_queue,
            row.status,
            _place(row, positions, 0),
            row.exec_time,
            row.age,
            row.priority,
            _place(row, positions, 1),
            row.state,
            row.reason,
        )
        for row in rows
    ]
    return Listing([*((Column("NAMESPACE"),) if namespaces else ()), *_COLUMNS], lines)


def _place(row: WorkloadRow, positions: Mapping[str, Places], which: int) -> int | None:
    places = positions.get(row.key) if row.status == "PENDING" else None
    return places[which] if places is not None else None


def cluster_queue_of(workload: Workload, queue: LocalQueue | None) -> str:
    """The ClusterQueue that admitted it, else the one that its LocalQueue leads to, else ""."""
    admission = workload.status.admission
    if admission is not None and admission.cluster_queue:
        return admission.cluster_queue
    return queue.spec.cluster_queue if queue is not None else ""


_COLUMNS = (
    *(Column(name) for name in ("NAME", "JOB TYPE", "JOB NAME", "LOCALQUEUE", "CLUSTERQUEUE", "STATUS")),
    *(Column(name) for name in ("POSITION IN QUEUE", "EXEC TIME", "AGE")),
    *(Column(name, wide=True) for name in ("PRIORITY", "POSITION IN CLUSTERQUEUE", "STATE", "REASON")),
)
_LONGEST_TYPE = 20


def _short(kind: str) -> str:
    return kind if len(kind) <= _LONGEST_TYPE else f"{kind[:_LONGEST_TYPE]}..."


def _exec_time(workload: Workload, now: int) -> str:
    """How long it has been admitted this time: up to now, or to its end."""
    admitted = true_condition(workload.status.conditions, "Admitted")
    if admitted is None or not admitted.last_transition_time:
        return ""
    finished = true_condition(workload.status.conditions, "Finished")
    try:
        end = parse_time(finished.last_transition_time) if finished and finished.last_transition_time else now
        return short_duration(end - parse_time(admitted.last_transition_time))
    except InputError:
        return ""
