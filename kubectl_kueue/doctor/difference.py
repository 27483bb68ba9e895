"""Does Kueue do what the simulation would do, and do its numbers agree with its objects?"""

from collections import Counter
from collections.abc import Iterator, Mapping

from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.finding import Finding, error, ok, warning
from kubectl_kueue.doctor.prometheus import samples
from kubectl_kueue.doctor.waiting import found, holds, keeps_quota, waits
from kubectl_kueue.engine.entry import Entry, Status
from kubectl_kueue.engine.inquiries.staleness import PATIENCE, last_change
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.quantity import format_amount, quota, request
from kubectl_kueue.model.timestamp import MINUTE
from kubectl_kueue.model.world import World

MOMENT = MINUTE
"""Within this time Kueue may still be about to act."""


def admissible(evidence: Evidence) -> Iterator[Finding]:
    """Workloads that fit, evict nobody, and have not been admitted for minutes."""
    sound, count = True, 0
    tree = evidence.forecast.tree
    fresh = {tree.get(name, name) for name in _changed_lately(evidence)}
    for entry in _undisturbed(evidence):
        workload = evidence.seen.workloads.get(entry.info.key)
        if entry.status is not Status.ASSUMED or workload is None or not waits(workload):
            continue
        count += 1
        age = evidence.now - last_change(workload)
        name = entry.queue.name
        if evidence.age_counts and age >= PATIENCE and tree[name] not in fresh:
            sound = False
            yield error(
                "fits-and-waits",
                f"Workload/{entry.info.key}",
                cluster_queue=name,
                minutes=age // MINUTE,
                says=_says(workload),
            )
    if sound:
        yield ok("scheduler-agrees", count=count)


def _undisturbed(evidence: Evidence) -> Iterator[Entry]:
    """The heads of all cycles before anybody is evicted."""
    if evidence.forecast.evicting:
        return
    for result in evidence.forecast.cycles:
        if any(entry.targets for entry in result):
            return
        yield from result


def _changed_lately(evidence: Evidence) -> set[str]:
    """ClusterQueues in which something has happened within the last minute: Kueue may be at it, and objects
    that were read one after the other may tell of two moments."""
    world, names = evidence.seen, set[str]()
    for workload in world.workloads.values():
        if evidence.now - last_change(workload) < MOMENT:
            admission = workload.status.admission
            queue = world.local_queues.get(f"{workload.metadata.namespace}/{workload.spec.queue_name}")
            target = queue.spec.cluster_queue if queue is not None else ""
            names.add(admission.cluster_queue if admission is not None else target)
    return names


def _says(workload: Workload) -> str:
    reserved = found(workload, "QuotaReserved")
    return reserved.message if reserved is not None else ""


def statuses(evidence: Evidence) -> Iterator[Finding]:
    """Numbers in the statuses of ClusterQueues against the Workloads themselves."""
    world = evidence.seen
    fresh = _changed_lately(evidence)
    reserving, admitted, usage = _counted(world)
    sound = True
    for name, queue in world.cluster_queues.items():
        status = queue.status
        if not status.conditions or name in fresh:
            continue  # nobody has written it, or somebody is about to
        wrong: dict[str, list[object]] = {
            field: [told, counted]
            for field, told, counted in (
                ("reservingWorkloads", status.reserving_workloads, reserving[name]),
                ("admittedWorkloads", status.admitted_workloads, admitted[name]),
            )
            if told != counted
        }
        for flavor in status.flavors_reservation:
            for each in flavor.resources:
                told, counted = quota(each.name, each.total), usage[name, flavor.name, each.name]
                if told != counted:
                    field = f"flavorsReservation {flavor.name} {each.name}"
                    wrong[field] = [format_amount(each.name, n) for n in (told, counted)]
        if wrong:
            sound = False
            yield warning("status-differs", f"ClusterQueue/{name}", differences=wrong)
    if sound:
        yield ok("statuses-agree", count=len(world.cluster_queues))


def _counted(world: World) -> tuple[Counter[str], Counter[str], Counter[tuple[str, str, str]]]:
    """By ClusterQueue: workloads with quota, admitted ones, and what is held of each flavor and resource."""
    reserving: Counter[str] = Counter()
    admitted: Counter[str] = Counter()
    usage: Counter[tuple[str, str, str]] = Counter()
    for workload in world.workloads.values():
        admission = workload.status.admission
        if admission is None or not keeps_quota(workload):
            continue
        reserving[admission.cluster_queue] += 1
        admitted[admission.cluster_queue] += holds(workload, "Admitted")
        for pod_set in admission.pod_set_assignments:
            for resource, amount in pod_set.resource_usage.items():
                flavor = pod_set.flavors.get(resource, "")
                usage[admission.cluster_queue, flavor, resource] += request(resource, amount)
    return reserving, admitted, usage


_METRICS: Mapping[str, str] = {
    "kueue_pending_workloads": "pendingWorkloads",
    "kueue_reserving_active_workloads": "reservingWorkloads",
    "kueue_admitted_active_workloads": "admittedWorkloads",
}
_TOTALS = (
    "kueue_evicted_workloads_total",
    "kueue_preempted_workloads_total",
    "kueue_admitted_workloads_total",
)


def metrics(evidence: Evidence) -> Iterator[Finding]:
    """What Kueue tells Prometheus against what it wrote into the statuses of ClusterQueues."""
    world = evidence.seen
    told: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    for sample in samples(evidence.metrics, {*_METRICS, *_TOTALS}):
        if sample.labels.get("replica_role") == "follower":
            continue  # only the leader counts
        if sample.name in _METRICS:
            told[_METRICS[sample.name], sample.labels.get("cluster_queue", "")] += int(sample.value)
        else:
            totals[sample.name] += int(sample.value)
    sound, fresh = True, _changed_lately(evidence)
    for name, queue in world.cluster_queues.items():
        if name in fresh:
            continue
        status = {
            "pendingWorkloads": queue.status.pending_workloads,
            "reservingWorkloads": queue.status.reserving_workloads,
            "admittedWorkloads": queue.status.admitted_workloads,
        }
        wrong = {f: [told[f, name], n] for f, n in status.items() if (f, name) in told and told[f, name] != n}
        if wrong:
            sound = False
            yield warning("metrics-differ", f"ClusterQueue/{name}", differences=wrong)
    if sound:
        yield ok("metrics-agree", count=len({name for _, name in told}), totals=dict(sorted(totals.items())))
