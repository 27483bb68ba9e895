"""`top`: how much is used, borrowed, lent and asked for, as a table that can follow the cluster."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kubectl_kueue.cli.again import Interval, again, check_watch, read_interval
from kubectl_kueue.cli.books import (
    Flavor,
    Resource,
    check_named,
    find_node,
    read_books,
)
from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.cli.names import inside, kind_and_name
from kubectl_kueue.cli.selection import AllNamespaces, ClusterQueueName
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from kubectl_kueue.engine.accounts import Books
    from kubectl_kueue.engine.snapshot import QueueNode
    from kubectl_kueue.engine.workload import WorkloadInfo
    from kubectl_kueue.views.accounts import Filter
    from kubectl_kueue.views.page import Document, Page
    from kubectl_kueue.views.top import Sheet

app = new_app()

KINDS = ("ClusterQueue", "Cohort", "LocalQueue", "Workload", "ResourceFlavor")


class Wish(NamedTuple):
    """What is to be shown. `namespace` None: of all namespaces."""

    kind: str
    name: str
    flavor: str
    resource: str
    cluster_queue: str
    namespace: str | None
    borrowers: bool
    sort: str


@command(app)
def top(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KIND] [NAME]",
            help="clusterqueue (if nothing is said), cohort, localqueue, workload or resourceflavor; or "
            "KIND/NAME.",
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            "--sort", metavar="COLUMN", help="By a column, the largest first, or by a resource (gpu)."
        ),
    ] = "",
    borrowers: Annotated[
        bool, typer.Option("--borrowers", help="Show who borrows how much from whom.")
    ] = False,
    cluster_queue: ClusterQueueName = None,
    flavor: Flavor = "",
    resource: Resource = "",
    all_namespaces: AllNamespaces = False,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Go on, and renew the table.")] = False,
    interval: Interval = "2s",
) -> None:
    """Show what is used, borrowed, lent, free and asked for; --watch follows it.

    Of a quota, OWN is what its owner uses, LENT what borrowers use, FREE what nobody uses; BORROWED comes
    from others. PENDING ASKS is what pending workloads ask for, and how many they are. SHARE is the
    weighted share under fair sharing. On a terminal --watch fills the screen until Ctrl-C.

    \b
    Examples:
      kubectl kueue top
      kubectl kueue top cohort research --watch
      kubectl kueue top workload --clusterqueue team-b-cq --sort gpu
      kubectl kueue top --borrowers -o wide
    """
    session = session_of(context)
    session.check_output()
    kind, name = kind_and_name(words or (), KINDS)
    kind = kind or "ClusterQueue"
    if borrowers and kind not in ("ClusterQueue", "Cohort"):
        raise ConfigError("--borrowers is about ClusterQueues and cohorts")
    seconds = read_interval(interval)
    if watch:
        _prepare_watch(session)
    namespace = _namespace(session, all_namespaces, by_queue=kind == "Workload" and bool(cluster_queue))
    wish = Wish(kind, name, flavor, resource, cluster_queue or "", namespace, borrowers, sort)

    def make() -> "tuple[Page, Document]":
        """Page and document of this moment; nothing in them holds on to what was read."""
        from kubectl_kueue.views.top import top_document, top_page

        books = read_books(session)
        sheet = _sheet(books, wish)
        return top_page(books, sheet), top_document(books, sheet)

    if watch:
        _follow(session, make, seconds, " ".join(filter(None, ("kubectl kueue top", kind.lower(), name))))
    else:
        _emit(session, *make())


def _namespace(session: Session, all_namespaces: bool, *, by_queue: bool) -> str | None:
    """A ClusterQueue that is asked for has workloads of any namespace."""
    if all_namespaces or (by_queue and not session.flags.namespace):
        return None
    return session.source().namespace


# --- what is shown ------------------------------------------------------------------------------


def _sheet(books: "Books", wish: Wish) -> "Sheet":
    from kubectl_kueue.views.top import in_order, is_sortable

    check_named(books, wish.flavor, wish.resource)
    sheet = _rows(books, wish)
    if not is_sortable(sheet, wish.sort):
        names = ", ".join(column.name.lower() for column in sheet.columns)
        raise ConfigError(f'--sort: "{wish.sort}" is neither a resource nor one of the columns: {names}')
    return in_order(sheet, wish.sort)


def _rows(books: "Books", wish: Wish) -> "Sheet":
    from kubectl_kueue.views.accounts import Filter
    from kubectl_kueue.views.top_queues import flavor_sheet, queue_sheet

    wanted = Filter(wish.flavor, wish.resource)
    if wish.kind == "Workload":
        return _workloads(books, wish, wanted)
    if wish.kind == "LocalQueue" or "ClusterQueue" in books.world.missing:
        return _local_queues(books, wish, wanted)
    if wish.kind == "ResourceFlavor":
        check_named(books, wish.name, "")
        return flavor_sheet(books, Filter(wish.name or wish.flavor, wish.resource))
    if wish.borrowers:
        return _borrowers(books, wish, wanted)
    if wish.kind == "Cohort":
        if wish.name:
            return queue_sheet(books, books.walk(find_node(books, "Cohort", wish.name)), wanted, is_tree=True)
        roots = [node for node in books.roots() if not node.is_cluster_queue]
        nodes = [found for root in roots for found in books.walk(root)]
        return queue_sheet(books, nodes, wanted, is_tree=True)
    name = wish.name or wish.cluster_queue
    queues = [find_node(books, "ClusterQueue", name)] if name else _by_name(books)
    return queue_sheet(books, [(0, node) for node in queues], wanted)


def _by_name(books: "Books") -> "list[QueueNode]":
    return [node for _, node in sorted(books.snapshot.queues.items())]


def _borrowers(books: "Books", wish: Wish, wanted: "Filter") -> "Sheet":
    from kubectl_kueue.views.accounts import loans_between
    from kubectl_kueue.views.top_queues import loan_sheet

    if not wish.name:
        return loan_sheet(loans_between(books, wanted))
    inside = {node for _, node in books.walk(find_node(books, wish.kind, wish.name))}
    return loan_sheet(loans_between(books, wanted, inside.__contains__))


def _local_queues(books: "Books", wish: Wish, wanted: "Filter") -> "Sheet":
    """LocalQueues; also where something else was asked for that the user may not see."""
    from kubectl_kueue.views.top_queues import HIDDEN, local_queue_sheet

    name = wish.name if wish.kind == "LocalQueue" else ""
    target = wish.cluster_queue or (wish.name if wish.kind == "ClusterQueue" else "")
    keys = [
        key
        for key, queue in sorted(books.world.local_queues.items())
        if wish.namespace in (None, key.partition("/")[0])
        and name in ("", key.partition("/")[2])
        and target in ("", queue.spec.cluster_queue)
    ]
    if name and not keys:
        raise NotFoundError(f'LocalQueue "{name}" not found{inside(wish.namespace)}')
    sheet = local_queue_sheet(books, keys, wanted)
    return sheet if wish.kind == "LocalQueue" else sheet._replace(note=HIDDEN)


def _workloads(books: "Books", wish: Wish, wanted: "Filter") -> "Sheet":
    from kubectl_kueue.views.top_workloads import workload_sheet

    def keep(info: "WorkloadInfo") -> bool:
        return (
            wish.namespace in (None, info.namespace)
            and wish.cluster_queue in ("", info.cluster_queue)
            and wish.name in ("", info.name)
        )

    if wish.cluster_queue and "ClusterQueue" not in books.world.missing:
        find_node(books, "ClusterQueue", wish.cluster_queue)
    if wish.name and not any(_is_called(key, wish) for key in books.world.workloads):
        raise NotFoundError(f'Workload "{wish.name}" not found{inside(wish.namespace)}')
    return workload_sheet(books, keep, wanted)


def _is_called(key: str, wish: Wish) -> bool:
    namespace, _, name = key.partition("/")
    return name == wish.name and wish.namespace in (None, namespace)


# --- again and again ----------------------------------------------------------------------------


def _prepare_watch(session: Session) -> None:
    """Raise ConfigError for --snapshot; on a screen that is filled nothing else is written."""
    from kubectl_kueue.output.live import has_screen

    check_watch(session)
    is_table = session.flags.output in (None, "", "table", "wide")
    session.full_screen = is_table and has_screen(sys.stdout)


def _follow(
    session: Session, make: "Callable[[], tuple[Page, Document]]", interval: float, title: str
) -> None:
    """Show the answer of every moment, for ever. Raises KueueError if there is not even a first one."""
    if not session.full_screen:
        again(session, make, lambda answer: _emit(session, *answer), interval)
        return
    from kubectl_kueue.output.live import fill_screen

    def page() -> "Page":
        session.forget()
        return make()[0]

    fill_screen(page, title, sys.stdout, interval, wide=session.flags.output == "wide")


def _emit(session: Session, page: "Page", document: "Document") -> None:
    session.emit(page=lambda: page, document=lambda: document)
