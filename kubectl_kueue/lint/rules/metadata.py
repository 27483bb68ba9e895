"""Names, labels and annotations: can they be, and does Kueue read them?"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from kubectl_kueue.lint.found import Found, add, found, move
from kubectl_kueue.lint.items import CLUSTER_SCOPED, Item
from kubectl_kueue.lint.rules.fields import is_subdomain
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import mapping, word
from kubectl_kueue.model.labels import is_label_key, is_label_value
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.shown import bare, shown

_LABELS = ("metadata", "labels")
_ANNOTATIONS = ("metadata", "annotations")


def check_metadata(item: Item, scene: Scene) -> Iterator[Found]:
    """What the API server refuses in the metadata of an object of Kueue."""
    name = word(item.value, "metadata", "name")
    if not name and not word(item.value, "metadata", "generateName"):
        yield found("metadata-name", "/metadata/name", problem="absent", name="")
    elif name and not is_subdomain(name):
        problem = "long" if len(name) > 253 else "syntax"
        yield found("metadata-name", "/metadata/name", problem=problem, name=shown(name))
    for path in (_LABELS, _ANNOTATIONS):
        yield from bad_keys(mapping(item.value, *path), list(path), values=path is _LABELS)
    if item.kind in CLUSTER_SCOPED and item.is_kueue and word(item.value, "metadata", "namespace"):
        yield found(
            "namespace-useless",
            "/metadata/namespace",
            kind=item.kind,
            patch=[{"op": "remove", "path": "/metadata/namespace"}],
        )


def bad_keys(entries: Mapping[str, object], path: list[str | int], *, values: bool) -> Iterator[Found]:
    """Keys that are no label keys, and with `values` values that are no label values."""
    for key, value in entries.items():
        where = pointer(*path, key)
        if not is_label_key(key):
            yield found("metadata-labels", where, what="key", value=shown(key))
        if values and isinstance(value, str) and not is_label_value(value):
            yield found("metadata-labels", where, what="value", value=shown(value))


# --- names that are legal and do not work -----------------------------------------------------------

# Kinds whose names are put into a label value (63 characters), and the label.
_AS_LABEL = {"LocalQueue": f"{GROUP}/queue-name", "WorkloadPriorityClass": f"{GROUP}/priority-class"}
# Kinds whose names become part of the names and labels of pods.
_AS_POD = frozenset({"Job", "JobSet", "StatefulSet", "LeaderWorkerSet", "RayJob", "RayCluster", "MPIJob"})


def check_length(item: Item, scene: Scene) -> Iterator[Found]:
    """A name that is longer than the label that has to carry it."""
    if len(item.name) <= 63:
        return
    if item.is_kueue and item.kind in _AS_LABEL:
        yield found(
            "long-name", "/metadata/name", size=len(item.name), why="label", label=_AS_LABEL[item.kind]
        )
    elif item.is_kueue and item.kind == "ClusterQueue":
        yield found("long-name", "/metadata/name", size=len(item.name), why="queue-label", label="")
    elif not item.is_kueue and item.kind in _AS_POD:
        yield found("long-name", "/metadata/name", size=len(item.name), why="pods", label="")


# --- Kueue's own keys --------------------------------------------------------------------------------


class Key(NamedTuple):
    """Where Kueue reads a key, or writes it: `label`, `annotation`, or both."""

    label: bool = False
    annotation: bool = False


_LABEL_NAMES = """
    queue-name priority-class max-exec-time-seconds job-uid podset local-queue-name cluster-queue-name managed
    pod-group-pod-index multikueue-origin multikueue-worker-workload-pod concurrent-admission-parent
"""
_ANNOTATION_NAMES = """
    admission-gated-by elastic-job job-min-parallelism job-completions-equal-parallelism podset-group-name
    podset-required-topology podset-preferred-topology podset-unconstrained-topology
    podset-slice-required-topology podset-slice-size podset-slice-required-topology-constraints
    pod-group-total-count pod-group-fast-admission pod-group-serving pod-group-pod-index-label
    retriable-in-group safe-to-forcefully-delete job-owner-gvk job-owner-name component-workload-index
    is-group-workload workload-slice-name workload-slice-replacement-for priority-boost workload
    workload-allowed-resource-flavors role-hash pod-suspending-parent pod-index-offset stopping
    multikueue-origin-uid
"""
KEYS: Mapping[str, Key] = {
    **dict.fromkeys(_LABEL_NAMES.split(), Key(label=True)),
    **dict.fromkeys(_ANNOTATION_NAMES.split(), Key(annotation=True)),
    **dict.fromkeys(("prebuilt-workload-name", "pod-group-name"), Key(label=True, annotation=True)),
}
# What people write, and the sentence that says what was meant.
_HINTS = {
    "cluster-queue": "namespace-queue",
    "clusterqueue": "namespace-queue",
    "default-local-queue": "default-queue",
    "default-queue": "default-queue",
    "is-default-queue": "default-queue",
    "local-queue": "queue-name",
    "queue": "queue-name",
    "priority": "priority",
    "priority-class-name": "priority",
    "workload-priority-class": "priority",
}
_PREFIX = f"{GROUP}/"


def check_keys(item: Item, scene: Scene) -> Iterator[Found]:
    """Labels and annotations with Kueue's prefix that Kueue does not read, or not there."""
    for path in (_LABELS, _ANNOTATIONS):
        for key in mapping(item.value, *path):
            if key.startswith(_PREFIX):
                yield from _check_key(item, key, path)


def _check_key(item: Item, key: str, path: tuple[str, str]) -> Iterator[Found]:
    name, here, there = key.removeprefix(_PREFIX), path, _ANNOTATIONS if path is _LABELS else _LABELS
    known = KEYS.get(name)
    where = pointer(*here, key)
    if known is None:
        near = get_close_matches(name, KEYS, n=1, cutoff=0.85)
        hint = _HINTS.get(name, "near" if near else "none")
        yield found(
            "unknown-key",
            where,
            key=bare(key, 120),
            place=here[1],
            hint=hint,
            near=_PREFIX + near[0] if near else "",
        )
    elif not (known.label if here is _LABELS else known.annotation):
        value = mapping(item.value, *here)[key]
        taken = key in mapping(item.value, *there)
        fits = there is _ANNOTATIONS or (isinstance(value, str) and is_label_value(value))
        patch = []
        if fits and not taken:
            patch = [move(where, pointer(*there, key))]
            if "metadata" in item.value and there[1] not in mapping(item.value, "metadata"):
                patch.insert(0, add(pointer(*there), {}))
        yield found("key-misplaced", where, key=key, place=here[1], right=there[1], patch=patch)


def gate_fault(value: str) -> str:
    """What is wrong with the value of admission-gated-by: "empty", "twice", "syntax", "long" or ""."""
    if not value.strip():
        return ""
    names = [name.strip() for name in value.split(",")]
    if "" in names:
        return "empty"
    if len(set(names)) != len(names):
        return "twice"
    for name in names:
        domain, slash, path = name.partition("/")
        if len(name) > 63:
            return "long"
        if not slash or not path or not is_subdomain(domain):
            return "syntax"
    return ""
