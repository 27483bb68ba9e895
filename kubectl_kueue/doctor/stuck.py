"""What will not move by itself: quota that nobody gives back, jobs without Workload, heads that never fit."""

import re
from collections import Counter
from collections.abc import Iterator

from kubectl_kueue.doctor.evidence import Evidence, Value, items, labelled, moment, name_of, number, text
from kubectl_kueue.doctor.finding import Finding, error, ok, skipped, warning
from kubectl_kueue.doctor.frameworks import is_off
from kubectl_kueue.doctor.waiting import by_uid, found, holds, keeps_quota, waits
from kubectl_kueue.engine.explanation.standing import is_ghost
from kubectl_kueue.engine.inquiries.absence import Deleted, Ended, NothingMade, Owned, why_no_workload
from kubectl_kueue.engine.inquiries.staleness import PATIENCE, last_change
from kubectl_kueue.engine.severity import granular_reason
from kubectl_kueue.model.job_marks import JobMarks
from kubectl_kueue.model.kinship import JOB_UID, WORKLOAD_NAME_MARKS
from kubectl_kueue.model.objects import OwnerReference, Workload
from kubectl_kueue.model.quantity import format_amount, request
from kubectl_kueue.model.timestamp import HOUR, MINUTE, parse_time
from kubectl_kueue.model.world import World

MANY_PREEMPTIONS = 10
"""Preemptions of one workload that are many however long it has waited."""
FEW_PREEMPTIONS = 3
"""Preemptions that are few, unless they came within an hour each."""
LONG_GATED = HOUR
HOPELESS = frozenset({"NoMatchingFlavor", "ExceedsMaxQuota", "Misconfigured"})
"""Reasons that no end of another workload lifts."""
MOMENT = MINUTE
"""Within this time after its creation a job need not have its Workload yet."""


def holders(evidence: Evidence) -> Iterator[Finding]:
    """Workloads that hold quota for a job that is gone."""
    world = evidence.seen
    holding = [(key, w) for key, w in world.workloads.items() if keeps_quota(w)]
    sound = True
    for key, workload in holding:
        code = _orphan(evidence, workload)
        if not code:
            continue
        sound = False
        evicted = found(workload, "Evicted")
        finding = warning if code == "holder-without-owner" else error
        yield finding(
            code,
            f"Workload/{key}",
            holds=_holds(workload),
            cluster_queue=workload.status.admission.cluster_queue if workload.status.admission else "",
            evicted=evicted.reason if evicted is not None and evicted.status == "True" else "",
            admitted=holds(workload, "Admitted"),
            owner=_owner(workload),
            name=workload.metadata.name,
            namespace=workload.metadata.namespace,
        )
    if sound:
        yield ok("holders-owned", count=len(holding))


def _orphan(evidence: Evidence, workload: Workload) -> str:
    """What kind of holder without a job it is; "" if it has one."""
    if is_ghost(workload):
        return "holder-is-ghost"
    owners = workload.metadata.owner_references
    if not owners:
        return "holder-lost-its-job" if JOB_UID in workload.metadata.labels else "holder-without-owner"
    if all(_gone(evidence, owner) for owner in owners):
        return "holder-owner-gone"
    return ""


def _gone(evidence: Evidence, owner: OwnerReference) -> bool:
    """Whether all objects of its kind were read, and it is none of them."""
    kind = owner.kind
    if (
        not evidence.live
        or not owner.uid
        or kind in ("Pod", "StatefulSet", "Deployment")
        or kind not in evidence.objects
    ):
        return False
    if kind in evidence.missing or kind in evidence.partly:
        return False
    return all(text(each, "metadata", "uid") != owner.uid for each in evidence.of(kind))


def _owner(workload: Workload) -> str:
    owner = next(iter(workload.metadata.owner_references), None)
    return f"{owner.kind}/{owner.name}" if owner is not None else ""


def _holds(workload: Workload) -> list[str]:
    sums: dict[str, int] = {}
    assert workload.status.admission is not None
    for pod_set in workload.status.admission.pod_set_assignments:
        for resource, amount in pod_set.resource_usage.items():
            sums[resource] = sums.get(resource, 0) + request(resource, amount)
    return [f"{format_amount(resource, amount)} {resource}" for resource, amount in sums.items()]


# --- jobs ---------------------------------------------------------------------------------------


def jobs(evidence: Evidence) -> Iterator[Finding]:
    """Jobs that name a queue and have no Workload, with the reason as far as it can be seen."""
    if not evidence.queued_jobs and (unread := evidence.unread(("Job",))):
        yield skipped("unread", kinds=unread)
        return
    known, sound, count = _Known(evidence.seen), True, 0
    said, managed = _complaints(evidence), evidence.management
    queued = evidence.queued_jobs
    groups = Counter((job.namespace, job.group_name) for job, _ in queued if job.group_name)
    for job, value in queued:
        if not evidence.sees(job.namespace, "Workload"):
            continue
        count += 1
        if _needs_none(evidence, job) or known.has(job, value):
            continue
        size = groups[job.namespace, job.group_name]
        absence = why_no_workload(evidence.seen, job, managed, pods_of_group=size)
        cause = absence.causes[0]
        if isinstance(cause, Ended | Deleted | Owned | NothingMade):
            continue
        sound = False
        yield error(
            "job-without-workload",
            f"{job.kind}/{job.namespace}/{job.name}",
            absence=absence,
            off=is_off(evidence, job) if managed is None else "",
            manager_down=_is_down(evidence),
            said=said.get(f"{job.kind}/{job.namespace}/{job.name}", ""),
        )
    if sound:
        yield ok("jobs-have-workloads", count=count)


class _Known:
    """The jobs that have Workloads: by uid, by owner's kind and name, by the Workload's name."""

    def __init__(self, world: World) -> None:
        self._uids: set[str] = set()
        self._names: set[tuple[str, str, str]] = set()
        self._workloads = world.workloads
        for workload in world.workloads.values():
            self._uids.add(workload.metadata.labels.get(JOB_UID, ""))
            for owner in workload.metadata.owner_references:
                self._uids.add(owner.uid)
                self._names.add((workload.metadata.namespace, owner.kind, owner.name))

    def has(self, job: JobMarks, value: Value) -> bool:
        uid = text(value, "metadata", "uid")
        if (uid and uid in self._uids) or (job.namespace, job.kind, job.name) in self._names:
            return True
        marks = (_mark(value, key) for key in WORKLOAD_NAME_MARKS)
        return any(mark and f"{job.namespace}/{mark}" in self._workloads for mark in marks)


def _mark(value: Value, key: str) -> str:
    return text(value, "metadata", "annotations", key) or labelled(value, key)


def _needs_none(evidence: Evidence, job: JobMarks) -> bool:
    """Whether it is too young, or there is nothing to run, or another object made it and may have one."""
    made = moment(job.created)
    young = made is not None and evidence.now - made < MOMENT
    return young or job.replicas == 0 or job.owner is not None or job.kind == "Deployment"


def _is_down(evidence: Evidence) -> bool:
    manager = evidence.manager
    return manager is not None and "status" in manager and not number(manager, "status", "readyReplicas")


def _complaints(evidence: Evidence) -> dict[str, str]:
    """What Kueue said when it could not make a Workload, by "Kind/namespace/name"."""
    said: dict[str, str] = {}
    for event in evidence.of("Event"):
        if text(event, "reason") != "ErrWorkloadCompose":
            continue
        about = event.get("involvedObject") or event.get("regarding") or {}
        key = f"{text(about, 'kind')}/{text(about, 'namespace')}/{text(about, 'name')}"
        said[key] = text(event, "message") or text(event, "note")
    return said


# --- workloads ----------------------------------------------------------------------------------


def thrashing(evidence: Evidence) -> Iterator[Finding]:
    """Workloads that are admitted and preempted over and over."""
    world = evidence.seen
    uids, sound = by_uid(world.workloads), True
    for key, workload in world.workloads.items():
        stats = workload.status.scheduling_stats
        count = sum(e.count for e in stats.evictions if e.reason == "Preempted") if stats is not None else 0
        made = workload.metadata.creation_timestamp
        hours = max(1.0, (evidence.now - parse_time(made)) / HOUR) if made else 1.0
        if holds(workload, "Finished") or not (
            count >= MANY_PREEMPTIONS or (count >= FEW_PREEMPTIONS and count / hours >= 1)
        ):
            continue
        sound = False
        last = found(workload, "Preempted") or found(workload, "Evicted")
        message = last.message if last is not None else ""
        preemptor = re.search(r"UID: ([-0-9a-zA-Z]+)", message)
        yield warning(
            "workload-thrashes",
            f"Workload/{key}",
            count=count,
            last=last.last_transition_time or "" if last is not None else "",
            reason=last.reason if last is not None else "",
            preemptor=uids.get(preemptor[1], "") if preemptor else "",
            fair_sharing=world.config.fair_sharing_enabled,
        )
    if sound:
        yield ok("nothing-thrashes", count=len(world.workloads))


def heads(evidence: Evidence) -> Iterator[Finding]:
    """Heads of StrictFIFO queues that will never get in, and who waits behind them."""
    ahead, sound = evidence.forecast, True
    for entry in next(iter(ahead.cycles), ()):
        name, reason = entry.queue.name, granular_reason(entry)
        others = [key for key in ahead.order.get(name, ()) if key != entry.info.key]
        if name in ahead.strict and others and reason in HOPELESS:
            sound = False
            here = f"Workload/{entry.info.key}"
            yield error("head-never-fits", here, cluster_queue=name, reason=reason, behind=others)
    if sound:
        yield ok("heads-can-fit", count=len(ahead.strict))


def unlooked(evidence: Evidence) -> Iterator[Finding]:
    """Workloads at which the scheduler has not looked once, though nothing is in front of them."""
    ahead, sound = evidence.forecast, True
    for name, keys in ahead.order.items():
        if name not in ahead.active or not evidence.age_counts:
            continue
        for key in keys[:1] if name in ahead.strict else keys:
            workload = evidence.seen.workloads[key]
            # PodsReady is on every workload of a job and says nothing about the scheduler.
            told = [c for c in workload.status.conditions if c.type != "PodsReady"]
            if not told and evidence.now - last_change(workload) >= PATIENCE:
                sound = False
                yield warning("workload-never-evaluated", f"Workload/{key}", cluster_queue=name)
    if sound:
        yield ok("all-evaluated", count=sum(map(len, ahead.order.values())))


def gated(evidence: Evidence) -> Iterator[Finding]:
    """Workloads that somebody holds back, for more than an hour."""
    world = evidence.seen
    sound, count = True, 0
    for key, workload in world.workloads.items():
        reserved = found(workload, "QuotaReserved")
        if not waits(workload) or reserved is None or reserved.reason not in ("AdmissionGated", "OnHold"):
            continue
        count += 1
        if evidence.age_counts and evidence.now - last_change(workload) >= LONG_GATED:
            sound = False
            by = workload.metadata.annotations.get("kueue.x-k8s.io/admission-gated-by", "")
            yield warning("workload-gated", f"Workload/{key}", reason=reserved.reason, by=by)
    if sound:
        yield ok("gates-open", count=count)


def finalizers(evidence: Evidence) -> Iterator[Finding]:
    """Objects of Kueue that were deleted long ago and are still there."""
    world = evidence.seen
    sound = True
    for kind in ("ClusterQueue", "ResourceFlavor", "AdmissionCheck", "Topology", "Workload", "LocalQueue"):
        for value in evidence.of(kind):
            gone = moment(text(value, "metadata", "deletionTimestamp"))
            if (
                gone is None
                or evidence.now - gone < PATIENCE
                or not text(value, "apiVersion").startswith("kueue.")
            ):
                continue
            sound = False
            yield warning(
                "deletion-hangs",
                f"{kind}/{name_of(value)}",
                since=text(value, "metadata", "deletionTimestamp"),
                finalizers=list(items(value, "metadata", "finalizers")),
                users=_users(world, kind, text(value, "metadata", "name")),
            )
    if sound:
        yield ok("deletions-done")


def _users(world: World, kind: str, name: str) -> list[str]:
    """What keeps it: the queues that name it, the workloads that hold its quota."""
    match kind:
        case "ClusterQueue":
            return [
                f"Workload/{key}"
                for key, w in world.workloads.items()
                if w.status.admission is not None
                and w.status.admission.cluster_queue == name
                and keeps_quota(w)
            ]
        case "ResourceFlavor":
            return [
                f"ClusterQueue/{key}"
                for key, q in world.cluster_queues.items()
                if any(f.name == name for group in q.spec.resource_groups for f in group.flavors)
            ]
        case "AdmissionCheck":
            return [
                f"ClusterQueue/{key}"
                for key, q in world.cluster_queues.items()
                if (strategy := q.spec.admission_checks_strategy) is not None
                and any(rule.name == name for rule in strategy.admission_checks)
            ]
        case "Topology":
            return [
                f"ResourceFlavor/{k}"
                for k, f in world.resource_flavors.items()
                if f.spec.topology_name == name
            ]
    return []
