"""`edit KIND NAME`: kubectl edits; the kind is named so that kubectl cannot take another one for it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from kubectl_kueue.cli.flags import LeafCommand, new_app, words_or_help
from kubectl_kueue.cli.usage import unknown_word
from kubectl_kueue.cli.writing import KUEUE_KINDS
from kubectl_kueue.cluster.kinds import known_kind

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Flags

app = new_app()


@app.command(cls=LeafCommand, context_settings={"ignore_unknown_options": True})
def edit(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="KIND NAME", help="A kind of Kueue, which object, and flags of kubectl edit."),
    ] = None,
) -> None:
    """Edit an object of Kueue in your editor: runs kubectl edit.

    \b
    Examples:
      kubectl kueue edit clusterqueue team-a-cq
      kubectl kueue edit workload/train-big -n team-a
    """
    words = words_or_help(context, words)
    from kubectl_kueue.cluster.external import exec_kubectl

    context.obj.require_cluster()
    exec_kubectl(["edit", *_unambiguous(words, context), *_global_flags(context.obj.flags)])


def _unambiguous(words: list[str], context: typer.Context) -> Iterator[str]:
    """The words with the kind spelled out (plural.group). Raises UsageError for another's kind."""
    first, *rest = words
    if first.startswith("-"):  # edit -f FILE
        yield from words
        return
    word, slash, name = first.partition("/")
    kind = known_kind(word)
    if kind not in KUEUE_KINDS:
        raise unknown_word(word, context.command_path, [one.singular for one in KUEUE_KINDS])
    yield f"{kind.resource}{slash}{name}"
    for word in rest:
        kind, slash, name = known_kind(word.partition("/")[0]), *word.partition("/")[1:]
        yield f"{kind.resource}/{name}" if slash and kind in KUEUE_KINDS else word


def _global_flags(flags: "Flags") -> Iterator[str]:
    """The global flags of kubectl as they were given."""
    for field, value in vars(flags).items():
        name = "--" + field.replace("_", "-")
        if value is True:
            yield name
        elif isinstance(value, str):
            yield f"{name}={value}"
        elif value:
            yield from (f"{name}={one}" for one in value)
