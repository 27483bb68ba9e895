"""Deployment, StatefulSet, LeaderWorkerSet: things that serve, queued by their pods (kueuectl.md 6.7)."""

from typing import Any

from kubectl_kueue.jobs import keys, pods
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.naming import stand_in_uid
from kubectl_kueue.jobs.reading import Path, copied, mapping, texts, whole
from kubectl_kueue.jobs.scene import Scene

MOST_REPLICAS = 1000
"""Replicas of a Deployment or LeaderWorkerSet of which Workloads are made; more would tell nothing new."""

_TEMPLATE = ("spec", "template")
_LWS = "leaderworkerset.sigs.k8s.io"
_WORKER_INDEX = f"{_LWS}/worker-index"
_MOST_LWS_REPLICAS = 1_000_000


def replicas_of(job: Job) -> int:
    """How many pods (of a LeaderWorkerSet: groups) it keeps."""
    return whole(job.value, "spec", "replicas", default=1)


# --- Deployment -----------------------------------------------------------------------------------


def deployment_drafts(job: Job, scene: Scene) -> list[Draft]:
    """A Workload for each pod that it will have; none if its pods are there themselves."""
    if scene.pods_of(job):
        return []
    count = min(replicas_of(job), MOST_REPLICAS)
    return [draft for index in range(count) for draft in pods.drafts(_pod(job, index), scene)]


def _pod(job: Job, index: int) -> Job:
    """A pod as its ReplicaSet will make it, under a name that stands in for the real one."""
    template = mapping(job.value, *_TEMPLATE)
    known = (keys.QUEUE, keys.PRIORITY_CLASS)
    labels = {
        **texts(template, "metadata", "labels"),
        **{key: job.labels[key] for key in known if key in job.labels},
        keys.MANAGED: "true",
    }
    annotations = {**texts(template, "metadata", "annotations"), keys.SUSPENDING_PARENT: "deployment"}
    gates = job.annotations.get(keys.GATED_BY)
    if gates:
        annotations[keys.GATED_BY] = gates
    replica_set = stand_in_uid("ReplicaSet", job.namespace, job.name).replace("-", "")[:10]
    suffix = stand_in_uid("Pod", job.namespace, f"{job.name}/{index}")[:5]
    value = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{job.name}-{replica_set}-{suffix}",
            "namespace": job.namespace,
            "labels": labels,
            "annotations": annotations,
        },
        "spec": mapping(template, "spec"),
    }
    return Job(value, job.index, job.namespace)


# --- StatefulSet ----------------------------------------------------------------------------------


def stateful_set_drafts(job: Job, scene: Scene) -> list[Draft]:
    """One Workload for all pods; none as long as there shall be none."""
    count = replicas_of(job)
    if count == 0:
        return []
    template = mapping(job.value, *_TEMPLATE)
    main = PodSetDraft(
        "main",
        count,
        {"metadata": {}, "spec": copied(mapping(template, "spec"))},
        _TEMPLATE,
        index_label="apps.kubernetes.io/pod-index",
        marks=texts(template, "metadata", "annotations"),
    )
    draft = Draft(job, [main], grouped=True, annotations=_marks(job))
    draft.members = [Job(dict(pod), -1, scene.namespace) for pod in scene.pods_of(job)]
    return [draft]


def _marks(job: Job) -> dict[str, str]:
    return {
        keys.IS_GROUP: "true",
        keys.OWNER_KIND: f"{job.api_version}, Kind={job.kind}",
        keys.OWNER_NAME: job.name,
    }


# --- LeaderWorkerSet ------------------------------------------------------------------------------


def leader_worker_set_drafts(job: Job, scene: Scene) -> list[Draft]:
    """A Workload for each replica, which is a leader with its workers."""
    return [
        Draft(
            job,
            leader_worker_pod_sets(job),
            base=f"{job.name}-{index}",
            grouped=True,
            annotations={**_marks(job), keys.COMPONENT_INDEX: str(index)},
        )
        for index in range(min(replicas_of(job), MOST_REPLICAS))
    ]


def leader_worker_pod_sets(job: Job) -> list[PodSetDraft]:
    """The pod sets of each replica."""
    path = ("spec", "leaderWorkerTemplate")
    size = whole(job.value, *path, "size", default=1)
    leader, worker = (*path, "leaderTemplate"), (*path, "workerTemplate")
    workers = _part("worker", size - 1, job, worker, index_label=_WORKER_INDEX)
    if mapping(job.value, *leader):
        return [_part("leader", 1, job, leader), workers]
    workers.name, workers.count = "main", size
    return [workers]


def _part(name: str, count: int, job: Job, path: Path, *, index_label: str = "") -> PodSetDraft:
    """A template without the keys that the LeaderWorkerSet's controller works with, its name excepted."""
    template: dict[str, Any] = copied(mapping(job.value, *path))
    for part in ("labels", "annotations"):
        found = texts(template, "metadata", part)
        kept = {key: each for key, each in found.items() if not key.startswith(_LWS) or key == f"{_LWS}/name"}
        if found:
            template["metadata"][part] = kept
    return PodSetDraft(name, max(count, 0), template, path, index_label=index_label)


# --- rules ----------------------------------------------------------------------------------------


def check(job: Job, checks: Checks) -> None:
    """What the webhook refuses besides the common rules that hold for these kinds."""
    if job.kind == "LeaderWorkerSet" and replicas_of(job) > _MOST_LWS_REPLICAS:
        checks.add("lws-replicas", ("spec", "replicas"), replicas=replicas_of(job), most=_MOST_LWS_REPLICAS)
