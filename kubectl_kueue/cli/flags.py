"""Options that commands share: the global ones, declared once, and the commands that carry them.

A global option may stand before or after the verb. Both parsers store into the same Flags of the Session,
so the later word on the command line wins, as in kubectl.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.usage import unknown_word
from kubectl_kueue.errors import UsageError

if TYPE_CHECKING:
    from kubectl_kueue.model.world import World

T = TypeVar("T")

Trace = Annotated[bool, typer.Option("--trace", help="Print every check with its inputs.")]
ExitCode = Annotated[
    bool,
    typer.Option(
        "--exit-code",
        help="Exit with 0 Admit, 10 Preempt, 11 Wait, 12 Never, 13 Blocked, 14 ChecksPending.",
    ),
]

Applied = Annotated[
    list[str] | None,
    typer.Option(
        "--filename",
        "-f",
        metavar="FILE|DIR|-",
        help="Suppose these jobs, Workloads, queues, flavors, ... were applied; can be given again.",
    ),
]

Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KIND/NAME:PATH=VALUE",
        help="Suppose this field had this value (+= adds to it); can be given again.",
    ),
]


class _Global(NamedTuple):
    """One global option; without a metavar it is a switch."""

    names: tuple[str, ...]
    help: str
    metavar: str | None = None
    several: bool = False


OUTPUT_OPTIONS = (
    _Global(("--namespace", "-n"), "Look into this namespace only.", "NAME"),
    _Global(
        ("--output", "-o"),
        "One of: table, wide, name, json, yaml, kyaml, dot, jsonpath=..., jsonpath-as-json=..., "
        "jsonpath-file=..., custom-columns=..., custom-columns-file=..., go-template=..., "
        "go-template-file=...",
        "FORMAT",
    ),
    _Global(("--template",), "Go template (or its file, with -o go-template-file).", "TEXT"),
    _Global(
        ("--allow-missing-template-keys",), "Ignore missing fields in templates; true if not given.", "BOOL"
    ),
    _Global(("--show-managed-fields",), "Keep metadata.managedFields in json and yaml."),
    _Global(
        ("--snapshot",),
        "Read objects from a snapshot, a List or manifests instead of a cluster.",
        "FILE|DIR|-",
    ),
)
CONNECTION_OPTIONS = (
    _Global(("--kubeconfig",), "Path of the kubeconfig file.", "FILE"),
    _Global(("--context",), "Name of the kubeconfig context.", "NAME"),
    _Global(("--cluster",), "Name of the kubeconfig cluster.", "NAME"),
    _Global(("--user",), "Name of the kubeconfig user.", "NAME"),
    _Global(("--server", "-s"), "Address and port of the API server.", "URL"),
    _Global(("--token",), "Bearer token for the API server.", "TEXT"),
    _Global(("--as",), "Username to impersonate.", "NAME"),
    _Global(("--as-uid",), "UID to impersonate.", "UID"),
    _Global(("--as-group",), "Group to impersonate; can be given again.", "NAME", several=True),
    _Global(
        ("--as-user-extra",), "Extra of the impersonated user; can be given again.", "KEY=VALUE", several=True
    ),
    _Global(("--certificate-authority",), "Certificate file of the certificate authority.", "FILE"),
    _Global(("--client-certificate",), "Client certificate file.", "FILE"),
    _Global(("--client-key",), "Client key file.", "FILE"),
    _Global(("--tls-server-name",), "Name that the server's certificate is checked against.", "NAME"),
    _Global(("--insecure-skip-tls-verify",), "Do not check the server's certificate (insecure)."),
    _Global(
        ("--request-timeout",), "Give up on a single request after this long (1s, 2m, 3h; 0: never).", "TIME"
    ),
    _Global(("--cache-dir",), "Folder of the discovery cache.", "DIR"),
    _Global(("--disable-compression",), "Ask the server not to compress its answers."),
)


def global_options() -> list[TyperOption]:
    """New option objects, one set for each parser."""
    return [_option(each) for each in (*OUTPUT_OPTIONS, *CONNECTION_OPTIONS)]


def _option(each: _Global) -> TyperOption:
    switch: dict[str, Any] = {} if each.metavar else {"is_flag": True, "default": None}
    return TyperOption(
        # The field of Flags: --as is a word of Python, and all others follow the same rule.
        param_decls=[each.names[0].removeprefix("--").replace("-", "_") + "_", *each.names],
        metavar=each.metavar,
        help=each.help,
        multiple=each.several,
        expose_value=False,
        callback=_remember,
        **switch,
    )


def _remember(context: typer.Context, option: Any, value: Any) -> Any:
    if value:
        flags = session_of(context).flags
        name = option.name.removesuffix("_")
        setattr(flags, name, [*getattr(flags, name), *value] if option.multiple else value)
    elif value == "":
        setattr(session_of(context).flags, option.name.removesuffix("_"), value)
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
        arguments = [param for param in self.params if param.param_type_name == "argument" and param.metavar]
        return [*(param.metavar or "" for param in arguments), "[flags]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        write_options(self, ctx, formatter)

    def get_help(self, ctx: Any) -> str:
        """With the examples as commands of the program that was called."""
        program = ctx.find_root().info_name
        return super().get_help(ctx).replace("    kubectl kueue ", f"    {program} ")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        session_of(ctx).usage = ctx.get_usage()
        return super().parse_args(ctx, args)


class CommandGroup(TyperGroup):
    """A word that other words follow; alone it prints its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        session_of(ctx).usage = ctx.get_usage()
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        if not ctx._protected_args:
            typer.echo(ctx.get_help())
            return None
        return super().invoke(ctx)


class KindGroup(CommandGroup):
    """A verb with a command for each kind: any word for a kind leads to its command."""

    def __init__(self, *, params: list[Any] | None = None, **settings: Any) -> None:
        super().__init__(params=[*(params or []), *global_options()], **settings)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from kubectl_kueue.cluster.kinds import known_kind

        kind = known_kind(cmd_name)
        for word in (cmd_name, kind.singular if kind else "", kind.plural if kind else ""):
            if word in self.commands:
                return self.commands[word]
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        found = self.get_command(ctx, args[0])
        if found is None:
            raise unknown_word(args[0], ctx.command_path, self.commands)
        return found.name, found, args[1:]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["KIND", "[flags]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Kinds"):
            rows = [(name, found.get_short_help_str(200)) for name, found in self.commands.items()]
            formatter.write_dl(rows)
        write_options(self, ctx, formatter)


def write_options(command: Any, context: Any, formatter: Any) -> None:
    """The sections of a help text: what the command takes itself, then what every command takes."""
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Flags": [], "Global flags": []}
    for param in command.get_params(context):
        if param.param_type_name == "argument":
            if param.metavar:
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


def new_group(summary: str) -> typer.Typer:
    """A verb with one command for each kind (`create`, `list`)."""
    app = typer.Typer(
        cls=KindGroup,
        help=summary,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
    )

    app.callback()(lambda: None)  # without one Typer makes a single command of a group that has one
    return app


def command(
    app: typer.Typer, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a leaf command of `app`; in a group under the name of its kind."""
    return app.command(name, cls=LeafCommand)


def spread(flags: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare the fields of `flags`, a NamedTuple of options, as options of a command that takes them
    together: they stand where its parameter of this type stands."""
    hints = get_type_hints(flags, include_extras=True)
    options = [_parameter(field, hints[field], flags._field_defaults[field]) for field in flags._fields]

    def declare(run: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(run).parameters.values()
        (name,) = (each.name for each in own if each.annotation is flags)

        @wraps(run)
        def command(**given: Any) -> None:
            run(**{name: flags(*map(given.pop, flags._fields))}, **given)

        spread_out = [
            option
            for each in own
            for option in (options if each.name == name else [each.replace(kind=each.KEYWORD_ONLY)])
        ]
        vars(command)["__signature__"] = inspect.Signature(spread_out)
        command.__annotations__ = {each.name: each.annotation for each in spread_out}
        return command

    return declare


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def required(flag: str, value: T | None) -> T:
    """The value of a flag that must be given. Raises UsageError."""
    if value is None:
        raise UsageError(f'required flag(s) "{flag}" not set')
    return value


def changed(session: Session, world: "World", sets: Sequence[str] | None) -> "World":
    """The world with every --set made. Raises InputError for one that cannot be."""
    if not sets:
        return world
    from kubectl_kueue.model.change import apply_changes, parse_change

    changes = [parse_change(text, lambda word: session.source().find_kind(word).kind) for text in sets]
    return apply_changes(world, changes, namespace=session.home())


def words_or_help(context: typer.Context, words: list[str] | None) -> list[str]:
    """The words that say what a verb is about; without any the help is printed instead, as kueuectl does."""
    if not words:
        typer.echo(context.get_help())
        raise typer.Exit
    return words


def no_extra_words(words: Sequence[str]) -> None:
    """Raise UsageError for words that a command does not take."""
    if words:
        raise UsageError(f"accepts 0 arg(s), received {len(words)}")
