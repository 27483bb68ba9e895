"""How much does a workload ask for? From pod templates to exact amounts (scheduling.md 1).

Amounts are canonical ints: milli-CPU for cpu, whole units (bytes, devices, pods) for the rest.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil

import msgspec

from kubectl_kueue.engine.devices import PodDevices
from kubectl_kueue.model.config import Gates, ResourcesConfig, Transformation
from kubectl_kueue.model.objects import (
    Container,
    LimitRange,
    PodSet,
    PodSpec,
    ResourceList,
    ResourceRequirements,
    RuntimeClass,
)
from kubectl_kueue.model.pod_requests import Exact, requests_of_pod, with_defaults
from kubectl_kueue.model.quantity import MAX_INT64, NANO, nanos, to_int

Amounts = dict[str, int]  # resource -> canonical units


class PodSetRequests:
    """What one podSet asks for: `requests` is the total of its `count` pods, in Kueue's order."""

    __slots__ = ("count", "name", "requests")

    def __init__(self, name: str, count: int, requests: Amounts) -> None:
        self.name = name
        self.count = count
        self.requests = requests

    def scaled(self, count: int) -> "PodSetRequests":
        """The same podSet with `count` pods; one that has no pods left stays as it is."""
        if count == self.count or self.count == 0:
            return self
        requests = {r: v // self.count * count for r, v in self.requests.items()}
        return PodSetRequests(self.name, count, requests)


@cache
def resource_order(name: str) -> tuple[int, str]:
    """Sort key of a resource: the 64-bit FNV-1a hash of its name (spec 1.8)."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value, name


def in_order(amounts: Mapping[str, int]) -> Amounts:
    """The same amounts in the order in which Kueue visits resources."""
    if len(amounts) < 2:
        return dict(amounts)
    return {r: amounts[r] for r in sorted(amounts, key=resource_order)}


def pod_requests(spec: PodSpec) -> Amounts:
    """Requests of one pod in canonical units, rounded up once (spec 1.1, 1.3)."""
    return {r: to_int(r, v) for r, v in _exact_pod_requests(spec).items()}


def _exact_pod_requests(spec: PodSpec) -> Exact:
    containers = spec.containers
    if len(containers) == 1 and not (spec.init_containers or spec.resources or spec.overhead):
        return _exact(containers[0].resources.requests)
    return requests_of_pod(
        [_exact(each.resources.requests) for each in containers],
        [(_exact(each.resources.requests), each.restart_policy == "Always") for each in spec.init_containers],
        {} if spec.resources is None else _exact(spec.resources.requests),
        _exact(spec.overhead),
    )


def _exact(requests: ResourceList) -> Exact:
    return {resource: nanos(quantity) for resource, quantity in requests.items()}


class ResourceLimits(msgspec.Struct):
    """All LimitRanges of a namespace for one type (Container or Pod), merged (spec 1.2)."""

    max: Exact = {}
    min: Exact = {}
    default: ResourceList = {}
    default_request: ResourceList = {}


def merge_limit_ranges(ranges: Iterable[LimitRange]) -> dict[str, ResourceLimits]:
    """Type -> merged limits: smallest max, largest min, first default (LimitRanges by name)."""
    merged: dict[str, ResourceLimits] = {}
    for limit_range in sorted(ranges, key=lambda r: r.metadata.name):
        for item in limit_range.spec.limits:
            if item.type not in ("Container", "Pod"):
                continue
            limits = merged.setdefault(item.type, ResourceLimits())
            for resource, quantity in item.max.items():
                value = nanos(quantity)
                limits.max[resource] = min(value, limits.max.get(resource, value))
            for resource, quantity in item.min.items():
                value = nanos(quantity)
                limits.min[resource] = max(value, limits.min.get(resource, value))
            limits.default = {**item.default, **limits.default}
            limits.default_request = {**item.default_request, **limits.default_request}
    return merged


class TemplateRules:
    """The steps that Kueue applies to every pod template before it counts (spec 1.2 and 1.4)."""

    def __init__(
        self,
        limit_ranges: Iterable[LimitRange],
        runtime_classes: Mapping[str, RuntimeClass],
        config: ResourcesConfig,
        gates: Gates,
    ) -> None:
        by_namespace: dict[str, list[LimitRange]] = {}
        for limit_range in limit_ranges:
            by_namespace.setdefault(limit_range.metadata.namespace, []).append(limit_range)
        self.limits = {ns: merge_limit_ranges(ranges) for ns, ranges in by_namespace.items()}
        self._runtime_classes = runtime_classes
        self._excluded = tuple(config.exclude_resource_prefixes)
        self._transformations = {t.input: t for t in config.transformations}
        self._reclaimable = gates["ReclaimablePods"]
        self._plain = not (self._excluded or self._transformations)

    def adjusted(self, spec: PodSpec, namespace: str) -> PodSpec:
        """The template with overhead, LimitRange defaults and requests from limits filled in."""
        overhead = self._overhead(spec)
        limits = self.limits.get(namespace, {})
        per_container, per_pod = limits.get("Container"), limits.get("Pod")
        if overhead is None and per_container is None and not _has_limits(spec):
            return spec

        def fill(container: Container) -> Container:
            resources = _filled(container.resources, per_container)
            if resources is container.resources:
                return container
            return msgspec.structs.replace(container, resources=resources)

        resources = spec.resources
        return msgspec.structs.replace(
            spec,
            overhead=spec.overhead if overhead is None else overhead,
            containers=[fill(c) for c in spec.containers],
            init_containers=[fill(c) for c in spec.init_containers],
            resources=None if resources is None else _filled(resources, per_pod),
        )

    def _overhead(self, spec: PodSpec) -> ResourceList | None:
        """Overhead to add, None if the template keeps its own."""
        if not spec.runtime_class_name or spec.overhead:
            return None
        runtime_class = self._runtime_classes.get(spec.runtime_class_name)
        if runtime_class is None or runtime_class.overhead is None:
            return None
        return runtime_class.overhead.pod_fixed

    def pod_set_requests(
        self,
        pod_set: PodSet,
        adjusted: PodSpec,
        reclaimable: Mapping[str, int],
        devices: PodDevices | None = None,
    ) -> PodSetRequests:
        """Total requests of a pending podSet in canonical units (spec 1.4)."""
        count = pod_set.count
        if reclaimable and self._reclaimable:
            count -= min(reclaimable.get(pod_set.name, 0), count)
        exact = _exact_pod_requests(adjusted)
        if not self._plain:
            exact = self._transformed(exact)
        if devices is not None:
            exact = _with_devices(exact, devices)
        single = {r: max(0, to_int(r, v)) for r, v in exact.items()}
        total = {r: min(v * count, MAX_INT64) for r, v in in_order(single).items()}
        return PodSetRequests(pod_set.name, count, total)

    def _transformed(self, exact: Exact) -> Exact:
        kept = {r: Fraction(v, NANO) for r, v in exact.items() if not r.startswith(self._excluded)}
        made = transform(kept, self._transformations)
        return {r: ceil(v * NANO) for r, v in made.items()}


def _with_devices(exact: Exact, devices: PodDevices) -> Exact:
    """Extended resources that stand for devices give way to their charges, whatever else made them up."""
    charged = {r: v for r, v in exact.items() if r not in devices.replaced}
    for resource, number in devices.charges.items():
        charged[resource] = charged.get(resource, 0) + number * NANO
    return charged


def _has_limits(spec: PodSpec) -> bool:
    if spec.resources is not None:
        return True
    return any(c.resources.limits for c in spec.containers) or any(
        c.resources.limits for c in spec.init_containers
    )


def _filled(resources: ResourceRequirements, defaults: ResourceLimits | None) -> ResourceRequirements:
    """Defaults first, then requests from limits (trap T10)."""
    if defaults is None:
        if not resources.limits:
            return resources
        defaults = _NO_LIMITS
    return msgspec.structs.replace(
        resources,
        limits={**defaults.default, **resources.limits},
        requests=with_defaults(
            resources.requests, resources.limits, defaults.default_request, defaults.default
        ),
    )


_NO_LIMITS = ResourceLimits()


def transform(
    requests: Mapping[str, Fraction], transformations: Mapping[str, Transformation]
) -> dict[str, Fraction]:
    """Apply `resources.transformations` to the exact requests of one pod, in whole units (spec 1.5)."""
    if transformations.keys().isdisjoint(requests):
        return dict(requests)
    kept: dict[str, Fraction] = {}
    made: dict[str, Fraction] = {}
    for resource, amount in requests.items():
        rule = transformations.get(resource)
        if rule is None:
            kept[resource] = amount
            continue
        base = amount * requests.get(rule.multiply_by, Fraction(1)) if rule.multiply_by else amount
        for output, factor in rule.outputs.items():
            made[output] = made.get(output, Fraction(0)) + base * Fraction(nanos(factor), NANO)
        if rule.strategy != "Replace":
            kept[resource] = amount
    for output, amount in made.items():
        kept[output] = kept.get(output, Fraction(0)) + max(amount, Fraction(0))
    return kept
