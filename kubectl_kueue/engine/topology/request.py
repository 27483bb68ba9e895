"""What one placement asks for: pods, their requests, levels, slices, nodes (topology.md 2.1, 2.2)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from kubectl_kueue.engine.topology.reasons import (
    InvalidUpdate,
    LayerNotDividing,
    LayerNotLower,
    LevelNotSpecified,
    NoDomains,
    SliceAbovePodSet,
    SliceSizeMissing,
    TopologyReason,
    UnknownLevel,
)
from kubectl_kueue.engine.topology.tree import Amounts, TopologyTree
from kubectl_kueue.model.objects import (
    NodeSelector,
    PodSetTopologyRequest,
    PodSetUpdate,
    PodSpec,
    PreferredSchedulingTerm,
    SliceConstraint,
    Toleration,
)


class NodeFilter(msgspec.Struct, frozen=True):
    """Which nodes a pod accepts, check updates included; the flavor's tolerations come from the tree."""

    tolerations: tuple[Toleration, ...] = ()
    node_selector: dict[str, str] = {}
    required: NodeSelector | None = None
    preferred: tuple[PreferredSchedulingTerm, ...] = ()


class PlacementRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One podSet, or the two of a group, to be placed in one tree.

    `requests` and `leader_requests` are those of one pod, `pods: 1` included; a group has exactly one
    leader pod. `topology` is None for an implied request. `conflict` fails the placement at once.
    """

    pod_set: str
    count: int
    requests: Amounts
    topology: PodSetTopologyRequest | None = None
    nodes: NodeFilter = NodeFilter()
    leader: str | None = None
    leader_requests: Amounts = {}
    conflict: InvalidUpdate | None = None


class Shape(msgspec.Struct, frozen=True):
    """The levels of a request as depths of a tree (2.1).

    `layers` lists (level, size) of every slice constraint; `inner` maps a level below the slice level
    to the size that pods come in there.
    """

    level: int
    required: bool
    unconstrained: bool
    slice_level: int
    slice_size: int
    layers: tuple[tuple[int, int], ...]
    inner: dict[int, int]


def requests_topology(topology: PodSetTopologyRequest | None) -> bool:
    """Whether a podSet explicitly requests topology; a group name alone does not (trap T21)."""
    if topology is None:
        return False
    return bool(
        topology.unconstrained is not None
        or topology.required is not None
        or topology.preferred is not None
        or topology.pod_set_slice_required_topology is not None
        or topology.pod_set_slice_size is not None
        or topology.slice_constraints
    )


def slice_constraints(topology: PodSetTopologyRequest | None) -> Sequence[tuple[str, int | None]]:
    """(level key, size) of the slice layers, outermost first; the size is None where it is missing."""
    if topology is None:
        return ()
    if topology.slice_constraints:
        return [(c.topology, c.size) for c in topology.slice_constraints]
    if topology.pod_set_slice_required_topology is not None:
        return [(topology.pod_set_slice_required_topology, topology.pod_set_slice_size)]
    return ()


def requested_level(topology: PodSetTopologyRequest | None, levels: Sequence[str]) -> str | None:
    """The level key at which pods shall stay together; None if the request names none, or none is there.

    An implied request (None) means the lowest level.
    """
    lowest = levels[-1] if levels else None
    if topology is None:
        return lowest
    if topology.required is not None:
        return topology.required
    if topology.preferred is not None:
        return topology.preferred
    if slice_constraints(topology):
        return levels[0] if levels else None
    return lowest if topology.unconstrained else None


def resolve_shape(tree: TopologyTree, topology: PodSetTopologyRequest | None) -> Shape | TopologyReason:
    """Levels of the request in this tree, or the reason why they make no sense there."""
    levels = tree.levels
    key = requested_level(topology, levels)
    if key is None:
        return LevelNotSpecified()
    if key not in levels:
        return UnknownLevel(key)
    constraints = slice_constraints(topology)
    layers = _resolve_layers(levels, key, constraints)
    if isinstance(layers, TopologyReason):
        return layers
    if not tree.leaves:
        return NoDomains(key)
    slice_level, slice_size = layers[0] if layers else (tree.lowest, 1)
    required = topology is not None and topology.required is not None
    preferred = topology is not None and topology.preferred is not None
    free = topology is None or bool(topology.unconstrained)
    return Shape(
        level=levels.index(key),
        required=required,
        unconstrained=free or bool(constraints and not required and not preferred),
        slice_level=slice_level,
        slice_size=slice_size,
        layers=tuple(layers),
        inner={
            level: size for (above, _), (own, size) in pairwise(layers) for level in range(above + 1, own + 1)
        },
    )


def _resolve_layers(
    levels: Sequence[str], key: str, constraints: Sequence[tuple[str, int | None]]
) -> list[tuple[int, int]] | TopologyReason:
    layers: list[tuple[int, int]] = []
    for i, (name, size) in enumerate(constraints):
        if size is None or size <= 0:
            return SliceSizeMissing()
        if name not in levels:
            return UnknownLevel(name, "layer" if i else "slice")
        level = levels.index(name)
        if i == 0 and level < levels.index(key):
            return SliceAbovePodSet(name, key)
        if i and level <= layers[-1][0]:
            return LayerNotLower(name, levels[layers[-1][0]])
        if i and layers[-1][1] % size:
            return LayerNotDividing(size, layers[-1][1])
        layers.append((level, size))
    return layers


def with_slices(topology: PodSetTopologyRequest, constraint: tuple[str, int] | None) -> PodSetTopologyRequest:
    """The same request with this one slice constraint, or with none."""
    return msgspec.structs.replace(
        topology,
        slice_constraints=[SliceConstraint(topology=constraint[0], size=constraint[1])] if constraint else [],
        pod_set_slice_required_topology=None,
        pod_set_slice_size=None,
    )


def node_filter(
    pod_set: str, spec: PodSpec, updates: Iterable[PodSetUpdate] = ()
) -> tuple[NodeFilter, InvalidUpdate | None]:
    """The nodes that a pod accepts once the updates of its checks are merged in, or their conflict."""
    selector = spec.node_selector
    tolerations = spec.tolerations
    conflict = None
    for update in updates:
        for key, value in update.node_selector.items():
            if selector.get(key, value) != value and conflict is None:
                conflict = InvalidUpdate(pod_set, key, selector[key], value)
        selector = {**selector, **update.node_selector}
        tolerations = [*tolerations, *update.tolerations]
    affinity = spec.affinity.node_affinity if spec.affinity else None
    found = NodeFilter(
        tuple(tolerations),
        selector,
        affinity.required if affinity else None,
        tuple(affinity.preferred) if affinity else (),
    )
    return found, conflict
