"""`convert`: the Workloads that Kueue would make of jobs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ApiError, InputError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.model.world import World

app = new_app()


@command(app)
def convert(
    context: typer.Context,
    jobs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KIND/NAME...]", help="Jobs of the cluster or snapshot."),
    ] = None,
    filename: Annotated[
        list[str] | None,
        typer.Option("--filename", "-f", metavar="FILE|DIR|-", help="Manifests of jobs; can be given again."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Look up priority classes, queues and flavors in the cluster.")
    ] = False,
) -> None:
    """Print the Workloads that Kueue would make of jobs.

    Every kind that Kueue v0.19 queues is known. What its webhooks would change or refuse, and what had to be
    assumed, goes to standard error; the exit code is 1 if anything is refused. With --snapshot or --live
    classes, default queue and flavors are looked up; without either no cluster is asked.

    \b
    Examples:
      kubectl kueue convert -f job.yaml
      kubectl kueue convert -f manifests/ --live -n team-a -o json
      kubectl kueue convert job/train-small -n team-a --snapshot manifests/
    """
    session = session_of(context)
    if not jobs and not filename:
        raise UsageError("pass -f FILE|DIR|- or KIND/NAME")
    session.flags.output = session.flags.output or "yaml"
    session.check_output()
    values = [*_read(session, filename or []), *_fetch(session, jobs or [])]

    from kubectl_kueue.jobs import workloads_of
    from kubectl_kueue.views.convert import conversion_words, convert_document, convert_listing

    world = _world(session, live=live or bool(jobs), needed=bool(filename))
    conversion = workloads_of(values, world, namespace=_home(session, live))
    if conversion.made:
        session.emit(
            page=lambda: convert_listing(conversion.workloads),
            document=lambda: convert_document(conversion.workloads),
        )
    for line in conversion_words(conversion):
        session.warn(line)
    if conversion.refusals:
        session.exit_code = 1


def _read(session: Session, filenames: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of the files. Raises InputError."""
    session.check_files(filenames)
    if not filenames:
        return []
    from kubectl_kueue.cli.manifests import objects_of
    from kubectl_kueue.cluster.files import read_source

    documents = [document for name in filenames for document in read_source(name)]
    found = objects_of(documents, session.flags.namespace)
    if not found:
        raise InputError(f"{documents[0].source}: a whole snapshot is no job; pass it with --snapshot")
    return [each.value for each in found]


def _fetch(session: Session, words: Sequence[str]) -> list[dict[str, Any]]:
    """The named objects; with a pod the others of its group, with what serves its pods. Raises ConfigError,
    ApiError."""
    from kubectl_kueue.jobs.kin import mates_of

    found: list[dict[str, Any]] = []
    source = session.source() if words else None
    for word in words:
        kind_word, slash, name = word.partition("/")
        if source is None or not (slash and name):
            raise UsageError(f'"{word}" is not KIND/NAME')
        kind = source.find_kind(kind_word)
        value = msgspec.json.decode(source.get(kind, source.namespace, name))
        found.append(value)
        if kind.kind in _WITH_PODS:
            home = value["metadata"]["namespace"]
            pods = [msgspec.json.decode(each) for each in source.list(kind_named("Pod"), home)]
            found += mates_of(value, pods)
    return found


_WITH_PODS = ("Pod", "Deployment", "StatefulSet")


def _world(session: Session, *, live: bool, needed: bool) -> "World | None":
    """All that can be looked up; None if nothing shall be, or may be, seen. A snapshot of jobs alone is none
    either, unless it is `needed` besides manifests.
    """
    if not live and session.flags.snapshot is None:
        return None
    try:
        return session.world()
    except (ApiError, InputError) as error:
        if needed if isinstance(error, InputError) else error.status != 403:
            raise
        session.warn(f"Warning: priority classes, queues and flavors are not looked up: {error}")
        return None


def _home(session: Session, live: bool) -> str:
    """The namespace of manifests that name none."""
    if live and session.flags.snapshot is None:
        return session.namespace()
    return session.flags.namespace or "default"
