"""The page of a Workload: its state, why it is not running, what it asks for, what happened to it."""

from collections.abc import Iterator

from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.model import slim
from kubectl_kueue.model.objects import AdmissionCheckState, PodSet, Workload
from kubectl_kueue.model.quantity import request
from kubectl_kueue.model.status_words import queue_stop, true_status
from kubectl_kueue.views.describe.parts import (
    Subject,
    conditions_block,
    events_block,
    header,
    notes_block,
    section,
)
from kubectl_kueue.views.describe.queues import subject_name
from kubectl_kueue.views.describe.waiting import Scene
from kubectl_kueue.views.durations import age
from kubectl_kueue.views.page import (
    Block,
    Cell,
    Column,
    KeyValues,
    Page,
    Span,
    Style,
    Table,
    Text,
    verdict_style,
)
from kubectl_kueue.views.words.answers import headline
from kubectl_kueue.views.words.commands import kueue
from kubectl_kueue.views.words.gates import position_words
from kubectl_kueue.views.words.numbers import joined, requested


def workload_page(subject: Subject, workload: Workload, short: slim.Workload, scene: Scene) -> Page:
    """`short` is the same object in the form from which status words are made."""
    key = f"{workload.metadata.namespace}/{subject_name(subject)}"
    verdict = scene.verdicts.get(key)
    blocks: list[Block] = [KeyValues(list(_about(subject, workload, short, scene, verdict)))]
    if verdict is not None:
        blocks.append(
            Text([Span(str(verdict.state), verdict_style(verdict.state)), f": {headline(verdict)}"])
        )
        if verdict.state not in ("Running", "Finished"):
            blocks.append(Text([Span(f"More: {kueue('explain', 'workload', key)}", "dim")], tight=True))
    blocks.extend(_pod_sets(workload))
    blocks.extend(_checks(workload.status.admission_checks, subject.now))
    blocks.extend(_evictions(workload))
    blocks.extend(conditions_block(workload.status.conditions, subject.now))
    blocks.extend(events_block(subject))
    blocks.extend(notes_block(subject))
    return Page(blocks)


def _about(
    subject: Subject, workload: Workload, short: slim.Workload, scene: Scene, verdict: Verdict | None
) -> Iterator[tuple[str, Cell]]:
    spec = workload.spec
    status = true_status(short, subject.now, queue_stop(_local_queue(workload, scene)))
    style: Style = "good" if status.word in ("Running", "Finished", "Admitted") else "warn"
    yield from header(subject)
    yield "Status", Span(f"{status.word}: {status.detail}" if status.detail else status.word, style)
    owners = [f"{owner.kind} {owner.name}" for owner in workload.metadata.owner_references]
    yield "Owner", joined(owners) or "none"
    named = f" ({spec.priority_class_ref.name})" if spec.priority_class_ref is not None else ""
    yield "Priority", f"{spec.priority or 0}{named}"
    yield "Queue", _chain(workload, scene)
    if verdict is not None and verdict.position is not None:
        yield "Position", position_words(verdict.position, verdict.chain)
    if not spec.active:
        yield "Active", Span("no (spec.active is false)", "bad")
    if workload.status.requeue_state is not None:
        state = workload.status.requeue_state
        at = f", next at {state.requeue_at}" if state.requeue_at else ""
        yield "Requeued", f"{state.count} times{at}"


def _local_queue(workload: Workload, scene: Scene) -> slim.LocalQueue | None:
    """The LocalQueue, cut down to what status words need."""
    if scene.world is None:
        return None
    found = scene.world.local_queues.get(f"{workload.metadata.namespace}/{workload.spec.queue_name}")
    if found is None:
        return None
    return slim.LocalQueue(
        metadata=slim.Meta(name=found.metadata.name),
        spec=slim.LocalQueueSpec(cluster_queue=found.spec.cluster_queue, stop_policy=found.spec.stop_policy),
        status=slim.QueueStatus(
            conditions=[slim.Condition(c.type, c.status, c.reason) for c in found.status.conditions]
        ),
    )


def _chain(workload: Workload, scene: Scene) -> str:
    """LocalQueue -> ClusterQueue -> cohorts, as far as it is known."""
    from kubectl_kueue.views.describe.tree import ancestors

    admission = workload.status.admission
    told = [f"LocalQueue {workload.spec.queue_name or '(none)'}"]
    name = admission.cluster_queue if admission is not None else ""
    if scene.world is not None:
        key = f"{workload.metadata.namespace}/{workload.spec.queue_name}"
        local = scene.world.local_queues.get(key)
        if local is None and "LocalQueue" not in scene.world.missing:
            told[0] += " (does not exist)"
        name = name or (local.spec.cluster_queue if local is not None else "")
    if name:
        told.append(f"ClusterQueue {name}")
        queue = scene.world.cluster_queues.get(name) if scene.world is not None else None
        if queue is not None and scene.world is not None:
            told.extend(f"cohort {each}" for each in ancestors(scene.world, queue.spec.cohort_name))
        elif scene.world is not None and "ClusterQueue" not in scene.world.missing:
            told[-1] += " (does not exist)"
    return " -> ".join(told)


def _pod_sets(workload: Workload) -> Iterator[Block]:
    admission = workload.status.admission
    held = {each.name: each for each in admission.pod_set_assignments} if admission is not None else {}
    rows: list[list[Cell]] = []
    for pod_set in workload.spec.pod_sets:
        mine = held.get(pod_set.name)
        flavors = ", ".join(f"{r} from {f}" for r, f in sorted(mine.flavors.items())) if mine else "-"
        pods = str(pod_set.count)
        if mine is not None and mine.count is not None and mine.count != pod_set.count:
            pods = f"{mine.count} of {pods}"
        elif pod_set.min_count is not None:
            pods = f"{pods} (at least {pod_set.min_count})"
        rows.append([pod_set.name, pods, _requests(pod_set), flavors, _topology(pod_set)])
    names = ("NAME", "PODS", "REQUESTS OF A POD", "FLAVORS", "TOPOLOGY")
    yield from section("Pod sets", [Table([Column(n) for n in names], rows, indent=2)] if rows else [])


def _requests(pod_set: PodSet) -> str:
    """What the containers ask for, as written; init containers and defaults are left out."""
    sums: dict[str, int] = {}
    for container in pod_set.template.spec.containers:
        for resource, text in container.resources.requests.items():
            sums[resource] = sums.get(resource, 0) + request(resource, text)
    return ", ".join(f"{resource} {requested(resource, sums[resource])}" for resource in sorted(sums)) or "-"


def _topology(pod_set: PodSet) -> str:
    asked = pod_set.topology_request
    if asked is None:
        return "-"
    if asked.required:
        return f"required {asked.required}"
    if asked.preferred:
        return f"preferred {asked.preferred}"
    return "unconstrained" if asked.unconstrained else "-"


def _checks(checks: list[AdmissionCheckState], now: int) -> Iterator[Block]:
    rows: list[list[Cell]] = []
    for check in checks:
        style: Style = "good" if check.state == "Ready" else "warn"
        retries = str(check.retry_count) if check.retry_count else "-"
        since = age(check.last_transition_time, now)
        rows.append([check.name, Span(check.state, style), since, retries, check.message or "-"])
    names = ("NAME", "STATE", "AGE", "RETRIES", "SAYS")
    yield from section(
        "Admission checks", [Table([Column(n) for n in names], rows, indent=2)] if rows else []
    )


def _evictions(workload: Workload) -> Iterator[Block]:
    stats = workload.status.scheduling_stats
    rows: list[list[Cell]] = [
        [each.reason, each.underlying_cause or "-", str(each.count)]
        for each in (stats.evictions if stats else ())
    ]
    columns = [Column("REASON"), Column("CAUSE"), Column("TIMES", "right")]
    yield from section("Evictions", [Table(columns, rows, indent=2)] if rows else [])
