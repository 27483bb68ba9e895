"""Does a flavor suit the podSets at all, whatever its quota? (scheduling.md 5.4)"""

from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_kueue.engine.reasons import (
    AffinityMismatch,
    FlavorNotFound,
    Reason,
    TopologyCacheMissing,
    TopologyLevelMissing,
    TopologyOnlyFlavor,
    TopologyUnsupported,
    UntoleratedTaint,
)
from kubectl_kueue.engine.requests import pod_requests
from kubectl_kueue.engine.snapshot import QuotaGroup
from kubectl_kueue.engine.taints import (
    UnparsableAffinity,
    first_untolerated,
    matches_node_selector,
)
from kubectl_kueue.engine.topology.request import requests_topology
from kubectl_kueue.model.objects import (
    NodeSelector,
    NodeSelectorTerm,
    PodSetTopologyRequest,
    PodSpec,
    ResourceFlavor,
)

if TYPE_CHECKING:
    from kubectl_kueue.engine.flavors import Nomination, PodSetAssignment

Mismatch = tuple[Reason | None, UnparsableAffinity | None]
_SUITS: Mismatch = (None, None)


def mismatch(
    nomination: "Nomination", members: "list[PodSetAssignment]", group: QuotaGroup, flavor: str
) -> Mismatch:
    """The first reason why the flavor does not suit one of the podSets, in order.

    The second value is set when a term of the affinity cannot be evaluated: that ends the whole scan.
    Answers are remembered per flavor, resource group and what of the pod decides.
    """
    snapshot, queue, info = nomination.snapshot, nomination.queue, nomination.info
    for member in members:
        key = (flavor, queue.name, group.index, info.match_keys[member.index])
        found = snapshot.flavor_matches.get(key)
        if found is None:
            pod_set = info.obj.spec.pod_sets[member.index]
            found = snapshot.flavor_matches[key] = _mismatch(
                nomination, group, flavor, info.adjusted[member.index], pod_set.topology_request
            )
        if found is not _SUITS:
            return found
    return _SUITS


def match_key(spec: PodSpec, request: PodSetTopologyRequest | None, resources: Any) -> bytes:
    """What of a podSet decides whether a flavor suits it, as comparable bytes."""
    if request is None and not (spec.node_selector or spec.affinity or spec.tolerations):
        return b""
    names = sorted(resources) if request is not None else None
    return msgspec.json.encode(
        (spec.node_selector, spec.affinity, spec.tolerations, request, names), order="deterministic"
    )


def _mismatch(
    nomination: "Nomination",
    group: QuotaGroup,
    flavor: str,
    spec: PodSpec,
    request: PodSetTopologyRequest | None,
) -> Mismatch:
    snapshot = nomination.snapshot
    found = snapshot.flavors.get(flavor)
    if found is None:
        return FlavorNotFound(flavor), None
    if snapshot.gates["TopologyAwareScheduling"]:
        why = _topology_mismatch(nomination, group, found, spec, request)
        if why is not None:
            return why, None
    taint = first_untolerated(found.spec.node_taints, [*spec.tolerations, *found.spec.tolerations])
    if taint is not None:
        return UntoleratedTaint(flavor, f"{taint.key}={taint.value}:{taint.effect}"), None
    labels = found.spec.node_labels
    if any(labels[k] != v for k, v in spec.node_selector.items() if k in labels):
        return AffinityMismatch(flavor), None
    try:
        fits = _affinity_allows(spec, labels)
    except UnparsableAffinity as unparsable:
        return AffinityMismatch(flavor), unparsable
    return _SUITS if fits else (AffinityMismatch(flavor), None)


def _topology_mismatch(
    nomination: "Nomination",
    group: QuotaGroup,
    flavor: ResourceFlavor,
    spec: PodSpec,
    request: PodSetTopologyRequest | None,
) -> Reason | None:
    name = flavor.metadata.name
    topology = flavor.spec.topology_name
    if not requests_topology(request):
        return TopologyOnlyFlavor(name) if topology and not nomination.queue.tas_only else None
    if not topology:
        requested = _template_requests(spec)
        return TopologyUnsupported(name) if requested & group.covered else None
    levels = nomination.snapshot.topology_levels.get(topology)
    if levels is None:
        return TopologyCacheMissing(name)
    assert request is not None
    wanted = _wanted_levels(request, levels)
    return None if wanted and all(level in levels for level in wanted) else TopologyLevelMissing(name)


def _wanted_levels(request: PodSetTopologyRequest, levels: list[str]) -> list[str]:
    """Every level that must exist; none at all means that there is no requested level (T19)."""
    slices = [c.topology for c in request.slice_constraints]
    if request.pod_set_slice_required_topology is not None:
        slices.insert(0, request.pod_set_slice_required_topology)
    main = request.required if request.required is not None else request.preferred
    if main is not None:
        return [main, *slices]
    if slices:
        return slices
    return levels[-1:] if request.unconstrained else []


def _template_requests(spec: PodSpec) -> frozenset[str]:
    return frozenset(pod_requests(spec))


def _affinity_allows(spec: PodSpec, labels: dict[str, str]) -> bool:
    """Required node affinity, looking only at keys that the flavor carries (traps T7, T8)."""
    affinity = spec.affinity.node_affinity if spec.affinity else None
    if affinity is None or affinity.required is None:
        return True
    terms = [
        NodeSelectorTerm(match_expressions=[r for r in term.match_expressions if r.key in labels])
        for term in affinity.required.node_selector_terms
    ]
    if not all(term.match_expressions for term in terms):
        return True
    return not terms or matches_node_selector(NodeSelector(node_selector_terms=terms), labels)
