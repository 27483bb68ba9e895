"""One object under lint: raw, as it was written, with what identifies it."""

from dataclasses import dataclass
from typing import Any

from kubectl_kueue.lint.schema.kinds import GROUP, NEWEST_KINDS, OLDER
from kubectl_kueue.lint.values import mapping, word


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An object and its identity. `namespace` is that in which it would be created ("" for a kind of Kueue
    that has none); `number` is its place among all objects of the run."""

    value: dict[str, Any]
    group: str
    version: str
    kind: str
    namespace: str
    name: str
    number: int = 0

    @property
    def api_version(self) -> str:
        """GROUP/VERSION."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What no two objects of a cluster have in common."""
        return (self.group, self.kind, self.namespace, self.name)

    @property
    def is_kueue(self) -> bool:
        """Whether the group is Kueue's."""
        return self.group == GROUP

    @property
    def older(self) -> bool:
        """Whether it is written in v1beta1."""
        return self.version == OLDER

    @property
    def spec(self) -> dict[str, Any]:
        """Its spec; empty if there is none."""
        return mapping(self.value, "spec")

    def label(self, key: str) -> str | None:
        """The value of a label, None if absent."""
        found = mapping(self.value, "metadata", "labels").get(key)
        return found if isinstance(found, str) else None

    def annotation(self, key: str) -> str | None:
        """The value of an annotation, None if absent."""
        found = mapping(self.value, "metadata", "annotations").get(key)
        return found if isinstance(found, str) else None


CLUSTER_SCOPED = frozenset(NEWEST_KINDS) - {"LocalQueue", "Workload"}
_WITHOUT_NAMESPACE = frozenset({"Namespace", "Node", "PriorityClass", "RuntimeClass"})


def is_object(value: Any) -> bool:
    """Whether a document is an object of Kubernetes at all."""
    return isinstance(value, dict) and bool(word(value, "kind")) and bool(word(value, "apiVersion"))


def item_of(value: dict[str, Any], number: int, home: str) -> Item:
    """The item of an object; one that names no namespace is created in `home`."""
    group, _, version = word(value, "apiVersion").rpartition("/")
    kind = word(value, "kind")
    scoped = (group == GROUP and kind in CLUSTER_SCOPED) or kind in _WITHOUT_NAMESPACE
    namespace = "" if scoped else word(value, "metadata", "namespace") or home
    return Item(value, group, version, kind, namespace, word(value, "metadata", "name"), number)


def parent_field(item: Item) -> str:
    """The field of this object that names the cohort above it."""
    if item.kind == "Cohort":
        return "parentName"
    return "cohort" if item.older else "cohortName"


def parent(item: Item) -> str:
    """The name of the cohort above a ClusterQueue or Cohort; empty if there is none."""
    return word(item.spec, parent_field(item))
