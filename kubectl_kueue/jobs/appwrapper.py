"""workload.codeflare.dev AppWrapper: a pod set for each pod template of the things it wraps.

A component says where its templates stand, or is of a kind whose templates are known (kueuectl.md 6.7).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kubectl_kueue.jobs import batch, jobset, kubeflow, ray
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.reading import MAX_INT32, Path, at, copied, mapping, objects, text, texts, whole
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.whole_number import whole_number

_MARK = "workload.codeflare.dev.appwrapper/"
_TEMPLATE = ("spec", "template")


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of an AppWrapper; its pod sets are numbered over all components."""
    pod_sets = list(_pod_sets(job))
    for index, pod_set in enumerate(pod_sets):
        pod_set.name = f"{job.name}-{index}"
        _set_defaults(pod_set.template)
    return [Draft(job, pod_sets)]


def unread_components(job: Job) -> list[str]:
    """Kinds of components whose templates are neither declared nor known."""
    return [
        text(component, "template", "kind")
        for component in objects(job.value, "spec", "components")
        if not objects(component, "podSets") and not _is_known(mapping(component, "template"))
    ]


def _pod_sets(job: Job) -> Iterator[PodSetDraft]:
    for index, component in enumerate(objects(job.value, "spec", "components")):
        path = ("spec", "components", index)
        declared = objects(component, "podSets")
        for each in declared:
            yield _declared(component, each, path)
        if not declared:
            yield from _inferred(mapping(component, "template"), (*path, "template"))


_PART = re.compile(r"([^.\[\]]+)|\[([0-9]+)\]")


def _declared(component: Mapping[str, Any], declared: Mapping[str, Any], path: Path) -> PodSetDraft:
    parts: Path = tuple(
        name if name else _index(number) for name, number in _PART.findall(text(declared, "path"))
    )
    draft = _pod_set(mapping(component, *parts), whole(declared, "replicas", default=1), (*path, *parts))
    marks = texts(declared, "annotations")
    draft.index_label = marks.get(f"{_MARK}tas-pod-index-label", "")
    draft.sub_group_label = marks.get(f"{_MARK}tas-sub-group-index-label", "")
    count = marks.get(f"{_MARK}tas-sub-group-count", "")
    draft.sub_group_count = whole_number(count)
    return draft


def _index(number: str) -> int:
    """An index of a list; what is too long for one is beyond the end of every list."""
    found = whole_number(number)
    return MAX_INT32 if found is None else found


def _is_known(value: Mapping[str, Any]) -> bool:
    return value.get("kind") in _INFERRED or value.get("kind") in kubeflow.REPLICA_TYPES


_INFERRED = ("Pod", "Job", "Deployment", "StatefulSet", "JobSet", "RayCluster", "RayJob")


def _inferred(value: Mapping[str, Any], path: Path) -> Iterator[PodSetDraft]:
    """The pod sets of a component of a known kind."""
    kind = value.get("kind")
    if kind == "Pod":
        yield _pod_set(value, 1, path)
    elif kind == "Job":
        yield _pod_set(mapping(value, *_TEMPLATE), batch.pod_count(value), (*path, *_TEMPLATE))
    elif kind in ("Deployment", "StatefulSet"):
        replicas = whole(value, "spec", "replicas", default=1)
        yield _pod_set(mapping(value, *_TEMPLATE), replicas, (*path, *_TEMPLATE))
    else:
        for each in _of_family(value):
            yield _pod_set(at(value, *each.path) or {}, each.count, (*path, *each.path))


def _of_family(value: Mapping[str, Any]) -> list[PodSetDraft]:
    kind = value.get("kind")
    if kind == "JobSet":
        return jobset.pod_sets_of(value, ("spec", "replicatedJobs"))
    if kind in ("RayCluster", "RayJob"):
        return [each for each in ray.pod_sets_of(value) if at(value, *each.path) is not None]
    return kubeflow.pod_sets_of(value) if kind in kubeflow.REPLICA_TYPES else []


def _pod_set(template: Mapping[str, Any], count: int, path: Path) -> PodSetDraft:
    """Of the metadata only labels and annotations go on."""
    metadata = {
        key: copied(found)
        for key in ("labels", "annotations")
        if (found := mapping(template, "metadata", key))
    }
    return PodSetDraft("", count, {"metadata": metadata, "spec": copied(mapping(template, "spec"))}, path)


def _set_defaults(template: dict[str, Any]) -> None:
    """The wrapped things have never been at the API server, so it is Kueue that fills in its defaults."""
    spec = template["spec"]
    for key, value in _POD_DEFAULTS.items():
        if spec.get(key) is None:
            spec[key] = copied(value)
    for container in (*objects(spec, "containers"), *objects(spec, "initContainers")):
        for key, default in _CONTAINER_DEFAULTS.items():
            container.setdefault(key, default)
        container.setdefault("imagePullPolicy", _pull_policy(text(container, "image")))


_POD_DEFAULTS: Mapping[str, Any] = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
    "preemptionPolicy": "PreemptLowerPriority",
}
_CONTAINER_DEFAULTS = {
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}


def _pull_policy(image: str) -> str:
    name, _, digest = image.partition("@")
    tag = name.rpartition("/")[2].partition(":")[2]
    return "Always" if not digest and tag in ("", "latest") else "IfNotPresent"
