"""`patch KIND NAME -p ...`: change fields of one object, as `kubectl patch` does."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kubectl_kueue.cli.flags import new_app, words_or_help
from kubectl_kueue.cli.switches import switching_command
from kubectl_kueue.cli.writing import (
    JSON_PATCH,
    KUEUE_KINDS,
    MERGE_PATCH,
    DryRun,
    Results,
    Target,
    body_of,
    object_of,
    one_name,
    read_strategy,
    read_words,
)
from kubectl_kueue.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session

app = new_app()


@switching_command(app)
def patch(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="KIND NAME", help="A kind of Kueue, and which object.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--patch", "-p", metavar="PATCH", help="The patch, JSON or YAML.")
    ] = None,
    patch_file: Annotated[
        str | None, typer.Option("--patch-file", metavar="FILE", help="A file with the patch.")
    ] = None,
    type: Annotated[
        str,
        typer.Option("--type", metavar="merge|json", help="Merge patch (RFC 7386) or JSON patch (RFC 6902)."),
    ] = "merge",
    dry_run: DryRun = "none",
) -> None:
    """Change fields of an object of Kueue.

    \b
    Examples:
      kubectl kueue patch clusterqueue team-a-cq -p '{"spec": {"stopPolicy": "Hold"}}'
      kubectl kueue patch clusterqueue team-a-cq -p 'spec: {stopPolicy: None}' --dry-run=client -o yaml
      kubectl kueue patch wl train-big -n team-a --type json -p '[{"op":"remove","path":"/spec/active"}]'
    """
    session: Session = context.obj
    session.kubectl_errors = True
    words = words_or_help(context, words)
    kind, names = read_words(words, KUEUE_KINDS, context)
    name = one_name(names)
    _check_type(type)
    strategy = read_strategy(dry_run)
    change = _read(text, patch_file)
    results = Results(session)
    server = session.server()
    target = Target(kind, session.namespace() if kind.namespaced else None, name)
    before = target.read(server)
    if strategy == "client":
        after = _applied(before, change, type)
    else:
        answer = server.patch(
            target.kind,
            target.namespace,
            name,
            body_of(change),
            content_type=JSON_PATCH if type == "json" else MERGE_PATCH,
            dry_run=strategy == "server",
        )
        after = object_of(answer)

    from kubectl_kueue.views.results import patched_line

    changed = _without_bookkeeping(after) != _without_bookkeeping(before)
    results.add(patched_line(kind.type, name, strategy, changed=changed), target.label, after)
    results.close()


def _check_type(type: str) -> None:
    if type == "strategic":
        raise ConfigError("--type strategic: custom resources take merge and json patches only")
    if type not in ("merge", "json"):
        raise UsageError(f'--type must be one of [json merge], not "{type}"')


def _read(text: str | None, path: str | None) -> Any:
    """The value of the patch. Raises ConfigError, InputError."""
    from kubectl_kueue.cluster.patches import read_patch, read_patch_file

    if text is None and path is None:
        raise ConfigError("must specify --patch or --patch-file containing the contents of the patch")
    if text is not None and path is not None:
        raise ConfigError("cannot specify --patch and --patch-file together")
    if path is not None:
        return read_patch_file(path)
    return read_patch(text or "", "--patch")


def _applied(document: dict[str, Any], change: Any, type: str) -> dict[str, Any]:
    from kubectl_kueue.model.patches import apply_json, apply_merge

    if type == "json":
        return apply_json(document, change)
    if not isinstance(change, dict):
        raise ConfigError("a merge patch is an object, this is not; --type json takes a list of operations")
    merged: dict[str, Any] = apply_merge(document, change)
    return merged


def _without_bookkeeping(document: dict[str, Any]) -> dict[str, Any]:
    """The object without what a server writes about the writing itself."""
    written = ("managedFields", "resourceVersion")
    # Without labels there is no {} either.
    kept = {name: value for name, value in document["metadata"].items() if value and name not in written}
    return {**document, "metadata": kept}
