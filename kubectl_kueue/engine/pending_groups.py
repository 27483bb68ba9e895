"""What do the workloads that wait have in common? Counted, with the sum of what they ask for."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.pending import Waiter


class Group(NamedTuple):
    """Workloads that have something in common. `about` are the values that they share."""

    about: tuple[str, ...]
    number: int
    asks: Mapping[str, int]
    words: Mapping[Word, int]
    example: Waiter


GROUPINGS: Mapping[str, Callable[[Waiter], tuple[object, ...]]] = {
    "reason": lambda w: (w.code, _matter(w)),
    "flavor": lambda w: (_flavors(w),),
    "queue": lambda w: (w.cluster_queue, w.local_queue),
    "shape": lambda w: (w.cluster_queue, w.shape),
}
"""What --group-by takes."""


def grouped(waiters: Sequence[Waiter], by: str) -> list[Group]:
    """The groups, the largest first; the example of each is the one that comes first in `waiters`."""
    members: dict[tuple[object, ...], list[Waiter]] = {}
    for waiter in waiters:
        members.setdefault(GROUPINGS[by](waiter), []).append(waiter)
    groups = [_group(key, each) for key, each in members.items()]
    return sorted(groups, key=lambda group: -group.number)


def total(waiters: Iterable[Waiter]) -> dict[str, int]:
    """The sum of what they ask for, by resource."""
    asks: dict[str, int] = {}
    for waiter in waiters:
        for resource, amount in waiter.asks.items():
            asks[resource] = asks.get(resource, 0) + amount
    return dict(sorted(asks.items()))


def _group(key: tuple[object, ...], members: Sequence[Waiter]) -> Group:
    about = tuple(part for part in key if isinstance(part, str))
    return Group(about, len(members), total(members), Counter(w.word for w in members), members[0])


def _matter(waiter: Waiter) -> str:
    """What the first reason is about: a flavor and a resource, a flavor, or the question that fails."""
    if waiter.gate is not None:
        return waiter.gate.name
    for need in waiter.needs:
        return f"{need.resource} of flavor {need.flavor}"
    for reason in _reasons(waiter):
        resource, flavor = getattr(reason, "resource", ""), getattr(reason, "flavor", "")
        topology = getattr(reason, "topology", "")
        if flavor or resource or topology:
            named = f"topology {topology}" if topology else f"flavor {flavor}" if flavor else ""
            return " of ".join(filter(None, (resource, named)))
    return ""


def _flavors(waiter: Waiter) -> str:
    """The flavors that it was held against, in the order of its queue."""
    found: dict[str, None] = {}
    for reason in _reasons(waiter):
        if flavor := getattr(reason, "flavor", ""):
            found.setdefault(flavor)
    if not found and waiter.fate is not None and waiter.fate.entry is not None:
        for pod_set in waiter.fate.entry.assignment.pod_sets:
            found.update(dict.fromkeys(choice.flavor for choice in pod_set.flavors.values()))
    return ", ".join(found)


def _reasons(waiter: Waiter) -> Iterator[object]:
    if waiter.fate is not None and waiter.fate.entry is not None and waiter.gate is None:
        for pod_set in waiter.fate.entry.assignment.pod_sets:
            yield from pod_set.reasons
