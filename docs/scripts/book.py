"""The commands as records: what `--help` says, in the pieces that pages and man pages are made of."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import typer

from kubectl_kueue.cli.app import COMMANDS, RootGroup
from kubectl_kueue.cli.flags import global_options
from kubectl_kueue.cli.session import Session

PROGRAM = "kubectl kueue"
_EXAMPLES = "Examples:"


class Flag(NamedTuple):
    """A flag or an argument: how it is written, and what it does."""

    form: str
    help: str


class Entry(NamedTuple):
    """One command. A verb with commands for kinds (`create`) has them as `children`."""

    words: Sequence[str]  # after `kubectl kueue`
    usage: str
    summary: str
    paragraphs: Sequence[str]
    examples: Sequence[str]
    arguments: Sequence[Flag]
    flags: Sequence[Flag]
    children: Sequence["Entry"]

    @property
    def name(self) -> str:
        return " ".join(self.words)

    @property
    def leaves(self) -> Iterator["Entry"]:
        """The commands that do something."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves


def read_commands() -> list[Entry]:
    """Every command, in the order of their names."""
    root, context = _root()
    return [_entry([word], root.get_command(context, word), context) for word in sorted(COMMANDS)]


def global_flags() -> list[Flag]:
    """The flags that every command takes."""
    root, context = _root()
    return [flag for option in root.params if (flag := _flag(option, context))]


def _root() -> tuple[RootGroup, typer.Context]:
    root = RootGroup(params=list(global_options()))
    return root, typer.Context(root, info_name=PROGRAM, obj=Session(), help_option_names=["-h", "--help"])


def _entry(words: Sequence[str], command: Any, parent: Any) -> Entry:
    context = typer.Context(command, info_name=words[-1], parent=parent)
    everywhere = {option.name for option in global_options()}
    own = [param for param in command.get_params(context) if param.name not in everywhere]
    summary, *paragraphs, examples = _text(command.help or "")
    return Entry(
        words=words,
        usage=context.command.get_usage(context).removeprefix("Usage: "),
        summary=summary,
        paragraphs=paragraphs,
        examples=examples.splitlines(),
        arguments=[
            Flag(param.metavar, param.help or "")
            for param in own
            if param.param_type_name == "argument" and param.metavar
        ],
        flags=[
            flag for param in own if param.param_type_name == "option" and (flag := _flag(param, context))
        ],
        children=[_entry([*words, name], child, context) for name, child in _children(command)],
    )


def _children(command: Any) -> Iterator[tuple[str, Any]]:
    """The commands for kinds; a kind that has two words is told once."""
    seen = []
    for name, child in getattr(command, "commands", {}).items():
        if child not in seen and not child.hidden:
            seen.append(child)
            yield name, child


def _flag(option: Any, context: Any) -> Flag | None:
    record = option.get_help_record(context)
    return Flag(*record) if record else None


def _text(help_text: str) -> list[str]:
    """Paragraphs of a help text, each in one line; the last item is the block of examples, or empty."""
    body, _, examples = help_text.replace("\b\n", "").partition(_EXAMPLES)
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", body.strip())]
    return [*paragraphs, "\n".join(line.strip() for line in examples.strip().splitlines())]
