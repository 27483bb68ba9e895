"""Requests that Kueue refuses before it looks for quota (scheduling.md 4.3, rows 7 and 8)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kubectl_kueue.engine.requests import ResourceLimits, pod_requests
from kubectl_kueue.model.objects import Container, PodSpec, ResourceRequirements
from kubectl_kueue.model.quantity import nanos, to_int


class Violation(NamedTuple):
    """Which bound a pod template breaks; amounts in canonical units.

    `bound` is limit, max or min; `where` the container's name, or "pod".
    """

    where: str
    resource: str
    bound: str
    asked: int
    allowed: int


def above_limits(spec: PodSpec) -> Iterator[Violation]:
    """Requests above the limits of the same container (or of the pod)."""
    for container in (*spec.init_containers, *spec.containers):
        yield from _above(container.name, container.resources)
    if spec.resources is not None:
        yield from _above("pod", spec.resources)


def _above(where: str, resources: ResourceRequirements) -> Iterator[Violation]:
    for resource, quantity in resources.requests.items():
        if resource in resources.limits:
            asked = to_int(resource, nanos(quantity))
            limit = to_int(resource, nanos(resources.limits[resource]))
            if asked > limit:
                yield Violation(where, resource, "limit", asked, limit)


def outside_limit_ranges(spec: PodSpec, limits: Mapping[str, ResourceLimits]) -> Iterator[Violation]:
    """What the namespace's LimitRanges do not allow."""
    per_container, per_pod = limits.get("Container"), limits.get("Pod")
    if per_container is not None:
        for container in (*spec.init_containers, *spec.containers):
            largest, smallest = _extremes(container)
            yield from _outside(container.name, largest, smallest, per_container)
    if per_pod is not None:
        total = pod_requests(spec)
        yield from _outside("pod", total, total, per_pod)


def _extremes(container: Container) -> tuple[dict[str, int], dict[str, int]]:
    requests = {r: to_int(r, nanos(q)) for r, q in container.resources.requests.items()}
    limits = {r: to_int(r, nanos(q)) for r, q in container.resources.limits.items()}
    both = {
        r: (requests.get(r, limits.get(r, 0)), limits.get(r, requests.get(r, 0)))
        for r in {**requests, **limits}
    }
    return {r: max(pair) for r, pair in both.items()}, {r: min(pair) for r, pair in both.items()}


def _outside(
    where: str, largest: dict[str, int], smallest: dict[str, int], limits: ResourceLimits
) -> Iterator[Violation]:
    for resource, asked in largest.items():
        if resource in limits.max and asked > (most := to_int(resource, limits.max[resource])):
            yield Violation(where, resource, "max", asked, most)
    for resource, asked in smallest.items():
        if resource in limits.min and asked < (least := to_int(resource, limits.min[resource])):
            yield Violation(where, resource, "min", asked, least)
