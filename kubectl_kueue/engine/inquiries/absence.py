"""Why has a job no Workload? Every cause that its marks and Kueue's Configuration can tell, likeliest first.

A queue-name that names no LocalQueue is none of them: such a job gets a Workload, which then is refused.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.taints import UnparsableAffinity, matches_selector
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.job_marks import STEPS_BETWEEN, JobMarks
from kubectl_kueue.model.management import NAMESPACE_NAME, Management
from kubectl_kueue.model.world import World

DEFAULT_QUEUE = "default"


class Ended(Facts, frozen=True):
    """The job has ended (`how`: its own word), so nothing is left to queue."""

    how: str


class Deleted(Facts, frozen=True):
    """The job is being deleted."""


class Owned(Facts, frozen=True):
    """An object of a kind that Kueue manages controls it: if there is a Workload, it is that one's."""

    kind: str
    name: str


class NothingMade(Facts, frozen=True):
    """Its pods or jobs have the Workloads, and there are none: `why` is scale, schedule or none."""

    why: str


class NoIntegration(Facts, frozen=True):
    """Kueue cannot queue objects of this kind."""

    kind: str
    group: str


class IntegrationOff(Facts, frozen=True):
    """The Configuration does not list the integration of the kind."""

    framework: str
    enabled: tuple[str, ...]


class NoQueueName(Facts, frozen=True):
    """No label queue-name. `queues` are the LocalQueues of the namespace; `has_default`: one of them is
    named default, which is given to jobs when they are created. `starts`: nothing holds the job back, so it
    runs outside of Kueue; None: the kind cannot be suspended."""

    namespace: str
    queues: tuple[str, ...] = ()
    has_default: bool = False
    starts: bool | None = None


class NamespaceUnmanaged(Facts, frozen=True):
    """managedJobsNamespaceSelector leaves the namespace out, and the job has no queue name."""

    namespace: str


class PriorityClassMissing(Facts, frozen=True):
    """The label priority-class names a WorkloadPriorityClass that does not exist."""

    name: str
    known: tuple[str, ...] = ()


class PrebuiltMissing(Facts, frozen=True):
    """It waits for a Workload that somebody else was to make."""

    name: str


class GroupIncomplete(Facts, frozen=True):
    """A pod group gets its Workload when all its pods are there; `want` 0: no total count is given."""

    group: str
    have: int
    want: int


class ManagedElsewhere(Facts, frozen=True):
    """spec.managedBy hands the job to another controller."""

    by: str


class Unexplained(Facts, frozen=True):
    """Nothing of all this: Kueue should have made one. `config_read`: its Configuration could be read."""

    config_read: bool
    queue_missing: bool = False


class Absence(NamedTuple):
    """A job without a Workload, and why; the first cause is the one to tell."""

    job: JobMarks
    causes: tuple[Facts, ...]
    config_read: bool


def why_no_workload(
    world: World, job: JobMarks, management: Management | None, *, pods_of_group: int = 0
) -> Absence:
    """`management` None: the Configuration could not be read; `pods_of_group`: pods that are there."""
    causes = tuple(_causes(world, job, management, pods_of_group))
    if not causes:
        here = f"{job.namespace}/{job.queue}" in world.local_queues
        causes = (Unexplained(management is not None, bool(job.queue) and not here),)
    return Absence(job, causes, management is not None)


def _causes(
    world: World, job: JobMarks, management: Management | None, pods_of_group: int
) -> Iterator[Facts]:
    if job.deleted:
        yield Deleted()
    if job.ended:
        yield Ended(job.ended)
    if job.owner is not None and _queues_itself(job.owner.group, job.owner.kind, management):
        yield Owned(job.owner.kind, job.owner.name)
        return
    if (job.group, job.kind) in STEPS_BETWEEN or job.kind == "Deployment":
        why = "scale" if job.replicas == 0 else "schedule" if job.kind.endswith("CronJob") else "none"
        if why != "none" or job.queue == "":
            yield NothingMade(why)
    if (job.group, job.kind) not in STEPS_BETWEEN:
        yield from _about_integration(job, management)
    yield from _about_queue(world, job, management)
    classes = world.workload_priority_classes
    unread = "WorkloadPriorityClass" in world.missing
    if job.priority_class and job.priority_class not in classes and not unread:
        yield PriorityClassMissing(job.priority_class, tuple(sorted(classes)))
    if job.prebuilt and f"{job.namespace}/{job.prebuilt}" not in world.workloads:
        yield PrebuiltMissing(job.prebuilt)
    if job.group_name and (job.group_size is None or pods_of_group < job.group_size):
        yield GroupIncomplete(job.group_name, pods_of_group, job.group_size or 0)
    if job.managed_by and "kueue.x-k8s.io" not in job.managed_by and "/job-controller" not in job.managed_by:
        yield ManagedElsewhere(job.managed_by)


def _queues_itself(group: str, kind: str, management: Management | None) -> bool:
    framework = FRAMEWORKS.get((group, kind), "")
    if management is None:
        return bool(framework)
    return management.manages(framework, group, kind)


def _about_integration(job: JobMarks, management: Management | None) -> Iterator[Facts]:
    if management is not None and management.manages(job.framework, job.group, job.kind):
        return
    if not job.framework:
        yield NoIntegration(job.kind, job.group)
    elif management is not None:
        yield IntegrationOff(job.framework, (*management.frameworks, *management.external))


def _about_queue(world: World, job: JobMarks, management: Management | None) -> Iterator[Facts]:
    """Without a queue name Kueue leaves a job alone, unless it is told to take all jobs of the namespace."""
    if job.queue:
        return
    managed = _namespace_managed(world, job.namespace, management)
    if management is not None and management.without_queue_name:
        if not managed:
            yield NamespaceUnmanaged(job.namespace)
        return
    queues = sorted(k.partition("/")[2] for k in world.local_queues if k.startswith(f"{job.namespace}/"))
    starts = None if job.suspended is None else not job.suspended
    if DEFAULT_QUEUE in queues and not managed:
        yield NamespaceUnmanaged(job.namespace)
        return
    yield NoQueueName(job.namespace, tuple(queues), DEFAULT_QUEUE in queues, starts)


def _namespace_managed(world: World, name: str, management: Management | None) -> bool:
    """True as well if it cannot be known."""
    if management is None or management.selector is None:
        return True
    namespace = world.namespaces.get(name)
    labels = namespace.metadata.labels if namespace is not None else {}
    try:
        return matches_selector(management.selector, {NAMESPACE_NAME: name, **labels})
    except UnparsableAffinity:
        return True
