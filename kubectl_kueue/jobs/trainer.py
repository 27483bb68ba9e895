"""trainer.kubeflow.org TrainJob: what its runtime makes of it (kueuectl.md 6.7).

The runtime holds a JobSet; the job replaces the number of nodes, resources and images in it. Only known as
far as the runtime is among the objects, and without what plug-ins of Trainer add besides.
"""

from collections.abc import Mapping
from typing import Any

from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.jobset import pod_sets_of
from kubectl_kueue.jobs.reading import at, copied, mapping, objects, text, truth, whole_or_none
from kubectl_kueue.jobs.scene import Scene

_STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
_REPLICATED = ("spec", "template", "spec", "replicatedJobs")


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a TrainJob; none if its runtime is not known."""
    runtime = find_runtime(job, scene)
    if runtime is None:
        return []
    filled = copied(runtime)
    _set_nodes(job, filled)
    for replicated in objects(filled, *_REPLICATED):
        _set_containers(job, replicated)
        for override in _overrides(job, text(replicated, "name")):
            _override(replicated, override)
    return [Draft(job, [_there(each) for each in pod_sets_of(filled, _REPLICATED)])]


def runtime_of(job: Job) -> tuple[str, str]:
    """Kind and name of the runtime that the job names."""
    kind = text(job.value, "spec", "runtimeRef", "kind") or "ClusterTrainingRuntime"
    return kind, text(job.value, "spec", "runtimeRef", "name")


def find_runtime(job: Job, scene: Scene) -> Mapping[str, Any] | None:
    """The runtime, if it is among the objects."""
    kind, name = runtime_of(job)
    return scene.given(kind, "" if kind == "ClusterTrainingRuntime" else job.namespace, name)


def check(job: Job, checks: Checks) -> None:
    """A job must name a runtime."""
    if not runtime_of(job)[1]:
        checks.add("train-runtime", ("spec", "runtimeRef", "name"))


def _there(pod_set: PodSetDraft) -> PodSetDraft:
    """Its place is in the runtime, of which the job shows the reference only."""
    pod_set.path, pod_set.marks_path = ("spec", "runtimeRef"), ("spec", "runtimeRef")
    return pod_set


def _set_nodes(job: Job, runtime: dict[str, Any]) -> None:
    """The trainer runs as many pods as the job says, else the runtime's policy; a launcher that works as a
    node takes one of them."""
    nodes = whole_or_none(job.value, "spec", "trainer", "numNodes")
    if nodes is None:
        nodes = whole_or_none(runtime, "spec", "mlPolicy", "numNodes")
    if nodes is None:
        return
    replicated = objects(runtime, *_REPLICATED)
    target = next((each for each in replicated if text(each, "name") == "node"), None)
    if target is None:
        target = next((each for each in replicated if _step(each) == "trainer"), None)
    elif truth(runtime, "spec", "mlPolicy", "mpi", "runLauncherAsNode"):
        nodes = max(nodes - 1, 1)
    if target is not None:
        spec = target.setdefault("template", {}).setdefault("spec", {})
        spec.update(parallelism=nodes, completions=nodes)


def _step(replicated: Mapping[str, Any]) -> str:
    return text(replicated, "template", "metadata", "labels", _STEP)


def _set_containers(job: Job, replicated: dict[str, Any]) -> None:
    trainer = mapping(job.value, "spec", "trainer")
    if _step(replicated) != "trainer" and text(replicated, "name") != "node":
        return
    for container in objects(replicated, "template", "spec", "template", "spec", "containers"):
        if container.get("name") == "node":
            resources = mapping(trainer, "resourcesPerNode")
            container.update({"resources": copied(resources)} if resources else {})
            container.update(
                (key, copied(trainer[key])) for key in ("image", "command", "args") if at(trainer, key)
            )
            container["env"] = [*objects(container, "env"), *copied(objects(trainer, "env"))]
            if not container["env"]:
                del container["env"]


def _overrides(job: Job, name: str) -> list[dict[str, Any]]:
    """The overrides of pod templates that are meant for a replicated job."""
    return [
        each
        for each in objects(job.value, "spec", "podTemplateOverrides")
        if any(text(target, "name") == name for target in objects(each, "targetJobs"))
    ]


def _override(replicated: dict[str, Any], override: Mapping[str, Any]) -> None:
    pod = replicated["template"]["spec"].setdefault("template", {})
    spec = pod.setdefault("spec", {})
    for key, value in mapping(override, "spec").items():
        if key in ("nodeSelector",):
            spec[key] = {**(spec.get(key) or {}), **copied(value)}
        elif key in ("tolerations", "schedulingGates", "volumes", "imagePullSecrets"):
            spec[key] = [*(spec.get(key) or []), *copied(value)]
        elif key not in ("containers", "initContainers"):
            spec[key] = copied(value)
    for part in ("labels", "annotations"):
        found = mapping(override, "metadata", part)
        if found:
            metadata = pod.setdefault("metadata", {})
            metadata[part] = {**(metadata.get(part) or {}), **found}
