"""Which class decides the priority of a Workload, and how high is it (kueuectl.md 6.7, Envelope)?"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.scene import Scene


class Priority(NamedTuple):
    """`value` is None if the class is named but not known; `exists` False if it is known not to be there."""

    value: int | None
    kind: str = ""
    name: str = ""
    exists: bool = True

    @property
    def ref(self) -> dict[str, str] | None:
        """The Workload's priorityClassRef."""
        if not self.name:
            return None
        group = "scheduling.k8s.io" if self.kind == "PriorityClass" else "kueue.x-k8s.io"
        return {"group": group, "kind": self.kind, "name": self.name}


def resolve_priority(labels: Mapping[str, str], pod_class: str, scene: Scene) -> Priority:
    """By the label, else by the class of the pods, else by the cluster's default, else 0."""
    for kind, name in (
        ("WorkloadPriorityClass", labels.get(keys.PRIORITY_CLASS, "")),
        ("PriorityClass", pod_class),
    ):
        if name:
            value = scene.class_value(kind, name)
            # Snapshots seldom hold the PriorityClasses: of those only Kueue's own are sure to be missed.
            missed = value is None and kind == "WorkloadPriorityClass" and scene.reads(kind)
            return Priority(value, kind, name, exists=not missed)
    default = scene.default_class
    return Priority(0) if default is None else Priority(default[1], "PriorityClass", default[0])
