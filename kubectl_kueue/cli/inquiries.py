"""The answers of `explain` that are not about one workload: queues, cohorts, flavors, texts, no Workload."""

from typing import TYPE_CHECKING

from kubectl_kueue.cli.contents import why_unread
from kubectl_kueue.cli.names import inside, near, several
from kubectl_kueue.cli.session import Session, find_workload
from kubectl_kueue.cli.subjects import Named, home_and_name
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ApiError, NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_kueue.cli.kin import Subject
    from kubectl_kueue.model.world import World

NO_WORKLOAD_CODE = 13
"""What --exit-code makes of NoWorkload: as Blocked, nobody looks at it."""


def explain_text(session: Session, named: Named) -> None:
    """A code or a verdict word, or the list of them. Raises NotFoundError with what is near."""
    from kubectl_kueue.views.explain_text import text_document, text_page, texts_document, texts_page
    from kubectl_kueue.views.words.reason_pages import lessons

    if not named.name:
        session.emit(page=lambda: texts_page(named.kind), document=lambda: texts_document(named.kind))
        return
    words = {word.lower(): word for word in lessons(named.kind)}
    word = words.get(named.name.lower())
    if word is None:
        hint = near(named.name.lower(), words, words) or f"; kubectl kueue explain {named.kind} lists them"
        raise NotFoundError(f'{named.kind} "{named.name}" not found{hint}')
    session.emit(page=lambda: text_page(named.kind, word), document=lambda: text_document(named.kind, word))


def explain_queue(session: Session, world: "World", named: Named, workload: str | None) -> None:
    """A ClusterQueue, LocalQueue, Cohort or ResourceFlavor. Raises NotFoundError, ConfigError."""
    if workload is not None and named.queue_kind != "ResourceFlavor":
        raise UsageError("--for goes with resourceflavor only")
    match named.queue_kind:
        case "ClusterQueue":
            _cluster_queue(session, world, named.name)
        case "LocalQueue":
            _local_queue(session, world, named.name)
        case "Cohort":
            _cohort(session, world, named.name)
        case _:
            _flavor(session, world, named.name, workload)


def _cluster_queue(session: Session, world: "World", name: str) -> None:
    from kubectl_kueue.engine.inquiries.clusterqueue import inquire_cluster_queue
    from kubectl_kueue.views.explain_queue import cluster_queue_document, cluster_queue_page

    if name not in world.cluster_queues:
        raise _not_found(world, "ClusterQueue", name, world.cluster_queues)
    found = inquire_cluster_queue(world, name)
    unread = dict(world.missing)
    session.emit(
        page=lambda: cluster_queue_page(found, unread), document=lambda: cluster_queue_document(found, unread)
    )


def _local_queue(session: Session, world: "World", text: str) -> None:
    from kubectl_kueue.engine.inquiries.localqueue import inquire_local_queue
    from kubectl_kueue.views.explain_queue import local_queue_document, local_queue_page

    namespace, name = home_and_name(session, text)
    keys = [k for k in world.local_queues if k.partition("/")[2] == name]
    mine = [k for k in keys if namespace in (None, k.partition("/")[0])]
    if len(mine) > 1:
        raise several("localqueue", name, sorted(mine))
    if not mine:
        if keys:
            elsewhere = ", ".join(sorted(keys))
            raise NotFoundError(f'localqueue "{name}" not found{inside(namespace)}, but there is {elsewhere}')
        here = {k.partition("/")[2] for k in world.local_queues if namespace in (None, k.partition("/")[0])}
        raise _not_found(world, "LocalQueue", name, here)
    found = inquire_local_queue(world, mine[0])
    unread = dict(world.missing)
    session.emit(
        page=lambda: local_queue_page(found, unread), document=lambda: local_queue_document(found, unread)
    )


def _cohort(session: Session, world: "World", name: str) -> None:
    from kubectl_kueue.engine.inquiries.cohort import inquire_cohort
    from kubectl_kueue.views.explain_queue import cohort_document, cohort_page

    named = {queue.spec.cohort_name for queue in world.cluster_queues.values()} - {""}
    if name not in world.cohorts and name not in named:
        raise _not_found(world, "Cohort", name, {*world.cohorts, *named})
    try:
        found = inquire_cohort(world, name)
    except KeyError:
        raise NotFoundError(
            f'cohort "{name}" hangs in no tree: its parents form a ring, and Kueue admits nothing below it'
        ) from None
    unread = dict(world.missing)
    session.emit(page=lambda: cohort_page(found, unread), document=lambda: cohort_document(found, unread))


def _flavor(session: Session, world: "World", name: str, workload: str | None) -> None:
    from kubectl_kueue.engine.inquiries.flavor import inquire_flavor
    from kubectl_kueue.views.explain_flavor import flavor_document, flavor_page

    if name not in world.resource_flavors:
        raise _not_found(world, "ResourceFlavor", name, world.resource_flavors)
    key = find_workload(world, workload, session.home()) if workload is not None else ""
    world = with_nodes(session, world)
    found = inquire_flavor(world, name, key)
    unread = dict(world.missing)
    session.emit(page=lambda: flavor_page(found, unread), document=lambda: flavor_document(found, unread))


def with_nodes(session: Session, world: "World") -> "World":
    """A live world has its nodes only where a Topology matters."""
    if world.nodes or "Node" in world.missing:
        return world
    import msgspec
    from msgspec.structs import replace

    from kubectl_kueue.model.objects import Node

    try:
        nodes = [msgspec.json.decode(c, type=Node) for c in session.source().list(kind_named("Node"), None)]
    except ApiError as error:
        return replace(world, missing={**world.missing, "Node": why_unread(error)})
    except msgspec.DecodeError:
        return replace(world, missing={**world.missing, "Node": "not what the API promises"})
    return replace(world, nodes={node.metadata.name: node for node in nodes})


def explain_absence(session: Session, world: "World", subject: "Subject", *, exit_code: bool) -> None:
    """A job without a Workload."""
    from kubectl_kueue.cli.joined import management, pod_lines, pods_in_group, recent_events
    from kubectl_kueue.engine.inquiries.absence import why_no_workload
    from kubectl_kueue.model.job_marks import read_marks
    from kubectl_kueue.views.around import Around
    from kubectl_kueue.views.explain_job import absence_document, absence_page

    value = {
        "apiVersion": f"{subject.kind.group}/{subject.kind.versions[0]}".lstrip("/"),
        "kind": subject.kind.kind,
        **subject.values[0],
    }
    job = read_marks(value)
    found = why_no_workload(world, job, management(session), pods_of_group=pods_in_group(session, job))
    notes: list[str] = []
    key = f"{job.namespace}/{job.name}"
    pods = pod_lines(session, subject, notes)
    events = recent_events(session, job.namespace, [(job.kind, key)], notes)
    around = Around(pods=tuple(pods), events=tuple(events), notes=tuple(notes), now=session.source().now)
    if exit_code:
        session.exit_code = NO_WORKLOAD_CODE
    session.emit(page=lambda: absence_page(found, around), document=lambda: absence_document(found, around))


def _not_found(world: "World", kind: str, name: str, there: "Iterable[str]") -> NotFoundError:
    from kubectl_kueue.views.words.outside import unseen_words

    if kind in world.missing:
        unseen = unseen_words(kind, world.missing[kind])
        return NotFoundError(f'{kind.lower()} "{name}" cannot be explained: {unseen}')
    return NotFoundError(f'{kind.lower()} "{name}" not found{near(name, there)}')
