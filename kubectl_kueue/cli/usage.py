"""What is wrong with a command line, in kubectl's words."""

from collections.abc import Iterable
from difflib import get_close_matches

from typer._click.exceptions import BadOptionUsage, BadParameter, ClickException, NoSuchOption
from typer._click.exceptions import UsageError as ClickUsageError
from typer.core import TyperOption

from kubectl_kueue.cli.names import near
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import UsageError


def usage_error(error: ClickException, session: Session) -> UsageError:
    """Typer's complaint as ours: the first line as kueuectl's, a hint before the usage line."""
    match error:
        case NoSuchOption(option_name=name) if name.startswith("--"):
            message = f"unknown flag: {name}"
            # Without the dashes: two that all flags share make any short word near to another.
            known = [each.lstrip("-") for each in error.possibilities or ()]
            if possible := get_close_matches(name.lstrip("-"), known, n=1):
                session.usage = f"Did you mean --{possible[0]}?\n{session.usage}"
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
        case ClickUsageError(message=text, ctx=context) if "unexpected extra argument" in text:
            files = context is not None and any("--filename" in each.opts for each in context.command.params)
            extra = text.partition(" (")[2].removesuffix(")")
            message = f"unexpected argument: {extra}{'; files go with -f' if files else ''}"
        case _:
            message = error.format_message().rstrip(".")
    return UsageError(message)


def unknown_word(word: str, program: str, known: Iterable[str]) -> UsageError:
    """The error for a word after a verb that names nothing the verb works on."""
    known = sorted(known)
    hint = near(word, known)
    if not hint and "workload" in known and is_job_word(word):
        hint = f"; for a job name its workload (list workload --for {word}/NAME)"
    return UsageError(f'unknown kind "{word}" for "{program}"; known are: {", ".join(known)}{hint}')


def unknown_command(word: str, program: str, known: Iterable[str], session: Session) -> UsageError:
    """The error for a first word that is no command, as kueuectl writes it."""
    possible = "".join(f"\t{match}\n" for match in get_close_matches(word, list(known)))
    suggestion = f"\nDid you mean this?\n{possible}\n" if possible else ""
    session.usage = f"{suggestion}Run '{program} --help' for usage."
    return UsageError(f'unknown command "{word}" for "{program}"')


def is_job_word(word: str) -> bool:
    """Whether it names a kind that Kueue makes Workloads of."""
    from kubectl_kueue.cluster.kinds import known_kind
    from kubectl_kueue.model.job_kinds import FRAMEWORKS

    jobs = {kind.lower() for _, kind in FRAMEWORKS}
    kind = known_kind(word)
    plain = kind.singular if kind is not None else word.lower().partition(".")[0]
    return plain in jobs or plain[:-1] in jobs
