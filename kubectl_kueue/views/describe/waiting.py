"""Who waits, in order, and what each waits for first: a table on the pages of queues."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_kueue.engine.explanation.queue import Held, QueueLook
from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.model.objects import ClusterQueue, Workload
from kubectl_kueue.model.world import World
from kubectl_kueue.views.describe.parts import MOST_ROWS, section
from kubectl_kueue.views.durations import age
from kubectl_kueue.views.page import Block, Cell, Column, Span, Table, verdict_style
from kubectl_kueue.views.rest import rest_block
from kubectl_kueue.views.usage import Use, cluster_queue_usage, from_status
from kubectl_kueue.views.words.answers import headline


class Scene(NamedTuple):
    """What surrounds the object of a page; None, or empty, where it is not known."""

    world: World | None = None
    look: QueueLook | None = None
    verdicts: Mapping[str, Verdict] = {}

    def told(self, queue: ClusterQueue) -> tuple[list[Use], int]:
        """Usage and number of pending workloads of a ClusterQueue: in Kueue's numbers, or as the workloads
        have it where Kueue has written none."""
        held = self.held(queue)
        return from_status(queue) if held is None else (_uses(queue, held), held.pending)

    def held(self, queue: ClusterQueue) -> Held | None:
        """What the engine counts for a ClusterQueue about which Kueue says nothing."""
        if self.look is None or queue.status.conditions:
            return None
        return self.look.holders.get(queue.metadata.name)


def _uses(queue: ClusterQueue, held: Held) -> list[Use]:
    found = []
    for use in cluster_queue_usage(queue):
        fr = FlavorResource(use.flavor, use.resource)
        reserved = held.reserved.get(fr, 0)
        borrowed = max(0, reserved - (use.nominal or 0))
        found.append(use._replace(used=reserved, borrowed=borrowed, admitted=held.admitted.get(fr, 0)))
    return found


def waiting_block(scene: Scene, keys: Sequence[str], *, title: str = "Pending") -> Iterator[Block]:
    """The first of the workloads `keys`, which are in order, with the first reason of each."""
    if scene.world is None:
        return
    columns = [
        Column("POS", "right"),
        Column("WORKLOAD"),
        Column("PRIORITY", "right"),
        Column("AGE"),
        Column("VERDICT"),
        Column("WHY"),
    ]
    rows: list[list[Cell]] = []
    for place, key in enumerate(keys[:MOST_ROWS]):
        workload = scene.world.workloads[key]
        waits = age(workload.metadata.creation_timestamp, scene.world.now)
        word, reason = first_reason(scene, key)
        rows.append([str(place + 1), key, str(workload.spec.priority or 0), waits, word, reason])
    blocks: list[Block] = [Table(columns, rows, indent=2)] if rows else []
    blocks.extend(rest_block(len(keys) - MOST_ROWS, "workload"))
    yield from section(title, blocks)


def first_reason(scene: Scene, key: str) -> tuple[Cell, str]:
    """The verdict word and sentence; without a verdict what Kueue itself wrote."""
    verdict = scene.verdicts.get(key)
    if verdict is not None:
        return Span(str(verdict.state), verdict_style(verdict.state)), headline(verdict)
    assert scene.world is not None
    return "-", _kueue_says(scene.world.workloads[key])


def _kueue_says(workload: Workload) -> str:
    reserved = next((c for c in workload.status.conditions if c.type == "QuotaReserved"), None)
    return reserved.message if reserved is not None and reserved.message else "not looked at yet"
