"""In which order do the pending workloads wait? What the visibility API would answer (3.8)."""

from collections import Counter
from typing import NamedTuple

from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.world import World


class Place(NamedTuple):
    """Places of a pending workload, both counted from 0."""

    cluster_queue: str
    in_cluster_queue: int
    in_local_queue: int


def places(world: World) -> dict[str, Place]:
    """The place of every workload that waits in a ClusterQueue, by "namespace/name"."""
    queues = State(as_it_stands(world)).queues
    found: dict[str, Place] = {}
    for name, queue in queues.by_name.items():
        ahead: Counter[str] = Counter()
        for index, info in enumerate(queues.in_visible_order(queue)):
            found[info.key] = Place(name, index, ahead[info.local_queue])
            ahead[info.local_queue] += 1
    return found
