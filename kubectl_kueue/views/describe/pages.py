"""Which page for which kind? A kind that has none is printed field by field (dump.py)."""

from collections.abc import Mapping

from kubectl_kueue.model.objects import ClusterQueue, Cohort, LocalQueue, ResourceFlavor, Workload
from kubectl_kueue.views.columns.items import Item
from kubectl_kueue.views.describe.dump import dump_lines
from kubectl_kueue.views.describe.flavor import flavor_page
from kubectl_kueue.views.describe.parts import Subject
from kubectl_kueue.views.describe.queues import cluster_queue_page, cohort_page, local_queue_page
from kubectl_kueue.views.describe.waiting import Scene
from kubectl_kueue.views.describe.workload import workload_page
from kubectl_kueue.views.page import Column, Listing, Page

PAGED: Mapping[str, type] = {
    "ClusterQueue": ClusterQueue,
    "Cohort": Cohort,
    "LocalQueue": LocalQueue,
    "ResourceFlavor": ResourceFlavor,
    "Workload": Workload,
}


def description(item: Item, subject: Subject, scene: Scene) -> Page | Listing:
    """The page of an object, or its fields if it is of another kind or not as its kind promises."""
    match item.typed:
        case ClusterQueue() as queue:
            return cluster_queue_page(subject, queue, scene)
        case Cohort() as cohort:
            return cohort_page(subject, cohort, scene)
        case LocalQueue() as queue:
            return local_queue_page(subject, queue, scene)
        case ResourceFlavor() as flavor:
            return flavor_page(subject, flavor, scene)
        case Workload() as workload if item.slim is not None:
            return workload_page(subject, workload, item.slim, scene)
    return full_listing(subject)


def full_listing(subject: Subject) -> Listing:
    """Every field, line by line, as kubectl describes it."""
    lines = dump_lines(subject.value, subject.events)
    return Listing([Column("")], [[line] for line in lines], header=False)
