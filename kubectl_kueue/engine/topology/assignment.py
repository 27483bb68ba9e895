"""Where the pods of a podSet are: topology assignments as plain lists of domains (topology.md 1.2, 4.3)."""

from collections.abc import Iterable

import msgspec

from kubectl_kueue.model.objects import TopologyAssignment, TopologyLevelValues, TopologySlice

HOSTNAME = "kubernetes.io/hostname"

Values = tuple[str, ...]
Domain = tuple[Values, int]

_MOST_DOMAINS = 100_000  # of one slice, the API's own limit


class TopologyPlacement(msgspec.Struct, frozen=True):
    """Domains with their pods. `levels` are the node label keys that `values` of a domain belong to."""

    levels: tuple[str, ...]
    domains: tuple[Domain, ...]

    @property
    def pods(self) -> int:
        return sum(count for _, count in self.domains)


def expand(assignment: TopologyAssignment) -> TopologyPlacement:
    """The stored, compressed form as a list. Parts that a slice leaves out shorten it, never fail."""
    domains = [domain for part in assignment.slices for domain in _expand_slice(part)]
    return TopologyPlacement(tuple(assignment.levels), tuple(domains))


def _expand_slice(part: TopologySlice) -> Iterable[Domain]:
    length = min(part.domain_count, _MOST_DOMAINS)
    columns = [_expand_level(level, length) for level in part.values_per_level]
    universal = part.pod_counts.universal
    counts = part.pod_counts.individual if universal is None else [universal] * length
    return zip(zip(*columns, strict=False), counts, strict=False)


def _expand_level(level: TopologyLevelValues, length: int) -> list[str]:
    if level.individual is None:
        return [level.universal or ""] * length
    part = level.individual
    return [part.prefix + root + part.suffix for root in part.roots[:length]]


def without(placement: TopologyPlacement, node: str) -> TopologyPlacement:
    """What is left when the pods of one host are taken away."""
    kept = tuple((values, count) for values, count in placement.domains if values[-1] != node)
    return TopologyPlacement(placement.levels, kept)


def first_pods(placement: TopologyPlacement, pods: int) -> TopologyPlacement:
    """The first `pods` pods, in the order of the list."""
    kept: list[Domain] = []
    for values, count in placement.domains:
        if pods <= 0:
            break
        kept.append((values, min(count, pods)))
        pods -= count
    return TopologyPlacement(placement.levels, tuple(kept))


def beyond(new: TopologyPlacement, old: TopologyPlacement | None) -> TopologyPlacement:
    """Per domain, what the new placement takes in excess of the old one (second pass, 7.1)."""
    if old is None:
        return new
    held = dict(old.domains)
    more = ((values, count - held.get(values, 0)) for values, count in new.domains)
    return TopologyPlacement(new.levels, tuple((values, count) for values, count in more if count > 0))
