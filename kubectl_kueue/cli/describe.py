"""`describe`: one page for an object: what it is, how much of it is used, who waits, why, what happened."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kubectl_kueue.cli.flags import command, new_app
from kubectl_kueue.cli.selection import AllNamespaces, Labels
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.targets import (
    Catch,
    Choice,
    ChunkSize,
    Target,
    begin,
    is_table,
    nothing_there,
    read_items,
)
from kubectl_kueue.cluster.kinds import KUEUE, kind_named
from kubectl_kueue.errors import ApiError, KueueError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_kueue.cluster.kinds import Kind
    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.columns.items import Item
    from kubectl_kueue.views.describe.events import Happening
    from kubectl_kueue.views.describe.waiting import Scene
    from kubectl_kueue.views.page import Listing, Page

app = new_app()

MOST_EXPLAINED = 8
"""Workloads of a queue whose first reason the engine looks for."""

MOST_WORKLOADS = 2000
"""Workloads in a tree of cohorts up to which it does so; beyond, Kueue's own words must do."""


@command(app)
def describe(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KIND [NAME...]", help="What to describe: KIND, KIND NAME..., KIND/NAME... or a prefix."
        ),
    ] = None,
    labels: Labels = "",
    all_namespaces: AllNamespaces = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every field, line by line as kubectl describe does.")
    ] = False,
    show_events: Annotated[
        bool, typer.Option("--show-events/--no-events", help="Show the events of the object.")
    ] = True,
    chunk_size: ChunkSize = 500,
) -> None:
    """Show an object in full, with usage, queue, reasons and events.

    ClusterQueues, Cohorts, LocalQueues, Workloads and ResourceFlavors have a page; other kinds, and all with
    --full, are printed field by field, with the bytes of kubectl describe.

    \b
    Examples:
      kubectl kueue describe clusterqueue team-a-cq
      kubectl kueue describe workload train-big -n team-a --full
      kubectl kueue describe lq -n team-a
    """
    session, targets, choice = begin(context, words, labels, all_namespaces=all_namespaces)
    catch = Catch(choice)
    found = [(target.kind, item) for target in targets for item in _items(session, target, choice, catch)]
    if is_table(session):
        _print_pages(session, found, full=full, show_events=show_events)
        if not found and not catch.refusals:
            session.warn(nothing_there(targets, choice))
    elif found:
        _print_documents(session, found, single=sum(len(target.names) for target in targets) == 1)
    catch.report(session)


def _items(session: Session, target: Target, choice: Choice, catch: Catch) -> "list[Item]":
    """Named objects; a name that nobody has may be the beginning of names."""
    source = session.source()
    found: list[Item] = []
    if not target.names:
        return read_items(source, target, choice, catch)
    for name in target.names:
        mine = Catch(choice)
        items = read_items(source, Target(target.kind, [name]), choice, mine)
        if not items and mine.refusals and mine.refusals[-1].status == 404:
            everything = read_items(source, Target(target.kind, []), choice, catch)
            items = [item for item in everything if item.name.startswith(name)]
        if not items:
            catch.refusals.extend(mine.refusals)
        found.extend(items)
    return found


def _print_documents(session: Session, found: "Sequence[tuple[Kind, Item]]", *, single: bool) -> None:
    from kubectl_kueue.views.columns.documents import object_document
    from kubectl_kueue.views.page import Page

    values = [item.value for _, item in found]
    names = [f"{kind.type}/{item.name}" for kind, item in found]
    session.emit(page=lambda: Page([]), document=lambda: object_document(values, names, single=single))


# --- pages --------------------------------------------------------------------------------------


def _print_pages(
    session: Session, found: "Sequence[tuple[Kind, Item]]", *, full: bool, show_events: bool
) -> None:
    """The pages, two empty lines between them as kubectl has it."""
    from kubectl_kueue.views.describe.pages import PAGED
    from kubectl_kueue.views.page import Document

    paged = not full and any(kind.group == KUEUE and kind.kind in PAGED for kind, _ in found)
    first = [(item.namespace, item.name) for kind, item in found if kind.kind == "Workload"]
    alone = first[0] if len(found) == 1 and first else None
    world, notes = _world(session, alone) if paged else (None, [])
    for index, (kind, item) in enumerate(found):
        if index:
            session.write("")
            session.write("")
        page = _page(session, kind, item, world, notes, full=full, show_events=show_events)
        session.emit(page=lambda page=page: page, document=lambda: Document({}))  # type: ignore[misc]


def _page(
    session: Session,
    kind: "Kind",
    item: "Item",
    world: "World | None",
    notes: "Sequence[str]",
    *,
    full: bool,
    show_events: bool,
) -> "Page | Listing":
    from kubectl_kueue.views.describe.pages import description, full_listing
    from kubectl_kueue.views.describe.parts import Subject

    events, more = _events(session, item) if show_events else (None, [])
    subject = Subject(item.value, events, session.source().now, [*notes, *more])
    if full or kind.group != KUEUE:
        return full_listing(subject)
    return description(item, subject, _scene(kind.kind, item, world))


def _world(session: Session, alone: tuple[str, str] | None) -> "tuple[World | None, list[str]]":
    """All that the engine needs, and what of it could not be read; without it a page is shorter."""
    try:
        world = session.world(alone=alone)
    except KueueError as error:
        return None, [f"Not shown: what is available and who waits, for not all could be read ({error})."]
    return world, [f"Not read: {kind} ({why})." for kind, why in sorted(world.missing.items())]


def _events(session: Session, item: "Item") -> "tuple[list[Happening] | None, list[str]]":
    from kubectl_kueue.views.columns.items import Item as Read
    from kubectl_kueue.views.describe.events import happenings

    source = session.source()
    try:
        contents = source.list(
            kind_named("Event"), item.namespace or None, fields=f"involvedObject.name={item.name}"
        )
        events = [Read(content).value for content in contents]
    except ApiError as error:
        return None, [f"Events could not be read: {error}"]
    return happenings(events, item.value, source.now), []


def _scene(kind: str, item: "Item", world: "World | None") -> "Scene":
    """What the engine says, for the kinds whose page shows it."""
    from kubectl_kueue.engine.explanation.queue import held_back, look_at_cluster_queue, look_at_cohort
    from kubectl_kueue.views.describe.waiting import Scene

    if world is None or item.typed is None:
        return Scene(world)
    match kind:
        case "ClusterQueue":
            look = look_at_cluster_queue(world, item.name)
            keys = list(look.pending.get(item.name, ())[:MOST_EXPLAINED]) if look is not None else []
        case "LocalQueue":
            look = look_at_cluster_queue(world, item.typed.spec.cluster_queue)
            waiting = look.pending.get(item.typed.spec.cluster_queue, ()) if look is not None else ()
            keys = [key for key in waiting if _in_queue(world, key, item)]
            held = held_back(world, item.key, keys)
            keys = [*keys[:MOST_EXPLAINED], *held[:MOST_EXPLAINED]]
        case "Cohort":
            look = look_at_cohort(world, item.name)
            heads = [queue[0] for queue in look.pending.values() if queue] if look is not None else []
            keys = heads[:MOST_EXPLAINED]
        case "Workload":
            return Scene(world, None, _verdicts(world, [item.key]))
        case _:
            return Scene(world)
    few = look is None or look.size <= MOST_WORKLOADS
    return Scene(world, look, _verdicts(world, keys) if few else {})


def _in_queue(world: "World", key: str, item: "Item") -> bool:
    return key.partition("/")[0] == item.namespace and world.workloads[key].spec.queue_name == item.name


def _verdicts(world: "World", keys: "Sequence[str]") -> dict[str, Any]:
    from kubectl_kueue.engine.explain import explain

    return {key: explain(world, key) for key in keys if key in world.workloads}
