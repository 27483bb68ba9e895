"""Plain pods, alone or in a group (kueuectl.md 6.7, 7.8)."""

from collections.abc import Sequence
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.priority import resolve_priority
from kubectl_kueue.jobs.reading import copied, mapping, objects, text
from kubectl_kueue.jobs.roles import as_admitted, role_hash
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.jobs.syntax import is_subdomain
from kubectl_kueue.model.whole_number import above_zero, whole_number

_MARKS_PATH = ("metadata", "annotations")


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a pod that is in no group."""
    return [Draft(job, [_pod_set("main", 1, job)])]


def group_drafts(members: Sequence[Job], scene: Scene) -> list[Draft]:
    """The Workload of a group: a pod set for each role, or one for all with fast admission."""
    first = members[0]
    if first.annotations.get(keys.GROUP_FAST) == "true":
        total = total_count(first)
        pod_sets = [_pod_set(_role(first, scene), total or len(members), first)]
    else:
        roles: dict[str, list[Job]] = {}
        for member in members:
            roles.setdefault(_role(member, scene), []).append(member)
        pod_sets = [_pod_set(name, len(roles[name]), roles[name][0]) for name in sorted(roles)]
    draft = Draft(first, pod_sets, name=str(first.group_name), grouped=True, labelled=False)
    draft.annotations = {keys.IS_GROUP: "true"}
    draft.members = list(members[1:])
    return [draft]


def in_group(job: Job) -> bool:
    """Whether it is a pod that is let in with others."""
    return job.kind == "Pod" and job.group_name is not None


def suspending_parent(job: Job) -> str | None:
    """What holds back the pods of which this is one, if their Workload is that of the whole."""
    parent = job.annotations.get(keys.SUSPENDING_PARENT) if job.kind == "Pod" else None
    return parent if parent != "deployment" else None


def is_terminated(job: Job) -> bool:
    """Whether the pod has ended, well or not."""
    return text(job.value, "status", "phase") in ("Succeeded", "Failed")


def is_running(job: Job) -> bool:
    """Whether Kueue has let the pod go: it took its gate away."""
    return keys.POD_SET in job.labels or keys.WORKLOAD in job.annotations


def gates_of(job: Job) -> list[dict[str, Any]]:
    """The scheduling gates that the pod had when its Workload was made: a gate is gone once it ran."""
    gates: list[dict[str, Any]] = copied(objects(job.value, "spec", "schedulingGates"))
    names = {gate.get("name") for gate in gates}
    if keys.ADMISSION_GATE in names:
        return gates
    others = [gate for gate in gates if gate.get("name") != keys.TOPOLOGY_GATE]
    return [{"name": keys.ADMISSION_GATE}, {"name": keys.TOPOLOGY_GATE}, *others]


def total_count(job: Job) -> int | None:
    """The size of the pod's group; None if it says none that could be."""
    return above_zero(job.annotations.get(keys.GROUP_COUNT, ""))


def _pod_set(name: str, count: int, job: Job) -> PodSetDraft:
    spec: dict[str, Any] = copied(mapping(job.value, "spec"))
    spec.pop("nodeName", None)
    spec["schedulingGates"] = gates_of(job)
    return PodSetDraft(
        name,
        count,
        {"metadata": {}, "spec": spec},
        (),
        index_label=keys.GROUP_INDEX,
        marks=job.annotations,
        marks_path=_MARKS_PATH,
    )


def _role(job: Job, scene: Scene) -> str:
    """The role's name: written on a pod that Kueue has seen, else what it would be."""
    known = job.annotations.get(keys.ROLE_HASH)
    if known:
        return known
    spec = mapping(job.value, "spec")
    if not job.stored:
        priority = resolve_priority({}, text(spec, "priorityClassName"), scene).value
        spec = as_admitted(spec, priority or 0)
    return role_hash(spec)


# --- rules ----------------------------------------------------------------------------------------


def check(job: Job, checks: Checks) -> None:
    """What the webhook refuses besides the common rules."""
    managed = job.labels.get(keys.MANAGED)
    if managed not in (None, "true"):
        checks.add("pod-managed", ("metadata", "labels", keys.MANAGED), value=managed)
    name, count = job.group_name, job.annotations.get(keys.GROUP_COUNT)
    path = (*_MARKS_PATH, keys.GROUP_COUNT)
    if (name is None) != (count is None):
        given, absent = (keys.GROUP_COUNT, keys.GROUP_NAME)[:: 1 if name is None else -1]
        checks.add("pod-group", (*_MARKS_PATH, given), absent=absent)
    if name is not None and not is_subdomain(name):
        checks.add("pod-group", (*_MARKS_PATH, keys.GROUP_NAME), value=name)
    if count is not None and total_count(job) is None:
        checks.add("pod-group", path, value=count)
    if name is not None and job.prebuilt not in (None, name):
        checks.add("pod-group", (*_MARKS_PATH, keys.PREBUILT), value=job.prebuilt, group=name)


def check_group(members: Sequence[Job], checks: Checks) -> None:
    """Why no Workload is made of a group of which each pod alone is well."""
    first = members[0]
    path = (*_MARKS_PATH, keys.GROUP_NAME)
    queues = sorted({member.labels.get(keys.QUEUE, "") for member in members})
    if len(queues) > 1:
        checks.add("group-queues", path, "no-workload", group=first.group_name, queues=queues)
    counts = sorted({total_count(member) or 0 for member in members})
    if len(counts) > 1:
        checks.add("group-counts", path, "no-workload", group=first.group_name, counts=counts)
    fast = first.annotations.get(keys.GROUP_FAST) == "true"
    running = sum(not is_terminated(member) for member in members)
    if not fast and running < counts[-1]:
        checks.add(
            "group-incomplete", path, "no-workload", group=first.group_name, pods=running, total=counts[-1]
        )
    for member in members:
        index = whole_number(member.labels.get(keys.GROUP_INDEX, ""))
        if index is not None and index >= counts[-1] > 0:
            checks.add(
                "group-index", path, "no-workload", group=first.group_name, index=index, total=counts[-1]
            )
