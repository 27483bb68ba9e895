"""ray.io RayCluster, RayService, RayJob: the head, the worker groups, and who submits (kueuectl.md 6.7)."""

from collections.abc import Mapping
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.reading import Path, at, copied, mapping, objects, text, truth, whole
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.quantity import nanos

MAX_GROUPS = 17
FAULT_TOLERANT = "ray.io/ft-enabled"

CLUSTER: Mapping[str, Path] = {
    "RayCluster": ("spec",),
    "RayService": ("spec", "rayClusterConfig"),
    "RayJob": ("spec", "rayClusterSpec"),
}
"""Where the spec of the cluster stands."""

_SUBMITTER = {
    "requests": {"cpu": "500m", "memory": "200Mi"},
    "limits": {"cpu": "1", "memory": "1Gi"},
}
_AUTOSCALER = {
    "requests": {"cpu": "500m", "memory": "512Mi"},
    "limits": {"cpu": "500m", "memory": "512Mi"},
}
_FAULT_TOLERANT_LEAST = {"cpu": "200m", "memory": "256Mi"}


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a Ray object; none for a job that runs on a cluster that is there already."""
    if job.kind == "RayJob" and not _has_cluster(job):
        return []
    pod_sets = pod_sets_of(job.value, fault_tolerant=job.annotations.get(FAULT_TOLERANT) == "true")
    if job.kind == "RayCluster" and job.elastic:
        for pod_set in pod_sets:
            _gate(pod_set.template)
    return [Draft(job, pod_sets, extra=str(job.generation) if job.elastic else "")]


def _gate(template: dict[str, Any]) -> None:
    """The webhook gates the pods of an elastic cluster, so that a grown one waits for its new slice."""
    gates = objects(template, "spec", "schedulingGates")
    if all(gate.get("name") != keys.ELASTIC for gate in gates):
        template.setdefault("spec", {})["schedulingGates"] = [*gates, {"name": keys.ELASTIC}]


def pod_sets_of(value: Mapping[str, Any], *, fault_tolerant: bool = False) -> list[PodSetDraft]:
    """The pod sets of such an object."""
    kind = str(value.get("kind"))
    path = CLUSTER[kind]
    found = [_head(value, path, fault_tolerant=fault_tolerant)]
    for index, group in enumerate(objects(value, *path, "workerGroupSpecs")):
        hosts = whole(group, "numOfHosts", default=1)
        count = whole(group, "replicas", default=1) * max(hosts, 1)
        template = copied(mapping(group, "template"))
        where = (*path, "workerGroupSpecs", index, "template")
        found.append(PodSetDraft(text(group, "groupName"), count, template, where))
    if kind == "RayJob" and (text(value, "spec", "submissionMode") or "K8sJobMode") == "K8sJobMode":
        found.append(_submitter(value, found[0]))
    return found


def _head(value: Mapping[str, Any], path: Path, *, fault_tolerant: bool) -> PodSetDraft:
    """The head's template with what Ray's operator adds to its pod."""
    where = (*path, "headGroupSpec", "template")
    template = copied(mapping(value, *where))
    image = _first_image(template)
    if fault_tolerant or at(value, *path, "gcsFaultToleranceOptions") is not None:
        _raise_requests(template)
    if truth(value, *path, "enableInTreeAutoscaling"):
        resources = at(value, *path, "autoscalerOptions", "resources") or _AUTOSCALER
        _add_container(template, "autoscaler", image, resources)
    if value.get("kind") == "RayJob" and text(value, "spec", "submissionMode") == "SidecarMode":
        _add_container(template, "ray-job-submitter", image, _SUBMITTER)
    return PodSetDraft("head", 1, template, where)


def _submitter(value: Mapping[str, Any], head: PodSetDraft) -> PodSetDraft:
    where = ("spec", "submitterPodTemplate")
    template: dict[str, Any] = copied(mapping(value, *where))
    if not template:
        template = {"spec": {"restartPolicy": "Never"}}
        _add_container(template, "ray-job-submitter", _first_image(head.template), _SUBMITTER)
    return PodSetDraft("submitter", 1, template, where)


def _first_image(template: Mapping[str, Any]) -> str:
    containers = objects(template, "spec", "containers")
    return text(containers[0], "image") if containers else ""


def _add_container(template: dict[str, Any], name: str, image: str, resources: Mapping[str, Any]) -> None:
    container = {"name": name, **({"image": image} if image else {}), "resources": copied(resources)}
    spec = template.setdefault("spec", {})
    spec["containers"] = [*objects(template, "spec", "containers"), container]


def _raise_requests(template: dict[str, Any]) -> None:
    """What Ray's container needs at least when its state is kept outside."""
    for container in objects(template, "spec", "containers")[:1]:
        resources = container["resources"] = mapping(container, "resources")
        requests = resources["requests"] = mapping(resources, "requests")
        for resource, least in _FAULT_TOLERANT_LEAST.items():
            if nanos(requests.get(resource, "0")) < nanos(least):
                requests[resource] = least


# --- rules ----------------------------------------------------------------------------------------


def managed_otherwise(job: Job) -> bool:
    """Whether it is a RayJob for a cluster of its own choosing: Kueue leaves it alone."""
    return job.kind == "RayJob" and _selects(job) and not _has_cluster(job)


def _selects(job: Job) -> bool:
    return bool(mapping(job.value, "spec", "clusterSelector"))


def _has_cluster(job: Job) -> bool:
    return at(job.value, *CLUSTER["RayJob"]) is not None


def check(job: Job, checks: Checks) -> None:
    """What the webhook refuses for a managed object besides the common rules."""
    if job.kind == "RayJob":
        _check_job(job, checks)
        if not _has_cluster(job):
            return
    path = CLUSTER[job.kind]
    scaled = truth(job.value, *path, "enableInTreeAutoscaling")
    if scaled and not job.elastic:
        checks.add("ray-autoscaling", (*path, "enableInTreeAutoscaling"), needs=keys.ELASTIC)
    if scaled and job.kind == "RayCluster" and text(job.value, "spec", "managedBy") == keys.MULTIKUEUE:
        checks.add("ray-autoscaling", (*path, "enableInTreeAutoscaling"), managedBy=keys.MULTIKUEUE)
    groups = objects(job.value, *path, "workerGroupSpecs")
    if len(groups) > MAX_GROUPS:
        checks.add("ray-groups", (*path, "workerGroupSpecs"), groups=len(groups), most=MAX_GROUPS)
    for index, group in enumerate(groups):
        if text(group, "groupName") == "head":
            checks.add("ray-head", (*path, "workerGroupSpecs", index, "groupName"))


def _check_job(job: Job, checks: Checks) -> None:
    if _selects(job) and _has_cluster(job):
        checks.add("ray-cluster", ("spec", "clusterSelector"), given="both")
    elif not _has_cluster(job):
        checks.add("ray-cluster", ("spec", "rayClusterSpec"), given="neither")
    if not truth(job.value, "spec", "shutdownAfterJobFinishes"):
        checks.add("ray-shutdown", ("spec", "shutdownAfterJobFinishes"))
