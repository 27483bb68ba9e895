"""The kinds that Kueue v0.19 queues, and what all rooms have to know about them (kueuectl.md 6.6)."""

from collections.abc import Mapping
from typing import NamedTuple


class JobKind(NamedTuple):
    """A kind with an integration, `framework` in the Configuration; `default`: on where that says nothing.

    `suspend` is the field that holds it back, () where gates of its pods do; `serving`: it runs for good and
    is scaled. `prebuilt` and `elastic`: whether these features exist for it; `pairs`: two of its pod sets may
    be one group. `replicas` is the field of spec with its types of replicas.
    """

    framework: str
    suspend: tuple[str, ...] = ("spec", "suspend")
    prebuilt: bool = True
    elastic: bool = False
    default: bool = True
    pairs: bool = False
    serving: bool = False
    replicas: str = ""


def _kubeflow(kind: str, replicas: str, *, prebuilt: bool = True) -> JobKind:
    run_policy = ("spec", "runPolicy", "suspend")
    return JobKind(f"kubeflow.org/{kind.lower()}", run_policy, prebuilt, default=False, replicas=replicas)


_RAY_SERVICE = ("spec", "rayClusterConfig", "suspend")
_SERVING = JobKind("", (), serving=True)

JOB_KINDS: Mapping[tuple[str, str], JobKind] = {
    ("batch", "Job"): JobKind("batch/job", elastic=True),
    ("jobset.x-k8s.io", "JobSet"): JobKind("jobset.x-k8s.io/jobset", pairs=True),
    ("kubeflow.org", "MPIJob"): _kubeflow("MPIJob", "mpiReplicaSpecs")._replace(default=True, pairs=True),
    ("kubeflow.org", "PyTorchJob"): _kubeflow("PyTorchJob", "pytorchReplicaSpecs"),
    ("kubeflow.org", "TFJob"): _kubeflow("TFJob", "tfReplicaSpecs"),
    ("kubeflow.org", "XGBoostJob"): _kubeflow("XGBoostJob", "xgbReplicaSpecs"),
    ("kubeflow.org", "PaddleJob"): _kubeflow("PaddleJob", "paddleReplicaSpecs"),
    ("kubeflow.org", "JAXJob"): _kubeflow("JAXJob", "jaxReplicaSpecs", prebuilt=False),
    ("trainer.kubeflow.org", "TrainJob"): JobKind("trainer.kubeflow.org/trainjob"),
    ("ray.io", "RayJob"): JobKind("ray.io/rayjob", elastic=True, pairs=True),
    ("ray.io", "RayCluster"): JobKind("ray.io/raycluster", elastic=True, pairs=True),
    ("ray.io", "RayService"): JobKind("ray.io/rayservice", _RAY_SERVICE, elastic=True, pairs=True),
    ("workload.codeflare.dev", "AppWrapper"): JobKind("workload.codeflare.dev/appwrapper"),
    ("sparkoperator.k8s.io", "SparkApplication"): JobKind(
        "sparkoperator.k8s.io/sparkapplication", prebuilt=False, default=False
    ),
    ("", "Pod"): JobKind("pod", ()),
    ("apps", "Deployment"): _SERVING._replace(framework="deployment"),
    ("apps", "StatefulSet"): _SERVING._replace(framework="statefulset"),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _SERVING._replace(
        framework="leaderworkerset.x-k8s.io/leaderworkerset", pairs=True
    ),
}
"""By group and kind."""

FRAMEWORKS: Mapping[tuple[str, str], str] = {key: each.framework for key, each in JOB_KINDS.items()}
"""Group and kind -> the name of its integration in Kueue's Configuration."""

REPLICA_FIELDS: Mapping[str, str] = {
    kind: each.replicas for (_, kind), each in JOB_KINDS.items() if each.replicas
}
"""Kinds of kubeflow.org -> the field with their types of replicas."""

SERVING = frozenset(kind for (_, kind), each in JOB_KINDS.items() if each.serving)
"""Kinds whose pods are gated and that Kueue does not suspend."""

IMPLIES_PODS = frozenset(each.framework for each in JOB_KINDS.values() if each.serving)
"""Integrations that switch on that of Pods, too."""
