"""What of a live cluster would a run misjudge? The world with such things put right, and said.

A recorded scenario is complete by definition and is left as it is.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from kubectl_kueue.engine.devices import DeviceRules, Devices
from kubectl_kueue.engine.explanation.beyond import beyond
from kubectl_kueue.engine.explanation.facts import Assumption
from kubectl_kueue.engine.workload import EVICTED, FINISHED, JOB_UID, QUOTA_RESERVED
from kubectl_kueue.model.config import Configuration, Gates
from kubectl_kueue.model.objects import LabelSelector, Namespace, ObjectMeta, Workload
from kubectl_kueue.model.world import World

NAMESPACE_NAME = "kubernetes.io/metadata.name"


class UnreadNamespace(Namespace, frozen=True):
    """A namespace that was not in the data: taken to exist, with labels that its ClusterQueues take."""


def as_it_stands(world: World) -> World:
    """The world as the scheduler will find it.

    A run completes every eviction that has begun; one whose workload has no owner never ends, so it
    counts as not begun. Namespaces that were not read exist all the same, with labels that suit.
    """
    if world.steady:
        return world
    workloads = {key: _still_holding(w) if is_ghost(w) else w for key, w in world.workloads.items()}
    return replace(world, workloads=workloads, namespaces=_namespaces(world))


def wants_quota(workload: Workload) -> bool:
    """Whether it is after quota, be it in a queue or held back."""
    if (
        not workload.spec.active
        or workload.status.admission is not None
        or workload.metadata.deletion_timestamp
    ):
        return False
    return not any(c.type == FINISHED and c.status == "True" for c in workload.status.conditions)


def is_ghost(workload: Workload) -> bool:
    """Whether it is being evicted but has no owner that would ever give its quota back."""
    meta = workload.metadata
    if meta.owner_references or meta.deletion_timestamp or workload.status.admission is None:
        return False
    true = {c.type for c in workload.status.conditions if c.status == "True"}
    return EVICTED in true and QUOTA_RESERVED in true and FINISHED not in true


def assumptions(world: World, key: str) -> tuple[Assumption, ...]:
    """What an answer about this workload takes for granted."""
    workload = world.workloads[key]
    reserved = workload.status.admission is not None
    doubts = () if reserved else doubts_of(DeviceRules(world).resolve(workload))
    return taken_for_granted(world, (key,), doubts)


def taken_for_granted(
    world: World, keys: Iterable[str], doubts: Iterable[Assumption]
) -> tuple[Assumption, ...]:
    """What answers about these workloads take for granted, each once; `doubts` are about their devices.

    `world` may be the one as it was read or the one `as_it_stands`.
    """
    found = [*(Assumption("note", note) for note in world.notes), *dict.fromkeys(doubts)]
    if world.steady:
        return tuple(found)
    keys = list(keys)
    found.extend(Assumption("missing", f"{kind}: {why}") for kind, why in sorted(world.missing.items()))
    for namespace in dict.fromkeys(key.partition("/")[0] for key in keys):
        if isinstance(world.namespaces.get(namespace), UnreadNamespace | None):
            found.append(Assumption("namespace", namespace))
    if world.gates == Gates():
        found.append(Assumption("gates"))
    if world.config == Configuration():
        found.append(Assumption("configuration"))
    if not world.limit_ranges and "LimitRange" not in world.missing:
        found.append(Assumption("limit-ranges"))
    if not world.topologies and any(f.spec.topology_name for f in world.resource_flavors.values()):
        found.append(Assumption("topologies"))
    named = {p.template.spec.runtime_class_name for key in keys for p in world.workloads[key].spec.pod_sets}
    found.extend(
        Assumption("runtime-class", n) for n in sorted(filter(None, named - set(world.runtime_classes)))
    )
    found.extend(beyond(world, keys))
    return tuple(found)


def doubts_of(devices: Devices | None) -> Iterator[Assumption]:
    """What counting these devices takes for granted, each once."""
    if devices is not None:
        yield from dict.fromkeys(Assumption(f"devices-{d.why}", d.about) for d in devices.doubts)


def _still_holding(workload: Workload) -> Workload:
    """A controller that was going to clear it up would have done so by now."""
    kept = [c for c in workload.status.conditions if c.type != EVICTED]
    labels = {name: value for name, value in workload.metadata.labels.items() if name != JOB_UID}
    return replace(
        workload,
        metadata=replace(workload.metadata, labels=labels),
        status=replace(workload.status, conditions=kept),
    )


def _namespaces(world: World) -> Mapping[str, Namespace]:
    absent = {key.partition("/")[0] for key in world.workloads} - set(world.namespaces)
    if not absent:
        return world.namespaces
    labels: dict[str, dict[str, str]] = {name: {} for name in absent}
    for key, queue in world.local_queues.items():
        namespace = key.partition("/")[0]
        target = world.cluster_queues.get(queue.spec.cluster_queue)
        if namespace in labels and target is not None:
            labels[namespace].update(_labels_for(target.spec.namespace_selector))
    made = {
        name: UnreadNamespace(metadata=ObjectMeta(name=name, labels={**found, NAMESPACE_NAME: name}))
        for name, found in labels.items()
    }
    return {**world.namespaces, **made}


def _labels_for(selector: LabelSelector | None) -> dict[str, str]:
    """Labels that the selector takes, as far as single expressions go."""
    if selector is None:
        return {}
    labels = dict(selector.match_labels)
    for expression in selector.match_expressions:
        if expression.operator == "In" and expression.values:
            labels.setdefault(expression.key, expression.values[0])
        elif expression.operator == "Exists":
            labels.setdefault(expression.key, "")
    return labels
