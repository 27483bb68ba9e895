"""`pending`: who waits, in the order of the queue, and for what."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kubectl_kueue.cli.again import Interval, again, check_watch, read_interval
from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.cli.names import inside, kind_and_name, near
from kubectl_kueue.cli.selection import AllNamespaces, Labels
from kubectl_kueue.cli.session import Session, require_queues
from kubectl_kueue.errors import ConfigError, NotFoundError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.engine.pending import Survey
    from kubectl_kueue.engine.when import Bound
    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.pending import Pending

app = new_app()

PATIENCE = 1.5
"""Seconds after which the cluster is not run ahead any further for estimates."""

FEW = 500
"""Rows for which estimates are made."""

MOST_EXPLAINED = 10
"""Workloads of which the run tells no reason and that are looked at alone."""

KINDS = ("ClusterQueue", "LocalQueue", "Cohort")
GROUPINGS = ("reason", "flavor", "queue", "shape")


class Subject(NamedTuple):
    """Whose workloads are meant: those of a queue or cohort (empty `name`: of all of the kind), or of a
    namespace (None: all)."""

    kind: str = ""
    name: str = ""
    namespace: str | None = None


@command(app)
def pending(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[clusterqueue|localqueue|cohort [NAME]]",
            help="Only what waits there; or KIND/NAME. Without it: what waits in the namespace.",
        ),
    ] = None,
    cluster_queue: Annotated[
        str,
        typer.Option("--clusterqueue", "-c", metavar="NAME", help="Only what waits in this ClusterQueue."),
    ] = "",
    local_queue: Annotated[
        str, typer.Option("--localqueue", "-q", metavar="NAME", help="Only what waits in this LocalQueue.")
    ] = "",
    cohort: Annotated[
        str, typer.Option("--cohort", metavar="NAME", help="Only what waits in or below this cohort.")
    ] = "",
    all_namespaces: AllNamespaces = False,
    labels: Labels = "",
    group_by: Annotated[
        str, typer.Option("--group-by", metavar="WORD", help="Count by reason, flavor, queue or shape.")
    ] = "",
    never: Annotated[bool, typer.Option("--never", help="Only those that can never run.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Look again and again, and print what has changed.")
    ] = False,
    interval: Interval = "5s",
) -> None:
    """List what waits, in the order of the queue, and for what.

    The places are those of Kueue's visibility API where it may be read, else computed; the last lines say
    which. What is in no queue (open admission checks, deactivated, gated, without a queue) is listed below.

    \b
    Examples:
      kubectl kueue pending
      kubectl kueue pending clusterqueue team-a-cq
      kubectl kueue pending -A --group-by reason
      kubectl kueue pending -A --never
    """
    session = session_of(context)
    session.check_output()
    if group_by and group_by not in GROUPINGS:
        raise ConfigError(f'--group-by: "{group_by}" is not one of {", ".join(GROUPINGS)}')
    subject = _subject(session, words or (), cluster_queue, local_queue, cohort, everywhere=all_namespaces)
    seconds = read_interval(interval)

    def look() -> "Pending":
        return _look(session, subject, labels, never=never)

    def show(found: "Pending") -> None:
        _emit(session, found, group_by)

    if watch:
        check_watch(session)
        again(session, look, show, seconds, _fingerprint)
    else:
        show(look())


# --- what is asked for --------------------------------------------------------------------------


def _subject(
    session: Session,
    words: Sequence[str],
    cluster_queue: str,
    local_queue: str,
    cohort: str,
    *,
    everywhere: bool,
) -> Subject:
    named = list(zip(KINDS, (cluster_queue, local_queue, cohort), strict=True))
    given = [Subject(kind, name) for kind, name in named if name]
    if words:
        given.append(Subject(*kind_and_name(words, KINDS)))
    if len(given) > 1:
        raise UsageError("one queue or cohort at a time")
    namespace = None if everywhere else session.flags.namespace
    if not given or given[0].kind == "LocalQueue":
        namespace = None if everywhere else session.home()
    return (given[0] if given else Subject())._replace(namespace=namespace)


def _queues(world: "World", subject: Subject) -> frozenset[str] | None:
    """The ClusterQueues that the subject leads to; None if it does not narrow them down. Raises
    NotFoundError for a name that is not there."""
    if not subject.name:
        return None
    match subject.kind:
        case "ClusterQueue":
            if "ClusterQueue" not in world.missing:
                _require(subject, world.cluster_queues)
            return frozenset({subject.name})
        case "LocalQueue":
            named = {
                key: queue.spec.cluster_queue
                for key, queue in world.local_queues.items()
                if key.partition("/")[2] == subject.name
                and subject.namespace in (None, key.partition("/")[0])
            }
            if not named and "LocalQueue" not in world.missing:
                _require(subject, [key.partition("/")[2] for key in world.local_queues])
                raise NotFoundError(f'localqueue "{subject.name}" not found{inside(subject.namespace)}')
            return frozenset(named.values())
    return _below(world, subject)


def _below(world: "World", subject: Subject) -> frozenset[str]:
    """The ClusterQueues in or below a cohort."""
    from kubectl_kueue.model.trees import with_all_below

    parents = {name: each.spec.parent_name for name, each in world.cohorts.items()}
    used = {queue.spec.cohort_name for queue in world.cluster_queues.values()} - {""}
    _require(subject, {*parents, *parents.values(), *used} - {""})
    below = with_all_below(subject.name, parents)
    return frozenset(n for n, q in world.cluster_queues.items() if q.spec.cohort_name in below)


def _require(subject: Subject, names: "Sequence[str] | set[str] | Mapping[str, object]") -> None:
    if subject.name not in names:
        raise NotFoundError(f'{subject.kind.lower()} "{subject.name}" not found{near(subject.name, names)}')


# --- looking ------------------------------------------------------------------------------------


def _look(session: Session, subject: Subject, labels: str, *, never: bool) -> "Pending":
    """Everything that is shown, of one moment."""
    from kubectl_kueue.engine.pending import explained, survey
    from kubectl_kueue.views.pending import Pending

    world = session.world()
    require_queues(world)
    queues = _queues(world, subject)
    found = survey(world, _filter(world, subject, queues, labels), queues)
    found = _told(session, found)
    if not found.cut_short:
        found = explained(world, found, MOST_EXPLAINED)
    shown = Pending(
        found,
        _where(subject),
        found.queues.get(subject.name) if subject.kind == "ClusterQueue" else None,
        never=never,
        by_turn=subject.kind == "Cohort",
    )
    ended, after = _holder(world, subject, shown)
    return shown._replace(ended=ended, after=after, bounds=_bounds(world, shown))


def _filter(
    world: "World", subject: Subject, queues: frozenset[str] | None, labels: str
) -> Callable[[str, str, str], bool]:
    from kubectl_kueue.model.selectors import match_labels

    matches = match_labels(labels) if labels else None

    def wanted(key: str, local_queue: str, cluster_queue: str) -> bool:
        if queues is not None and cluster_queue not in queues:
            return False
        if subject.kind == "LocalQueue" and subject.name not in ("", local_queue.partition("/")[2]):
            return False
        if subject.namespace is not None and key.partition("/")[0] != subject.namespace:
            return False
        return matches is None or matches(world.workloads[key].metadata.labels)

    return wanted


def _told(session: Session, found: "Survey") -> "Survey":
    """The survey with the places of the visibility API; those of a file are computed already."""
    if session.flags.snapshot is not None or found.hidden:
        return found
    from kubectl_kueue.engine.pending import with_places

    asked: dict[str, set[str]] = {}
    for waiter in found.waiters.values():
        if waiter.place is not None:
            asked.setdefault(waiter.cluster_queue, set()).add(waiter.local_queue)
    told = session.source().positions({name: sorted(keys) for name, keys in sorted(asked.items())})
    return with_places(found, {key: (p.in_local_queue, p.in_cluster_queue) for key, p in told.items()})


def _where(subject: Subject) -> str:
    if subject.name:
        return f"in {subject.kind} {subject.name}"
    return f"in namespace {subject.namespace}" if subject.namespace is not None else ""


def _holder(world: "World", subject: Subject, shown: "Pending") -> tuple[str, Mapping[str, bool]]:
    """If a single workload holds all that a ClusterQueue lacks: its name, and who starts when it ends."""
    if subject.kind != "ClusterQueue" or not subject.name or shown.found.hidden:
        return "", {}
    from kubectl_kueue.engine.pending import after_end, sole_blocker

    ended = sole_blocker(shown.found.waiters.values())
    return ended, (after_end(world, subject.name, ended) if ended else None) or {}


def _bounds(world: "World", shown: "Pending") -> "Mapping[str, tuple[Bound, ...]]":
    """Estimates of those that wait for quota, where there are few enough and there is a ground."""
    from kubectl_kueue.cluster.clock import deadline
    from kubectl_kueue.engine.pending import tree_of
    from kubectl_kueue.engine.when import forecast

    rows = [w for w in shown.rows() if w.blockers]
    if shown.found.hidden or not rows or len(rows) > FEW:
        return {}
    return forecast(tree_of(world, rows), [w.key for w in rows], deadline(PATIENCE)).bounds


# --- showing ------------------------------------------------------------------------------------


def _emit(session: Session, shown: "Pending", group_by: str) -> None:
    from kubectl_kueue.views.pending import groups_page, pending_page
    from kubectl_kueue.views.pending_document import groups_document, pending_document

    if not group_by:
        session.emit(page=lambda: pending_page(shown), document=lambda: pending_document(shown))
        return
    from kubectl_kueue.engine.pending_groups import grouped

    groups = grouped(shown.rows(), group_by)
    session.emit(
        page=lambda: groups_page(shown, groups, group_by),
        document=lambda: groups_document(shown, groups, group_by),
    )


def _fingerprint(shown: "Pending") -> object:
    """What makes two looks the same, whatever the time."""
    from kubectl_kueue.views.words.pending import why_words

    return [(w.key, w.place, w.word, w.code, why_words(w, 0)) for w in shown.rows()]
