"""How much of which flavor and resource is there, and how much is in use? The numbers that Kueue wrote into
the status of queues, as values and as short words.

"Used" is what workloads with a quota reservation hold: that is what is no longer free. Amounts are ints in
canonical units (milli-CPU, bytes, whole units).

Why not engine/accounts.py, which `tree` and `top` have? It reckons from every Workload of the cluster: a
list or a page about one queue would have to read them all, and describe shows the object, so it has to say
what the object says. A status knows no lenders and lags behind; the accounts know who lends what to whom,
now.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.model.objects import ClusterQueue, Cohort, FlavorUsage, LocalQueue, ResourceGroup
from kubectl_kueue.model.quantity import UNLIMITED, quota
from kubectl_kueue.model.trees import with_all_below
from kubectl_kueue.views.words.numbers import quantity

Pair = tuple[str, str]  # flavor, resource


class Use(NamedTuple):
    """Of one flavor and resource: its quota, what is reserved of it, and how much of that is borrowed.

    `admitted` is the part of `used` whose workloads run. A limit is None where none is set, `nominal` where
    the quota is not known.
    """

    flavor: str
    resource: str
    nominal: int | None
    used: int
    borrowed: int = 0
    admitted: int = 0
    borrowing_limit: int | None = None
    lending_limit: int | None = None


def cluster_queue_usage(queue: ClusterQueue) -> list[Use]:
    """One Use for every quota, in the order of the spec, then what is in use of flavors without quota."""
    reserved = _totals(queue.status.flavors_reservation)
    borrowed = _borrowed(queue.status.flavors_reservation)
    admitted = _totals(queue.status.flavors_usage)
    found = {
        (use.flavor, use.resource): use._replace(
            used=reserved.get((use.flavor, use.resource), 0),
            borrowed=borrowed.get((use.flavor, use.resource), 0),
            admitted=admitted.get((use.flavor, use.resource), 0),
        )
        for use in quotas(queue.spec.resource_groups)
    }
    for (flavor, resource), amount in reserved.items():
        if amount and (flavor, resource) not in found:
            share = borrowed.get((flavor, resource), 0)
            there = admitted.get((flavor, resource), 0)
            found[flavor, resource] = Use(flavor, resource, 0, amount, share, there)
    return list(found.values())


def local_queue_usage(queue: LocalQueue, target: ClusterQueue | None) -> list[Use]:
    """What the workloads of a LocalQueue hold, against the quota of its ClusterQueue where that is known."""
    reserved, admitted = _totals(queue.status.flavors_reservation), _totals(queue.status.flavors_usage)
    quota_of = (
        {(u.flavor, u.resource): u.nominal for u in quotas(target.spec.resource_groups)} if target else {}
    )
    return [
        Use(*pair, quota_of.get(pair), reserved.get(pair, 0), admitted=admitted.get(pair, 0))
        for pair in dict.fromkeys([*quota_of, *reserved])
    ]


def from_status(queue: ClusterQueue) -> tuple[list[Use], int]:
    """What Kueue wrote about a ClusterQueue: its usage, and how many wait."""
    return cluster_queue_usage(queue), queue.status.pending_workloads


def cohort_usage(
    name: str,
    cohorts: Mapping[str, Cohort],
    queues: Iterable[ClusterQueue],
    told: Callable[[ClusterQueue], tuple[list[Use], int]] = from_status,
) -> tuple[list[Use], int]:
    """The sums over a cohort and everything below it, and how many workloads wait there; `told` gives both
    for one ClusterQueue."""
    below = with_all_below(name, {n: cohort.spec.parent_name for n, cohort in cohorts.items()})
    sums: dict[Pair, Use] = {}
    pending = 0
    for own in sorted(below & cohorts.keys()):
        _add(sums, quotas(cohorts[own].spec.resource_groups))
    for queue in queues:
        if queue.spec.cohort_name in below:
            uses, waiting = told(queue)
            pending += waiting
            _add(sums, uses)
    return [sums[pair] for pair in sums], pending


def quotas(groups: Sequence[ResourceGroup]) -> Iterator[Use]:
    """The quotas of a spec, nothing of them used."""
    for group in groups:
        for flavor in group.flavors:
            for each in flavor.resources:
                limits = (each.borrowing_limit, each.lending_limit)
                borrowing, lending = (None if text is None else quota(each.name, text) for text in limits)
                yield Use(
                    flavor.name,
                    each.name,
                    quota(each.name, each.nominal_quota),
                    0,
                    borrowing_limit=borrowing,
                    lending_limit=lending,
                )


def scarcest(uses: Sequence[Use]) -> Use | None:
    """The one of which the largest part of the quota is in use; the first of several."""
    return max(uses, key=_fullness, default=None)


def scarcest_words(uses: Sequence[Use]) -> str:
    """ "nvidia.com/gpu 4/4 (+2 borrowed)", with the flavor where others have that resource too."""
    use = scarcest(uses)
    if use is None:
        return ""
    several = sum(1 for other in uses if other.resource == use.resource) > 1
    return f"{use.flavor}: {use_words(use)}" if several else use_words(use)


def all_words(uses: Sequence[Use]) -> str:
    """Every flavor and resource: "a100: cpu 4/8, nvidia.com/gpu 4/4; t4: cpu 0/8"."""
    by_flavor: dict[str, list[str]] = {}
    for use in uses:
        by_flavor.setdefault(use.flavor, []).append(use_words(use))
    return "; ".join(f"{flavor}: {', '.join(told)}" for flavor, told in by_flavor.items())


def use_words(use: Use) -> str:
    """Own use against own quota, and what comes on top: "cpu 10/10 (+4 borrowed)"."""
    own = quantity(use.resource, use.used - use.borrowed)
    more = f" (+{quantity(use.resource, use.borrowed)} borrowed)" if use.borrowed else ""
    of = "" if use.nominal is None else f"/{quantity(use.resource, use.nominal)}"
    return f"{use.resource} {own}{of}{more}"


def _fullness(use: Use) -> float:
    if not use.nominal:
        return float("inf") if use.used > 0 else -1.0
    return use.used / use.nominal


def _add(sums: dict[Pair, Use], uses: Iterable[Use]) -> None:
    """Inside of a cohort nothing is borrowed from elsewhere, and a limit of one member is none of all."""
    for use in uses:
        before = sums.get((use.flavor, use.resource), Use(use.flavor, use.resource, 0, 0))
        sums[use.flavor, use.resource] = before._replace(
            nominal=_sum(before.nominal or 0, use.nominal or 0),
            used=_sum(before.used, use.used),
            admitted=_sum(before.admitted, use.admitted),
        )


def _sum(one: int, other: int) -> int:
    """What is unlimited stays so."""
    return min(one + other, UNLIMITED)


def _totals(usages: Sequence[FlavorUsage]) -> dict[Pair, int]:
    return {(u.name, r.name): quota(r.name, r.total) for u in usages for r in u.resources}


def _borrowed(usages: Sequence[FlavorUsage]) -> dict[Pair, int]:
    return {(u.name, r.name): quota(r.name, r.borrowed) for u in usages for r in u.resources}
