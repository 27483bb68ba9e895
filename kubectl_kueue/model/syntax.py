"""Are the quantities and times of an object what they claim to be?

The types say which texts these are (`extra` in objects.py) and a test holds this module to them.
It is written out by hand, with the parsers' caches looked at first: that costs a tenth of checking
every text by a pattern, and decoding is where a large snapshot spends its time.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kubectl_kueue.model import objects as kinds
from kubectl_kueue.model.config import Configuration, Document
from kubectl_kueue.model.duration import seconds
from kubectl_kueue.model.objects import (
    Condition,
    FlavorUsage,
    ObjectMeta,
    PodSpec,
    ResourceGroup,
)
from kubectl_kueue.model.quantity import check_quantities, check_quantity
from kubectl_kueue.model.timestamp import check_time


def check_syntax(value: kinds.Object) -> None:
    """Raise InputError, without saying where, at the first text that is no quantity, time or duration."""
    check = _CHECKS.get(type(value))
    if check is not None:
        check(value)
    meta: ObjectMeta | None = getattr(value, "metadata", None)
    if meta is not None:
        _check_metadata(meta)


def _check_workload(workload: kinds.Workload) -> None:
    for pod_set in workload.spec.pod_sets:
        template = pod_set.template
        if template.metadata is not _NO_METADATA:
            _check_metadata(template.metadata)
        _check_pod_spec(template.spec)
    status = workload.status
    if status is _NO_STATUS:
        return
    _check_conditions(status.conditions)
    if status.admission is not None:
        for assignment in status.admission.pod_set_assignments:
            check_quantities(assignment.resource_usage.values())
    for check in status.admission_checks:
        check_time(check.last_transition_time)
    for gate in status.preemption_gates:
        check_time(gate.last_transition_time)
    if status.requeue_state is not None:
        check_time(status.requeue_state.requeue_at)


_NO_METADATA = kinds.PodTemplate().metadata
_NO_STATUS = kinds.Workload().status


def _check_pod(pod: kinds.Pod) -> None:
    _check_pod_spec(pod.spec)


def _check_cluster_queue(queue: kinds.ClusterQueue) -> None:
    _check_quotas(queue.spec.resource_groups)
    _check_weight(queue.spec.fair_sharing)
    _check_queue_status(queue.status)


def _check_cohort(cohort: kinds.Cohort) -> None:
    _check_quotas(cohort.spec.resource_groups)
    _check_weight(cohort.spec.fair_sharing)


def _check_local_queue(queue: kinds.LocalQueue) -> None:
    _check_weight(queue.spec.fair_sharing)
    _check_queue_status(queue.status)
    shares = queue.status.fair_sharing
    if shares is not None and shares.admission_fair_sharing_status is not None:
        check_quantities(shares.admission_fair_sharing_status.consumed_resources.values())
        check_time(shares.admission_fair_sharing_status.last_update)


def _check_admission_check(check: kinds.AdmissionCheck) -> None:
    _check_conditions(check.status.conditions)


def _check_limit_range(limit_range: kinds.LimitRange) -> None:
    for item in limit_range.spec.limits:
        for amounts in (item.max, item.min, item.default, item.default_request, item.max_limit_request_ratio):
            check_quantities(amounts.values())


def _check_runtime_class(runtime_class: kinds.RuntimeClass) -> None:
    if runtime_class.overhead is not None:
        check_quantities(runtime_class.overhead.pod_fixed.values())


def _check_node(node: kinds.Node) -> None:
    check_quantities(node.status.allocatable.values())
    _check_conditions(node.status.conditions)


def _check_configuration(config: Configuration) -> None:
    for transformation in config.resources.transformations:
        check_quantities(transformation.outputs.values())
    if config.admission_fair_sharing is not None:
        seconds(config.admission_fair_sharing.usage_half_life_time)
        seconds(config.admission_fair_sharing.usage_sampling_interval)


def _check_document(document: Document) -> None:
    check_time(document.now)
    _check_configuration(document.config)


_CHECKS: Mapping[type, Callable[[Any], None]] = {
    kinds.Workload: _check_workload,
    kinds.Pod: _check_pod,
    kinds.ClusterQueue: _check_cluster_queue,
    kinds.Cohort: _check_cohort,
    kinds.LocalQueue: _check_local_queue,
    kinds.AdmissionCheck: _check_admission_check,
    kinds.LimitRange: _check_limit_range,
    kinds.RuntimeClass: _check_runtime_class,
    kinds.Node: _check_node,
    Configuration: _check_configuration,
    Document: _check_document,
}


def _check_metadata(meta: ObjectMeta) -> None:
    check_time(meta.creation_timestamp)
    check_time(meta.deletion_timestamp)


def _check_pod_spec(spec: PodSpec) -> None:
    for container in spec.containers:
        _check_resources(container.resources)
    for container in spec.init_containers:
        _check_resources(container.resources)
    if spec.overhead:
        check_quantities(spec.overhead.values())
    if spec.resources is not None:
        _check_resources(spec.resources)


def _check_resources(resources: kinds.ResourceRequirements) -> None:
    if resources.requests:
        check_quantities(resources.requests.values())
    if resources.limits:
        check_quantities(resources.limits.values())


def _check_conditions(conditions: Iterable[Condition]) -> None:
    for condition in conditions:
        check_time(condition.last_transition_time)


def _check_quotas(groups: Iterable[ResourceGroup]) -> None:
    for group in groups:
        for flavor in group.flavors:
            for quota in flavor.resources:
                check_quantity(quota.nominal_quota)
                check_quantity(quota.borrowing_limit)
                check_quantity(quota.lending_limit)


def _check_weight(fair_sharing: kinds.FairSharing | None) -> None:
    if fair_sharing is not None:
        check_quantity(fair_sharing.weight)


def _check_queue_status(status: kinds.ClusterQueueStatus | kinds.LocalQueueStatus) -> None:
    _check_conditions(status.conditions)
    _check_usage(status.flavors_reservation)
    _check_usage(status.flavors_usage)


def _check_usage(flavors: Iterable[FlavorUsage]) -> None:
    for flavor in flavors:
        for resource in flavor.resources:
            check_quantity(resource.total)
            check_quantity(resource.borrowed)
