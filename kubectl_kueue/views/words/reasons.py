"""Why a pod set did not get a flavor or a place: a clause for each kind of reason.

A clause follows "it" or stands for itself: "lacks 2 cpu of flavor a100". No capital, no full stop.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kubectl_kueue.engine import reasons as quota
from kubectl_kueue.engine.reasons import Reason
from kubectl_kueue.engine.topology import reasons as topology
from kubectl_kueue.views.words.numbers import count, joined, quantity, requested


def reason_words(reason: Reason) -> str:
    """The clause for one reason."""
    return _CLAUSES[type(reason)](reason)


def _insufficient(reason: quota.InsufficientUnused) -> str:
    return f"lacks {requested(reason.resource, reason.needed)} {reason.resource} of flavor {reason.flavor}"


def _exceeds(reason: quota.ExceedsMaxCapacity) -> str:
    asks = f"{requested(reason.resource, reason.request)} {reason.resource}"
    if reason.previous:
        asks += f" besides {requested(reason.resource, reason.previous)} of its earlier pod sets"
    most = quantity(reason.resource, reason.capacity)
    return f"asks for {asks} of flavor {reason.flavor}, where {most} is the most it can ever have"


def _slice(reason: quota.SliceFlavorDiffers) -> str:
    where = f"is on flavor {reason.other}" if reason.other else "has no flavor for this"
    return f"cannot use flavor {reason.flavor}: the slice that it replaces {where}"


def exclusions(excluded: Mapping[str, int]) -> str:
    """Why nodes were left out, with counts: "4 for nvidia.com/gpu, 1 for the node selector"."""
    return joined(f"{number} {_exclusion(kind)}" for kind, number in sorted(excluded.items()))


def _exclusion(kind: str) -> str:
    name, _, rest = kind.partition(":")
    match name:
        case "resource":
            return f"without enough free {rest}"
        case "taint":
            return f"with the untolerated taint {rest}"
        case "nodeSelector":
            return "ruled out by the node selector"
        case "affinity":
            return "ruled out by the node affinity"
        case "topologyDomain":
            return "outside of the domain that it must stay in"
    return f"ruled out by {kind}"


def _nodes(nodes: int, excluded: Mapping[str, int]) -> str:
    if not nodes:
        return ""
    return f" ({count(nodes, 'node')}: {exclusions(excluded)})" if excluded else f" ({count(nodes, 'node')})"


def _not_fit(reason: topology.NotFit) -> str:
    units = count(reason.total, reason.unit)
    whom = f"its {reason.unit}" if reason.total == 1 else f"any of its {units}"
    found = f"no place for {whom}" if not reason.fit else f"a place for only {reason.fit} of {units}"
    return f"finds {found} in topology {reason.topology}{_nodes(reason.nodes, reason.excluded)}"


def _layers(reason: topology.NotFitMultilayer) -> str:
    layers = joined(f"{layer.fit} of {layer.total} at level {layer.level}" for layer in reason.layers)
    told = f": {layers}" if layers else ""
    return f"finds no place for its nested slices in topology {reason.topology}{told}" + _nodes(
        reason.nodes, reason.excluded
    )


def _unknown_level(reason: topology.UnknownLevel) -> str:
    what = {"slice": "its slices want", "layer": "a layer of its slices wants"}.get(reason.role, "it wants")
    return f"has no place: {what} level {reason.level}, which the topology does not have"


_CLAUSES: Mapping[type[Reason], Callable[[Any], str]] = {
    quota.InsufficientUnused: _insufficient,
    quota.ExceedsMaxCapacity: _exceeds,
    quota.UntoleratedTaint: lambda r: f"does not tolerate taint {r.taint} of flavor {r.flavor}",
    quota.AffinityMismatch: lambda r: f"rules out flavor {r.flavor} by its node selector or affinity",
    quota.FlavorNotFound: lambda r: f"cannot use flavor {r.flavor}, which does not exist",
    quota.ResourceUnavailable: lambda r: f"asks for {r.resource}, for which its ClusterQueue has no quota",
    quota.NotInNominationMapping: lambda r: f"was nominated for another flavor than {r.flavor}",
    quota.FlavorNotAllowedForVariant: lambda r: f"is a variant that may not use flavor {r.flavor}",
    quota.SliceFlavorDiffers: _slice,
    quota.TopologyUnsupported: lambda r: f"asks for a topology, which flavor {r.flavor} does not have",
    quota.TopologyOnlyFlavor: lambda r: (
        f"asks for no topology, but flavor {r.flavor} takes only pods that do"
    ),
    quota.TopologyLevelMissing: lambda r: f"asks for a topology level that flavor {r.flavor} does not have",
    quota.TopologyCacheMissing: lambda r: f"cannot use flavor {r.flavor}: its Topology is not known",
    topology.NoTopologyInformation: lambda r: (
        "asks for a topology, but no flavor of the queue has a known one"
    ),
    topology.NoTopologyFlavor: lambda r: "asks for a topology, but got flavors without one",
    topology.SeveralTopologyFlavors: lambda r: f"would be spread over the topologies of {joined(r.flavors)}",
    topology.ElasticRequired: lambda r: "is elastic, which cannot go with a required topology",
    topology.ElasticPreferred: lambda r: "is elastic, which cannot go with a preferred topology",
    topology.NotFit: _not_fit,
    topology.NotFitMultilayer: _layers,
    topology.LevelNotSpecified: lambda r: "has no place: its topology request names no level",
    topology.UnknownLevel: _unknown_level,
    topology.NoDomains: lambda r: f"has no place: no ready node carries the label {r.level}",
    topology.SliceSizeMissing: lambda r: "has no place: its slices have a topology but no size",
    topology.SliceAbovePodSet: lambda r: f"has no place: slice level {r.slice_level} is wider than {r.level}",
    topology.LayerNotLower: lambda r: f"has no place: slice level {r.level} is not below {r.above}",
    topology.LayerNotDividing: lambda r: (
        f"has no place: slices of {r.above} cannot be made of slices of {r.size}"
    ),
    topology.InvalidUpdate: lambda r: (
        f"has no place: an admission check wants {r.key}={r.update}, its node selector {r.key}={r.value}"
    ),
    topology.InvalidSelector: lambda r: f"has no place: its {r.source} for {r.key} cannot be read ({r.why})",
    topology.StaleAssignment: lambda r: f"is placed in {'/'.join(r.domain)}, which is no longer there",
    topology.NoReplacement: lambda r: f"finds nothing to put in the place of node {r.node}",
}
_OF_FLAVORS: Mapping[type[Reason], Callable[[Any], str]] = {
    quota.UntoleratedTaint: lambda r: f"its taint {r.taint} is not tolerated",
    quota.AffinityMismatch: lambda r: "the node affinity rules it out",
    quota.FlavorNotFound: lambda r: "it does not exist",
    quota.FlavorNotAllowedForVariant: lambda r: "this variant may not use it",
    quota.TopologyUnsupported: lambda r: "it has no topology, and one is asked for",
    quota.TopologyOnlyFlavor: lambda r: "it takes only pods that ask for a topology",
    quota.TopologyLevelMissing: lambda r: "it lacks a topology level that is asked for",
    quota.TopologyCacheMissing: lambda r: "its Topology is not known",
}


def unsuited_words(reason: Reason) -> str:
    """Why a flavor does not suit, with the flavor as the subject."""
    return _OF_FLAVORS[type(reason)](reason)


KINDS = frozenset(_CLAUSES)
"""Every reason that has words; a test holds it against the engine's."""
