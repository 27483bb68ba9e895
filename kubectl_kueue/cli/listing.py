"""The lists behind `list`: objects that were selected, cut down to rows page by page, and printed.

A table keeps one row an object in memory; only -o with whole objects keeps those.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_kueue.cli.selection import Selection, list_document, selected, warn_of_nothing
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ApiError

if TYPE_CHECKING:
    from kubectl_kueue.cli.source import Position, Source
    from kubectl_kueue.model.slim import Anything, LocalQueue, Workload
    from kubectl_kueue.views.listings.frame import Frame
    from kubectl_kueue.views.listings.workloads import WorkloadRow
    from kubectl_kueue.views.page import Document, Listing


class WorkloadFilter(NamedTuple):
    """What is asked of a workload besides what a server can select; empty: nothing."""

    cluster_queue: str = ""
    local_queue: str = ""
    statuses: frozenset[str] = frozenset()

    def passes(self, row: "WorkloadRow") -> bool:
        """Whether the workload is wanted. One that waits is in the ClusterQueue of its LocalQueue."""
        return (
            self.cluster_queue in ("", row.cluster_queue)
            and self.local_queue in ("", row.local_queue)
            and (not self.statuses or not self.statuses.isdisjoint((row.status.lower(), row.state.lower())))
        )


def list_objects(
    session: Session,
    selection: Selection,
    frame: "Frame",
    keep: Callable[[Any], bool] = lambda item: True,
) -> None:
    """List the selected objects that `keep` (asked with the slim struct) lets through."""

    def page() -> "Listing":
        from kubectl_kueue.views.listings.frame import object_listing, object_row

        now = session.source().now
        rows = [object_row(frame, item, now) for _, item in _kept(session, selection, keep)]
        if not rows:
            warn_of_nothing(session, selection)
        return object_listing(frame, rows, namespaces=_many(selection))

    def document() -> "Document":
        return _document(session, selection, (content for content, _ in _kept(session, selection, keep)))

    session.emit(page=page, document=document)


def list_workloads(
    session: Session, selection: Selection, contents: Iterable[bytes], wanted: WorkloadFilter
) -> None:
    """List those of these Workloads (JSON) that are wanted, with positions in a table."""

    def kept() -> "Iterator[tuple[bytes, WorkloadRow]]":
        return (each for each in _workload_rows(session, selection, contents) if wanted.passes(each[1]))

    def page() -> "Listing":
        from kubectl_kueue.views.listings.workloads import workload_listing

        source = session.source()
        rows = []
        for _, row in kept():
            rows.append(row)
            if _waits(row):
                source.foresee_positions(row.cluster_queue)
        if not rows:
            warn_of_nothing(session, selection)
        return workload_listing(rows, _positions(source, rows), namespaces=_many(selection))

    def document() -> "Document":
        if wanted == WorkloadFilter():
            return _document(session, selection, contents)
        return _document(session, selection, (content for content, _ in kept()))

    session.emit(page=page, document=document)


def list_pods(session: Session, selection: Selection, contents: Sequence[bytes]) -> None:
    """List these pods (JSON)."""
    if not contents:
        warn_of_nothing(session, selection, end=".")

    def page() -> "Listing":
        from kubectl_kueue.model.slim import Pod, read_slim
        from kubectl_kueue.views.listings.pods import pod_listing, pod_row

        now = session.source().now
        rows = [pod_row(read_slim(content, Pod), now) for content in contents]
        return pod_listing(rows, namespaces=_many(selection))

    session.emit(page=page, document=lambda: list_document(selection.kind, _values(contents)))


def _many(selection: Selection) -> bool:
    """Whether the objects may be of several namespaces."""
    return selection.kind.namespaced and selection.namespace is None


def _kept(
    session: Session, selection: Selection, keep: Callable[[Any], bool]
) -> "Iterator[tuple[bytes, Anything]]":
    from kubectl_kueue.model.slim import SLIM, read_slim

    type_ = SLIM[selection.kind.kind]
    for content in selected(session, selection):
        item = read_slim(content, type_)
        if keep(item):
            yield content, item


# --- documents ----------------------------------------------------------------------------------


def _document(session: Session, selection: Selection, contents: Iterable[bytes]) -> "Document":
    values = _values(contents)
    if not values:
        warn_of_nothing(session, selection)
    if selection.kind.kind in ("ClusterQueue", "LocalQueue"):
        for value in values:
            _show_counters(value)
    return list_document(selection.kind, values)


def _values(contents: Iterable[bytes]) -> list[dict[str, Any]]:
    import msgspec

    return [msgspec.json.decode(content) for content in contents]


def _show_counters(value: dict[str, Any]) -> None:
    """A queue always has its three counters, as kueuectl prints it."""
    status = value.setdefault("status", {})
    if isinstance(status, dict):
        for counter in ("pendingWorkloads", "reservingWorkloads", "admittedWorkloads"):
            status.setdefault(counter, 0)


# --- workloads ----------------------------------------------------------------------------------


def _workload_rows(
    session: Session, selection: Selection, contents: Iterable[bytes]
) -> "Iterator[tuple[bytes, WorkloadRow]]":
    from kubectl_kueue.model.slim import Workload, read_slim
    from kubectl_kueue.views.listings.workloads import workload_row

    queues = _LocalQueues(session, selection.namespace)
    now = session.source().now
    for content in contents:
        workload = read_slim(content, Workload)
        admission = workload.status.admission
        queue = None if admission is not None and admission.cluster_queue else queues.of(workload)
        yield content, workload_row(workload, queue, now)


class _LocalQueues:
    """The LocalQueues that workloads wait in, read when the first one is asked for."""

    def __init__(self, session: Session, namespace: str | None) -> None:
        self._session = session
        self._namespace = namespace
        self._by_key: Mapping[str, LocalQueue] | None = None

    def of(self, workload: "Workload") -> "LocalQueue | None":
        """The queue of a workload; None if it is not there or may not be read."""
        if not workload.spec.queue_name:
            return None
        if self._by_key is None:
            self._by_key = dict(self._read())
        return self._by_key.get(f"{workload.metadata.namespace}/{workload.spec.queue_name}")

    def _read(self) -> "Iterator[tuple[str, LocalQueue]]":
        from kubectl_kueue.cluster.kinds import kind_named
        from kubectl_kueue.model.slim import LocalQueue, read_slim

        try:
            for content in self._session.source().list(kind_named("LocalQueue"), self._namespace):
                queue = read_slim(content, LocalQueue)
                yield f"{queue.metadata.namespace}/{queue.metadata.name}", queue
        except ApiError as error:
            self._session.warn(f"Warning: columns that need a LocalQueue are not complete: {error}")


def _waits(row: "WorkloadRow") -> bool:
    return bool(row.status == "PENDING" and row.cluster_queue)


def _positions(source: "Source", rows: "Sequence[WorkloadRow]") -> "Mapping[str, Position]":
    """Of those that wait, one question for all."""
    waiting: dict[str, set[str]] = {}
    for row in rows:
        if _waits(row):
            waiting.setdefault(row.cluster_queue, set()).add(f"{row.namespace}/{row.local_queue}")
    if not waiting:
        return {}
    return source.positions({name: sorted(queues) for name, queues in waiting.items()})
