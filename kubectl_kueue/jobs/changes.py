"""What Kueue's mutating webhooks write into a new object (kueuectl.md 6.6, 6.7)."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.jobs import keys, pods
from kubectl_kueue.jobs.job import Job
from kubectl_kueue.jobs.reading import Path, at, objects
from kubectl_kueue.jobs.records import Change
from kubectl_kueue.jobs.registry import Integration
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.pointer import pointer

_MANAGED_BY_DEFAULTS = (None, "", "kubernetes.io/job-controller", "jobset.sigs.k8s.io/jobset-controller",
    "kubeflow.org/training-operator", "kubeflow.org/mpi-operator", "trainer.kubeflow.org/trainjob-controller",
    "ray.io/kuberay-operator", "workload.codeflare.dev/appwrapper-controller",
)  # fmt: skip
_METADATA = ("metadata",)
_TEMPLATE = ("spec", "template", "metadata")


def changes_of(job: Job, integration: Integration, scene: Scene) -> list[Change]:
    """The changes to a managed object; none to one that an API server has had already."""
    if job.stored:
        return []
    return [
        Change(job.subject, code, pointer(*path), value)
        for code, path, value in _all(job, integration, scene)
    ]


def _all(job: Job, integration: Integration, scene: Scene) -> Iterator[tuple[str, Path, Any]]:
    if integration.kind.suspend and at(job.value, *integration.kind.suspend) is not True:
        yield "suspended", integration.kind.suspend, True
    if _leaves(job, integration, scene):
        yield "managed-by", integration.managed_by, keys.MULTIKUEUE
    if job.kind == "Pod":
        yield from _to_pod(job)
    if job.kind == "Deployment":
        for key, value in _labels_of_pods(job).items():
            yield "template-label", (*_TEMPLATE, "labels", key), value
    if job.kind in ("Deployment", "StatefulSet"):
        yield "template-annotation", (*_TEMPLATE, "annotations", keys.SUSPENDING_PARENT), job.kind.lower()


def _leaves(job: Job, integration: Integration, scene: Scene) -> bool:
    """Whether the job will run in another cluster, if nobody else is said to manage it."""
    if not integration.managed_by or at(job.value, *integration.managed_by) not in _MANAGED_BY_DEFAULTS:
        return False
    return scene.goes_to_multikueue(job.namespace, job.labels.get(keys.QUEUE, ""))


def _to_pod(job: Job) -> Iterator[tuple[str, Path, Any]]:
    if keys.MANAGED not in job.labels:
        yield "managed", (*_METADATA, "labels", keys.MANAGED), "true"
    if keys.MANAGED not in (at(job.value, *_METADATA, "finalizers") or ()):
        yield "finalizer", (*_METADATA, "finalizers"), keys.MANAGED
    gates = pods.gates_of(job)
    if gates != objects(job.value, "spec", "schedulingGates"):
        yield "gated", ("spec", "schedulingGates"), gates


def _labels_of_pods(job: Job) -> dict[str, str]:
    known = (keys.QUEUE, keys.PRIORITY_CLASS)
    return {**{key: job.labels[key] for key in known if key in job.labels}, keys.MANAGED: "true"}
