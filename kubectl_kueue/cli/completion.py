"""`completion SHELL`: the script that makes a shell complete this program's command lines."""

from typing import Annotated

import typer

from kubectl_kueue.cli.flags import command, new_app, words_or_help
from kubectl_kueue.errors import UsageError

app = new_app()


@command(app)
def completion(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")
    ] = None,
    no_descriptions: Annotated[
        bool, typer.Option("--no-descriptions", help="Offer words without saying what they are.")
    ] = False,
) -> None:
    """Print the completion script of a shell.

    It completes kubectl-kueue and kueuectl. For `kubectl kueue` put kubectl_complete-kueue on the path too:
    kubectl asks it. Names of objects are asked of the cluster and kept for 30 seconds.

    \b
    Examples:
      source <(kubectl-kueue completion bash)
      kubectl-kueue completion zsh > "${fpath[1]}/_kubectl-kueue"
      kubectl-kueue completion fish > ~/.config/fish/completions/kubectl-kueue.fish
      kubectl-kueue completion powershell | Out-String | Invoke-Expression
    """
    words = words_or_help(context, words)
    if len(words) > 1:
        raise UsageError(f"accepts 1 arg(s), received {len(words)}")
    from kubectl_kueue.cli.shells import SCRIPTS, script

    if words[0] not in SCRIPTS:
        raise UsageError(
            f'there is no completion for the shell "{words[0]}"; known are: {", ".join(SCRIPTS)}'
        )
    typer.echo(script(words[0], descriptions=not no_descriptions), nl=False)
