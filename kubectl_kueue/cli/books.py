"""The accounts that `tree` and `top` show, and the queues that their words name."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kubectl_kueue.cli.contents import world_without_workloads
from kubectl_kueue.cli.names import near
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ApiError, NotFoundError

if TYPE_CHECKING:
    from kubectl_kueue.engine.accounts import Books
    from kubectl_kueue.engine.quota import Node

Flavor = Annotated[str, typer.Option("--flavor", metavar="NAME", help="Only quota of this ResourceFlavor.")]
Resource = Annotated[str, typer.Option("--resource", metavar="NAME", help="Only quota of this resource.")]


def read_books(session: Session) -> "Books":
    """The accounts of everything that may be read; without a right to read Workloads, by the status of the
    queues. Raises ApiError if not even LocalQueues may be read."""
    from kubectl_kueue.engine.accounts import Books

    try:
        world = session.world()
    except ApiError as error:
        if error.status != 403:
            raise
        world = world_without_workloads(session)
    return Books(world)


def find_node(books: "Books", kind: str, name: str) -> "Node":
    """The ClusterQueue or Cohort of that name; kind "" is either, a Cohort before a ClusterQueue.

    Raises NotFoundError with names that are spelled like it.
    """
    snapshot = books.snapshot
    known: dict[str, Any] = {}
    if kind in ("", "Cohort"):
        known |= {**snapshot.cyclic_cohorts, **snapshot.cohorts}
    if kind in ("", "ClusterQueue"):
        known = {**snapshot.queues, **known}
    if name in known:
        node: Node = known[name]
        return node
    check_seen(books, (kind,) if kind else ("ClusterQueue", "Cohort"))
    raise NotFoundError(f'{kind or "Cohort or ClusterQueue"} "{name}" not found{near(name, known)}')


def check_seen(books: "Books", kinds: Iterable[str]) -> None:
    """Raise ApiError, status 403, for a kind that may not be read."""
    from kubectl_kueue.views.words.outside import unseen_words

    for kind in kinds:
        if kind in books.world.missing:
            words = unseen_words(kind, books.world.missing[kind])
            raise ApiError(words, status=403, reason="Forbidden")


def check_named(books: "Books", flavor: str, resource: str) -> None:
    """Raise NotFoundError for a flavor or resource that nobody has quota of or uses."""
    frs = {b.fr for node in books.tallies for b in books.balances(node)}
    local = {fr for tally in books.local_tallies.values() for fr in tally.used}
    for what, wanted, known in (
        ("ResourceFlavor", flavor, {fr.flavor for fr in frs | local} | set(books.world.resource_flavors)),
        ("resource", resource, {fr.resource for fr in frs | local}),
    ):
        if wanted and wanted not in known:
            there = f"; there is quota of {', '.join(sorted(known))}" if known else ""
            raise NotFoundError(f'no quota of {what} "{wanted}"{there}')
