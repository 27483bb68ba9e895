"""`stop` and `resume`: one field of a queue or a workload, changed with a merge patch, and its effect."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from kubectl_kueue.cli.flags import words_or_help
from kubectl_kueue.cli.names import nothing_found
from kubectl_kueue.cli.writing import (
    MERGE_PATCH,
    All,
    AllNamespaces,
    Choice,
    DryRun,
    Results,
    Selector,
    Strategy,
    Target,
    Timeout,
    Wait,
    Yes,
    body_of,
    confirm_many,
    each,
    find_targets,
    object_of,
    person_is_there,
    read_strategy,
    read_timeout,
    read_words,
    wait_for,
)
from kubectl_kueue.cluster.kinds import Kind, kind_named
from kubectl_kueue.errors import ConfigError, UsageError
from kubectl_kueue.model.patches import apply_merge
from kubectl_kueue.views.results import result_line

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session
    from kubectl_kueue.cluster.server import Server

SWITCHED = tuple(kind_named(name) for name in ("ClusterQueue", "LocalQueue", "Workload"))

_DEFAULTS: Mapping[str, Any] = {"stopPolicy": "None", "active": True}
"""What a field means that is not there."""


class Switch(NamedTuple):
    """What is to be done: `verb` for the command line, `word` for the result, the fields of the spec by kind,
    when the effect is there, and that in words."""

    verb: str
    word: str
    spec: Callable[[Kind], Mapping[str, Any]]
    reached: Callable[[Target, dict[str, Any]], bool]
    until: str


class Settings(NamedTuple):
    """What both commands take."""

    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="KIND NAME...", help="clusterqueue, localqueue or workload, and which."),
    ] = None
    dry_run: DryRun = "none"
    yes: Yes = False
    wait: Wait = False
    timeout: Timeout = None
    selector: Selector = None
    all: All = False
    all_namespaces: AllNamespaces = False


def switch(context: typer.Context, settings: Settings, how: Switch) -> None:
    """Run one of the two commands."""
    session: Session = context.obj
    words = words_or_help(context, settings.words)
    kind, names = read_words(words, SWITCHED, context)
    choice = Choice(kind, names, settings.selector, settings.all, settings.all_namespaces)
    if not names and not choice.by_list:
        raise UsageError("accepts 1 arg(s), received 0")
    choice.check()
    spec = how.spec(kind)
    strategy = read_strategy(settings.dry_run)
    limit = read_timeout(settings.timeout)
    results = Results(session)
    server = session.server()
    targets = [target for target in find_targets(session, choice) if not _is_over(target)]
    if not targets:
        everywhere = choice.all_namespaces or not kind.namespaced
        session.warn(nothing_found(None if everywhere else session.namespace()))
        return
    if choice.by_list and not _agreed(session, how.verb, targets, yes=settings.yes, dry=strategy != "none"):
        return

    def act(target: Target) -> None:
        document, changed = _change(server, target, spec, strategy)
        line = result_line(kind.type, target.name, how.word, strategy, changed=changed)
        results.add(line, target.label, document)

    done = each(session, targets, act, f"not {how.word}")
    results.close()
    if settings.wait and strategy == "none":
        wait_for(
            done,
            lambda target: how.reached(target, _now(server, target)),
            limit,
            lambda target: session.warn(f"{target.label}: waiting {how.until}"),
        )


def _agreed(session: "Session", verb: str, targets: list[Target], *, yes: bool, dry: bool) -> bool:
    """Whether several objects may be changed that nobody named. Raises ConfigError if nobody can be asked."""
    if len(targets) > 1 and not (yes or dry or person_is_there()):
        raise ConfigError(
            f"this would {verb} {len(targets)} {targets[0].kind.plural}, and nobody is there to be asked: "
            "pass -y"
        )
    return confirm_many(session, verb, targets, yes=yes, dry=dry)


def _is_over(target: Target) -> bool:
    """A finished workload that a list has brought: nothing is to be stopped."""
    return target.kind.kind == "Workload" and is_true(target.document or {}, "Finished")


def _change(
    server: "Server", target: Target, spec: Mapping[str, Any], strategy: Strategy
) -> tuple[dict[str, Any], bool]:
    """The object with these fields of its spec, and whether it had others. What it has is not sent again."""
    document = target.read(server)
    present = document.get("spec", {})
    if all(present.get(name, _DEFAULTS[name]) == value for name, value in spec.items()):
        return document, False
    patch = {"spec": spec}
    if strategy == "client":
        return apply_merge(document, patch), True
    answer = server.patch(
        target.kind,
        target.namespace,
        target.name,
        body_of(patch),
        content_type=MERGE_PATCH,
        dry_run=strategy == "server",
    )
    return object_of(answer), True


def _now(server: "Server", target: Target) -> dict[str, Any]:
    return object_of(server.get(target.kind, target.namespace, target.name))


# --- effects ----------------------------------------------------------------------------------------


def is_true(document: Mapping[str, Any], type: str) -> bool:
    """Whether a condition of this type is True, however old it is."""
    return _condition(document, type).get("status") == "True"


def active(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The condition Active of a queue, empty if it was written before the last change of the spec."""
    condition = _condition(document, "Active")
    seen = condition.get("observedGeneration")
    return condition if seen is None or seen >= document["metadata"].get("generation", 0) else {}


def _condition(document: Mapping[str, Any], type: str) -> Mapping[str, Any]:
    conditions = document.get("status", {}).get("conditions", ())
    return next((one for one in conditions if one.get("type") == type), {})
