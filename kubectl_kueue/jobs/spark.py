"""sparkoperator.k8s.io SparkApplication: driver and executors (kueuectl.md 6.7). Its pods have no template:
what the operator will make is put together from the fields of the two roles."""

import re
from collections.abc import Mapping
from typing import Any

from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.reading import at, copied, mapping, objects, text, truth, whole
from kubectl_kueue.jobs.scene import Scene

GATE = "SparkApplicationIntegration"

_COPIED = ("nodeSelector", "affinity", "tolerations", "priorityClassName", "initContainers")


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a SparkApplication."""
    instances = whole(job.value, "spec", "executor", "instances", default=0)
    return [Draft(job, [_role(job, "driver", 1), _role(job, "executor", instances)])]


def check(job: Job, checks: Checks) -> None:
    """What the webhook refuses for a managed application besides the common rules."""
    mode = text(job.value, "spec", "mode")
    if mode != "cluster":
        checks.add("spark-mode", ("spec", "mode"), mode=mode)
    if truth(job.value, "spec", "dynamicAllocation", "enabled"):
        checks.add("spark-dynamic", ("spec", "dynamicAllocation", "enabled"))


def _role(job: Job, name: str, count: int) -> PodSetDraft:
    where = ("spec", name)
    role = mapping(job.value, *where)
    container: dict[str, Any] = {"name": f"spark-kubernetes-{name}"}
    image = text(role, "image") or text(job.value, "spec", "image")
    if image:
        container["image"] = image
    container["resources"] = _resources(role)
    spec: dict[str, Any] = {"containers": [container, *copied(objects(role, "sidecars"))]}
    spec.update((key, copied(role[key])) for key in _COPIED if role.get(key))
    if volumes := objects(job.value, "spec", "volumes"):
        spec["volumes"] = copied(volumes)
    metadata = {key: copied(found) for key in ("labels", "annotations") if (found := mapping(role, key))}
    return PodSetDraft(
        name, count, {"metadata": metadata, "spec": spec}, where, marks_path=(*where, "annotations")
    )


def _resources(role: Mapping[str, Any]) -> dict[str, Any]:
    requests = {"cpu": text(role, "coreRequest"), "memory": kubernetes_memory(text(role, "memory"))}
    limits: dict[str, Any] = {"cpu": text(role, "coreLimit"), "memory": text(role, "memoryLimit")}
    gpu = at(role, "gpu", "name")
    if gpu:
        limits[str(gpu)] = str(whole(role, "gpu", "quantity", default=0))
    found = {"requests": requests, "limits": limits}
    kept = {name: {key: each for key, each in amounts.items() if each} for name, amounts in found.items()}
    return {name: amounts for name, amounts in kept.items() if amounts}


_JAVA = re.compile(r"([0-9]+)\s*([kmgtp])b?", re.IGNORECASE)


def kubernetes_memory(java: str) -> str:
    """An amount as the JVM writes it (512m, 1g: powers of 1024) as a quantity; others as they are."""
    found = _JAVA.fullmatch(java.strip())
    return java if found is None else f"{found[1]}{found[2].upper()}i"
