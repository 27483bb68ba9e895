"""Options that commands share: the global ones, declared once, and the leaf command that carries them.

A global option may stand before or after the verb. Both parsers store into the same Flags of the Session,
so the later word on the command line wins, as in kubectl.
"""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from kubectl_kueue.cli.session import Session

Trace = Annotated[bool, typer.Option("--trace", help="Print every check with its inputs.")]
ExitCode = Annotated[
    bool,
    typer.Option(
        "--exit-code",
        help="Exit with 0 Admit, 10 Preempt, 11 Wait, 12 Never, 13 Blocked, 14 ChecksPending.",
    ),
]


def global_options() -> list[TyperOption]:
    """New option objects, one set for each parser."""
    return [
        _global("--namespace", "-n", metavar="NAME", help="Look into this namespace only."),
        _global("--output", "-o", metavar="FORMAT", help="One of: table, wide, name, json, yaml."),
        _global(
            "--snapshot",
            metavar="FILE|DIR|-",
            help="Read objects from a snapshot, a List or manifests instead of a cluster.",
        ),
    ]


def _global(*names: str, metavar: str, help: str) -> TyperOption:
    return TyperOption(
        param_decls=list(names), metavar=metavar, help=help, expose_value=False, callback=_remember
    )


def _remember(context: typer.Context, option: Any, value: str | None) -> str | None:
    if value is not None:
        setattr(session_of(context).flags, option.name, value)
    return value


def session_of(context: typer.Context) -> Session:
    """The session of this run."""
    session: Session = context.find_root().obj
    return session


class LeafCommand(TyperCommand):
    """A command with the global options, and a usage line as kubectl writes it."""

    def __init__(self, name: str | None, *, params: list[Any] | None = None, **settings: Any) -> None:
        super().__init__(name, params=[*(params or []), *global_options()], **settings)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        arguments = [param for param in self.params if param.param_type_name == "argument"]
        return [*(param.metavar or "" for param in arguments), "[flags]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        write_options(self, ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        session_of(ctx).usage = ctx.get_usage()
        return super().parse_args(ctx, args)


def write_options(command: Any, context: Any, formatter: Any) -> None:
    """The sections of a help text: what the command takes itself, then what every command takes."""
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Flags": [], "Global flags": []}
    for param in command.get_params(context):
        if param.param_type_name == "argument":
            sections["Arguments"].append((param.metavar, param.help))
        elif (record := param.get_help_record(context)) is not None:
            sections["Global flags" if param.callback is _remember else "Flags"].append(record)
    for title, records in sections.items():
        if records:
            with formatter.section(title):
                formatter.write_dl(records)


def new_app() -> typer.Typer:
    """A Typer that loads no rich, installs no completion and leaves exceptions to __main__."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def command(app: typer.Typer) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a leaf command of `app`."""
    return app.command(cls=LeafCommand)
