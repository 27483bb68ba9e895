"""Queues and flavors out of raw objects of either version, as far as they are well formed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import amount, elements, sequence, word
from kubectl_kueue.model.quantity import quota as canonical_quota


class Quota(NamedTuple):
    """Quota of one resource in one flavor; `pointer` is that of its entry."""

    pointer: str
    group: int
    flavor: str
    resource: str
    entry: dict[str, Any]

    def nanos(self, field: str) -> int | None:
        """The amount of a field in nano-units; None if absent or no quantity."""
        value = self.entry.get(field)
        return None if value is None else amount(value)

    def canonical(self, field: str) -> int | None:
        """The amount of a field as the engine counts it; None if absent or no quantity."""
        return None if self.nanos(field) is None else canonical_quota(self.resource, self.entry[field])


def quotas(item: Item) -> Iterator[Quota]:
    """Every quota of a ClusterQueue or Cohort, in the order in which they are written."""
    for g, group in elements(item.spec, "resourceGroups"):
        for f, flavor in elements(group, "flavors"):
            for r, entry in elements(flavor, "resources"):
                where = f"/spec/resourceGroups/{g}/flavors/{f}/resources/{r}"
                yield Quota(where, g, word(flavor, "name"), word(entry, "name"), entry)


def flavor_names(item: Item) -> list[tuple[str, str]]:
    """Pointer and name of every flavor of a ClusterQueue or Cohort."""
    return [
        (f"/spec/resourceGroups/{g}/flavors/{f}/name", word(flavor, "name"))
        for g, group in elements(item.spec, "resourceGroups")
        for f, flavor in elements(group, "flavors")
        if word(flavor, "name")
    ]


def covered(item: Item) -> set[str]:
    """The resources that a ClusterQueue covers."""
    return {
        name
        for _, group in elements(item.spec, "resourceGroups")
        for name in sequence(group, "coveredResources")
        if isinstance(name, str)
    }


def checks(item: Item) -> list[tuple[str, str, list[str]]]:
    """Pointer, name and flavors (empty: all) of every admission check of a ClusterQueue."""
    found = [
        (
            f"/spec/admissionChecksStrategy/admissionChecks/{index}",
            word(each, "name"),
            [name for name in sequence(each, "onFlavors") if isinstance(name, str)],
        )
        for index, each in elements(item.spec, "admissionChecksStrategy", "admissionChecks")
    ]
    if item.older and sequence(item.spec, "admissionChecks"):
        return [
            (f"/spec/admissionChecks/{index}", name, [])
            for index, name in enumerate(sequence(item.spec, "admissionChecks"))
            if isinstance(name, str)
        ]
    return found


def queue_of(scene: Scene, namespace: str, name: str) -> tuple[Item | None, Item | None]:
    """The LocalQueue and its ClusterQueue."""
    local = scene.find("LocalQueue", name, namespace)
    if local is None:
        return None, None
    return local, scene.find("ClusterQueue", word(local.spec, "clusterQueue"))
