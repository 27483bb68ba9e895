"""The kinds that Kueue v0.19 queues, and what tells them apart (kueuectl.md 6.6)."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.jobs import appwrapper, batch, jobset, kubeflow, mpi, pods, ray, serving, spark, trainer
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.kubeflow import first_priority_class
from kubectl_kueue.jobs.reading import Path
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.job_kinds import JOB_KINDS, JobKind


class Integration(NamedTuple):
    """How one kind of job becomes Workloads.

    `check` reports what the webhook refuses besides the common rules, only for managed objects with
    `managed_only`; `topology`: it looks at topology annotations at all. `kind`: what all rooms know.
    """

    drafts: Callable[[Job, Scene], list[Draft]]
    check: Callable[[Job, Checks], None] | None = None
    managed_only: bool = False
    priority_class: Callable[[Job, Sequence[PodSetDraft]], str] = first_priority_class
    managed_by: Path = ()
    topology: bool = True
    versions: tuple[str, ...] = ()
    gate: str = ""
    kind: JobKind = JobKind("")


def find_integration(kind: str, api_version: str) -> Integration | None:
    """How Kueue treats the kind; None for one that it does not queue."""
    found = INTEGRATIONS.get((api_version.rpartition("/")[0], kind))
    if found is None or (found.versions and api_version not in found.versions):
        return None
    return found


def is_job(kind: str, api_version: str) -> bool:
    """Whether Kueue makes Workloads of objects of this kind."""
    return find_integration(kind, api_version) is not None


_MANAGED_BY = ("spec", "managedBy")
_KUBEFLOW = Integration(
    kubeflow.drafts, priority_class=kubeflow.priority_class, managed_by=("spec", "runPolicy", "managedBy")
)
_RAY = Integration(ray.drafts, ray.check, managed_only=True, managed_by=_MANAGED_BY)
_SERVING = Integration(serving.deployment_drafts, serving.check, topology=False)

_INTEGRATIONS: Mapping[tuple[str, str], Integration] = {
    ("batch", "Job"): Integration(batch.drafts, batch.check, managed_by=_MANAGED_BY),
    ("jobset.x-k8s.io", "JobSet"): Integration(jobset.drafts, managed_by=_MANAGED_BY),
    ("kubeflow.org", "PyTorchJob"): _KUBEFLOW,
    ("kubeflow.org", "TFJob"): _KUBEFLOW,
    ("kubeflow.org", "XGBoostJob"): _KUBEFLOW,
    ("kubeflow.org", "PaddleJob"): _KUBEFLOW,
    ("kubeflow.org", "JAXJob"): _KUBEFLOW,
    ("kubeflow.org", "MPIJob"): _KUBEFLOW._replace(drafts=mpi.drafts, versions=(mpi.VERSION,)),
    ("trainer.kubeflow.org", "TrainJob"): Integration(trainer.drafts, trainer.check, managed_by=_MANAGED_BY),
    ("ray.io", "RayCluster"): _RAY,
    ("ray.io", "RayService"): _RAY._replace(managed_by=()),
    ("ray.io", "RayJob"): _RAY,
    ("workload.codeflare.dev", "AppWrapper"): Integration(
        appwrapper.drafts, managed_by=_MANAGED_BY, topology=False
    ),
    ("sparkoperator.k8s.io", "SparkApplication"): Integration(
        spark.drafts, spark.check, managed_only=True, gate=spark.GATE
    ),
    ("", "Pod"): Integration(pods.drafts, pods.check),
    ("apps", "Deployment"): _SERVING,
    ("apps", "StatefulSet"): _SERVING._replace(drafts=serving.stateful_set_drafts),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _SERVING._replace(
        drafts=serving.leader_worker_set_drafts, topology=True
    ),
}

INTEGRATIONS = {key: each._replace(kind=JOB_KINDS[key]) for key, each in _INTEGRATIONS.items()}
