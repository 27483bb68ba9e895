"""A job that runs no longer shows what it asked for: Kueue wrote into its templates (kueuectl.md 6.7).

What it writes: labels and an annotation, the gate for the topology, node labels and tolerations of the
flavors, updates of admission checks, and with partial admission a lower count. Which flavors, the Workload
tells; without it those stay in.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.job import Draft, PodSetDraft
from kubectl_kueue.jobs.pods import is_running as pod_is_running
from kubectl_kueue.jobs.reading import mapping, objects, texts
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.objects import PodSetAssignment, Toleration, Workload

_LABELS = (keys.POD_SET, keys.LOCAL_QUEUE, keys.CLUSTER_QUEUE)


def is_running(draft: Draft) -> bool:
    """Whether Kueue's marks are in a template of the job, or in the pod."""
    if draft.job.kind == "Pod":
        return pod_is_running(draft.job)
    return any(
        keys.POD_SET in texts(each.template, "metadata", "labels")
        or keys.WORKLOAD in texts(each.template, "metadata", "annotations")
        for each in draft.pod_sets
    )


def restore(draft: Draft, workload: Workload | None, scene: Scene) -> None:
    """Take out of the draft what Kueue has written, as far as its Workload tells."""
    for pod_set in draft.pod_sets:
        _remove_marks(pod_set.template, pod=draft.job.kind == "Pod")
        if workload is not None:
            for assignment in _assignments(workload, pod_set.name):
                _restore_pod_set(pod_set, assignment, workload, scene)


def _assignments(workload: Workload, name: str) -> Iterator[PodSetAssignment]:
    admission = workload.status.admission
    for each in admission.pod_set_assignments if admission is not None else ():
        if each.name == name:
            yield each


def _remove_marks(template: dict[str, Any], *, pod: bool) -> None:
    for key in _LABELS:
        mapping(template, "metadata", "labels").pop(key, None)
    mapping(template, "metadata", "annotations").pop(keys.WORKLOAD, None)
    if not pod:
        gates = objects(template, "spec", "schedulingGates")
        _replace(
            template, "schedulingGates", [each for each in gates if each.get("name") != keys.TOPOLOGY_GATE]
        )


def _restore_pod_set(
    pod_set: PodSetDraft, assignment: PodSetAssignment, workload: Workload, scene: Scene
) -> None:
    asked = next((each for each in workload.spec.pod_sets if each.name == pod_set.name), None)
    if asked is None:
        return
    own = asked.template.spec
    labels, tolerations = _written(assignment, workload, scene)
    selector = mapping(pod_set.template, "spec", "nodeSelector")
    kept = {key: each for key, each in selector.items() if key not in labels or key in own.node_selector}
    _replace(pod_set.template, "nodeSelector", kept)
    _replace(
        pod_set.template,
        "tolerations",
        [
            each
            for each in objects(pod_set.template, "spec", "tolerations")
            if (found := _toleration(each)) not in tolerations or found in own.tolerations
        ],
    )
    for update in _updates(workload, pod_set.name):
        for part, mine in (
            ("labels", asked.template.metadata.labels),
            ("annotations", asked.template.metadata.annotations),
        ):
            for key in getattr(update, part):
                if key not in mine:
                    mapping(pod_set.template, "metadata", part).pop(key, None)
    if pod_set.min_count is not None and assignment.count == pod_set.count:
        pod_set.count = asked.count


def _written(
    assignment: PodSetAssignment, workload: Workload, scene: Scene
) -> tuple[set[str], list[Toleration]]:
    """Keys of the node selector and tolerations that came with the admission."""
    labels: set[str] = set()
    tolerations: list[Toleration] = []
    flavors = scene.world.resource_flavors if scene.world is not None else {}
    for name in set(assignment.flavors.values()):
        if name in flavors:
            labels.update(flavors[name].spec.node_labels)
            tolerations.extend(flavors[name].spec.tolerations)
    if assignment.topology_assignment is not None:
        labels.update(assignment.topology_assignment.levels)
    for update in _updates(workload, assignment.name):
        labels.update(update.node_selector)
        tolerations.extend(update.tolerations)
    return labels, tolerations


def _updates(workload: Workload, name: str) -> Iterator[Any]:
    for check in workload.status.admission_checks:
        for update in check.pod_set_updates:
            if update.name == name:
                yield update


def _toleration(found: Mapping[str, Any]) -> Toleration:
    return Toleration(
        key=found.get("key") or "",
        operator=found.get("operator") or "",
        value=found.get("value") or "",
        effect=found.get("effect") or "",
        toleration_seconds=found.get("tolerationSeconds"),
    )


def _replace(template: dict[str, Any], field: str, value: Any) -> None:
    """Set a field of the pod's spec; an empty one is left out, as the API server does."""
    spec = template.get("spec")
    if not isinstance(spec, dict):
        return
    if value:
        spec[field] = value
    else:
        spec.pop(field, None)
