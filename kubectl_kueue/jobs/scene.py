"""What stands around a job: the other objects that were given, and the world if there is one."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.job import Job
from kubectl_kueue.jobs.reading import Malformed
from kubectl_kueue.model.config import Gates
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.world import World

MULTIKUEUE_CONTROLLER = "kueue.x-k8s.io/multikueue"


class Scene:
    """Look-ups by name; an object that was given goes before one of the world."""

    def __init__(self, values: Sequence[Mapping[str, Any]], world: World | None, namespace: str) -> None:
        self._values = values
        self.world = world
        self.namespace = namespace
        self.gates: Mapping[str, bool] = world.gates if world is not None else Gates()

    # --- objects that were given ------------------------------------------------------------------

    @cached_property
    def _named(self) -> dict[tuple[str, str, str], Mapping[str, Any]]:
        """By kind, namespace ("" for a cluster-scoped kind) and name."""
        found: dict[tuple[str, str, str], Mapping[str, Any]] = {}
        for value in self._values:
            kind = str(value.get("kind"))
            home = "" if kind in _CLUSTER_SCOPED else _meta(value, "namespace") or self.namespace
            found.setdefault((kind, home, _meta(value, "name")), value)
        return found

    def given(self, kind: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        """The object of this kind and name among those that were given."""
        return self._named.get((kind, namespace, name))

    def owner_of(self, job: Job) -> Mapping[str, Any] | None:
        """The controller of the job among the objects that were given."""
        for owner in job.owners:
            if owner.get("controller") is not False:
                found = self.given(str(owner.get("kind")), job.namespace, str(owner.get("name")))
                if found is not None:
                    return found
        return None

    @cached_property
    def _pods(self) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
        """The pods that were given, by namespace, kind and name of each owner."""
        found: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
        for value in self.all_of("Pod"):
            pod = self.job_of(value)
            if pod is None:
                continue
            for owner in pod.owners:
                kind, name = str(owner.get("kind")), str(owner.get("name"))
                found.setdefault((pod.namespace, kind, name), []).append(pod.value)
                if kind == "ReplicaSet":  # which is called DEPLOYMENT-HASH
                    above = (pod.namespace, "Deployment", name.rpartition("-")[0])
                    found.setdefault(above, []).append(pod.value)
        return found

    def pods_of(self, job: Job) -> list[dict[str, Any]]:
        """The pods of a Deployment or StatefulSet among the objects that were given."""
        return self._pods.get((job.namespace, job.kind, job.name), [])

    def job_of(self, value: Mapping[str, Any]) -> Job | None:
        """An object that is looked at for another's sake; None if its metadata are wrong."""
        try:
            return Job(dict(value), -1, self.namespace)
        except Malformed:
            return None

    def all_of(self, kind: str) -> Iterable[Mapping[str, Any]]:
        """Those of one kind."""
        return self._by_kind.get(kind, ())

    @cached_property
    def _by_kind(self) -> dict[str, list[Mapping[str, Any]]]:
        found: dict[str, list[Mapping[str, Any]]] = {}
        for value in self._values:
            found.setdefault(str(value.get("kind")), []).append(value)
        return found

    # --- the world --------------------------------------------------------------------------------

    def reads(self, kind: str) -> bool:
        """Whether all objects of the kind are known: then one that is not there does not exist."""
        return self.world is not None and kind not in self.world.missing

    def local_queue(self, namespace: str, name: str) -> bool:
        """Whether there is such a LocalQueue."""
        if self.given("LocalQueue", namespace, name) is not None:
            return True
        return self.world is not None and f"{namespace}/{name}" in self.world.local_queues

    def class_value(self, kind: str, name: str) -> int | None:
        """The value of a WorkloadPriorityClass or PriorityClass; None if it is not known."""
        given = self.given(kind, "", name)
        if given is not None:
            value = given.get("value")
            return value if isinstance(value, int) else None
        if self.world is None:
            return None
        classes: Mapping[str, Any] = (
            self.world.priority_classes if kind == "PriorityClass" else self.world.workload_priority_classes
        )
        return classes[name].value if name in classes else None

    @cached_property
    def default_class(self) -> tuple[str, int] | None:
        """The PriorityClass that is the global default; of several the lowest."""
        found: dict[str, int] = {}
        if self.world is not None:
            known = self.world.priority_classes.items()
            found.update((name, each.value) for name, each in known if each.global_default)
        for value in self.all_of("PriorityClass"):
            if value.get("globalDefault") is True and isinstance(value.get("value"), int):
                found[_meta(value, "name")] = value["value"]
        return min(found.items(), key=lambda each: (each[1], each[0]), default=None)

    def goes_to_multikueue(self, namespace: str, queue: str) -> bool:
        """Whether the ClusterQueue behind this LocalQueue has a MultiKueue check."""
        world = self.world
        local_queue = world.local_queues.get(f"{namespace}/{queue}") if world is not None else None
        if world is None or local_queue is None:
            return False
        cluster_queue = world.cluster_queues.get(local_queue.spec.cluster_queue)
        strategy = cluster_queue.spec.admission_checks_strategy if cluster_queue is not None else None
        for rule in strategy.admission_checks if strategy is not None else ():
            check = world.admission_checks.get(rule.name)
            if check is not None and check.spec.controller_name == MULTIKUEUE_CONTROLLER:
                return True
        return False

    # --- the Workload that a job has already ------------------------------------------------------

    @cached_property
    def _workloads(self) -> tuple[dict[str, Workload], dict[tuple[str, str, str], Workload]]:
        """By uid of the job, and by namespace, kind and name of the owner."""
        by_uid: dict[str, Workload] = {}
        by_owner: dict[tuple[str, str, str], Workload] = {}
        for workload in self.world.workloads.values() if self.world is not None else ():
            meta = workload.metadata
            uid = meta.labels.get(keys.JOB_UID)
            if uid:
                by_uid.setdefault(uid, workload)
            for owner in meta.owner_references:
                by_uid.setdefault(owner.uid, workload)
                by_owner.setdefault((meta.namespace, owner.kind, owner.name), workload)
        return by_uid, by_owner

    def workload_of(self, job: Job) -> Workload | None:
        """The Workload of a job by its uid, or by its name for a job that does not say its uid."""
        by_uid, by_owner = self._workloads
        if job.known_uid:
            return by_uid.get(job.known_uid)
        return by_owner.get((job.namespace, job.kind, job.name))


_CLUSTER_SCOPED = frozenset({"PriorityClass", "WorkloadPriorityClass", "ClusterTrainingRuntime", "Namespace"})


def _meta(value: Mapping[str, Any], field: str) -> str:
    """A field of the metadata of an object that may be wrong anywhere."""
    meta = value.get("metadata")
    return str(meta.get(field) or "") if isinstance(meta, dict) else ""
