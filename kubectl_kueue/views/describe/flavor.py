"""The page of a ResourceFlavor: which nodes it means, who has quota of it, how much is in use."""

from collections.abc import Iterator

from kubectl_kueue.model.objects import ResourceFlavor, Taint, Toleration
from kubectl_kueue.views.describe.parts import Subject, events_block, header, notes_block, section
from kubectl_kueue.views.describe.queues import subject_name
from kubectl_kueue.views.describe.waiting import Scene
from kubectl_kueue.views.page import Block, Cell, Column, KeyValues, Page, Span, Table
from kubectl_kueue.views.rest import rest_block
from kubectl_kueue.views.usage import Use, cluster_queue_usage, quotas
from kubectl_kueue.views.words.numbers import count, quantity

MOST_QUOTAS = 60
"""Lines about queues on a page."""


def flavor_page(subject: Subject, flavor: ResourceFlavor, scene: Scene) -> Page:
    """A ResourceFlavor."""
    spec = flavor.spec
    about: list[tuple[str, Cell]] = [
        *header(subject),
        ("Node Labels", ", ".join(f"{k}={v}" for k, v in sorted(spec.node_labels.items())) or "<none>"),
        ("Node Taints", ", ".join(map(_taint, spec.node_taints)) or "<none>"),
        ("Tolerations", ", ".join(map(_toleration, spec.tolerations)) or "<none>"),
        ("Topology", _topology(spec.topology_name, scene)),
    ]
    if scene.world is not None and scene.world.nodes:
        about.append(("Nodes", _nodes(flavor, scene)))
    blocks: list[Block] = [KeyValues(about), *_quotas(subject_name(subject), scene)]
    blocks.extend(events_block(subject))
    blocks.extend(notes_block(subject))
    return Page(blocks)


def _taint(taint: Taint) -> str:
    return f"{taint.key}{f'={taint.value}' if taint.value else ''}:{taint.effect}"


def _toleration(found: Toleration) -> str:
    value = f"={found.value}" if found.value else ""
    return f"{found.key or '*'}{value}{f':{found.effect}' if found.effect else ''}"


def _topology(name: str | None, scene: Scene) -> Cell:
    if not name:
        return "none"
    if scene.world is None or "Topology" in scene.world.missing:
        return name
    found = scene.world.topologies.get(name)
    if found is None:
        return Span(f"{name} (does not exist)", "bad")
    return f"{name} ({' / '.join(level.node_label for level in found.spec.levels)})"


def _nodes(flavor: ResourceFlavor, scene: Scene) -> str:
    assert scene.world is not None
    wanted = flavor.spec.node_labels.items()
    fitting = [node for node in scene.world.nodes.values() if wanted <= node.metadata.labels.items()]
    off = sum(1 for node in fitting if node.spec.unschedulable)
    return count(len(fitting), "node") + (f", {off} of them unschedulable" if off else "")


def _quotas(name: str, scene: Scene) -> Iterator[Block]:
    if scene.world is None:
        return
    rows: list[list[Cell]] = []
    for queue_name, queue in sorted(scene.world.cluster_queues.items()):
        rows += [
            _row("ClusterQueue", queue_name, use) for use in cluster_queue_usage(queue) if use.flavor == name
        ]
    for cohort_name, cohort in sorted(scene.world.cohorts.items()):
        rows += [
            _row("Cohort", cohort_name, use)
            for use in quotas(cohort.spec.resource_groups)
            if use.flavor == name
        ]
    columns = [
        Column("KIND"),
        Column("NAME"),
        Column("RESOURCE"),
        *(Column(n, "right") for n in ("NOMINAL", "USED", "RESERVED", "BORROWED")),
    ]
    blocks: list[Block] = [Table(columns, rows[:MOST_QUOTAS], indent=2)] if rows else []
    blocks.extend(rest_block(len(rows) - MOST_QUOTAS, "quota"))
    yield from section("Quota of it", blocks)


def _row(kind: str, name: str, use: Use) -> list[Cell]:
    def shown(amount: int | None) -> str:
        return "-" if amount is None else quantity(use.resource, amount)

    numbers = [
        use.nominal,
        *((use.admitted, use.used, use.borrowed) if kind == "ClusterQueue" else (None,) * 3),
    ]
    return [kind, name, use.resource, *map(shown, numbers)]
