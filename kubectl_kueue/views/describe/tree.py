"""Where a queue stands in its tree of cohorts: the way up, and what is beside and below it."""

from collections.abc import Iterator

from kubectl_kueue.model.world import World
from kubectl_kueue.views.describe.parts import section
from kubectl_kueue.views.describe.waiting import Scene
from kubectl_kueue.views.page import Block, Cell, Column, Span, Table
from kubectl_kueue.views.rest import rest_block
from kubectl_kueue.views.usage import cohort_usage, scarcest_words

MOST_NODES = 24
"""Lines of a tree on a page."""


def ancestors(world: World, cohort: str) -> list[str]:
    """The cohort and those above it, the nearest first; a cycle is followed once."""
    found: dict[str, None] = {}
    while cohort and cohort not in found:
        found[cohort] = None
        there = world.cohorts.get(cohort)
        cohort = there.spec.parent_name if there is not None else ""
    return list(found)


def tree_block(scene: Scene, cohort: str, subject: str) -> Iterator[Block]:
    """The cohorts above, the members of `cohort`, and all below them; the line of `subject` is marked.

    `subject` is "ClusterQueue NAME" or "Cohort NAME".
    """
    world = scene.world
    if world is None:
        return
    chain = ancestors(world, cohort)[::-1]
    lines: list[tuple[int, str, str]] = [(depth, "Cohort", name) for depth, name in enumerate(chain[:-1])]
    lines.extend(_below(world, cohort, len(chain) - 1, frozenset()))
    own = next((i for i, (_, kind, name) in enumerate(lines) if f"{kind} {name}" == subject), 0)
    cut = MOST_NODES if own < MOST_NODES else MOST_NODES - 1
    shown = lines[:cut] + ([lines[own]] if cut < MOST_NODES else [])
    columns = [Column("NAME"), Column("KIND"), Column("PENDING", "right"), Column("USED"), Column("")]
    rows = [_row(scene, world, depth, kind, name, f"{kind} {name}" == subject) for depth, kind, name in shown]
    blocks: list[Block] = [Table(columns, rows, indent=2)]
    blocks.extend(rest_block(len(lines) - len(shown), "line"))
    yield from section("Cohort tree", blocks)


def _below(world: World, cohort: str, depth: int, above: frozenset[str]) -> Iterator[tuple[int, str, str]]:
    yield depth, "Cohort", cohort
    if cohort in above:
        return
    for name, queue in sorted(world.cluster_queues.items()):
        if queue.spec.cohort_name == cohort:
            yield depth + 1, "ClusterQueue", name
    for name, child in sorted(world.cohorts.items()):
        if child.spec.parent_name == cohort:
            yield from _below(world, name, depth + 1, above | {cohort})


def _row(scene: Scene, world: World, depth: int, kind: str, name: str, is_subject: bool) -> list[Cell]:
    if kind == "ClusterQueue":
        uses, pending = scene.told(world.cluster_queues[name])
    else:
        uses, pending = cohort_usage(name, world.cohorts, world.cluster_queues.values(), scene.told)
    used = scarcest_words(uses)
    mark = Span("<- this one", "strong") if is_subject else Span("")
    return [f"{'  ' * depth}{name}", kind, str(pending), used, mark]
