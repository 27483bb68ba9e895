"""The accounts that `tree` and `top` show, and the queues that their words name."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kubectl_kueue.cli.contents import QUOTAS, read_kinds
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ApiError, ConfigError, NotFoundError

if TYPE_CHECKING:
    from kubectl_kueue.engine.accounts import Books
    from kubectl_kueue.engine.quota import Node
    from kubectl_kueue.model.world import World

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


def world_without_workloads(session: Session) -> "World":
    """What quotas are made of, for who may not read Workloads. Raises ApiError for LocalQueues."""
    from kubectl_kueue.cluster.files import RawDocument
    from kubectl_kueue.model.decode import decode_live

    missing = {"Workload": "forbidden"}
    found = read_kinds(session, QUOTAS, missing, needed=("LocalQueue",))
    documents = [RawDocument("the cluster's objects", 1, 0, content) for content in found]
    return decode_live(documents, now=session.source().now, missing=missing)


def find_node(books: "Books", kind: str, name: str) -> "Node":
    """The ClusterQueue or Cohort of that name; kind "" is either, a Cohort before a ClusterQueue.

    Raises NotFoundError with names that are spelled like it.
    """
    from difflib import get_close_matches

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
    near = get_close_matches(name, known)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise NotFoundError(f'{kind or "Cohort or ClusterQueue"} "{name}" not found{hint}')


def check_seen(books: "Books", kinds: Iterable[str]) -> None:
    """Raise ApiError, status 403, for a kind that may not be read."""
    for kind in kinds:
        if kind in books.world.missing:
            why = books.world.missing[kind]
            raise ApiError(f"{kind}s are not visible to you ({why})", status=403, reason="Forbidden")


def split_words(words: Sequence[str]) -> list[str]:
    """KIND/NAME as two words, everything else as it stands."""
    found: list[str] = []
    for word in words:
        kind, slash, name = word.partition("/")
        found.extend((kind, name) if slash and kind and name else (word,))
    return found


def kind_of_word(word: str, kinds: Iterable[str]) -> str | None:
    """The kind ("ClusterQueue") that a word names, if it is one of these."""
    from kubectl_kueue.cluster.kinds import KUEUE, known_kind

    kind = known_kind(word)
    return kind.kind if kind is not None and kind.group == KUEUE and kind.kind in kinds else None


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


def one_name(words: Sequence[str], kinds: Sequence[str]) -> tuple[str, str]:
    """Kind ("" if not said) and name of [KIND] NAME. Raises ConfigError."""
    match split_words(words):
        case []:
            return "", ""
        case [name]:
            return "", name
        case [word, name] if kind := kind_of_word(word, kinds):
            return kind, name
        case [word, _]:
            raise ConfigError(f'"{word}" is none of: {", ".join(kind.lower() for kind in kinds)}')
    raise ConfigError(f"one name at a time, but got {len(words)} words: {' '.join(words)}")
