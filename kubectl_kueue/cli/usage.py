"""What is wrong with a command line, in kubectl's words."""

from collections.abc import Iterable
from difflib import get_close_matches

from typer._click.exceptions import BadOptionUsage, BadParameter, ClickException, NoSuchOption
from typer.core import TyperOption

from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import UsageError


def usage_error(error: ClickException, session: Session) -> UsageError:
    """Typer's complaint as ours; a hint goes before the usage line that the parser left in the session."""
    hint = ""
    match error:
        case NoSuchOption(option_name=name) if name.startswith("--"):
            message = f"unknown flag: {name}"
            if near := get_close_matches(name, error.possibilities or [], n=1):
                hint = f"Did you mean {near[0]}?\n"
        case NoSuchOption(option_name=name):
            message = f"unknown shorthand flag: {name.lstrip('-')!r} in {name}"
        case BadOptionUsage(option_name=name) if "requires" in error.message:
            message = f"flag needs an argument: {name}"
        case BadOptionUsage(option_name="--dry-run"):
            message = "flag takes no value: --dry-run (there is one kind only: nothing reaches the cluster)"
        case BadOptionUsage(option_name=name) if "does not take" in error.message:
            message = f"flag takes no value: {name}"
        case BadParameter(param=TyperOption(name="cycles")):
            message = "--cycles takes a whole number from 1"
        case _:
            message = error.format_message().rstrip(".")
    session.usage = hint + session.usage
    return UsageError(message)


def unknown_word(word: str, program: str, known: Iterable[str], session: Session) -> UsageError:
    """The error for a word after a verb that names nothing the verb works on."""
    known = sorted(known)
    near = get_close_matches(word, known)
    session.usage = f"Did you mean {near[0]}?\n{session.usage}" if near else session.usage
    return UsageError(f'unknown kind "{word}" for "{program}"; known are: {", ".join(known)}')


def unknown_command(word: str, program: str, known: Iterable[str], session: Session) -> UsageError:
    """The error for a first word that is no command, with the commands that are spelled like it."""
    near = "".join(f"\t{match}\n" for match in get_close_matches(word, list(known)))
    suggestion = f"\nDid you mean this?\n{near}\n" if near else ""
    session.usage = f"{suggestion}Run '{program} --help' for usage."
    return UsageError(f'unknown command "{word}" for "{program}"')
