"""Why not: the facts behind a refusal, as small frozen records and never as sentences.

Each record has a `kind` (its tag, the word of the verdict document); amounts are ints in canonical
units. Words are made from them in views/ (scheduling.md 5.13). Refusals of a placement: topology/reasons.py.
"""

import msgspec


class Reason(msgspec.Struct, frozen=True, tag_field="kind", rename="camel", omit_defaults=True):
    """Base of all reasons a podSet can have for not being Fit."""


class InsufficientUnused(Reason, frozen=True, tag="insufficient-unused"):
    """The quota exists but is in use: `needed` = requested - available."""

    flavor: str
    resource: str
    needed: int
    requested: int
    available: int


class ExceedsMaxCapacity(Reason, frozen=True, tag="exceeds-max-capacity"):
    """More than the ClusterQueue could ever have: previous podSets' requests + request > capacity."""

    flavor: str
    resource: str
    previous: int
    request: int
    capacity: int


class UntoleratedTaint(Reason, frozen=True, tag="untolerated-taint"):
    """`taint` is key=value:effect."""

    flavor: str
    taint: str


class AffinityMismatch(Reason, frozen=True, tag="affinity-mismatch"):
    """Node selector or required affinity rules out the flavor's node labels."""

    flavor: str


class FlavorNotFound(Reason, frozen=True, tag="flavor-not-found"):
    """The ClusterQueue names a ResourceFlavor that does not exist."""

    flavor: str


class ResourceUnavailable(Reason, frozen=True, tag="resource-unavailable-in-cq"):
    """No resource group of the ClusterQueue covers the resource."""

    resource: str


class NotInNominationMapping(Reason, frozen=True, tag="not-in-nomination-mapping"):
    """A recomputation is bound to the flavors of the nomination."""

    flavor: str
    resource: str


class FlavorNotAllowedForVariant(Reason, frozen=True, tag="flavor-not-allowed-for-variant"):
    """The workload's annotation lists the flavors it may use."""

    flavor: str


class SliceFlavorDiffers(Reason, frozen=True, tag="slice-flavor-differs"):
    """A scaled-up slice must keep the flavors of the slice it replaces."""

    flavor: str
    other: str = ""


class TopologyUnsupported(Reason, frozen=True, tag="topology-unsupported-by-flavor"):
    """A topology is requested, the flavor has none."""

    flavor: str


class TopologyOnlyFlavor(Reason, frozen=True, tag="topology-only-flavor"):
    """The flavor serves only podSets that request a topology."""

    flavor: str


class TopologyLevelMissing(Reason, frozen=True, tag="topology-level-missing"):
    """The flavor's Topology lacks the requested level."""

    flavor: str


class TopologyCacheMissing(Reason, frozen=True, tag="topology-cache-missing"):
    """The flavor's Topology is not known."""

    flavor: str
