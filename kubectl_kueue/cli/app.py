"""The table of commands: a word leads to a module that is loaded when the word is used."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer._click.exceptions import ClickException  # typer keeps its own click and exports no base
from typer.core import TyperOption

from kubectl_kueue import SIMULATED_KUEUE, __version__
from kubectl_kueue.cli.argv import for_typer
from kubectl_kueue.cli.flags import CommandGroup, global_options, write_options
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.usage import unknown_command, usage_error


class Word(NamedTuple):
    """Where a command lives, and what the list of commands says about it."""

    module: str
    summary: str


_CLI = "kubectl_kueue.cli"
COMMANDS: Mapping[str, Word] = {
    "admit": Word(f"{_CLI}.admit", "Simulate the scheduler: who is admitted, where, at whose cost"),
    "completion": Word(f"{_CLI}.completion", "Print the completion script of a shell"),
    "convert": Word(f"{_CLI}.convert", "Print the Workloads that Kueue would make of jobs"),
    "create": Word(f"{_CLI}.create", "Create objects of Kueue from flags"),
    "delete": Word(f"{_CLI}.delete", "Delete objects of Kueue"),
    "describe": Word(f"{_CLI}.describe", "Show an object in full, with usage, queue, reasons and events"),
    "doctor": Word(f"{_CLI}.doctor", "Check the installation, the configuration and the queues of Kueue"),
    "edit": Word(f"{_CLI}.edit", "Edit an object of Kueue in your editor: runs kubectl edit"),
    "explain": Word(f"{_CLI}.explain", "Say why something is pending and what holds it back"),
    "get": Word(f"{_CLI}.get", "Show objects in kubectl's columns, and behind them what Kueue knows"),
    "lint": Word(f"{_CLI}.lint", "Find what is wrong with manifests, each alone and all together"),
    "list": Word(f"{_CLI}.list", "List objects of a kind, with what Kueue knows about them"),
    "patch": Word(f"{_CLI}.patch", "Change fields of an object of Kueue"),
    "pending": Word(f"{_CLI}.pending", "List what waits, in the order of the queue, and for what"),
    "resume": Word(f"{_CLI}.resume", "Resume a queue or a workload"),
    "snapshot": Word(f"{_CLI}.snapshot", "Write everything that explain and admit read into one file"),
    "stop": Word(f"{_CLI}.stop", "Stop a queue or a workload"),
    "top": Word(f"{_CLI}.top", "Show what is used, borrowed, lent, free and asked for; --watch follows it"),
    "tree": Word(f"{_CLI}.tree", "Draw cohorts and queues as a tree, with who borrows from whom"),
    "version": Word(f"{_CLI}.version", "Print the version, the simulated Kueue release and the cluster's"),
}


def run(arguments: Sequence[str], program: str, session: Session) -> None:
    """Run one command line. Raises KueueError for what went wrong, also for a wrong command line."""
    session.arguments = arguments
    try:
        with _root().make_context(program, for_typer(arguments), obj=session) as context:
            context.command.invoke(context)
    except ClickException as error:
        raise usage_error(error, session) from None
    except typer.Exit as done:
        session.exit_code = done.exit_code


def _root() -> "RootGroup":
    return RootGroup(
        help="Says why Kueue workloads are pending, and what would let them in.",
        params=[
            TyperOption(
                param_decls=["--version"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_print_version,
                help="Print the version and exit.",
            ),
            *global_options(),
        ],
        context_settings={"help_option_names": ["-h", "--help"]},
        invoke_without_command=True,
        rich_markup_mode=None,
    )


def _print_version(context: typer.Context, option: Any, value: bool) -> None:
    if value:
        typer.echo(f"kubectl-kueue v{__version__} (simulates Kueue {SIMULATED_KUEUE})")
        raise typer.Exit


class RootGroup(CommandGroup):
    """The first word of the command line, looked up in COMMANDS."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        command = typer.main.get_command(import_module(COMMANDS[cmd_name].module).app)
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            raise unknown_command(args[0], ctx.command_path, COMMANDS, ctx.obj)
        return super().resolve_command(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["COMMAND", "[flags]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(word, COMMANDS[word].summary) for word in self.list_commands(ctx)])
        write_options(self, ctx, formatter)
