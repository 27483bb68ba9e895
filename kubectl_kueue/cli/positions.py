"""Positions in the queues of a live cluster: many small answers of the visibility API.

It answers for one ClusterQueue at a time, or for one LocalQueue to who may not ask about ClusterQueues.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kubectl_kueue.cli.source import Position
from kubectl_kueue.cluster.errands import Errand, Errands
from kubectl_kueue.cluster.visibility import places
from kubectl_kueue.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_kueue.cluster.server import Server

Found = dict[str, Position]
"""By "namespace/name" of the Workload."""


class Positions:
    """What `server` says, each queue asked about once."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._answers: dict[str, Errand[Found]] = {}
        self._errands = Errands()

    def foresee(self, cluster_queue: str) -> None:
        """The ClusterQueue will be asked about: begin now."""
        self._ask(cluster_queue, partial(self._server.pending, cluster_queue=cluster_queue))

    def of(self, local_queues: Mapping[str, Sequence[str]]) -> tuple[Found, dict[str, ApiError]]:
        """The positions in these LocalQueues ("namespace/name", by ClusterQueue), and the queues that there
        is no answer about."""
        for cluster_queue in local_queues:
            self.foresee(cluster_queue)
        answers, failed = self._gathered(local_queues)
        refused = [queue for queue, error in failed.items() if error.status == 403]
        more, lost = self.in_local_queues(key for queue in refused for key in local_queues[queue])
        failed = {queue: error for queue, error in failed.items() if queue not in refused}
        found: Found = {}
        for each in (*answers.values(), *more.values()):
            found.update(each)
        return found, failed | lost

    def in_local_queues(self, keys: Iterable[str]) -> tuple[dict[str, Found], dict[str, ApiError]]:
        """The same of LocalQueues alone, by their keys: everybody may ask about their own."""
        keys = list(keys)
        for key in keys:
            namespace, _, name = key.partition("/")
            self._ask(key, partial(self._server.pending, local_queue=(namespace, name)))
        return self._gathered(keys)

    def _gathered(self, queues: Iterable[str]) -> tuple[dict[str, Found], dict[str, ApiError]]:
        found: dict[str, Found] = {}
        failed: dict[str, ApiError] = {}
        for queue in queues:
            try:
                found[queue] = self._answers[queue].result()
            except ApiError as error:
                failed[queue] = error
        return found, failed

    def _ask(self, queue: str, pending: "Callable[[], Sequence[bytes] | None]") -> None:
        if queue not in self._answers:
            self._answers[queue] = self._errands.begin(lambda: _positions(pending()))


def _positions(pages: "Sequence[bytes] | None") -> Found:
    return {key: Position(*place) for key, place in places(pages or ()).items()}
