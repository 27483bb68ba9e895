"""`explain`: why something does not run: a workload, a job, a queue, a cohort, a flavor."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kubectl_kueue.cli.flags import (
    Applied,
    ExitCode,
    Set,
    Trace,
    changed,
    command,
    new_app,
    session_of,
    words_or_help,
)
from kubectl_kueue.cli.session import EXIT_CODES, Session, find_workload, require_queues
from kubectl_kueue.cli.subjects import (
    TEXTS,
    Named,
    by_uid,
    find_job,
    home_and_name,
    named_workload,
    read_subject,
    settled,
    workload_of_job,
)
from kubectl_kueue.errors import ApiError, NotFoundError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.cli.kin import Subject
    from kubectl_kueue.engine.explanation.verdict import Verdict
    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.page import Page

app = new_app()

PATIENCE = 3.5
"""Seconds after which no more changes are tried."""

MOST_TOLD = 12
"""Other Workloads of one job that get a verdict of their own."""


class Wishes(NamedTuple):
    """What the flags ask for. `supposed`: about a cluster that is not as it is read."""

    sets: Sequence[str] | None
    suggest: bool
    trace: bool
    topology: bool
    exit_code: bool
    supposed: bool


@command(app)
def explain(
    context: typer.Context,
    subject: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KIND NAME",
            help="What to explain: KIND NAME or KIND/NAME; a name alone is a workload.",
        ),
    ] = None,
    workload: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="WORKLOAD", help="With resourceflavor: what keeps it from this workload."
        ),
    ] = None,
    filename: Applied = None,
    sets: Set = None,
    no_suggest: Annotated[
        bool,
        typer.Option("--no-suggest", help="Look neither for changes that would help nor for when it starts."),
    ] = False,
    trace: Trace = False,
    topology: Annotated[
        bool, typer.Option("--topology", help="Draw the topology trees that it could use, with usage bars.")
    ] = False,
    exit_code: ExitCode = False,
) -> None:
    """Say why something is pending and what holds it back.

    Takes a workload, a job of any kind, clusterqueue, localqueue, cohort, resourceflavor, and the words
    of its own answers (reason CODE, verdict WORD).

    The verdict comes first (Admit, Preempt, Wait, Never, Blocked, ChecksPending, AdmittedNotRunning,
    NoWorkload), then the numbers behind it, what would help (every line tried in a simulation), then Kueue's
    own words. With --exit-code and several workloads in the files of -f the highest code counts.

    \b
    Examples:
      kubectl kueue explain workload train-big -n team-a
      kubectl kueue explain job/train-big -n team-a
      kubectl kueue explain -f job.yaml -n team-a
      kubectl kueue explain clusterqueue team-a-cq
      kubectl kueue explain resourceflavor a100 --for train-big -n team-a
      kubectl kueue explain workload/train-big -n team-a --snapshot snapshot.json -o json
      kubectl kueue explain workload train-big -n team-a --set clusterqueue/team-a-cq:nominalQuota.cpu.a100+=2
      kubectl kueue explain reason WaitingForQuota
    """
    if not filename and not exit_code:  # a gate whose name is an empty variable must not pass
        subject = words_or_help(context, subject)
    session = session_of(context)
    session.check_output()
    wishes = Wishes(sets, not no_suggest, trace, topology, exit_code, bool(sets or filename))
    if filename:
        _explain_manifests(session, subject or [], filename, wishes)
        return
    named = read_subject(subject or [])
    if named.kind in TEXTS:
        from kubectl_kueue.cli.inquiries import explain_text

        explain_text(session, named)
        return
    world = _world(session, named)
    named = settled(session, named, world)
    if named.queue_kind:
        from kubectl_kueue.cli.inquiries import explain_queue

        explain_queue(session, changed(session, world, sets), named, workload)
        return
    if workload is not None:
        raise UsageError("--for goes with resourceflavor only")
    if named.is_workload:
        key = by_uid(world, named.name) or find_workload(world, named.name, session.home())
        require_queues(world)
        _explain_workload(session, changed(session, world, sets), key, wishes)
    else:
        _explain_job(session, world, named, wishes)


def _world(session: Session, named: Named) -> "World":
    """All that may be read; where no Workloads may be listed, the one that is meant."""
    try:
        return session.world(alone=named_workload(session, named))
    except ApiError as error:
        if error.status != 403 or named.is_workload:
            raise
        if named.queue_kind:
            from kubectl_kueue.cli.contents import world_without_workloads

            return world_without_workloads(session)
        alone = workload_of_job(session, named)
        if alone is None:
            raise
        try:
            return session.world(alone=alone)
        except ApiError:
            raise error from None


def _explain_manifests(session: Session, words: list[str], filenames: list[str], wishes: Wishes) -> None:
    """The verdict on a workload as if the manifests were applied: the named one, else the first of theirs."""
    world = session.world(filenames)
    keys = [find_workload(world, read_subject(words).name, session.home())] if words else list(session.added)
    if not keys:
        raise UsageError("the manifests hold no workload and no job: name the workload to explain")
    require_queues(world)
    world = changed(session, world, wishes.sets)
    _explain_workload(session, world, keys[0], wishes, others=keys[1:], gate=wishes.exit_code)


def _explain_workload(
    session: Session,
    world: "World",
    key: str,
    wishes: Wishes,
    subject: "Subject | None" = None,
    others: Sequence[str] = (),
    *,
    gate: bool = False,
) -> None:
    """The verdict on one workload, and what goes with it; `subject` is the job that was asked for.

    Of the `others` there is a word; with `gate` they count for the exit code.
    """
    from kubectl_kueue.cli.joined import around_workload
    from kubectl_kueue.cluster.clock import deadline
    from kubectl_kueue.engine.counterfactual.suggest import NOTHING_SEARCHED, suggest
    from kubectl_kueue.engine.explain import explain as explain_workload
    from kubectl_kueue.engine.when import estimate
    from kubectl_kueue.views.explain import explain_document, explain_page
    from kubectl_kueue.views.page import Document

    verdict = explain_workload(world, key, topology=wishes.topology)
    search, when = NOTHING_SEARCHED, None
    if wishes.suggest:
        enough = deadline(PATIENCE)
        when = estimate(world, verdict, deadline(PATIENCE / 3))
        search = suggest(world, verdict, enough)
    more = [explain_workload(world, other) for other in (others if gate else others[:MOST_TOLD])]
    told = _told(others, more)
    around = around_workload(session, world, verdict, subject, told, supposed=wishes.supposed)
    if wishes.exit_code:
        counted = [verdict, *more] if gate else [verdict]
        session.exit_code = max(EXIT_CODES[each.state] for each in counted)

    def page() -> "Page":
        found = explain_page(verdict, search, when, trace=wishes.trace, topology=wishes.topology)
        if around.is_empty:
            return found
        from kubectl_kueue.views.explain_job import page_around

        return page_around(found, around)

    def document() -> Document:
        found = explain_document(verdict, search, when)
        if around.is_empty:
            return Document(found)
        from kubectl_kueue.views.explain_job import document_around

        return Document(document_around(found, around))

    session.emit(page=page, document=document)


def _explain_job(session: Session, world: "World", named: Named, wishes: Wishes) -> None:
    """The Workload of a job, the one that waits if it has several; or why it has none."""
    from kubectl_kueue.cli.inquiries import explain_absence
    from kubectl_kueue.cli.joined import namesakes, owned_by, workload_keys

    subject: Subject | None = None
    try:
        subject = find_job(session, named)
        keys = workload_keys(session, world, subject)
    except (ApiError, NotFoundError) as error:
        namespace, name = home_and_name(session, named.name)
        keys = owned_by(world, named.kind, name, namespace)
        if isinstance(error, NotFoundError) and not keys:
            raise NotFoundError(f"{error}{namesakes(world, name, namespace)}") from None
        if (isinstance(error, ApiError) and error.status != 403) or not keys:
            raise
        session.warn(f"Warning: {error}; its Workload is explained")
    if not keys:
        assert subject is not None
        explain_absence(session, world, subject, exit_code=wishes.exit_code)
        return
    require_queues(world)
    _explain_workload(session, changed(session, world, wishes.sets), keys[0], wishes, subject, keys[1:])


def _told(keys: Sequence[str], verdicts: "Sequence[Verdict]") -> list[tuple[str, str, str]]:
    """Verdict word and sentence for more Workloads of the same job; beyond some, for none."""
    if not keys:
        return []
    from kubectl_kueue.views.words.answers import headline

    known = zip(keys, verdicts[:MOST_TOLD], strict=False)
    told = [(key, str(verdict.state), headline(verdict)) for key, verdict in known]
    return [*told, *((key, "-", "") for key in keys[MOST_TOLD:])]
