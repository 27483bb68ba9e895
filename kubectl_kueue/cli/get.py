"""`get`: objects in kubectl's columns, and behind them what Kueue knows about them."""

from typing import TYPE_CHECKING, Annotated

import typer

from kubectl_kueue.cli.flags import command, new_app
from kubectl_kueue.cli.selection import AllNamespaces, Fields, Labels
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.targets import (
    SERVER_TABLE,
    Catch,
    Choice,
    ChunkSize,
    Target,
    begin,
    is_table,
    nothing_there,
    read_items,
)
from kubectl_kueue.cluster.kinds import KUEUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kubectl_kueue.views.columns.items import Item
    from kubectl_kueue.views.columns.table import Extras, ServerTable
    from kubectl_kueue.views.page import Document, Listing

app = new_app()


@command(app)
def get(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KIND [NAME...]", help="What to show: KIND, KIND NAME..., KIND,KIND or KIND/NAME..."
        ),
    ] = None,
    labels: Labels = "",
    fields: Fields = "",
    all_namespaces: AllNamespaces = False,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Go on and show every change.")] = False,
    watch_only: Annotated[bool, typer.Option("--watch-only", help="Show changes only.")] = False,
    sort_by: Annotated[
        str, typer.Option("--sort-by", metavar="JSONPATH", help="Put them in the order of this field.")
    ] = "",
    show_labels: Annotated[bool, typer.Option("--show-labels", help="Show labels in a last column.")] = False,
    label_columns: Annotated[
        list[str] | None,
        typer.Option("--label-columns", "-L", metavar="LABEL", help="Show this label as a column."),
    ] = None,
    show_kind: Annotated[bool, typer.Option("--show-kind", help="Put the kind before each name.")] = False,
    no_headers: Annotated[bool, typer.Option("--no-headers", help="Leave out the names of columns.")] = False,
    ignore_not_found: Annotated[
        bool, typer.Option("--ignore-not-found", help="What is not there is no failure.")
    ] = False,
    chunk_size: ChunkSize = 500,
) -> None:
    """Show objects in kubectl's columns, and behind them what Kueue knows.

    Takes every kind of the cluster. kubectl's columns come first and in its order. USED is the scarcest
    resource of a queue; -o wide shows usage against quota for every flavor and resource.

    \b
    Examples:
      kubectl kueue get clusterqueues -o wide
      kubectl kueue get workloads -A --sort-by .spec.priority
      kubectl kueue get cq,rf
      kubectl kueue get workload/train-big -n team-a -o yaml
    """
    session, targets, choice = begin(
        context, words, labels, fields, all_namespaces=all_namespaces, missing=not ignore_not_found
    )

    from kubectl_kueue.views.columns.table import Extras

    extras = Extras(
        labels=show_labels,
        label_columns=[key for text in label_columns or () for key in text.split(",")],
        wide=session.flags.output == "wide",
        headers=not no_headers,
    )
    errand = Errand(session, targets, choice, sort_by, extras, show_kind or len(targets) > 1)
    if watch or watch_only:
        from kubectl_kueue.cli.watching import follow

        follow(session, targets, choice, errand.extras(targets[0]), changes_only=watch_only)
    elif is_table(session):
        errand.print_tables()
    else:
        errand.print_documents()


class Errand:
    """One `get`: what is asked for, and in which order and with which columns it is shown."""

    def __init__(
        self,
        session: Session,
        targets: "Sequence[Target]",
        choice: Choice,
        sort_by: str,
        extras: "Extras",
        with_kind: bool,
    ) -> None:
        self._session = session
        self._targets = targets
        self._choice = choice
        self._sort_by = sort_by
        self._extras = extras
        self._with_kind = with_kind
        self._catch = Catch(choice)

    def print_tables(self) -> None:
        """A table for each kind, an empty line between two."""
        printed = 0
        for target in self._targets:
            listing = self._listing(target)
            if listing.rows:
                if printed and self._extras.headers:
                    self._session.write("")
                self._session.emit(page=_always(listing), document=_no_document)
                printed += 1
        if not printed and not self._catch.refusals and self._choice.missing:
            self._session.warn(nothing_there(self._targets, self._choice))
        self._catch.report(self._session)

    def print_documents(self) -> None:
        """One object if one is named, else a List of them all."""
        from kubectl_kueue.views.columns.documents import object_document

        found = [(target.kind, item) for target in self._targets for item in self._items(target)]
        names = [f"{kind.type}/{item.name}" for kind, item in found]
        single = sum(len(target.names) for target in self._targets) == 1
        if found or not single:
            values = [item.value for _, item in found]
            self._session.emit(
                page=_no_page,
                document=lambda: object_document(values, names, single=single),
                no_headers=not self._extras.headers,
            )
        self._catch.report(self._session)

    def extras(self, target: Target) -> "Extras":
        """What flags add to the table of one kind."""
        return self._extras._replace(
            namespaces=target.kind.namespaced and self._choice.namespace is None and not target.names,
            prefix=f"{target.kind.type}/" if self._with_kind else "",
        )

    def _listing(self, target: Target) -> "Listing":
        from kubectl_kueue.cli.surroundings import surroundings
        from kubectl_kueue.views.columns.table import object_table, server_listing

        table = self._server_table(target)
        if table is not None:
            if self._sort_by:
                table.sort([(item.namespace, item.name) for item in self._items(target, Catch(self._choice))])
            return server_listing(table, self.extras(target))
        items = self._items(target)
        around = surroundings(self._session, target.kind, items, self._choice.namespace)
        return object_table(target.kind.group, target.kind.kind, items, around, self.extras(target))

    def _server_table(self, target: Target) -> "ServerTable | None":
        """The table that a server makes of a kind that is not Kueue's; None if there is none."""
        from kubectl_kueue.views.columns.table import read_server_table

        if self._session.flags.snapshot is not None or target.kind.group == KUEUE:
            return None
        server, kind, choice = self._session.server(), target.kind, self._choice
        home = choice.namespace if kind.namespaced else None
        if not target.names:
            return read_server_table(
                server.list(kind, home, labels=choice.labels, fields=choice.fields, accept=SERVER_TABLE)
            )
        return read_server_table(
            page
            for name in target.names
            for page in self._catch.one(lambda name=name: server.get(kind, home, name, accept=SERVER_TABLE))  # type: ignore[misc]
        )

    def _items(self, target: Target, catch: Catch | None = None) -> "list[Item]":
        items = read_items(self._session.source(), target, self._choice, catch or self._catch)
        if not self._sort_by:
            return items
        from kubectl_kueue.cli.sorting import in_order

        return in_order(items, self._sort_by)


def _always(listing: "Listing") -> "Callable[[], Listing]":
    return lambda: listing


def _no_document() -> "Document":
    raise AssertionError("a table was asked for")


def _no_page() -> "Listing":
    raise AssertionError("a document was asked for")
