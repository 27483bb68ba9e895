"""The pages of ClusterQueues, Cohorts and LocalQueues."""

from collections.abc import Iterator, Sequence

from kubectl_kueue.engine.explanation.facts import Cause
from kubectl_kueue.engine.explanation.queue import Held, held_back
from kubectl_kueue.model.objects import (
    ClusterQueue,
    ClusterQueueStatus,
    Cohort,
    Condition,
    FairSharing,
    LocalQueue,
    LocalQueueStatus,
)
from kubectl_kueue.views.describe.parts import (
    Subject,
    conditions_block,
    events_block,
    header,
    notes_block,
    section,
    selector_words,
)
from kubectl_kueue.views.describe.policies import (
    fungibility_words,
    preemption_words,
    stop_words,
    strategy_words,
)
from kubectl_kueue.views.describe.quota import quota_block
from kubectl_kueue.views.describe.tree import ancestors, tree_block
from kubectl_kueue.views.describe.waiting import Scene, waiting_block
from kubectl_kueue.views.page import Block, Cell, Column, KeyValues, Page, Span, Table, Text
from kubectl_kueue.views.usage import cohort_usage, local_queue_usage
from kubectl_kueue.views.words.causes import causes_words
from kubectl_kueue.views.words.numbers import count, joined


def cluster_queue_page(subject: Subject, queue: ClusterQueue, scene: Scene) -> Page:
    """A ClusterQueue: quota, place among its cohort, rules, who waits."""
    spec, status = queue.spec, queue.status
    inactive = scene.look.inactive if scene.look is not None else ()
    about: list[tuple[str, Cell]] = [
        *header(subject),
        ("Status", _active(status.conditions, inactive)),
        ("Cohort", _cohort_words(scene, spec.cohort_name)),
        ("Strategy", strategy_words(spec)),
        ("Stop Policy", stop_words(spec.stop_policy)),
        ("Namespaces", selector_words(spec.namespace_selector)),
        ("Workloads", _counts(status, scene.held(queue))),
        *_fairness(spec.fair_sharing, status.fair_sharing.weighted_share if status.fair_sharing else None),
    ]
    blocks: list[Block] = [KeyValues(about)]
    blocks.extend(quota_block(scene.told(queue)[0], scene.look))
    if spec.cohort_name:
        blocks.extend(tree_block(scene, spec.cohort_name, f"ClusterQueue {subject_name(subject)}"))
    blocks.extend(section("Preemption", [KeyValues(preemption_words(spec.preemption), indent=2)]))
    blocks.extend(section("Flavor search", [KeyValues(fungibility_words(spec.flavor_fungibility), indent=2)]))
    blocks.extend(_checks(queue, scene))
    if scene.look is not None:
        blocks.extend(waiting_block(scene, scene.look.pending.get(subject_name(subject), ())))
    return _page(subject, blocks, status.conditions)


def cohort_page(subject: Subject, cohort: Cohort, scene: Scene) -> Page:
    """A Cohort: the quota of all below it, the tree, who waits at the heads of its queues."""
    name = subject_name(subject)
    about: list[tuple[str, Cell]] = [
        *header(subject),
        ("Parent", _cohort_words(scene, cohort.spec.parent_name)),
        *_fairness(cohort.spec.fair_sharing, None),
    ]
    blocks: list[Block] = [KeyValues(about)]
    if scene.world is not None:
        cohorts = {**scene.world.cohorts, name: cohort}
        uses, _ = cohort_usage(name, cohorts, scene.world.cluster_queues.values(), scene.told)
        blocks.extend(quota_block(uses, scene.look, limits=False, title="Quota of all below"))
        blocks.extend(tree_block(scene, name, f"Cohort {name}"))
    if scene.look is not None:
        heads = [keys[0] for keys in scene.look.pending.values() if keys]
        blocks.extend(waiting_block(scene, heads, title="First in their queues"))
    return _page(subject, blocks, ())


def local_queue_page(subject: Subject, queue: LocalQueue, scene: Scene) -> Page:
    """A LocalQueue: where it leads, what its workloads hold, who waits."""
    spec, status = queue.spec, queue.status
    target = scene.world.cluster_queues.get(spec.cluster_queue) if scene.world is not None else None
    about: list[tuple[str, Cell]] = [
        *header(subject),
        ("Status", _active(status.conditions, ())),
        ("ClusterQueue", _target_words(spec.cluster_queue, target, scene)),
        ("Cohort", _cohort_words(scene, target.spec.cohort_name if target is not None else "")),
        ("Stop Policy", stop_words(spec.stop_policy)),
        ("Workloads", _counts(status)),
        *_fairness(spec.fair_sharing, status.fair_sharing.weighted_share if status.fair_sharing else None),
    ]
    blocks: list[Block] = [KeyValues(about)]
    uses = local_queue_usage(queue, target)
    blocks.extend(
        quota_block(uses, scene.look, limits=False, title="Usage, against quota of the ClusterQueue")
    )
    if scene.world is not None:
        key = f"{(subject.value.get('metadata') or {}).get('namespace', '')}/{subject_name(subject)}"
        keys = scene.look.pending.get(spec.cluster_queue, ()) if scene.look is not None else ()
        own = [each for each in keys if _is_in(scene, each, key)]
        blocks.extend(waiting_block(scene, own))
        if len(own) < len(keys):
            others = count(len(keys) - len(own), "workload")
            rest = f"Besides, {others} in other LocalQueues of {spec.cluster_queue}."
            blocks.append(Text([rest], tight=bool(own)))
        held = held_back(scene.world, key, own)
        blocks.extend(waiting_block(scene, held, title="Held back, in no queue"))
    return _page(subject, blocks, status.conditions)


def subject_name(subject: Subject) -> str:
    """metadata.name."""
    return str((subject.value.get("metadata") or {}).get("name", ""))


def _page(subject: Subject, blocks: list[Block], conditions: Sequence[Condition]) -> Page:
    blocks.extend(conditions_block(conditions, subject.now))
    blocks.extend(events_block(subject))
    blocks.extend(notes_block(subject))
    return Page(blocks)


def _is_in(scene: Scene, key: str, local_queue: str) -> bool:
    assert scene.world is not None
    return f"{key.partition('/')[0]}/{scene.world.workloads[key].spec.queue_name}" == local_queue


# --- lines at the top ---------------------------------------------------------------------------


def _active(conditions: Sequence[Condition], inactive: Sequence[Cause]) -> Cell:
    """What the condition Active says, else what follows from the objects."""
    found = next((c for c in conditions if c.type == "Active"), None)
    if found is not None:
        if found.status == "True":
            return Span("Active", "good")
        return Span(f"Inactive: {': '.join(filter(None, (found.reason, found.message)))}", "bad")
    if inactive:
        return Span(f"Inactive: {causes_words(inactive)}", "bad")
    return "unknown (Kueue has not said)"


def _cohort_words(scene: Scene, cohort: str) -> str:
    if not cohort:
        return "none"
    above = ancestors(scene.world, cohort) if scene.world is not None else [cohort]
    return " -> ".join(above)


def _target_words(name: str, target: ClusterQueue | None, scene: Scene) -> Cell:
    if not name:
        return Span("none", "bad")
    if target is None and scene.world is not None and "ClusterQueue" not in scene.world.missing:
        return Span(f"{name} (does not exist)", "bad")
    return name


def _counts(status: ClusterQueueStatus | LocalQueueStatus, held: Held | None = None) -> str:
    pending, reserving = status.pending_workloads, status.reserving_workloads
    admitted = status.admitted_workloads
    if held is not None:
        pending, reserving, admitted = held.pending, held.reserving, held.running
    return f"{pending} pending, {reserving} reserving quota, {admitted} of them admitted"


def _fairness(sharing: FairSharing | None, share: int | None) -> Iterator[tuple[str, Cell]]:
    if sharing is None and share is None:
        return
    weight = sharing.weight if sharing is not None and sharing.weight is not None else 1
    told = "" if share is None else f", share {share}"
    yield "Fair Sharing", f"weight {weight}{told}"


def _checks(queue: ClusterQueue, scene: Scene) -> Iterator[Block]:
    strategy = queue.spec.admission_checks_strategy
    rows: list[list[Cell]] = []
    for check in strategy.admission_checks if strategy is not None else ():
        there = scene.world.admission_checks.get(check.name) if scene.world is not None else None
        active = next((c for c in there.status.conditions if c.type == "Active"), None) if there else None
        if scene.world is not None and there is None and "AdmissionCheck" not in scene.world.missing:
            state: Cell = Span("missing", "bad")
        elif active is None:
            state = Span("unknown", "warn")
        else:
            state = Span("active", "good") if active.status == "True" else Span("inactive", "bad")
        rows.append(
            [
                check.name,
                state,
                joined(check.on_flavors) or "all",
                there.spec.controller_name if there else "-",
                active.message if active is not None else "-",
            ]
        )
    columns = [Column(n) for n in ("NAME", "STATE", "FLAVORS", "CONTROLLER", "SAYS")]
    yield from section("Admission checks", [Table(columns, rows, indent=2)] if rows else [])
