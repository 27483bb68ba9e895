"""`tree`: cohorts and queues below each other, how full they are, and who borrows from whom."""

from typing import Annotated

import typer

from kubectl_kueue.cli.books import Flavor, Resource, check_named, find_node, read_books
from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.cli.names import name_alone

app = new_app()


@command(app)
def tree(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COHORT|CLUSTERQUEUE]", help="Only this one, with all above and below it; or KIND/NAME."
        ),
    ] = None,
    flavor: Flavor = "",
    resource: Resource = "",
    no_local_queues: Annotated[
        bool, typer.Option("--no-localqueues", help="Leave out the LocalQueues.")
    ] = False,
) -> None:
    """Draw cohorts and queues as a tree, with who borrows from whom.

    Each has a bar for every flavor and resource, says who borrows how much from whom, how many workloads
    wait, and why it is inactive. -n shows the LocalQueues of one namespace; -o dot draws a graph.

    \b
    Examples:
      kubectl kueue tree
      kubectl kueue tree research --resource nvidia.com/gpu
      kubectl kueue tree clusterqueue/team-a-cq --no-localqueues
      kubectl kueue tree -o dot | dot -Tsvg > tree.svg
    """
    session = session_of(context)
    session.check_output("dot")
    kind, name = name_alone(words or (), ("Cohort", "ClusterQueue"))
    books = read_books(session)

    from kubectl_kueue.views.accounts import Filter
    from kubectl_kueue.views.tree import Choice, Tree, tree_document, tree_page

    start = find_node(books, kind, name) if name else None
    check_named(books, flavor, resource)
    choice = Choice(start, Filter(flavor, resource), not no_local_queues, session.flags.namespace)
    drawn = Tree(books, choice)
    session.emit(page=lambda: tree_page(drawn), document=lambda: tree_document(drawn))
