"""kubeflow.org/v1 PyTorchJob, TFJob, XGBoostJob, PaddleJob, JAXJob: a pod set for each type of replica.

The types come in Kueue's order, those that the job does not have are left out (kueuectl.md 6.7).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.reading import copied, mapping, text, whole
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.job_kinds import REPLICA_FIELDS

REPLICA_INDEX = "training.kubeflow.org/replica-index"

REPLICA_TYPES: Mapping[str, Sequence[str]] = {
    "PyTorchJob": ("master", "worker"),
    "XGBoostJob": ("master", "worker"),
    "PaddleJob": ("master", "worker"),
    "TFJob": ("chief", "master", "ps", "worker", "evaluator"),
    "JAXJob": ("worker",),
    "MPIJob": ("launcher", "worker"),
}
"""Kinds with replicas and the types of these."""


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a job with replica types."""
    return [Draft(job, pod_sets_of(job.value))]


def pod_sets_of(value: Mapping[str, Any]) -> list[PodSetDraft]:
    """The pod sets of such a job."""
    kind = str(value.get("kind"))
    field = REPLICA_FIELDS[kind]
    written = {name.lower(): name for name in mapping(value, "spec", field)}
    found = []
    for each in REPLICA_TYPES[kind]:
        if each not in written:
            continue
        path = ("spec", field, written[each])
        replicas = whole(value, *path, "replicas", default=1)
        template = copied(mapping(value, *path, "template"))
        found.append(PodSetDraft(each, replicas, template, (*path, "template"), index_label=REPLICA_INDEX))
    return found


def priority_class(job: Job, pod_sets: Sequence[PodSetDraft]) -> str:
    """The scheduling policy's class, else that of the first type that names one."""
    policy = text(job.value, "spec", "runPolicy", "schedulingPolicy", "priorityClass")
    return policy or first_priority_class(job, pod_sets)


def first_priority_class(job: Job, pod_sets: Sequence[PodSetDraft]) -> str:
    """The class of the first pod set that names one."""
    found = (text(each.template, "spec", "priorityClassName") for each in pod_sets)
    return next(filter(None, found), "")
