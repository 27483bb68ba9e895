"""`delete KIND NAME...`: workloads with the jobs that own them, as kueuectl; other kinds as kubectl."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from kubectl_kueue.cli.flags import new_app, words_or_help
from kubectl_kueue.cli.names import nothing_found
from kubectl_kueue.cli.switches import switching_command
from kubectl_kueue.cli.writing import (
    KUEUE_KINDS,
    All,
    AllNamespaces,
    Choice,
    DryRun,
    Selector,
    Strategy,
    Target,
    Timeout,
    Yes,
    ask,
    confirm_many,
    each,
    find_targets,
    gone,
    is_lost,
    object_of,
    read_strategy,
    read_timeout,
    read_words,
    wait_for,
)
from kubectl_kueue.errors import ApiError, ConfigError, KueueError
from kubectl_kueue.views.results import (
    ALL_JOBS,
    CANCELED,
    PROCEED,
    deleted_line,
    owners_lines,
    refusal,
    result_line,
)

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session
    from kubectl_kueue.cluster.server import Server

app = new_app()


@switching_command(app)
def delete(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="KIND NAME...", help="A kind of Kueue, and which.")
    ] = None,
    dry_run: DryRun = "none",
    yes: Yes = False,
    wait: Annotated[
        bool | None,
        typer.Option(
            "--wait/--no-wait",
            help="Return when the objects are gone. Done without asking for all kinds but workloads.",
            show_default=False,
        ),
    ] = None,
    timeout: Timeout = None,
    cascade: Annotated[
        str,
        typer.Option(
            "--cascade",
            metavar="background|orphan|foreground",
            help="What becomes of what belongs to the objects, such as the pods of a job.",
        ),
    ] = "background",
    ignore_not_found: Annotated[
        bool, typer.Option("--ignore-not-found", help="What is not there is no failure.")
    ] = False,
    selector: Selector = None,
    all: All = False,
    all_namespaces: AllNamespaces = False,
) -> None:
    """Delete objects of Kueue.

    A workload goes with the jobs that own it: they are deleted, with their pods, and the workload follows
    them; this is asked for first, unless there is -y.

    \b
    Examples:
      kubectl kueue delete workload train-huge -n team-a
      kubectl kueue delete localqueue gpu -n team-b --dry-run=server
      kubectl kueue delete clusterqueue team-b-cq
    """
    session: Session = context.obj
    words = words_or_help(context, words)
    kind, names = read_words(words, KUEUE_KINDS, context)
    choice = Choice(kind, names, selector, all, all_namespaces)
    if kind.kind != "Workload":
        session.kubectl_errors = True
        if not names and not choice.by_list:
            raise ConfigError("resource(s) were provided, but no name was specified")
    choice.check()
    if session.flags.output not in (None, "name"):
        raise ConfigError(f"unexpected -o output mode: {session.flags.output}. We only support '-o name'")
    limit = read_timeout(timeout)
    how = How(read_strategy(dry_run), yes, ignore_not_found, _propagation(cascade))
    strategy = how.strategy
    if kind.kind == "Workload":
        deleted = _delete_workloads(session, choice, how)
    else:
        deleted = _delete_objects(session, choice, how)
    wait = kind.kind != "Workload" if wait is None else wait
    if wait and strategy == "none":
        _wait(session, deleted, limit)


def _wait(session: "Session", deleted: Sequence[Target], limit: float | None) -> None:
    """Until all are gone; who may delete and not get cannot wait, as with kubectl."""
    server = session.server()
    try:
        wait_for(
            deleted,
            lambda target: gone(server, target),
            limit,
            lambda target: session.warn(f"{target.label}: waiting until it is gone{_held(server, target)}"),
        )
    except ApiError as error:
        if error.status not in (403, 405):
            raise
        session.warn(f"Warning: when it is gone cannot be seen: {error}")


def _held(server: "Server", target: Target) -> str:
    """What keeps an object that is deleted: a queue or flavor that is in use has a finalizer of Kueue."""
    try:
        found = object_of(server.get(target.kind, target.namespace, target.name))
    except ApiError:
        return ""
    finalizers = found.get("metadata", {}).get("finalizers")
    return f" (held by {', '.join(finalizers)})" if finalizers else ""


class How(NamedTuple):
    """The flags that say how to delete."""

    strategy: Strategy
    yes: bool
    ignore_not_found: bool
    propagation: str


def _propagation(cascade: str) -> str:
    if cascade not in ("background", "orphan", "foreground"):
        raise ConfigError(
            f'invalid cascade value ({cascade}). Must be "background", "foreground", or "orphan"'
        )
    return cascade.capitalize()


# --- as kubectl -------------------------------------------------------------------------------------


def _delete_objects(session: "Session", choice: Choice, how: How) -> list[Target]:
    server = session.server()
    targets = find_targets(session, choice)
    if not targets:
        session.write(nothing_found(None))
    dry = how.strategy != "none"
    if choice.by_list and not confirm_many(session, "delete", targets, yes=how.yes, dry=dry):
        return []
    found: list[Target] = []

    def act(target: Target) -> None:
        try:
            if how.strategy == "client":
                target.read(server)
            else:
                target = _with_uid(target, _delete(server, target, how))
        except ApiError as error:
            if error.status == 404 and (how.ignore_not_found or choice.by_list):
                return
            raise
        line = deleted_line(target.kind.type, target.name, how.strategy)
        session.write(target.label if session.flags.output else line)
        found.append(target)

    each(session, targets, act, "not deleted")
    return found


def _delete(server: "Server", target: Target, how: How) -> bytes:
    """Send the DELETE. Without a propagation the server would orphan the pods of a Job."""
    return server.delete(
        target.kind,
        target.namespace,
        target.name,
        dry_run=how.strategy == "server",
        propagation=how.propagation,
    )


def _with_uid(target: Target, answer: bytes) -> Target:
    """The answer is the object if finalizers hold it, else a Status with the uid in its details."""
    found = object_of(answer)
    uid = (found.get("details") or {}).get("uid") or (found.get("metadata") or {}).get("uid")
    return target._replace(document={"metadata": {"uid": uid}})


# --- as kueuectl ------------------------------------------------------------------------------------


class Doomed(NamedTuple):
    """A workload and the objects that own it, with which it goes."""

    workload: Target
    owners: Sequence[Target]


def _delete_workloads(session: "Session", choice: Choice, how: How) -> list[Target]:
    server = session.server()
    doomed = list(_doomed(session, find_targets(session, choice), how))
    if how.strategy == "none" and not how.yes and not _confirmed(session, choice, doomed):
        return []
    absent: set[tuple[str, str | None, str]] = set()

    def act(target: Target) -> None:
        try:
            if how.strategy != "client":
                _delete(server, target, how)
        except ApiError as error:
            if error.status != 404:
                raise
            absent.add(_key(target))
            return
        # Owners are named by their plural, as kueuectl does.
        type = target.kind.type if target.kind.kind == "Workload" else target.kind.resource
        line = result_line(type, target.name, "deleted", how.strategy)
        session.write(target.label if session.flags.output else line)

    # Several workloads may have an owner in common.
    first = {_key(target): target for one in doomed for target in one.owners or [one.workload]}
    done = each(session, list(first.values()), act, "not deleted")
    # Nothing takes a workload along whose owners are gone already.
    left = [
        one.workload for one in doomed if one.owners and all(_key(owner) in absent for owner in one.owners)
    ]
    done += each(session, left, act, "not deleted")
    reached = {_key(target) for target in done}
    return [*done, *(one.workload for one in doomed if all(_key(owner) in reached for owner in one.owners))]


def _key(target: Target) -> tuple[str, str | None, str]:
    return (target.kind.resource, target.namespace, target.name)


def _doomed(session: "Session", targets: Sequence[Target], how: How) -> Iterator[Doomed]:
    """Those that are there, with their owners; what is missing is told and skipped, but not forgiven.

    So is, among several, one that cannot be read or whose owner the server does not know.
    """
    server = session.server()
    for target in targets:
        why = ""
        try:
            workload = target._replace(document=target.read(server))
            yield Doomed(workload, list(_owners(server, workload)))
        except KueueError as error:
            if isinstance(error, ApiError) and error.status == 404:
                why = "" if how.ignore_not_found else str(error)
            elif len(targets) == 1 or is_lost(error):
                raise
            else:
                why = f"{refusal(error, kubectl=False)}; {target.label} is not deleted"
        if why:
            session.warn(why)
            session.exit_code = 1


def _owners(server: "Server", workload: Target) -> Iterator[Target]:
    """Raises KueueError for an owner of a kind that the server does not know."""
    for reference in _references(workload):
        version, kind = reference["apiVersion"], reference["kind"]
        found = server.find_resource(version, kind)
        if found is None:
            raise KueueError(f'no matches for kind "{kind}" in version "{version}"')
        # Only the uid is known of it, and only that is compared when it should be gone.
        document = {"metadata": {"uid": reference.get("uid")}}
        yield Target(found, workload.namespace if found.namespaced else None, reference["name"], document)


def _references(workload: Target) -> Sequence[dict[str, Any]]:
    return (workload.document or {}).get("metadata", {}).get("ownerReferences") or ()


def _confirmed(session: "Session", choice: Choice, doomed: Sequence[Doomed]) -> bool:
    """Ask if jobs go too, or if a person did not name what goes.

    Without an answer nothing is deleted, and that is a failure; a no is not.
    """
    owned = [one for one in doomed if one.owners]
    if not owned:
        workloads = [one.workload for one in doomed]
        return not choice.by_list or confirm_many(session, "delete", workloads, yes=False, dry=False)
    answer = ask(session, (ALL_JOBS if choice.all else owners_lines(map(_belongings, owned))) + PROCEED)
    if not answer:
        session.write(CANCELED)
        session.exit_code = 1 if answer is None else session.exit_code
    return bool(answer)


def _belongings(doomed: Doomed) -> tuple[str, str]:
    owners = ", ".join(f"{owner.kind.resource}/{owner.name}" for owner in doomed.owners)
    return owners, f"{doomed.workload.namespace}/{doomed.workload.name}"
