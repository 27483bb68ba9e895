"""Which devices do the pods ask for, and what do they cost? Dynamic resource allocation (scheduling.md 1.7).

Claims made from ResourceClaimTemplates, and extended resources that a DeviceClass stands behind, become
amounts of logical resources. What Kueue cannot count it refuses, and the workload is not queued.
No ResourceSlice is read and no CEL expression evaluated: what that would change is told as a Doubt.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.model.config import DeviceClassMapping, Gates
from kubectl_kueue.model.objects import (
    Container,
    DeviceClass,
    DeviceRequest,
    ExactDeviceRequest,
    PodResourceClaim,
    PodSpec,
    ResourceClaimTemplate,
    Workload,
)
from kubectl_kueue.model.quantity import MAX_INT64, NANO, nanos
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.model.world import World


class Refusal(NamedTuple):
    """What Kueue does not count. `ask` is the pod's claim or the extended resource, `about` what is wrong
    with it by `why`: the template, the request in it, its DeviceClass, the quantity."""

    pod_set: str
    ask: str
    why: str
    about: str = ""


class Doubt(NamedTuple):
    """What was taken for granted. `about` is the template, or the logical resource and its source."""

    pod_set: str
    ask: str
    why: str
    about: str = ""


class PodDevices(NamedTuple):
    """What one pod is charged for its devices, in whole devices by logical resource, and which extended
    resources these charges stand for."""

    charges: Mapping[str, int]
    replaced: frozenset[str] = frozenset()


class Devices(NamedTuple):
    """The devices of a workload, podSet by podSet (None: none); refused as a whole if it has refusals."""

    pod_sets: Sequence[PodDevices | None]
    refusals: tuple[Refusal, ...] = ()
    doubts: tuple[Doubt, ...] = ()


class DeviceRules:
    """Classes, templates, mappings and gates of a cluster, by which every workload is judged."""

    def __init__(self, world: World) -> None:
        gates = world.gates
        self._gates = gates
        self._templates = world.resource_claim_templates
        # A snapshot that holds not one template was probably taken without asking for them.
        self._templates_unread = "ResourceClaimTemplate" in world.missing or not (
            world.steady or world.resource_claim_templates
        )
        self._mappings: dict[str, list[DeviceClassMapping]] = {}
        for mapping in world.config.resources.device_class_mappings:
            for name in mapping.device_class_names:
                self._mappings.setdefault(name, []).append(mapping)
        self._on = gates["KueueDRAIntegration"]
        self._rejecting = gates["KueueDRARejectWorkloadsWhenDRADisabled"]
        extended = self._on and gates["KueueDRAIntegrationExtendedResource"]
        self._classes = _newest_classes(world.device_classes.values()) if extended else {}

    def resolve(self, workload: Workload) -> Devices | None:
        """What its podSets are charged; None if they ask for no device that Kueue would count.

        Reads the requests as they are stored: what only a limit or a LimitRange says is no extended
        resource here, and stays under its own name (Kueue asks before it fills those in).
        """
        pod_sets = workload.spec.pod_sets
        for pod_set in pod_sets:
            spec = pod_set.template.spec
            if spec.resource_claims or (self._classes and self._asks(spec)):
                break
        else:
            return None
        tallies = [_Tally(p.name) for p in pod_sets]
        for tally, pod_set in zip(tallies, pod_sets, strict=True):
            self._claims(tally, workload.metadata.namespace, pod_set.template.spec.resource_claims)
            if self._classes:
                self._extended(tally, pod_set.template.spec)
        refusals = tuple(refusal for tally in tallies for refusal in tally.refusals)
        doubts = tuple(doubt for tally in tallies for doubt in tally.doubts)
        if not refusals and not doubts and not any(tally.charges for tally in tallies):
            return None
        return Devices([tally.devices() for tally in tallies], refusals, doubts)

    def _asks(self, spec: PodSpec) -> bool:
        """Whether a container requests an extended resource of a DeviceClass."""
        containers = (*spec.init_containers, *spec.containers)
        return any(not self._classes.keys().isdisjoint(c.resources.requests) for c in containers)

    # --- claims -------------------------------------------------------------------------------

    def _claims(self, tally: "_Tally", namespace: str, claims: Iterable[PodResourceClaim]) -> None:
        for claim in claims:
            template = claim.resource_claim_template_name
            if not (template or claim.resource_claim_name):
                continue
            if not self._on:
                if self._rejecting:
                    tally.refuse(claim.name, "gate-off")
            elif claim.resource_claim_name:
                tally.refuse(claim.name, "direct-claim", claim.resource_claim_name)
            elif (found := self._templates.get(f"{namespace}/{template}")) is not None:
                self._template(tally, claim.name, found)
            elif self._templates_unread:
                tally.doubt(claim.name, "template-unread", template)
            else:
                tally.refuse(claim.name, "template-missing", template)

    def _template(self, tally: "_Tally", claim: str, template: ResourceClaimTemplate) -> None:
        for request in template.spec.spec.devices.requests:
            wanted = request.exactly
            if (why := _uncounted(request)) is not None:
                tally.refuse(claim, why, request.name)
            elif wanted is not None:
                if wanted.selectors:
                    tally.doubt(claim, "selectors", template.metadata.name)
                self._exactly(tally, claim, wanted)

    def _exactly(self, tally: "_Tally", claim: str, wanted: ExactDeviceRequest) -> None:
        mappings = self._mappings.get(wanted.device_class_name)
        if mappings is None:
            tally.refuse(claim, "class-unmapped", wanted.device_class_name)
            return
        number = wanted.count or 1
        measured = [(m.name, source) for m in mappings if (source := _source(m, self._gates)) is not None]
        for name, source in measured:
            tally.charge(name, number)
            tally.doubt(claim, source, name)
        if not measured:
            tally.charge(mappings[0].name, number)

    # --- extended resources -------------------------------------------------------------------

    def _extended(self, tally: "_Tally", spec: PodSpec) -> None:
        first = list(_whole_requests(tally, spec.init_containers, self._classes))
        beside = list(_whole_requests(tally, spec.containers, self._classes))
        for resource in dict.fromkeys(name for name, _ in (*first, *beside)):
            peak = max((number for name, number in first if name == resource), default=0)
            number = max(peak, sum(number for name, number in beside if name == resource))
            name = self._classes[resource]
            mapping = next(iter(self._mappings.get(name, ())), None)
            if mapping is not None and _source(mapping, self._gates) is not None:
                tally.refuse(resource, "class-measured", name)
                continue
            tally.charge(mapping.name if mapping is not None else resource, number)
            tally.replaced.add(resource)


class _Tally:
    """What is found out about one podSet."""

    def __init__(self, pod_set: str) -> None:
        self._pod_set = pod_set
        self.charges: dict[str, int] = {}
        self.replaced: set[str] = set()
        self.refusals: list[Refusal] = []
        self.doubts: list[Doubt] = []

    def charge(self, resource: str, number: int) -> None:
        self.charges[resource] = min(MAX_INT64, self.charges.get(resource, 0) + number)

    def refuse(self, ask: str, why: str, about: str = "") -> None:
        self.refusals.append(Refusal(self._pod_set, ask, why, about))

    def doubt(self, ask: str, why: str, about: str) -> None:
        doubt = Doubt(self._pod_set, ask, why, about)
        if doubt not in self.doubts:
            self.doubts.append(doubt)

    def devices(self) -> PodDevices | None:
        return PodDevices(self.charges, frozenset(self.replaced)) if self.charges else None


def _newest_classes(classes: Iterable[DeviceClass]) -> dict[str, str]:
    """Extended resource -> the DeviceClass selected for it: the newest one, of several the first by name."""
    ordered = sorted(classes, key=lambda c: c.metadata.name, reverse=True)
    ordered.sort(key=_created)
    return {c.spec.extended_resource_name: c.metadata.name for c in ordered if c.spec.extended_resource_name}


def _created(device_class: DeviceClass) -> int:
    time = device_class.metadata.creation_timestamp
    return parse_time(time) if time else 0


def _uncounted(request: DeviceRequest) -> str | None:
    """Why Kueue does not count a request of a template; None if it does."""
    wanted = request.exactly
    if request.first_available:
        return "first-available"
    if wanted is None:
        return "request-unknown"
    if wanted.admin_access:
        return "admin-access"
    if wanted.allocation_mode == "All":
        return "all-devices"
    return None if wanted.allocation_mode in ("", "ExactCount") else "mode-unknown"


def _source(mapping: DeviceClassMapping, gates: Gates) -> str | None:
    """What the mapping charges instead of the number of devices, if its gate is on."""
    if gates["KueueDRAIntegrationPartitionableDevices"] and any(s.counter for s in mapping.sources):
        return "counter"
    if gates["KueueDRAIntegrationConsumableCapacity"] and any(s.capacity for s in mapping.sources):
        return "capacity"
    return None


def _whole_requests(
    tally: _Tally, containers: Iterable[Container], classes: Mapping[str, str]
) -> Iterator[tuple[str, int]]:
    """What containers request of resources that a DeviceClass stands behind; less than one is nothing."""
    for container in containers:
        for resource, quantity in container.resources.requests.items():
            if resource not in classes or (amount := nanos(quantity)) <= 0:
                continue
            if amount % NANO:
                tally.refuse(resource, "not-whole", str(quantity))
            else:
                yield resource, min(MAX_INT64, amount // NANO)
