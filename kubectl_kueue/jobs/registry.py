"""The kinds that Kueue v0.19 queues, and what tells them apart (kueuectl.md 6.6)."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.jobs import appwrapper, batch, jobset, kubeflow, mpi, pods, ray, serving, spark, trainer
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.kubeflow import first_priority_class
from kubectl_kueue.jobs.reading import Path
from kubectl_kueue.jobs.scene import Scene


class Integration(NamedTuple):
    """One kind of job.

    `suspend` is the field that holds it back, () where gates of its pods do. `check` reports what the
    webhook refuses besides the common rules, only for managed objects with `managed_only`. `pairs`: two of
    its pod sets may be one group; `topology`: the webhook looks at topology annotations at all.
    """

    drafts: Callable[[Job, Scene], list[Draft]]
    suspend: Path = ()
    check: Callable[[Job, Checks], None] | None = None
    managed_only: bool = False
    priority_class: Callable[[Job, Sequence[PodSetDraft]], str] = first_priority_class
    prebuilt: bool = True
    elastic: bool = False
    managed_by: Path = ()
    topology: bool = True
    pairs: bool = False
    serving: bool = False
    versions: tuple[str, ...] = ()
    gate: str = ""


def find_integration(kind: str, api_version: str) -> Integration | None:
    """How Kueue treats the kind; None for one that it does not queue."""
    found = INTEGRATIONS.get((api_version.rpartition("/")[0], kind))
    if found is None or (found.versions and api_version not in found.versions):
        return None
    return found


def is_job(kind: str, api_version: str) -> bool:
    """Whether Kueue makes Workloads of objects of this kind."""
    return find_integration(kind, api_version) is not None


_SUSPEND = ("spec", "suspend")
_MANAGED_BY = ("spec", "managedBy")
_RUN_POLICY = ("spec", "runPolicy")

_KUBEFLOW = Integration(
    kubeflow.drafts,
    (*_RUN_POLICY, "suspend"),
    priority_class=kubeflow.priority_class,
    managed_by=(*_RUN_POLICY, "managedBy"),
)
_RAY = Integration(
    ray.drafts, _SUSPEND, ray.check, managed_only=True, elastic=True, managed_by=_MANAGED_BY, pairs=True
)
_SERVING = Integration(serving.deployment_drafts, check=serving.check, topology=False, serving=True)

INTEGRATIONS: Mapping[tuple[str, str], Integration] = {
    ("batch", "Job"): Integration(batch.drafts, _SUSPEND, batch.check, elastic=True, managed_by=_MANAGED_BY),
    ("jobset.x-k8s.io", "JobSet"): Integration(jobset.drafts, _SUSPEND, managed_by=_MANAGED_BY, pairs=True),
    ("kubeflow.org", "PyTorchJob"): _KUBEFLOW,
    ("kubeflow.org", "TFJob"): _KUBEFLOW,
    ("kubeflow.org", "XGBoostJob"): _KUBEFLOW,
    ("kubeflow.org", "PaddleJob"): _KUBEFLOW,
    ("kubeflow.org", "JAXJob"): _KUBEFLOW._replace(prebuilt=False),
    ("kubeflow.org", "MPIJob"): _KUBEFLOW._replace(drafts=mpi.drafts, pairs=True, versions=(mpi.VERSION,)),
    ("trainer.kubeflow.org", "TrainJob"): Integration(
        trainer.drafts, _SUSPEND, trainer.check, managed_by=_MANAGED_BY
    ),
    ("ray.io", "RayCluster"): _RAY,
    ("ray.io", "RayService"): _RAY._replace(suspend=(*ray.CLUSTER["RayService"], "suspend"), managed_by=()),
    ("ray.io", "RayJob"): _RAY,
    ("workload.codeflare.dev", "AppWrapper"): Integration(
        appwrapper.drafts, _SUSPEND, managed_by=_MANAGED_BY, topology=False
    ),
    ("sparkoperator.k8s.io", "SparkApplication"): Integration(
        spark.drafts, _SUSPEND, spark.check, managed_only=True, prebuilt=False, gate=spark.GATE
    ),
    ("", "Pod"): Integration(pods.drafts, check=pods.check),
    ("apps", "Deployment"): _SERVING,
    ("apps", "StatefulSet"): _SERVING._replace(drafts=serving.stateful_set_drafts),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _SERVING._replace(
        drafts=serving.leader_worker_set_drafts, topology=True, pairs=True
    ),
}
