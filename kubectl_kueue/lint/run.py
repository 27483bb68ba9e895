"""Every rule on every object: the checks of a kind, as a list."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.lint.catalogue import RULES
from kubectl_kueue.lint.found import Found, Severity, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.mend import mended
from kubectl_kueue.lint.rules import (
    demand,
    fields,
    flavors,
    jobs,
    metadata,
    others,
    queues,
    quotas,
    settings,
    topology,
    updates,
    versions,
    workloads,
)
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.model.job_kinds import JOB_KINDS, REPLICA_FIELDS

Check = Callable[[Item, Scene], Iterator[Found]]


class Finding(NamedTuple):
    """What was found in which object, and how bad it is."""

    item: Item
    found: Found
    severity: Severity


_ANY: tuple[Check, ...] = (versions.check_version, fields.check_fields, metadata.check_metadata)
_NAMES: tuple[Check, ...] = (metadata.check_length, metadata.check_keys)
_QUOTA: tuple[Check, ...] = (
    quotas.check_groups,
    quotas.check_amounts,
    quotas.check_sizes,
    quotas.check_weight,
    queues.check_cohort_chain,
)
_KINDS: Mapping[str, tuple[Check, ...]] = {
    "ClusterQueue": (
        *_QUOTA,
        quotas.check_quota_there,
        quotas.check_partial_guarantee,
        quotas.check_units_of_cohort,
        queues.check_selector,
        queues.check_preemption,
        queues.check_fungibility,
        queues.check_strategy,
        queues.check_admission_checks,
        queues.check_flavors_there,
        queues.check_concurrent,
        queues.check_stopped,
        flavors.check_group_flavors,
        updates.check_immutable,
    ),
    "Cohort": _QUOTA,
    "LocalQueue": (
        quotas.check_weight,
        queues.check_local_queue,
        queues.check_stopped,
        updates.check_immutable,
    ),
    "ResourceFlavor": (
        flavors.check_flavor,
        flavors.check_taint_void,
        flavors.check_flavor_topology,
        flavors.check_nodes,
        updates.check_immutable,
    ),
    "Topology": (flavors.check_topology, updates.check_immutable),
    "AdmissionCheck": (others.check_controller, updates.check_immutable),
    "MultiKueueCluster": (others.check_multi_kueue_cluster,),
    "MultiKueueConfig": (others.check_multi_kueue_config,),
    "Workload": (
        workloads.check_workload,
        workloads.check_workload_status,
        demand.check_workload_queue,
        demand.check_requests,
        demand.check_limit_range,
        demand.check_demand,
        topology.check_topology_there,
        updates.check_immutable,
    ),
}
_JOBS: tuple[Check, ...] = (
    jobs.check_job,
    jobs.check_queue,
    jobs.check_template_labels,
    jobs.check_priority,
    jobs.check_suspend,
    jobs.check_integration,
    topology.check_topology_annotations,
    topology.check_topology_there,
    demand.check_requests,
    demand.check_limit_range,
    demand.check_demand,
    updates.check_job_updates,
)
_BY_JOB: Mapping[str, tuple[Check, ...]] = {
    "Job": (jobs.check_batch_job,),
    "Pod": (jobs.check_pod,),
    "SparkApplication": (jobs.check_spark,),
    "LeaderWorkerSet": (jobs.check_lws,),
    **dict.fromkeys(("RayJob", "RayCluster", "RayService"), (jobs.check_ray,)),
    **dict.fromkeys(REPLICA_FIELDS, (jobs.check_replica_specs,)),
}


def lint(scene: Scene) -> Iterator[Finding]:
    """All findings about the objects under lint, in their order."""
    for item in scene.own:
        yield from _once(item, _checked(item, scene))
    yield from _twice(scene.own)


def _once(item: Item, each: Iterator[Found]) -> Iterator[Finding]:
    """Findings of an object without repetitions of one rule at one place."""
    seen = set()
    for one in each:
        key = (one.rule, one.pointer, *one.facts.values())
        if key not in seen:
            seen.add(key)
            # Where the frame of an object is broken, what would mend a field has no place to go.
            if one.patch and not mended(item.value, [one.patch])[1]:
                one = one._replace(patch=())
            yield Finding(item, one, one.severity or RULES[one.rule].severity)


def _checked(item: Item, scene: Scene) -> Iterator[Found]:
    for check in checks_of(item):
        yield from check(item, scene)


def checks_of(item: Item) -> Sequence[Check]:
    """The checks that an object goes through."""
    if item.group == "config.kueue.x-k8s.io" and item.kind == "Configuration":
        return (settings.check_configuration,)
    if item.is_kueue:
        return (*_ANY, *_KINDS.get(item.kind, ()), *_NAMES)
    if (item.group, item.kind) in JOB_KINDS:
        return (*_JOBS, *_BY_JOB.get(item.kind, ()), *_NAMES)
    return (jobs.check_integration, *_NAMES)


def _twice(items: Sequence[Item]) -> Iterator[Finding]:
    """Objects that the files define more than once: the last one applied wins."""
    first: dict[tuple[str, str, str, str], Item] = {}
    for item in items:
        if not item.name:
            continue
        other = first.setdefault(item.key, item)
        if other is not item and other.value != item.value:
            fact = found("defined-twice", "/metadata/name", first=str(other.number))
            yield Finding(item, fact, RULES["defined-twice"].severity)
