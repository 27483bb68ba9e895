"""Which pods does a manifest stand for? Pod templates of Workloads and of the kinds that Kueue integrates."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import elements, mapping, number, pointer, word


class PodSet(NamedTuple):
    """Equal pods: the pointer of their template, the template, how many (`size`), and at least how many."""

    name: str
    pointer: str
    template: dict[str, Any]
    size: int
    least: int


Path = tuple[str | int, ...]


class JobKind(NamedTuple):
    """A kind that Kueue integrates (spec 6.6). `suspend` is the path of the field that Kueue sets; `gated`
    kinds have gates on their pods instead. `prebuilt` and `elastic`: whether the features exist for it."""

    framework: str
    pods: Callable[[dict[str, Any]], Iterator[PodSet]]
    suspend: Path = ()
    prebuilt: bool = False
    elastic: bool = False
    default: bool = True
    pairs: bool = False


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
    text = mapping(value, "metadata", "annotations").get(f"{GROUP}/job-min-parallelism")
    least = int(text) if isinstance(text, str) and text.isdecimal() else count
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


def _none(value: dict[str, Any]) -> Iterator[PodSet]:
    yield from ()


_SUSPEND: Path = ("spec", "suspend")
_RUN_POLICY: Path = ("spec", "runPolicy", "suspend")
REPLICA_FIELDS: Mapping[str, str] = {
    "PyTorchJob": "pytorchReplicaSpecs",
    "TFJob": "tfReplicaSpecs",
    "XGBoostJob": "xgbReplicaSpecs",
    "PaddleJob": "paddleReplicaSpecs",
    "JAXJob": "jaxReplicaSpecs",
    "MPIJob": "mpiReplicaSpecs",
}
JOB_KINDS: Mapping[tuple[str, str], JobKind] = {
    ("batch", "Job"): JobKind("batch/job", _job, _SUSPEND, True, True),
    ("jobset.x-k8s.io", "JobSet"): JobKind("jobset.x-k8s.io/jobset", _job_set, _SUSPEND, True, pairs=True),
    **{
        ("kubeflow.org", kind): JobKind(
            f"kubeflow.org/{kind.lower()}",
            _replicas(field),
            _RUN_POLICY,
            prebuilt=kind != "JAXJob",
            default=kind == "MPIJob",
            pairs=kind == "MPIJob",
        )
        for kind, field in REPLICA_FIELDS.items()
    },
    ("trainer.kubeflow.org", "TrainJob"): JobKind("trainer.kubeflow.org/trainjob", _none, _SUSPEND, True),
    ("ray.io", "RayJob"): JobKind(
        "ray.io/rayjob", _ray("spec", "rayClusterSpec"), _SUSPEND, True, True, pairs=True
    ),
    ("ray.io", "RayCluster"): JobKind("ray.io/raycluster", _ray("spec"), _SUSPEND, True, True, pairs=True),
    ("ray.io", "RayService"): JobKind(
        "ray.io/rayservice",
        _ray("spec", "rayClusterConfig"),
        ("spec", "rayClusterConfig", "suspend"),
        True,
        True,
        pairs=True,
    ),
    ("workload.codeflare.dev", "AppWrapper"): JobKind(
        "workload.codeflare.dev/appwrapper", _none, _SUSPEND, True
    ),
    ("sparkoperator.k8s.io", "SparkApplication"): JobKind(
        "sparkoperator.k8s.io/sparkapplication", _none, _SUSPEND, default=False
    ),
    ("", "Pod"): JobKind("pod", _pod, prebuilt=True),
    ("apps", "Deployment"): JobKind("deployment", _scaled),
    ("apps", "StatefulSet"): JobKind("statefulset", _scaled),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): JobKind(
        "leaderworkerset.x-k8s.io/leaderworkerset", _leaders, pairs=True
    ),
}
SERVING = frozenset({"Deployment", "StatefulSet", "LeaderWorkerSet"})
"""Kinds whose pods are gated and that Kueue does not suspend."""


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
    kind = job_kind(item)
    return list(kind.pods(item.value)) if kind is not None else []


def containers(template: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Pointer (inside the template) and value of every container that is there from the start."""
    for field in ("initContainers", "containers"):
        for index, each in elements(template, "spec", field):
            yield f"/spec/{field}/{index}", each
