"""Which pods belong to a job, and which kinds of objects a job makes on its way to pods?"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kubectl_kueue.model.job_kinds import REPLICA_FIELDS

POD_GROUP_NAME = "kueue.x-k8s.io/pod-group-name"
JOB_UID = "kueue.x-k8s.io/job-uid"
WORKLOAD_NAME_MARKS = (POD_GROUP_NAME, "kueue.x-k8s.io/prebuilt-workload-name", "kueue.x-k8s.io/workload")
"""Labels or annotations of jobs and pods whose value is the name of their Workload."""

CHILDREN: Mapping[str, Sequence[str]] = {
    "Deployment": ("replicasets.apps",),
    "ReplicaSet": ("pods",),
    "StatefulSet": ("pods",),
    "LeaderWorkerSet": ("statefulsets.apps",),
    "CronJob": ("jobs.batch",),
    "Job": ("pods",),
    "Workflow": ("pods",),
    "ScheduledSparkApplication": ("sparkapplications.sparkoperator.k8s.io",),
    "RayCronJob": ("rayjobs.ray.io",),
}
"""Words for the kinds of which an object of this kind makes objects that may have Workloads."""

ANY_CHILDREN = ("jobs.batch", "replicasets.apps", "statefulsets.apps", "pods")
"""The same for a kind that is not in CHILDREN."""


class NoPodsKnown(Exception):
    """Nothing is known about the pods of this kind."""


def pod_selector(group: str, kind: str, value: Mapping[str, Any]) -> str | None:
    """The label selector of the pods of an object (its JSON value); None if it cannot have pods yet.

    Raises NoPodsKnown for a kind that is not in the table.
    """
    make = _SELECTORS.get((group, kind))
    if make is None:
        raise NoPodsKnown
    return make(value)


def labels_of_selector(selector: Any) -> str | None:
    """A LabelSelector (JSON value) as a selector string; None for one that selects nothing."""
    if not isinstance(selector, dict):
        return None
    labels, expressions = selector.get("matchLabels"), selector.get("matchExpressions")
    terms = [f"{key}={value}" for key, value in labels.items()] if isinstance(labels, dict) else []
    for each in expressions if isinstance(expressions, list) else ():
        term = _EXPRESSIONS.get(each.get("operator"), "") if isinstance(each, dict) else ""
        if not term:
            return None
        terms.append(term.format(key=each.get("key"), values=",".join(each.get("values") or ())))
    return ",".join(terms) or None


_EXPRESSIONS: Mapping[Any, str] = {
    "In": "{key} in ({values})",
    "NotIn": "{key} notin ({values})",
    "Exists": "{key}",
    "DoesNotExist": "!{key}",
}


def _name(value: Mapping[str, Any]) -> str:
    return str(_at(value, "metadata", "name"))


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value or ""


def _by_name(label: str) -> Callable[[Mapping[str, Any]], str | None]:
    return lambda value: f"{label}={_name(value)}"


def _kubeflow(operator: str) -> Callable[[Mapping[str, Any]], str | None]:
    return lambda value: (
        f"training.kubeflow.org/job-name={_name(value)},training.kubeflow.org/operator-name={operator}"
    )


def _ray(*path: str) -> Callable[[Mapping[str, Any]], str | None]:
    def make(value: Mapping[str, Any]) -> str | None:
        cluster = _at(value, *path)
        return f"ray.io/cluster={cluster}" if cluster else None

    return make


def _own_selector(value: Mapping[str, Any]) -> str | None:
    return labels_of_selector(_at(value, "spec", "selector"))


_SELECTORS: Mapping[tuple[str, str], Callable[[Mapping[str, Any]], str | None]] = {
    ("batch", "Job"): _by_name("batch.kubernetes.io/job-name"),
    ("jobset.x-k8s.io", "JobSet"): _by_name("jobset.sigs.k8s.io/jobset-name"),
    ("trainer.kubeflow.org", "TrainJob"): _by_name("jobset.sigs.k8s.io/jobset-name"),
    **{("kubeflow.org", kind): _kubeflow(f"{kind.lower()}-controller") for kind in REPLICA_FIELDS},
    ("kubeflow.org", "MPIJob"): _kubeflow("mpi-operator"),
    ("ray.io", "RayCluster"): _ray("metadata", "name"),
    ("ray.io", "RayJob"): _ray("status", "rayClusterName"),
    ("ray.io", "RayService"): _ray("status", "activeServiceStatus", "rayClusterName"),
    ("sparkoperator.k8s.io", "SparkApplication"): _by_name("sparkoperator.k8s.io/app-name"),
    ("workload.codeflare.dev", "AppWrapper"): _by_name("workload.codeflare.dev/appwrapper"),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _by_name("leaderworkerset.sigs.k8s.io/name"),
    ("apps", "Deployment"): _own_selector,
    ("apps", "ReplicaSet"): _own_selector,
    ("apps", "StatefulSet"): _own_selector,
}
