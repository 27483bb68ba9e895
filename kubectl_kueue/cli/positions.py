"""Positions in the queues of a live cluster: many small answers of the visibility API.

It answers for one ClusterQueue at a time, or for one LocalQueue to who may not ask about ClusterQueues.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING

import msgspec

from kubectl_kueue.cli.source import Position
from kubectl_kueue.cluster.sweep import AT_ONCE
from kubectl_kueue.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_kueue.cluster.server import Server

Found = dict[str, Position]
"""By "namespace/name" of the Workload."""


class Positions:
    """What `server` says, each queue asked about once. Its threads are daemons: an error waits for nobody."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._answers: dict[str, Future[Found]] = {}
        self._errands: deque[tuple[Callable[[], Found], Future[Found]]] = deque()
        self._threads = 0
        self._lock = Lock()

    def foresee(self, cluster_queue: str) -> None:
        """The ClusterQueue will be asked about: begin now."""
        self._ask(cluster_queue, partial(self._server.pending, cluster_queue=cluster_queue))

    def of(self, local_queues: Mapping[str, Sequence[str]]) -> tuple[Found, dict[str, ApiError]]:
        """The positions in these LocalQueues ("namespace/name", by ClusterQueue), and the queues that there
        is no answer about."""
        for cluster_queue in local_queues:
            self.foresee(cluster_queue)
        found, failed = self._gathered(local_queues)
        refused = [queue for queue, error in failed.items() if error.status == 403]
        more, lost = self.in_local_queues(key for queue in refused for key in local_queues[queue])
        failed = {queue: error for queue, error in failed.items() if queue not in refused}
        return found | more, failed | lost

    def in_local_queues(self, keys: Iterable[str]) -> tuple[Found, dict[str, ApiError]]:
        """The same of LocalQueues alone, which everybody may ask about in the own namespace."""
        keys = list(keys)
        for key in keys:
            namespace, _, name = key.partition("/")
            self._ask(key, partial(self._server.pending, local_queue=(namespace, name)))
        return self._gathered(keys)

    def _gathered(self, queues: Iterable[str]) -> tuple[Found, dict[str, ApiError]]:
        found: Found = {}
        failed: dict[str, ApiError] = {}
        for queue in queues:
            try:
                found.update(self._answers[queue].result())
            except ApiError as error:
                failed[queue] = error
        return found, failed

    def _ask(self, queue: str, pending: "Callable[[], Sequence[bytes] | None]") -> None:
        if queue in self._answers:
            return
        answer = self._answers[queue] = Future()
        with self._lock:
            self._errands.append((lambda: _positions(pending()), answer))
            if self._threads < AT_ONCE:
                self._threads += 1
                Thread(target=self._run_errands, daemon=True).start()

    def _run_errands(self) -> None:
        """Until there is none; a thread counts as gone before anybody can leave another errand to it."""
        while True:
            with self._lock:
                if not self._errands:
                    self._threads -= 1
                    return
                errand, answer = self._errands.popleft()
            try:
                answer.set_result(errand())
            except BaseException as error:
                answer.set_exception(error)


# --- the answers ----------------------------------------------------------------------------------


class _Named(msgspec.Struct):
    name: str = ""
    namespace: str = ""


class _Waiting(msgspec.Struct, rename="camel"):
    metadata: _Named = msgspec.field(default_factory=_Named)
    position_in_cluster_queue: int = 0
    position_in_local_queue: int = 0


class _Summary(msgspec.Struct):
    items: list[_Waiting] | None = None


_decode_summary = msgspec.json.Decoder(_Summary).decode


def _positions(pages: "Sequence[bytes] | None") -> Found:
    """Raises ApiError."""
    try:
        return {
            f"{each.metadata.namespace}/{each.metadata.name}": Position(
                each.position_in_local_queue, each.position_in_cluster_queue
            )
            for page in pages or ()
            for each in _decode_summary(page).items or ()
        }
    except (msgspec.DecodeError, RecursionError):  # somebody else answers in Kueue's name
        raise ApiError("the answer is not what the visibility API promises") from None
