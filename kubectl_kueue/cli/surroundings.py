"""What the columns of `get` need besides their own objects, read only where a table shows it.

What may not be read narrows a table and is told once; it never ends the command.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kubectl_kueue.cli.session import Session
from kubectl_kueue.cluster.kinds import KUEUE, kind_named
from kubectl_kueue.errors import ApiError

if TYPE_CHECKING:
    from kubectl_kueue.cluster.kinds import Kind
    from kubectl_kueue.model.slim import LocalQueue
    from kubectl_kueue.views.columns.items import Item
    from kubectl_kueue.views.columns.kueue import Around

FEW = 4
"""Objects that are read one by one rather than with all of their kind."""


def surroundings(session: Session, kind: "Kind", items: "Sequence[Item]", namespace: str | None) -> "Around":
    """The surroundings of objects of one kind."""
    from kubectl_kueue.views.columns.kueue import Around

    around = Around(session.source().now)
    if kind.group != KUEUE or not items:
        return around
    match kind.kind:
        case "LocalQueue":
            names = {item.typed.spec.cluster_queue for item in items if item.typed is not None}
            return around._replace(cluster_queues=_typed(_read(session, "ClusterQueue", None, names - {""})))
        case "Cohort":
            return around._replace(
                cluster_queues=_typed(_read(session, "ClusterQueue", None)),
                cohorts=_typed(_read(session, "Cohort", None)),
            )
        case "Workload":
            queues = _local_queues(session, items, namespace)
            return around._replace(local_queues=queues, positions=positions_of(session, items, queues))
    return around


def positions_of(
    session: Session, items: "Iterable[Item]", local_queues: "Mapping[str, LocalQueue]"
) -> dict[str, int]:
    """Places in their LocalQueues, from 0, of those among the workloads that wait."""
    from kubectl_kueue.model.status_words import kueuectl_status

    wanted: dict[str, set[str]] = {}
    for item in items:
        if item.slim is None or kueuectl_status(item.slim.status.conditions) != "PENDING":
            continue
        key = f"{item.namespace}/{item.slim.spec.queue_name}"
        if key in local_queues:
            wanted.setdefault(local_queues[key].spec.cluster_queue, set()).add(key)
    if not wanted:
        return {}
    found = session.source().positions({name: sorted(keys) for name, keys in sorted(wanted.items())})
    return {key: position.in_local_queue for key, position in found.items()}


def _local_queues(
    session: Session, items: "Sequence[Item]", namespace: str | None
) -> "dict[str, LocalQueue]":
    homes = {item.namespace for item in items}
    names = {item.slim.spec.queue_name for item in items if item.slim is not None} - {""}
    home = namespace if namespace is not None or len(homes) > 1 else homes.pop()
    found = _read(session, "LocalQueue", home, names if home is not None else None)
    return {item.key: item.slim for item in found if item.slim is not None}


def _read(
    session: Session, name: str, namespace: str | None, names: Iterable[str] | None = None
) -> "list[Item]":
    """All objects of a kind, or, of a few names, those that exist; none if they may not be read."""
    from kubectl_kueue.views.columns.items import Item

    source, kind = session.source(), kind_named(name)
    wanted = None if names is None else sorted(names)
    found: list[bytes] = []
    try:
        if wanted is None or len(wanted) > FEW:
            return [Item(content) for content in source.list(kind, namespace)]
        for each in wanted:
            found.extend(_if_there(session, kind, namespace, each))
    except ApiError as error:
        session.warn(f"Warning: columns that need a {name} are not complete: {error}")
    return [Item(content) for content in found]


def _if_there(session: Session, kind: "Kind", namespace: str | None, name: str) -> list[bytes]:
    try:
        return [session.source().get(kind, namespace, name)]
    except ApiError as error:
        if error.status != 404:
            raise
        return []


def _typed(items: "Iterable[Item]") -> dict[str, Any]:
    return {item.name: item.typed for item in items if item.typed is not None}
