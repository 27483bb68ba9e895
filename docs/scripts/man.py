"""man/: kubectl-kueue.1, and kubectl-kueue-COMMAND.1 for each command, made of the same help."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.scripts.book import PROGRAM, Entry, Flag, global_flags, read_commands

MAN = Path(__file__).parent.parent.parent / "man"
_TOOL = "kubectl-kueue"
_ABOUT = "say why Kueue workloads are pending, and what would let them in"
_STATUS = (
    "0 done; 1 anything that went wrong, a wrong command line included; 130 interrupted. With --exit-code a "
    "verdict has its own: 0 Admit, 10 Preempt, 11 Wait, 12 Never, 13 Blocked, 14 ChecksPending. doctor: 2 if "
    "there are errors."
)
_ENVIRONMENT = (
    Flag("KUBECONFIG", "Files of the configuration, as for kubectl."),
    Flag("KUBECACHEDIR", "Folder of the discovery cache, if --cache-dir does not name one."),
    Flag("NO_COLOR", "No colours on a terminal, if it is set to anything."),
    Flag("KUEUE_DEBUG", "Set to 1: tracebacks of failures."),
)


def pages() -> dict[Path, str]:
    """Every man page with its text."""
    entries = read_commands()
    made = {MAN / f"{_TOOL}.1": _main(entries)}
    made |= {MAN / f"{_TOOL}-{entry.name}.1": _page(entry) for entry in entries}
    return made


def _main(entries: Sequence[Entry]) -> str:
    def parts() -> Iterator[str]:
        yield _head(_TOOL, _ABOUT)
        yield f".SH SYNOPSIS\n.B {_roff(PROGRAM)}\n.I COMMAND\n[flags]"
        yield ".SH COMMANDS"
        for entry in entries:
            yield f".TP\n.BR {_TOOL}-{entry.name} (1)\n{_roff(entry.summary)}"
        yield from _list("GLOBAL FLAGS", global_flags())
        yield f".SH EXIT STATUS\n{_roff(_STATUS)}"
        yield from _list("ENVIRONMENT", _ENVIRONMENT)
        yield ".SH SEE ALSO\n.BR kubectl (1)"

    return "\n".join(parts()) + "\n"


def _page(entry: Entry) -> str:
    def parts() -> Iterator[str]:
        yield _head(f"{_TOOL}-{entry.name}", entry.summary.rstrip("."))
        yield from _body(entry)
        for child in entry.children:
            yield f".SH {_roff(child.name.upper())}"
            yield _roff(child.summary)
            yield from _body(child, ".SS")
        yield f".SH SEE ALSO\n.BR {_TOOL} (1)\nfor the global flags"

    return "\n".join(parts()) + "\n"


def _head(name: str, summary: str) -> str:
    # Without a date and a version: a page changes when a command does.
    return f'.TH {name.upper()} 1 "" "{_TOOL}" "User Commands"\n.SH NAME\n{name} \\- {_roff(summary)}'


def _body(entry: Entry, section: str = ".SH") -> Iterator[str]:
    def title(text: str) -> str:
        return f"{section} {text if section == '.SH' else text.capitalize()}"

    yield f"{title('SYNOPSIS')}\n{_roff(entry.usage)}"
    if entry.paragraphs:
        yield title("DESCRIPTION")
        yield "\n.PP\n".join(map(_roff, entry.paragraphs))
    if entry.examples:
        yield "\n".join([title("EXAMPLES"), ".nf", *map(_roff, entry.examples), ".fi"])
    yield from _list("ARGUMENTS", entry.arguments, section)
    yield from _list("FLAGS", entry.flags, section)


def _list(name: str, rows: Sequence[Flag], section: str = ".SH") -> Iterator[str]:
    if rows:
        yield f"{section} {name if section == '.SH' else name.capitalize()}"
        yield from (f".TP\n.B {_roff(row.form)}\n{_roff(row.help)}" for row in rows)


def _roff(text: str) -> str:
    """Text that roff prints as it stands."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
