"""Which columns does `get` show for a kind? Those of kubectl first, in its order, ours behind them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from kubectl_kueue.model import slim
from kubectl_kueue.model.objects import ClusterQueue, Cohort, LocalQueue
from kubectl_kueue.views.columns.items import Item
from kubectl_kueue.views.durations import age
from kubectl_kueue.views.listings import settings
from kubectl_kueue.views.listings.frame import Frame
from kubectl_kueue.views.listings.pods import pod_listing, pod_row
from kubectl_kueue.views.listings.workloads import workload_row
from kubectl_kueue.views.usage import (
    Use,
    all_words,
    cluster_queue_usage,
    cohort_usage,
    local_queue_usage,
    scarcest_words,
)

Cell = str | int | None
Shown = Literal["always", "wide", "narrow"]


class Around(NamedTuple):
    """What cells need besides their object; what could not be read is empty.

    `positions` are those in the LocalQueue, from 0, by "namespace/name".
    """

    now: int
    positions: Mapping[str, int] = {}
    cluster_queues: Mapping[str, ClusterQueue] = {}
    cohorts: Mapping[str, Cohort] = {}
    local_queues: Mapping[str, slim.LocalQueue] = {}


class Head(NamedTuple):
    """The name of a column, and with which width of output it is shown."""

    name: str
    shown: Shown = "always"


class Shape(NamedTuple):
    """The columns of a kind behind NAME, and the cells of one object; nothing for an object that is wrong."""

    heads: Sequence[Head]
    cells: Callable[[Item, Around], Iterator[Cell]]


def shape_of(group: str, kind: str) -> Shape:
    """The columns of a kind; just AGE for one that this program knows nothing about."""
    found = _SHAPES.get(kind)
    return found[1] if found is not None and found[0] == group else _ANY


def row_of(shape: Shape, item: Item, around: Around) -> list[Cell]:
    """A cell for each column; of an object that is not as its kind promises only the age."""
    cells = list(shape.cells(item, around))
    if cells:
        return cells
    return [_age(item, around) if head.name == "AGE" else None for head in shape.heads]


def _age(item: Item, around: Around) -> str:
    return age(item.created, around.now)


def _heads(*names: str, wide: Sequence[str] = (), narrow: Sequence[str] = ()) -> list[Head]:
    return [
        Head(name, "wide" if name in wide else "narrow" if name in narrow else "always") for name in names
    ]


# --- queues -------------------------------------------------------------------------------------


def _cluster_queue(item: Item, around: Around) -> Iterator[Cell]:
    queue = item.typed
    if not isinstance(queue, ClusterQueue):
        return
    uses = cluster_queue_usage(queue)
    yield queue.spec.cohort_name
    yield queue.spec.queueing_strategy
    yield queue.status.pending_workloads
    yield queue.status.admitted_workloads
    yield queue.spec.queueing_strategy
    yield queue.status.reserving_workloads
    yield queue.status.admitted_workloads
    yield from (_active(queue), scarcest_words(uses), _age(item, around), all_words(uses))


def _local_queue(item: Item, around: Around) -> Iterator[Cell]:
    queue = item.typed
    if not isinstance(queue, LocalQueue):
        return
    uses = local_queue_usage(queue, around.cluster_queues.get(queue.spec.cluster_queue))
    yield queue.spec.cluster_queue
    yield queue.status.pending_workloads
    yield queue.status.admitted_workloads
    yield queue.status.reserving_workloads
    yield from (_active(queue), scarcest_words(uses), _age(item, around), all_words(uses))


def _active(queue: ClusterQueue | LocalQueue) -> str:
    active = any(each.type == "Active" and each.status == "True" for each in queue.status.conditions)
    return "true" if active else "false"


def _cohort(item: Item, around: Around) -> Iterator[Cell]:
    cohort = item.typed
    if not isinstance(cohort, Cohort):
        return
    uses: list[Use]
    uses, pending = cohort_usage(
        item.name, {**around.cohorts, item.name: cohort}, around.cluster_queues.values()
    )
    yield _age(item, around)
    yield cohort.spec.parent_name
    yield sum(1 for other in around.cohorts.values() if other.spec.parent_name == item.name)
    yield sum(1 for queue in around.cluster_queues.values() if queue.spec.cohort_name == item.name)
    yield from (pending, scarcest_words(uses), all_words(uses))


# --- workloads, pods ----------------------------------------------------------------------------


def _workload(item: Item, around: Around) -> Iterator[Cell]:
    workload = item.slim
    if not isinstance(workload, slim.Workload):
        return
    queue = around.local_queues.get(f"{item.namespace}/{workload.spec.queue_name}")
    row = workload_row(workload, queue, around.now)
    admission, place = workload.status.admission, around.positions.get(item.key)
    yield workload.spec.queue_name
    yield admission.cluster_queue if admission is not None else None
    yield _condition(workload.status.conditions, "Admitted")
    yield _condition(workload.status.conditions, "Finished")
    yield row.age
    yield row.state
    yield workload.spec.priority
    yield None if place is None else place + 1
    yield from (row.job_type, row.job_name, row.exec_time, row.reason)


def _condition(conditions: slim.Conditions, kind: str) -> str | None:
    found = slim.find_condition(conditions, kind)
    return found.status if found is not None else None


def _pod(item: Item, around: Around) -> Iterator[Cell]:
    if isinstance(item.slim, slim.Pod):
        yield from pod_row(item.slim, around.now)[2:]


# --- the rest -----------------------------------------------------------------------------------


def _framed(frame: Frame, *, age_at: int = 0, leave_out: Sequence[str] = ()) -> Shape:
    """The columns that `list` has for a kind, AGE before the one with the index `age_at`."""
    names = [*frame.columns, *frame.wide]
    kept = [index for index, name in enumerate(names) if name not in leave_out]
    heads = _heads(*(names[index] for index in kept), wide=frame.wide)

    def cells(item: Item, around: Around) -> Iterator[Cell]:
        if item.slim is not None:
            found = frame.cells(item.slim)
            cells: list[Cell] = [found[index] for index in kept]
            yield from (*cells[:age_at], _age(item, around), *cells[age_at:])

    return Shape([*heads[:age_at], Head("AGE"), *heads[age_at:]], cells)


def _multikueue_cluster(item: Item, around: Around) -> Iterator[Cell]:
    """kubectl's CONNECTED is the status of a condition, as it is written."""
    if isinstance(item.slim, slim.MultiKueueCluster):
        yield _condition(item.slim.status.conditions, "Active")
        yield from _CLUSTER.cells(item, around)


_CLUSTER = _framed(settings.MULTIKUEUE_CLUSTER, leave_out=["CONNECTED"])
_ANY = Shape([Head("AGE")], lambda item, around: iter([_age(item, around)]))
_KUEUE = "kueue.x-k8s.io"
_SHAPES: Mapping[str, tuple[str, Shape]] = {
    "ClusterQueue": (
        _KUEUE,
        Shape(
            [
                *_heads(
                    "COHORT",
                    "STRATEGY",
                    "PENDING WORKLOADS",
                    "ADMITTED WORKLOADS",
                    wide=("STRATEGY", "ADMITTED WORKLOADS"),
                ),
                *_heads("STRATEGY", "RESERVING", "ADMITTED", "ACTIVE", narrow=("STRATEGY", "ADMITTED")),
                *_heads("USED", "AGE", "USAGE", wide=("USAGE",)),
            ],
            _cluster_queue,
        ),
    ),
    "LocalQueue": (
        _KUEUE,
        Shape(
            [
                *_heads("CLUSTERQUEUE", "PENDING WORKLOADS", "ADMITTED WORKLOADS"),
                *_heads("RESERVING", "ACTIVE", "USED", "AGE", "USAGE", wide=("USAGE",)),
            ],
            _local_queue,
        ),
    ),
    "Workload": (
        _KUEUE,
        Shape(
            [
                *_heads("QUEUE", "RESERVED IN", "ADMITTED", "FINISHED", "AGE"),
                *_heads("STATE", "PRIORITY", "POSITION"),
                *_heads("JOB TYPE", "JOB NAME", "EXEC TIME", wide=("JOB TYPE", "JOB NAME", "EXEC TIME")),
                *_heads("REASON"),
            ],
            _workload,
        ),
    ),
    "Cohort": (
        _KUEUE,
        Shape(
            _heads("AGE", "PARENT", "COHORTS", "CLUSTERQUEUES", "PENDING", "USED", "USAGE", wide=("USAGE",)),
            _cohort,
        ),
    ),
    "ResourceFlavor": (_KUEUE, _framed(settings.RESOURCE_FLAVOR)),
    "WorkloadPriorityClass": (_KUEUE, _framed(settings.WORKLOAD_PRIORITY_CLASS, age_at=1)),
    "AdmissionCheck": (_KUEUE, _framed(settings.ADMISSION_CHECK)),
    "Topology": (_KUEUE, _framed(settings.TOPOLOGY)),
    "ProvisioningRequestConfig": (_KUEUE, _framed(settings.PROVISIONING_REQUEST_CONFIG)),
    "MultiKueueConfig": (_KUEUE, _framed(settings.MULTIKUEUE_CONFIG)),
    "MultiKueueCluster": (_KUEUE, Shape([Head("CONNECTED"), *_CLUSTER.heads], _multikueue_cluster)),
    "Pod": (
        "",
        Shape(
            [
                Head(c.name, "wide" if c.wide else "always")
                for c in pod_listing((), namespaces=False).columns[1:]
            ],
            _pod,
        ),
    ),
}
