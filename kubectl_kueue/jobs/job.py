"""One job object as it was given, with what every kind has in common."""

from dataclasses import dataclass, field
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.naming import stand_in_uid
from kubectl_kueue.jobs.reading import Path, at, objects, text, texts
from kubectl_kueue.jobs.records import Subject


class Job:
    """A job. `value` is its JSON; metadata of a wrong type are found at once, other fields when they are read
    (Malformed). Labels and annotations are copies: they become what they are when webhooks have been there.
    """

    def __init__(self, value: dict[str, Any], index: int, namespace: str) -> None:
        self.value = value
        self.kind = str(value.get("kind") or "")
        self.api_version = str(value.get("apiVersion") or "")
        self.group = self.api_version.rpartition("/")[0]
        self._index = index
        self.namespace = text(value, "metadata", "namespace") or namespace
        given = text(value, "metadata", "name")
        prefix = text(value, "metadata", "generateName")
        self.name = given or (prefix + stand_in_uid(self.kind, self.namespace, prefix)[:5] if prefix else "")
        self.labels = texts(value, "metadata", "labels")
        self.annotations = texts(value, "metadata", "annotations")
        self.owners = objects(value, "metadata", "ownerReferences")
        self.known_uid = text(value, "metadata", "uid")
        # Whether an API server has had it: then its defaults are in it, and what webhooks change.
        self.stored = bool(self.known_uid)

    @property
    def subject(self) -> Subject:
        """Who it is, for records."""
        return Subject(self.kind, self.namespace, self.name, self._index)

    @property
    def index(self) -> int:
        """Its place among the objects that were given."""
        return self._index

    @property
    def uid(self) -> str:
        """Its uid, or one that stands in for it."""
        return self.known_uid or stand_in_uid(self.kind, self.namespace, self.name)

    @property
    def elastic(self) -> bool:
        """Whether it is scaled by workload slices (its kind may forbid that)."""
        return self.annotations.get(keys.ELASTIC) == "true"

    @property
    def generation(self) -> int:
        """How often its spec was written; a new object begins with 1."""
        found = at(self.value, "metadata", "generation")
        return found if isinstance(found, int) else int(not self.stored)

    @property
    def prebuilt(self) -> str | None:
        """The name of a Workload that exists already: the annotation, else the label."""
        return self.annotations.get(keys.PREBUILT, self.labels.get(keys.PREBUILT))

    @property
    def group_name(self) -> str | None:
        """The name of a pod's group: the annotation, else the label."""
        return self.annotations.get(keys.GROUP_NAME, self.labels.get(keys.GROUP_NAME))


@dataclass(slots=True)
class PodSetDraft:
    """One pod set before it is written down. `template` is a copy, `path` where the original stands in the
    job; `marks` are the annotations that ask for a topology, those of the template unless said otherwise.
    """

    name: str
    count: int
    template: dict[str, Any]
    path: Path
    min_count: int | None = None
    index_label: str = ""
    sub_group_label: str = ""
    sub_group_count: int | None = None
    marks: dict[str, str] = field(default_factory=dict)
    marks_path: Path = ()

    def __post_init__(self) -> None:
        self.name = self.name.lower()
        if not self.marks:
            self.marks = texts(self.template, "metadata", "annotations")
        if not self.marks_path:
            self.marks_path = (*self.path, "metadata", "annotations")


@dataclass(slots=True)
class Draft:
    """One Workload before it is written down.

    `base` stands for the job's name in its own; `name` is a name that follows no rule. `extra` tells slices
    of an elastic job apart. Owners are the controller unless `grouped`. `members` are the other objects that
    it is made of, or that belong to it.
    """

    job: Job
    pod_sets: list[PodSetDraft]
    base: str = ""
    name: str = ""
    extra: str = ""
    grouped: bool = False
    labelled: bool = True
    annotations: dict[str, str] = field(default_factory=dict)
    members: list[Job] = field(default_factory=list)
