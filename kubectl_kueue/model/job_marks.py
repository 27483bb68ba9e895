"""What of a job decides whether Kueue makes a Workload for it: its kind, its marks, its state.

From the JSON value of any object; the kinds with an integration and where each says that it is suspended
(docs/spec/kueuectl.md 6.6).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.model.job_kinds import FRAMEWORKS, JOB_KINDS, SERVING
from kubectl_kueue.model.kinship import POD_GROUP_NAME
from kubectl_kueue.model.whole_number import above_zero

QUEUE_NAME = "kueue.x-k8s.io/queue-name"
PRIORITY_CLASS = "kueue.x-k8s.io/priority-class"
PREBUILT = "kueue.x-k8s.io/prebuilt-workload-name"
GROUP_SIZE = "kueue.x-k8s.io/pod-group-total-count"

STEPS_BETWEEN = frozenset([("batch", "CronJob"), ("apps", "ReplicaSet"), ("ray.io", "RayCronJob")])
"""Kinds whose children have Workloads, never they themselves."""

ENDS_BY_SCALE = SERVING | {"ReplicaSet"}


class Owned(NamedTuple):
    """A controlling owner."""

    group: str
    kind: str
    name: str


class JobMarks(NamedTuple):
    """One object that may be a job. `suspended` is None for kinds that cannot be, `replicas` for kinds
    without; `ended` is the word of its end, empty while it has not come."""

    group: str
    kind: str
    namespace: str
    name: str
    created: str = ""
    queue: str = ""
    priority_class: str = ""
    prebuilt: str = ""
    group_name: str = ""
    group_size: int | None = None
    managed_by: str = ""
    suspended: bool | None = None
    replicas: int | None = None
    ended: str = ""
    deleted: bool = False
    owner: Owned | None = None

    @property
    def framework(self) -> str:
        """The name of its integration; empty if Kueue has none for the kind."""
        return FRAMEWORKS.get((self.group, self.kind), "")


def read_marks(value: Mapping[str, Any]) -> JobMarks:
    """The marks of an object as the API has it."""
    group = _text(value.get("apiVersion")).rpartition("/")[0]
    kind = _text(value.get("kind"))
    meta = _map(value.get("metadata"))
    size = _mark(meta, GROUP_SIZE)
    managed_by = _at(value, "spec", "managedBy") or _at(value, "spec", "runPolicy", "managedBy")
    replicas = _at(value, "spec", "replicas") if kind in ENDS_BY_SCALE else None
    return JobMarks(
        group,
        kind,
        _text(meta.get("namespace")),
        _text(meta.get("name")),
        created=_text(meta.get("creationTimestamp")),
        queue=_mark(meta, QUEUE_NAME),
        priority_class=_mark(meta, PRIORITY_CLASS),
        prebuilt=_mark(meta, PREBUILT),
        group_name=_mark(meta, POD_GROUP_NAME) if kind == "Pod" else "",
        group_size=above_zero(size) if kind == "Pod" else None,
        managed_by=_text(managed_by),
        suspended=_suspended(kind, value),
        replicas=replicas if isinstance(replicas, int) else None,
        ended=_ended(kind, value),
        deleted=bool(meta.get("deletionTimestamp")),
        owner=_owner(meta),
    )


_SUSPEND: Mapping[str, Sequence[str]] = {
    **{kind: each.suspend for (_, kind), each in JOB_KINDS.items() if each.suspend},
    "CronJob": ("spec", "suspend"),
}


def _suspended(kind: str, value: Mapping[str, Any]) -> bool | None:
    path = _SUSPEND.get(kind)
    return None if path is None else _at(value, *path) is True


_ENDS = ("Complete", "Completed", "Failed", "Succeeded", "Finished")


def _ended(kind: str, value: Mapping[str, Any]) -> str:
    """How it ended, by the conditions and phases that the kinds use."""
    conditions = _at(value, "status", "conditions")
    for condition in conditions if isinstance(conditions, list) else ():
        if _map(condition).get("type") in _ENDS and _map(condition).get("status") == "True":
            return _text(condition["type"])
    phases = (_at(value, "status", "phase"), _at(value, "status", "jobStatus"))
    return next((p.capitalize() for p in phases if isinstance(p, str) and p.capitalize() in _ENDS), "")


def _owner(meta: Mapping[str, Any]) -> Owned | None:
    owners = meta.get("ownerReferences")
    for each in owners if isinstance(owners, list) else ():
        if _map(each).get("controller") is True:
            group = _text(each.get("apiVersion")).rpartition("/")[0]
            return Owned(group, _text(each.get("kind")), _text(each.get("name")))
    return None


def _mark(meta: Mapping[str, Any], key: str) -> str:
    return _text(_map(meta.get("labels")).get(key)) or _text(_map(meta.get("annotations")).get(key))


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = _map(value).get(key)
    return value


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
