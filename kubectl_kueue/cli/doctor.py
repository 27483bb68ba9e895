"""`doctor`: is Kueue well, and does what it is told make sense?"""

from typing import Annotated

import typer

from kubectl_kueue.cli.flags import command, new_app, session_of

app = new_app()

FAILED, DOUBTFUL = 2, 1


@command(app)
def doctor(
    context: typer.Context,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="GROUP|CHECK,…", help="Make these checks only; can be given again."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if there are warnings.")] = False,
    checks: Annotated[bool, typer.Option("--checks", help="List the checks and make none.")] = False,
) -> None:
    """Check the installation, the configuration and the queues of Kueue.

    Every check says ok, warning, error or skipped (and why), and what to do next. Only GETs are sent. A
    snapshot or manifests do as well, for all that they can tell.

    Exit codes: 2 if there are errors, 1 with --strict if there are warnings, else 0; 1 as well if it could
    not be run.

    \b
    Examples:
      kubectl kueue doctor
      kubectl kueue doctor --select installation,capacity/quotas --strict
      kubectl kueue doctor --snapshot snapshot.json -o json
    """
    from kubectl_kueue.doctor.examine import examine, selected, worst
    from kubectl_kueue.doctor.finding import Status
    from kubectl_kueue.views.doctor import checks_document, checks_page, doctor_document, doctor_page

    session = session_of(context)
    session.check_output()
    chosen = selected(select or [])
    if checks:
        session.emit(page=lambda: checks_page(chosen), document=lambda: checks_document(chosen))
        return

    from kubectl_kueue.cli.evidence import gather

    evidence = gather(session)
    findings = examine(evidence, chosen)
    match worst(findings):
        case Status.ERROR:
            session.exit_code = FAILED
        case Status.WARNING if strict:
            session.exit_code = DOUBTFUL
    session.emit(
        page=lambda: doctor_page(findings, evidence), document=lambda: doctor_document(findings, evidence)
    )
