"""Which pods does a manifest stand for? Pod templates of Workloads and of the kinds that Kueue integrates."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import elements, mapping, number, word
from kubectl_kueue.model.job_kinds import JOB_KINDS, REPLICA_FIELDS, JobKind
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.whole_number import whole_number


class PodSet(NamedTuple):
    """Equal pods: the pointer of their template, the template, how many (`size`), and at least how many."""

    name: str
    pointer: str
    template: dict[str, Any]
    size: int
    least: int


Path = tuple[str | int, ...]


def _one(
    *path: str | int, name: str = "main", count: int = 1, least: int | None = None
) -> Callable[[Any], PodSet]:
    def read(value: Any) -> PodSet:
        return PodSet(name, pointer(*path), mapping(value, *path), count, count if least is None else least)

    return read


def _job(value: dict[str, Any]) -> Iterator[PodSet]:
    parallelism = number(value, "spec", "parallelism", default=1)
    completions = number(value, "spec", "completions", default=parallelism)
    count = max(0, min(parallelism, completions))
    least = whole_number(word(value, "metadata", "annotations", f"{GROUP}/job-min-parallelism"))
    yield _one("spec", "template", count=count, least=least)(value)


def _job_set(value: dict[str, Any]) -> Iterator[PodSet]:
    for index, each in elements(value, "spec", "replicatedJobs"):
        inner = mapping(each, "template", "spec")
        parallelism = number(inner, "parallelism", default=1)
        count = number(each, "replicas", default=1) * min(
            parallelism, number(inner, "completions", default=parallelism)
        )
        path: Path = ("spec", "replicatedJobs", index, "template", "spec", "template")
        yield _one(*path, name=word(each, "name"), count=count)(value)


def _replicas(field: str) -> Callable[[dict[str, Any]], Iterator[PodSet]]:
    def read(value: dict[str, Any]) -> Iterator[PodSet]:
        for role, each in mapping(value, "spec", field).items():
            count = number(each, "replicas", default=1)
            yield _one("spec", field, role, "template", name=role.lower(), count=count)(value)

    return read


def _ray(*path: str) -> Callable[[dict[str, Any]], Iterator[PodSet]]:
    def read(value: dict[str, Any]) -> Iterator[PodSet]:
        if mapping(value, *path, "headGroupSpec"):
            yield _one(*path, "headGroupSpec", "template", name="head")(value)
        for index, each in elements(value, *path, "workerGroupSpecs"):
            count = number(each, "replicas", default=1) * number(each, "numOfHosts", default=1)
            where: Path = (*path, "workerGroupSpecs", index, "template")
            yield _one(*where, name=word(each, "groupName"), count=count)(value)

    return read


def _pod(value: dict[str, Any]) -> Iterator[PodSet]:
    yield PodSet("main", "", value, 1, 1)


def _scaled(value: dict[str, Any]) -> Iterator[PodSet]:
    yield _one("spec", "template", count=number(value, "spec", "replicas", default=1))(value)


def _leaders(value: dict[str, Any]) -> Iterator[PodSet]:
    size = number(value, "spec", "leaderWorkerTemplate", "size", default=1)
    path = ("spec", "leaderWorkerTemplate")
    if mapping(value, *path, "leaderTemplate"):
        yield _one(*path, "leaderTemplate", name="leader")(value)
        size -= 1
    yield _one(*path, "workerTemplate", name="worker", count=size)(value)


_PODS: Mapping[tuple[str, str], Callable[[dict[str, Any]], Iterator[PodSet]]] = {
    ("batch", "Job"): _job,
    ("jobset.x-k8s.io", "JobSet"): _job_set,
    **{("kubeflow.org", kind): _replicas(field) for kind, field in REPLICA_FIELDS.items()},
    ("ray.io", "RayJob"): _ray("spec", "rayClusterSpec"),
    ("ray.io", "RayCluster"): _ray("spec"),
    ("ray.io", "RayService"): _ray("spec", "rayClusterConfig"),
    ("", "Pod"): _pod,
    ("apps", "Deployment"): _scaled,
    ("apps", "StatefulSet"): _scaled,
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _leaders,
}
"""The kinds whose pods can be seen in their manifests."""


def job_kind(item: Item) -> JobKind | None:
    """The integration of an object, or None."""
    return JOB_KINDS.get((item.group, item.kind))


def pod_sets(item: Item) -> list[PodSet]:
    """The pods of a Workload or job; empty for what has none that can be seen."""
    if item.is_kueue and item.kind == "Workload":
        return [
            PodSet(
                word(each, "name") or "main",
                f"/spec/podSets/{index}/template",
                mapping(each, "template"),
                size := number(each, "count", default=1),
                number(each, "minCount", default=size),
            )
            for index, each in elements(item.spec, "podSets")
        ]
    read = _PODS.get((item.group, item.kind))
    return list(read(item.value)) if read is not None else []


def containers(template: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Pointer (inside the template) and value of every container that is there from the start."""
    for field in ("initContainers", "containers"):
        for index, each in elements(template, "spec", field):
            yield f"/spec/{field}/{index}", each
