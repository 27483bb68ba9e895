"""A draft -> the Workload as Kueue would write it (kueuectl.md 6.7, "Envelope")."""

from collections.abc import Mapping
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.naming import MAX_PREFIX, MAX_SHORT_PREFIX, workload_name
from kubectl_kueue.jobs.priority import Priority
from kubectl_kueue.jobs.reading import mapping, objects
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.jobs.topology import topology_request
from kubectl_kueue.model.canonical import canonical_quantity
from kubectl_kueue.model.whole_number import above_zero

API_VERSION = "kueue.x-k8s.io/v1beta2"


def workload_of(draft: Draft, priority: Priority, scene: Scene) -> dict[str, Any]:
    """The Workload as a manifest."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Workload",
        "metadata": _metadata(draft, scene),
        "spec": _spec(draft, priority, scene),
    }


def name_of(draft: Draft, scene: Scene) -> str:
    """Its name; of a job without a uid one that stands in for it."""
    job = draft.job
    if draft.name or job.prebuilt:
        return draft.name or str(job.prebuilt)
    uid = job.uid
    if draft.grouped and keys.MULTIKUEUE_ORIGIN in job.labels:
        uid = job.annotations.get(keys.MULTIKUEUE_ORIGIN_UID, uid)
    short = scene.gates.get("ShortWorkloadNames", False)
    return workload_name(
        job.kind,
        job.group,
        draft.base or job.name,
        uid,
        extra=draft.extra,
        max_prefix=MAX_SHORT_PREFIX if short else MAX_PREFIX,
    )


# --- metadata -------------------------------------------------------------------------------------


def _metadata(draft: Draft, scene: Scene) -> dict[str, Any]:
    job = draft.job
    metadata: dict[str, Any] = {"name": name_of(draft, scene), "namespace": job.namespace}
    if draft.labelled and job.known_uid:
        metadata["labels"] = {keys.JOB_UID: job.known_uid}
    if annotations := _annotations(draft):
        metadata["annotations"] = annotations
    if not _serves(job):
        metadata["finalizers"] = [keys.IN_USE]
    metadata["ownerReferences"] = [_owner(each, plain=draft.grouped) for each in (job, *draft.members)]
    return metadata


def _annotations(draft: Draft) -> dict[str, str]:
    job = draft.job
    found = {key: each for key, each in job.annotations.items() if key.startswith(keys.PROVISIONING)}
    if job.annotations.get(keys.GATED_BY):
        found[keys.GATED_BY] = job.annotations[keys.GATED_BY]
    if job.elastic:
        found[keys.ELASTIC] = "true"
    return {**found, **draft.annotations}


def _serves(job: Job) -> bool:
    """A StatefulSet that runs has a Workload without the finalizer."""
    return job.kind == "StatefulSet" and bool(mapping(job.value, "status").get("readyReplicas"))


def _owner(job: Job, *, plain: bool) -> dict[str, Any]:
    owner: dict[str, Any] = {"apiVersion": job.api_version, "kind": job.kind, "name": job.name}
    if job.known_uid:
        owner["uid"] = job.known_uid
    return owner if plain else {**owner, "controller": True, "blockOwnerDeletion": True}


# --- spec -----------------------------------------------------------------------------------------


def _spec(draft: Draft, priority: Priority, scene: Scene) -> dict[str, Any]:
    job = draft.job
    spec: dict[str, Any] = {"active": True}
    if queue := job.labels.get(keys.QUEUE):
        spec["queueName"] = queue
    if priority.ref is not None:
        spec["priorityClassRef"] = priority.ref
    if priority.value is not None:
        spec["priority"] = priority.value
    seconds = above_zero(job.labels.get(keys.MAX_EXEC_TIME, ""))
    if seconds is not None:
        spec["maximumExecutionTimeSeconds"] = seconds
    spec["podSets"] = [_pod_set(each, scene) for each in draft.pod_sets]
    return spec


def _pod_set(draft: PodSetDraft, scene: Scene) -> dict[str, Any]:
    found: dict[str, Any] = {"name": draft.name, "count": draft.count}
    if draft.min_count is not None and scene.gates.get("PartialAdmission", True):
        found["minCount"] = draft.min_count
    if scene.gates.get("TopologyAwareScheduling", True):
        request = topology_request(draft, scene.gates)
        if request is not None:
            found["topologyRequest"] = request
    return {**found, "template": _template(draft.template)}


def _template(template: Mapping[str, Any]) -> dict[str, Any]:
    """The template as it would be stored: no empty fields in its metadata, quantities in one notation."""
    metadata = {
        key: each for key, each in mapping(template, "metadata").items() if each not in (None, "", {})
    }
    spec = mapping(template, "spec")
    for container in (*objects(spec, "containers"), *objects(spec, "initContainers")):
        _canonize(mapping(container, "resources"))
        if "env" in container:
            container["env"] = _once_each(objects(container, "env"))
    _canonize(mapping(spec, "resources"))
    rest = {key: each for key, each in template.items() if key not in ("metadata", "spec")}
    return {"metadata": metadata, "spec": spec, **rest}


def _canonize(resources: dict[str, Any]) -> None:
    """Kueue reads and writes quantities, and so changes how they are written: 0.5 becomes 500m."""
    for part in ("requests", "limits"):
        amounts = mapping(resources, part)
        for key, each in amounts.items():
            amounts[key] = canonical_quantity(str(each))


def _once_each(env: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A variable that is set twice keeps its first place and its last value."""
    return list({str(each.get("name")): each for each in env}.values())
