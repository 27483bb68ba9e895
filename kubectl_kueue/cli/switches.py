"""Switches with a value, as Go's parser takes them: --wait=false, --keep-already-running=true."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import typer

from kubectl_kueue.cli.argv import read_bool
from kubectl_kueue.cli.flags import LeafCommand, session_of


class SwitchingCommand(LeafCommand):
    """A leaf command whose switches may have a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        session_of(ctx).usage = ctx.get_usage()
        return super().parse_args(ctx, list(_without_values(args, self.params)))


def _without_values(args: Sequence[str], params: Sequence[Any]) -> Iterator[str]:
    """`--x=true` as `--x`; `--x=false` as `--no-x` where there is one, else left out. Raises UsageError."""
    opposites = {name: param.secondary_opts for param in params if _is_switch(param) for name in param.opts}
    rest = iter(args)
    for arg in rest:
        name, equals, value = arg.partition("=")
        if arg == "--":
            yield arg
            break
        if not equals or name not in opposites:
            yield arg
        elif read_bool(name, value):
            yield name
        else:
            yield from opposites[name]
    yield from rest


def _is_switch(param: Any) -> bool:
    return bool(getattr(param, "is_flag", False))


def switching_command(
    app: typer.Typer, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as such a command of `app`; in a group under the name of its kind."""
    return app.command(name, cls=SwitchingCommand)
