"""Why a podSet got no topology: records with facts, one for each text of topology.md 2 and 6.

The tag is the kind under which a verdict lists the record; kinds that cover several texts are told
apart by the class, or its `what`. Refusals of a whole flavor are with the other flavor reasons.
"""

from typing import ClassVar

import msgspec

from kubectl_kueue.engine.reasons import Reason


class TopologyReason(Reason, frozen=True):
    """Any of the records below; `what` names the text it stands for."""

    what: ClassVar[str] = ""


# --- a podSet that cannot take part (2): the value of its `error` field -------------------------


class TopologyError(TopologyReason, frozen=True):
    """An error on a podSet, told beside the reasons."""


class NoTopologyInformation(TopologyError, frozen=True, tag="no-tas-cache-information"):
    """The ClusterQueue lists no flavor with a known Topology."""

    what: ClassVar[str] = "no-tas-cache-information"


class NoTopologyFlavor(TopologyError, frozen=True, tag="no-tas-flavor-assigned"):
    """None of the flavors assigned to the podSet has a Topology."""

    what: ClassVar[str] = "no-tas-flavor-assigned"


class SeveralTopologyFlavors(TopologyError, frozen=True, tag="multiple-tas-flavors-assigned"):
    """More than one flavor with a Topology is assigned to the podSet."""

    what: ClassVar[str] = "multiple-tas-flavors-assigned"
    flavors: tuple[str, ...]


class ElasticRequired(TopologyError, frozen=True, tag="elastic-required-topology-unsupported"):
    """An elastic job asks for a required topology."""

    what: ClassVar[str] = "elastic-required-topology-unsupported"


class ElasticPreferred(TopologyError, frozen=True, tag="elastic-preferred-topology-unsupported"):
    """An elastic job asks for a preferred topology."""

    what: ClassVar[str] = "elastic-preferred-topology-unsupported"


# --- a placement that failed (6) ----------------------------------------------------------------


class NotFit(TopologyReason, frozen=True, tag="topology-not-fit"):
    """Only `fit` of `total` pods or slices (`unit`) fit.

    `nodes` counts all leaves and `excluded` those that take no pod, by class: `taint:KEY=VALUE:EFFECT`,
    `nodeSelector`, `affinity`, `topologyDomain`, `resource:NAME`. Both are empty if none was excluded.
    """

    what: ClassVar[str] = "not-fit"
    topology: str
    fit: int
    total: int
    unit: str
    nodes: int = 0
    excluded: dict[str, int] = {}


class LayerFit(msgspec.Struct, frozen=True):
    """How many of the slices of one layer fit in the best domain."""

    level: str
    fit: int
    total: int


class NotFitMultilayer(TopologyReason, frozen=True, tag="topology-not-fit-multilayer"):
    """Slices in several layers do not fit; `layers` tells each from the outermost inwards."""

    what: ClassVar[str] = "not-fit-multilayer"
    topology: str
    layers: tuple[LayerFit, ...] = ()
    nodes: int = 0
    excluded: dict[str, int] = {}


class LevelNotSpecified(TopologyReason, frozen=True, tag="topology-other"):
    """The topology request names no level."""

    what: ClassVar[str] = "level-not-specified"


class UnknownLevel(TopologyReason, frozen=True, tag="topology-other"):
    """The Topology has no such level; `role` is `podset`, `slice` or `layer`."""

    what: ClassVar[str] = "unknown-level"
    level: str
    role: str = "podset"


class NoDomains(TopologyReason, frozen=True, tag="topology-other"):
    """No usable node carries the labels of the Topology."""

    what: ClassVar[str] = "no-domains"
    level: str


class SliceSizeMissing(TopologyReason, frozen=True, tag="topology-other"):
    """A slice topology without a (positive) slice size."""

    what: ClassVar[str] = "slice-size-missing"


class SliceAbovePodSet(TopologyReason, frozen=True, tag="topology-other"):
    """The slice level is wider than the level requested for the podSet."""

    what: ClassVar[str] = "slice-above-podset"
    slice_level: str
    level: str


class LayerNotLower(TopologyReason, frozen=True, tag="topology-other"):
    """A slice layer is not below the layer that contains it."""

    what: ClassVar[str] = "layer-not-lower"
    level: str
    above: str


class LayerNotDividing(TopologyReason, frozen=True, tag="other"):
    """The size of a slice layer does not divide the size of the layer that contains it."""

    what: ClassVar[str] = "layer-not-dividing"
    size: int
    above: int


class InvalidUpdate(TopologyReason, frozen=True, tag="other"):
    """Two values for one nodeSelector key, the later one from an admission check (trap T31)."""

    what: ClassVar[str] = "invalid-update"
    pod_set: str
    key: str
    value: str
    update: str


class InvalidSelector(TopologyReason, frozen=True, tag="other"):
    """A nodeSelector (`source` "nodeSelector") or required affinity ("affinity") that cannot be evaluated."""

    what: ClassVar[str] = "invalid-selector"
    source: str
    key: str
    why: str


class StaleAssignment(TopologyReason, frozen=True, tag="topology-other"):
    """A domain of the assignment to repair is no longer in the tree."""

    what: ClassVar[str] = "stale-assignment"
    domain: tuple[str, ...]


class NoReplacement(TopologyReason, frozen=True, tag="other"):
    """Nothing was left to be placed instead of the unhealthy node."""

    what: ClassVar[str] = "no-replacement"
    node: str
