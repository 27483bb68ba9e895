"""What a person supposes on the command line of `admit --dry-run`, as changes of the world."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kubectl_kueue.errors import ConfigError, InputError, NotFoundError

if TYPE_CHECKING:
    from kubectl_kueue.engine.simulate import Run
    from kubectl_kueue.model.change import Change
    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.page import Block

_ALLOWED_FLAVORS = 'metadata.annotations["kueue.x-k8s.io/workload-allowed-resource-flavors"]'


PATIENCE = 20.0
"""Seconds after which a timeline, or the search for the largest number of pods, is broken off."""


class Additions:
    """What an answer of `admit` has besides: blocks of its page, and fields of its document."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.document: dict[str, Any] = {}

    def compare(self, before: "Run", after: "Run") -> None:
        """What the change means for everybody."""
        from kubectl_kueue.engine.comparison import compare
        from kubectl_kueue.views.what_if import comparison_blocks, comparison_document

        found = compare(before, after)
        self.blocks.extend(comparison_blocks(found))
        self.document["comparison"] = comparison_document(found)

    def largest(self, world: "World", keys: Sequence[str]) -> None:
        """How many pods fit now."""
        from kubectl_kueue.cluster.clock import deadline
        from kubectl_kueue.engine.counterfactual.largest import largest
        from kubectl_kueue.views.what_if import largest_blocks, largest_document

        enough = deadline(PATIENCE)
        found = {
            key: {
                each.name: (largest(world, key, each.name, enough), each.count)
                for each in world.workloads[key].spec.pod_sets
            }
            for key in keys
        }
        self.blocks.extend(largest_blocks(found))
        self.document["largest"] = largest_document(found)

    def timeline(self, world: "World", durations: str | None) -> None:
        """Who runs when."""
        from kubectl_kueue.cluster.clock import deadline
        from kubectl_kueue.engine.timeline import run_times, timeline
        from kubectl_kueue.views.what_if import timeline_blocks, timeline_document

        found = timeline(world, run_times(world, _microseconds(durations)), deadline(PATIENCE))
        self.blocks.extend(timeline_blocks(found))
        self.document["timeline"] = timeline_document(found)


def _microseconds(text: str | None) -> int | None:
    from kubectl_kueue.model.duration import seconds
    from kubectl_kueue.model.timestamp import SECOND

    if text is None:
        return None
    try:
        found = int(seconds(text) * SECOND)
    except InputError:
        found = 0
    if found <= 0:
        raise ConfigError(f'--durations: "{text}" is no time; write 90s, 30m or 2h')
    return found


def supposed(world: "World", keys: Sequence[str] | None, flavor: str | None, priority: str | None) -> "World":
    """The world in which the workloads `keys` may use `flavor` only and have this priority (a number or the
    name of a WorkloadPriorityClass). Raises ConfigError without keys, NotFoundError for what does not exist.
    """
    if flavor is None and priority is None:
        return world
    if not keys:
        raise ConfigError("--flavor and --as-priority are about workloads: name them")

    from kubectl_kueue.model.change import apply_changes

    changes: list[Change] = []
    for key in keys:
        if flavor is not None:
            changes.extend(_only_flavor(world, key, flavor))
        if priority is not None:
            changes.append(_priority(world, key, priority))
    return apply_changes(world, changes)


def _only_flavor(world: "World", key: str, flavor: str) -> "Iterator[Change]":
    from kubectl_kueue.engine.counterfactual.remedies import setting

    if flavor not in world.resource_flavors:
        raise NotFoundError(f'ResourceFlavor "{flavor}" not found; there is {_names(world.resource_flavors)}')
    # Kueue's own way of pinning a workload, behind its gate for concurrent admission.
    yield setting("gate", "ConcurrentAdmission", "", True)
    yield setting("Workload", key, _ALLOWED_FLAVORS, flavor)


def _priority(world: "World", key: str, text: str) -> "Change":
    from kubectl_kueue.engine.counterfactual.remedies import setting
    from kubectl_kueue.model.whole_number import whole_number

    priority = whole_number(text)
    if priority is not None:
        return setting("Workload", key, "priority", priority)
    classes = world.workload_priority_classes
    if text not in classes:
        raise NotFoundError(f'WorkloadPriorityClass "{text}" not found; there is {_names(classes)}')
    return setting("Workload", key, "priority", classes[text].value)


def _names(objects: Iterable[str]) -> str:
    return ", ".join(sorted(objects)) or "none"


def differs(before: "World", after: "World") -> bool:
    """Whether more than workloads were added: then everybody may fare differently."""
    from msgspec.structs import fields, replace

    kept = {key: after.workloads.get(key) for key in before.workloads}
    same = replace(after, workloads=before.workloads, notes=before.notes)
    return kept != dict(before.workloads) or any(
        getattr(before, field.name) != getattr(same, field.name) for field in fields(before)
    )
