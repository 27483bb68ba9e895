"""`explain`: why a workload is pending."""

from typing import Annotated

import typer

from kubectl_kueue.cli.flags import ExitCode, Set, Trace, changed, command, new_app, session_of
from kubectl_kueue.cli.session import EXIT_CODES, WORKLOAD_WORDS, find_workload, require_queues
from kubectl_kueue.errors import UsageError

app = new_app()

PATIENCE = 3.5
"""Seconds after which no more changes are tried."""


@command(app)
def explain(
    context: typer.Context,
    subject: Annotated[
        list[str] | None,
        typer.Argument(metavar="workload NAME", help="What to explain: workload NAME, or workload/NAME."),
    ] = None,
    sets: Set = None,
    no_suggest: Annotated[
        bool, typer.Option("--no-suggest", help="Do not look for changes that would help.")
    ] = False,
    trace: Trace = False,
    topology: Annotated[
        bool, typer.Option("--topology", help="Draw the topology trees that it could use, with usage bars.")
    ] = False,
    exit_code: ExitCode = False,
) -> None:
    """Say why a workload is pending and what holds it back.

    The verdict comes first (Admit, Preempt, Wait, Never, Blocked, ChecksPending, AdmittedNotRunning), then
    the numbers behind it, what would help (every line tried in a simulation), then Kueue's own words.

    \b
    Examples:
      kubectl kueue explain workload job-train-5f3a1 -n team-a
      kubectl kueue explain workload/job-train-5f3a1 --snapshot snapshot.json -o json
      kubectl kueue explain workload train -n team-a --set clusterqueue/a:nominalQuota.cpu.a100+=2
    """
    session = session_of(context)
    session.check_output()
    name = _workload_name(subject or [])
    world = session.world()
    key = find_workload(world, name, session.home())
    require_queues(world)
    world = changed(session, world, sets)

    from kubectl_kueue.cluster.clock import deadline
    from kubectl_kueue.engine.counterfactual.suggest import NOTHING_SEARCHED, suggest
    from kubectl_kueue.engine.explain import explain as explain_workload
    from kubectl_kueue.views.explain import explain_document, explain_page
    from kubectl_kueue.views.page import Document

    verdict = explain_workload(world, key, topology=topology)
    search = NOTHING_SEARCHED if no_suggest else suggest(world, verdict, deadline(PATIENCE))
    if exit_code:
        session.exit_code = EXIT_CODES[verdict.state]
    session.emit(
        page=lambda: explain_page(verdict, search, trace=trace, topology=topology),
        document=lambda: Document(explain_document(verdict, search)),
    )


def _workload_name(subject: list[str]) -> str:
    match subject:
        case [word] if word not in WORKLOAD_WORDS:
            return word
        case [kind, name] if kind in WORKLOAD_WORDS:
            return name
        case [] | [_]:
            raise UsageError("the name of the workload is missing")
        case [kind, _]:
            raise UsageError(f'cannot explain a "{kind}"; known is: workload')
        case _:
            raise UsageError(f"one workload at a time, but got {len(subject)} words: {' '.join(subject)}")
