"""Objects as people write them -> the Workloads that Kueue v0.19 would make of them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kubectl_kueue.errors import InputError
from kubectl_kueue.jobs import appwrapper, keys, pods, ray, serving, trainer
from kubectl_kueue.jobs.changes import changes_of
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.envelope import name_of, workload_of
from kubectl_kueue.jobs.job import Draft, Job
from kubectl_kueue.jobs.priority import resolve_priority
from kubectl_kueue.jobs.reading import Malformed, find_path
from kubectl_kueue.jobs.records import Change, Conversion, Made, Note, Refusal, Subject
from kubectl_kueue.jobs.registry import Integration, find_integration, is_job
from kubectl_kueue.jobs.rules import check_common, check_elastic, check_gates, check_queue
from kubectl_kueue.jobs.running import is_running, restore
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.jobs.topology import check_topology
from kubectl_kueue.model.faults import without_nulls
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.shown import shown
from kubectl_kueue.model.world import World

MAX_POD_SETS = 18
DEFAULT_QUEUE = "default"
LEFT_ALONE = ("kube-system", "kueue-system")
"""Namespaces of which Kueue's webhooks see no jobs."""


def workloads_of(
    objects: Sequence[dict[str, Any]], world: World | None = None, *, namespace: str = "default"
) -> Conversion:
    """Convert the jobs among the objects; what they name (classes, queues, runtimes, owners) is looked up
    among the objects and in `world`. Jobs without a namespace are in the given one.

    With a world, what is in neither does not exist, so far as the world could be read. An object that is
    wrong, or not queued, has a refusal or a note and no Workload; nothing is raised.
    """
    return _Run(objects, world, namespace).result()


class _Run:
    def __init__(self, objects: Sequence[dict[str, Any]], world: World | None, namespace: str) -> None:
        self._values: list[dict[str, Any]] = [without_nulls(each) for each in objects]
        self._scene = Scene(self._values, world, namespace)
        self._jobs: dict[int, Job] = {}
        self._made: list[Made] = []
        self._changes: list[Change] = []
        self._refusals: list[Refusal] = []
        self._notes: list[Note] = []

    def result(self) -> Conversion:
        """Each object in turn; a group of pods where its first pod stands."""
        for index, value in enumerate(self._values):
            try:
                self._take(index, value)
            except (Malformed, InputError) as fault:
                self._refuse(index, value, fault)
        for group in self._groups().values():
            try:
                self._convert_group(group)
            except (Malformed, InputError) as fault:
                self._refuse(group[0].index, group[0].value, fault)
        for job in list(self._jobs.values()):
            try:
                if not pods.in_group(job):
                    self._convert(job)
            except (Malformed, InputError) as fault:
                self._refuse(job.index, job.value, fault)
        self._made.sort(key=lambda made: made.indexes[0])
        return Conversion(self._made, self._changes, self._refusals, self._notes)

    def _take(self, index: int, value: dict[str, Any]) -> None:
        kind, version = str(value.get("kind") or ""), str(value.get("apiVersion") or "")
        if not is_job(kind, version):
            name = value["metadata"].get("name") if isinstance(value.get("metadata"), dict) else ""
            self._notes.append(
                Note(Subject(kind, "", str(name or ""), index), "not-a-job", {"version": version})
            )
            return
        job = Job(value, index, self._scene.namespace)
        if not self._scene.gates.get("ElasticJobsViaWorkloadSlices", True):
            job.annotations.pop(keys.ELASTIC, None)
        if job.namespace in LEFT_ALONE:
            self._note(job, "left-alone", namespace=job.namespace)
        elif ray.managed_otherwise(job):
            self._note(job, "cluster-selector")
        elif (parent := pods.suspending_parent(job)) is not None:
            self._note(job, "part-of", parent=parent)
        elif (owner := self._managed_owner(job)) is not None:
            self._note(job, "owned", owner=owner)
        else:
            self._jobs[index] = job

    def _note(self, job: Job, code: str, **facts: Any) -> None:
        self._notes.append(Note(job.subject, code, facts))

    def _refuse(self, index: int, value: dict[str, Any], fault: Malformed | InputError) -> None:
        self._jobs.pop(index, None)
        meta = value.get("metadata")
        meta = meta if isinstance(meta, dict) else {}
        subject = Subject(
            str(value.get("kind")),
            str(meta.get("namespace") or self._scene.namespace),
            str(meta.get("name") or ""),
            index,
        )
        if isinstance(fault, InputError):
            self._refusals.append(Refusal(subject, "quantity", "", {"fault": str(fault)}))
            return
        facts = {"wanted": fault.wanted, "found": shown(fault.found)}
        path = find_path(value, fault.path, fault.found)
        self._refusals.append(Refusal(subject, "schema", pointer(*path), facts))

    # --- owners -----------------------------------------------------------------------------------

    def _managed_owner(self, job: Job) -> str | None:
        """The job above this one that Kueue queues instead."""
        if job.annotations.get(keys.SUSPENDING_PARENT) == "deployment":
            return None  # each pod of a Deployment is queued on its own
        found, generations = self._scene.owner_of(job), 8
        while found is not None and generations:
            above = self._scene.job_of(found)
            if above is None:
                break
            queued = above.labels.get(keys.QUEUE) is not None
            if queued and is_job(above.kind, above.api_version):
                return f"{above.kind} {above.name}"
            found, generations = self._scene.owner_of(above), generations - 1
        for owner in job.owners:
            kind, version = str(owner.get("kind")), str(owner.get("apiVersion"))
            if owner.get("controller") and is_job(kind, version) and keys.QUEUE not in job.labels:
                return f"{kind} {owner.get('name')}"
        return None

    # --- one job ----------------------------------------------------------------------------------

    def _convert(self, job: Job) -> None:
        integration = find_integration(job.kind, job.api_version)
        assert integration is not None
        managed = self._settle_queue(job)
        checks = Checks(job.subject)
        drafts = self._checked_drafts(job, integration, checks, managed=managed is not False)
        self._refusals.extend(checks.refusals)
        if managed is False:
            self._note(job, "unmanaged")
            return
        if checks.refusals:
            return
        if managed is None:
            self._note(job, "no-queue")
        self._changes.extend(changes_of(job, integration, self._scene))
        if integration.gate and not self._scene.gates.get(integration.gate, False):
            self._note(job, "gate-off", gate=integration.gate)
        self._note_kind(job, drafts)
        for draft in drafts:
            self._make(draft, integration)
        if drafts and not job.stored:
            self._note_names(job, drafts)

    def _settle_queue(self, job: Job) -> bool | None:
        """Whether the job is managed, None if that cannot be known; the default queue is filled in."""
        if keys.QUEUE in job.labels:
            return True
        if self._scene.local_queue(job.namespace, DEFAULT_QUEUE):
            if not job.stored:
                job.labels[keys.QUEUE] = DEFAULT_QUEUE
                path = pointer("metadata", "labels", keys.QUEUE)
                self._changes.append(Change(job.subject, "queue-defaulted", path, DEFAULT_QUEUE))
                return True
            return False  # the default is given on creation only
        return False if self._scene.reads("LocalQueue") else None

    def _checked_drafts(
        self, job: Job, integration: Integration, checks: Checks, *, managed: bool
    ) -> list[Draft]:
        if integration.kind.serving:
            check_queue(job, checks)
            check_elastic(job, checks, allowed=False)
            check_gates(job, checks)
        else:
            check_common(job, checks, prebuilt=integration.kind.prebuilt, elastic=integration.kind.elastic)
        if integration.check is not None and (managed or not integration.managed_only):
            integration.check(job, checks)
        if checks.refusals or not job.name:
            if not job.name:
                checks.add("no-name", ("metadata", "name"))
            return []
        drafts = integration.drafts(job, self._scene)
        if integration.topology and self._scene.gates.get("TopologyAwareScheduling", True):
            for draft in drafts[:1]:
                check_topology(draft.pod_sets, checks, pairs=integration.kind.pairs)
        return drafts

    def _note_kind(self, job: Job, drafts: Sequence[Draft]) -> None:
        """Why a job of this kind has no Workload, or not all of them."""
        if job.kind == "TrainJob" and not drafts:
            kind, name = trainer.runtime_of(job)
            self._note(job, "runtime-unknown", kind=kind, name=name)
        elif job.kind == "AppWrapper":
            for kind in appwrapper.unread_components(job):
                self._note(job, "component-unread", kind=kind)
        elif job.kind == "Deployment" and not drafts and self._scene.pods_of(job):
            self._note(job, "pods-there", pods=len(self._scene.pods_of(job)))
        elif job.kind in ("Deployment", "StatefulSet", "LeaderWorkerSet"):
            replicas = serving.replicas_of(job)
            if replicas == 0:
                self._note(job, "no-replicas")
            elif job.kind != "StatefulSet" and replicas > len(drafts):
                self._note(job, "not-all", replicas=replicas, made=len(drafts))

    def _note_names(self, job: Job, drafts: Sequence[Draft]) -> None:
        name = name_of(drafts[0], self._scene)
        known = job.known_uid and job.kind != "Deployment"
        if known:
            self._note(job, "already-there", name=name)
        elif not (drafts[0].name or job.prebuilt):
            self._note(job, "stand-in", name=name, more=len(drafts) - 1)

    # --- groups of pods ---------------------------------------------------------------------------

    def _groups(self) -> dict[tuple[str, str], list[Job]]:
        found: dict[tuple[str, str], list[Job]] = {}
        for job in self._jobs.values():
            if pods.in_group(job):
                found.setdefault((job.namespace, str(job.group_name)), []).append(job)
        return found

    def _convert_group(self, members: list[Job]) -> None:
        integration = find_integration("Pod", "v1")
        assert integration is not None
        managed = [self._settle_queue(job) for job in members]
        before = len(self._refusals)
        for job in members:
            checks = Checks(job.subject)
            self._checked_drafts(job, integration, checks, managed=True)
            self._refusals.extend(checks.refusals)
        if not any(managed):
            self._note(members[0], "unmanaged" if managed[0] is False else "no-queue")
            if managed[0] is False:
                return
        checks = Checks(members[0].subject)
        if len(self._refusals) == before:
            pods.check_group(members, checks)
            self._refusals.extend(checks.refusals)
        if len(self._refusals) > before:
            return
        for job in members:
            self._changes.extend(changes_of(job, integration, self._scene))
        for draft in pods.group_drafts(members, self._scene):
            self._make(draft, integration)

    # --- one Workload -----------------------------------------------------------------------------

    def _make(self, draft: Draft, integration: Integration) -> None:
        job, scene = draft.job, self._scene
        checks = Checks(job.subject)
        self._adopt(job)
        if not 1 <= len(draft.pod_sets) <= MAX_POD_SETS:
            checks.add("pod-sets", (), "no-workload", count=len(draft.pod_sets), most=MAX_POD_SETS)
        names = Counter(each.name for each in draft.pod_sets)
        for name in (name for name, count in names.items() if count > 1):
            checks.add("pod-sets", (), "no-workload", twice=name)
        workload = self._workload_there(draft)
        if is_running(draft):
            restore(draft, workload, scene)
            if workload is None or workload.status.admission is None:
                self._note(job, "running")
        if job.prebuilt and workload is not None and not draft.name:
            self._note(job, "prebuilt", name=job.prebuilt)
            return
        priority = resolve_priority(job.labels, integration.priority_class(job, draft.pod_sets), scene)
        if not priority.exists:
            path = ("metadata", "labels", keys.PRIORITY_CLASS)
            checks.add("no-class", path, "no-workload", kind=priority.kind, name=priority.name)
        elif priority.value is None:
            self._note(job, "class-unknown", kind=priority.kind, name=priority.name)
        self._refusals.extend(checks.refusals)
        if checks.refusals:
            return
        made = workload_of(draft, priority, scene)
        members = [each.index for each in draft.members if each.index >= 0]
        self._made.append(Made(made, (job.index, *members)))

    def _adopt(self, job: Job) -> None:
        """A manifest without a uid whose job is in the cluster already: the Workload there is its own."""
        if job.known_uid:
            return
        there = self._scene.workload_of(job)
        if there is not None:
            job.known_uid = there.metadata.labels.get(keys.JOB_UID, "")

    def _workload_there(self, draft: Draft) -> Any:
        world = self._scene.world
        if world is None:
            return None
        named = world.workloads.get(f"{draft.job.namespace}/{name_of(draft, self._scene)}")
        return named if named is not None else self._scene.workload_of(draft.job)
