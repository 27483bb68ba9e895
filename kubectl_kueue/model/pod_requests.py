"""How much does one pod ask for? From what its containers ask for to the whole (scheduling.md 1.2, 1.3).

Amounts are exact: resource -> nano-units (model/quantity.py), rounded by nobody here.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

Exact = dict[str, int]
"""Resource -> nano-units."""

Quantity = TypeVar("Quantity")


def requests_of_pod(
    containers: Iterable[Exact], init: Iterable[tuple[Exact, bool]], pod: Exact, overhead: Exact
) -> Exact:
    """The requests of a pod. `init`: what each init container asks for, and whether it is a sidecar, in their
    order; `pod`: the requests of the pod itself, which replace those of its containers (spec 1.3)."""
    total: Exact = {}
    for requests in containers:
        _add(total, requests)
    _apply_init_containers(total, init)
    for resource, amount in pod.items():
        if resource in ("cpu", "memory") or resource.startswith("hugepages-"):
            total[resource] = amount
    _add(total, overhead)
    return total


def with_defaults(
    requests: Mapping[str, Quantity],
    limits: Mapping[str, Quantity],
    default_requests: Mapping[str, Quantity],
    default_limits: Mapping[str, Quantity],
) -> dict[str, Quantity]:
    """Requests with what a LimitRange and the limits add: a default request hides a limit (spec 1.2)."""
    return {**default_limits, **limits, **default_requests, **requests}


def _apply_init_containers(total: Exact, init: Iterable[tuple[Exact, bool]]) -> None:
    """Sidecars run beside the containers; the others need their peak before them."""
    sidecars: Exact = {}
    peak: Exact = {}
    for requests, is_sidecar in init:
        if is_sidecar:
            _add(total, requests)
            _add(sidecars, requests)
            use = sidecars
        else:
            use = dict(sidecars)
            _add(use, requests)
        for resource, amount in use.items():
            peak[resource] = max(amount, peak.get(resource, amount))
    for resource, amount in peak.items():
        total[resource] = max(amount, total.get(resource, amount))


def _add(total: Exact, requests: Exact) -> None:
    for resource, amount in requests.items():
        total[resource] = total.get(resource, 0) + amount
