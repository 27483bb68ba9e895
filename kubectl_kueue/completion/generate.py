"""`python -m kubectl_kueue.completion.generate`: words.py and pages.py from the commands, completions/ from
the scripts.

To be run in the repository after a change of a command. With --check nothing is written, and the exit code
is 1 if a file is not what would be written.
"""

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kubectl_kueue.cli.app import COMMANDS, RootGroup, run
from kubectl_kueue.cli.flags import global_options
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.shells import PLUGIN, SCRIPTS, script
from kubectl_kueue.cluster.kinds import KINDS
from kubectl_kueue.completion.grammar import Command, Flag
from kubectl_kueue.completion.meanings import FLAGS, FREE, WORDS, WORDS_OF
from kubectl_kueue.completion.ready import PROGRAM, WIDTH

REPOSITORY = Path(__file__).parent.parent.parent
LONGEST = 80
_HEAD = '''"""Made by `python -m kubectl_kueue.completion.generate` from the commands: do not edit."""
# ruff: noqa: E501
# fmt: off

from kubectl_kueue.completion.grammar import Command, Flag

'''


_PAGES_HEAD = _HEAD.partition("\nfrom ")[0] + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write what is not as it should be, or only say so (--check)."""
    unclear: list[str] = []
    contents = files(unclear)
    for place in unclear:
        sys.stderr.write(f"completion/meanings.py does not say what to offer for {place}\n")
    old = [path for path, text in contents.items() if not path.exists() or path.read_text() != text]
    for path in old:
        sys.stderr.write(f"{path.relative_to(REPOSITORY)} is out of date\n")
        if "--check" not in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(contents[path])
            path.chmod(0o755 if path.name == PLUGIN else 0o644)
    return 1 if old and "--check" in arguments else 0


def files(unclear: list[str]) -> dict[Path, str]:
    """Every generated file with its text; what nothing is known about goes to `unclear`."""
    folder = REPOSITORY / "completions"
    sources = REPOSITORY / "kubectl_kueue" / "completion"
    made = {sources / "words.py": _module(unclear), sources / "pages.py": _pages()}
    for shell, (pattern, _) in SCRIPTS.items():
        for program in ("kubectl-kueue", "kueuectl"):
            made[folder / pattern.format(program)] = script(shell)
    made[folder / PLUGIN] = '#!/bin/sh\nexec kubectl-kueue __complete "$@"\n'
    return made


# --- pages.py -------------------------------------------------------------------------------------


def _pages() -> str:
    """The help of every command, as it is for 80 columns; the flags that all have stand there once. And the
    answers that depend on nothing but this version."""
    texts = {"": printed("--help")}
    for word in sorted(COMMANDS):
        texts[word] = printed(f"{word} --help")
        found = RootGroup(name="").get_command(None, word)
        for name in getattr(found, "commands", ()):
            texts[f"{word} {name}"] = printed(f"{word} {name} --help")
    title = "\nGlobal flags:\n"
    shared = texts["version"][texts["version"].index(title) :]
    parts = [
        _PAGES_HEAD,
        "VERSIONS: dict[str, str] = {\n",
        *(f"    {_text(words)}: {_text(printed(words))},\n" for words in _VERSIONS),
        "}\n\n",
        f"GLOBAL_FLAGS = {_text(shared)}\n\n",
        "PAGES: dict[str, str] = {\n",
        *(f"    {_text(words)}: {_text(page.removesuffix(shared))},\n" for words, page in texts.items()),
        "}\n",
    ]
    assert all(page.endswith(shared) for page in texts.values())
    return "".join(parts)


_VERSIONS = ("--version", "version --client")


def printed(words: str) -> str:
    """What the command line prints into a pipe."""
    stream = io.StringIO()
    width = os.environ.pop("COLUMNS", None)
    os.environ["COLUMNS"] = str(WIDTH)
    try:
        with contextlib.redirect_stdout(stream):
            run(words.split(), PROGRAM, Session())
    finally:
        del os.environ["COLUMNS"]
        if width is not None:
            os.environ["COLUMNS"] = width
    return stream.getvalue()


# --- words.py -------------------------------------------------------------------------------------


def _module(unclear: list[str]) -> str:
    shared = dict(_flags("", global_options(), {}, unclear))
    shared["--help"] = Flag("-h", "", False, "Show this message and exit.")
    commands = {
        word: _command(word, each.summary, shared, unclear) for word, each in sorted(COMMANDS.items())
    }
    kinds = {
        kind.kind: (kind.namespaced, tuple(dict.fromkeys(word.lower() for word in _kind_words(kind))))
        for kind in KINDS
    }
    root = Command("", {"--version": Flag("", "", False, "Print the version and exit.")}, below=commands)
    parts = [
        _HEAD,
        "KINDS: dict[str, tuple[bool, tuple[str, ...]]] = {\n",
        *(f"    {_text(kind)}: {_literal(value)},\n" for kind, value in kinds.items()),
        "}\n",
        '"""Kind -> is it namespaced, and the words for it, the one that is offered first."""\n\n',
        f"GLOBAL_FLAGS: dict[str, Flag] = {_flag_table(shared, 0)}\n\n",
        f"ROOT = {_call(root, 0)}\n",
    ]
    return "".join(parts)


def _kind_words(kind: Any) -> Iterator[str]:
    """kubectl offers plurals of its own kinds; ours are known by their singulars."""
    yield kind.singular
    yield from kind.words


def _command(word: str, summary: str, shared: Mapping[str, Flag], unclear: list[str]) -> Command:
    found = RootGroup(name="").get_command(None, word)
    if hasattr(found, "commands"):
        below = {
            name: _leaf(f"{word} {name}", each, _summary(each.help), shared, unclear)
            for name, each in found.commands.items()
        }
        return Command(summary, dict(_flags(word, found.params, shared, unclear)), below=below)
    return _leaf(word, found, summary, shared, unclear)


def _leaf(path: str, command: Any, summary: str, shared: Mapping[str, Flag], unclear: list[str]) -> Command:
    words: list[str] = []
    more = False
    for param in command.params:
        if param.param_type_name != "argument" or not param.metavar:
            continue
        words += WORDS_OF.get(path) or WORDS.get(param.metavar) or _by_metavar(param.metavar) or ("",)
        if "" in words:
            unclear.append(f"{param.metavar} of `{path}`")
            words.remove("")
        more = "..." in param.metavar
    flags = dict(_flags(path, command.params, shared, unclear))
    return Command(summary, flags, tuple(words), more)


def _flags(
    path: str, params: Sequence[Any], shared: Mapping[str, Flag], unclear: list[str]
) -> Iterator[tuple[str, Flag]]:
    for param in params:
        if param.param_type_name == "argument" or getattr(param, "hidden", False):
            continue
        names = [name for name in param.opts if name.startswith("--")]
        short = next((name for name in param.opts if not name.startswith("--")), "")
        if not names or names[0] in shared:
            continue
        takes = "" if param.is_flag else _meaning(f"{names[0]} of `{path}`", names[0], param, unclear)
        for name in (*names, *param.secondary_opts):
            yield name, Flag(short if name == names[0] else "", takes, param.multiple, _summary(param.help))


def _meaning(place: str, name: str, param: Any, unclear: list[str]) -> str:
    if choices := getattr(param.type, "choices", None):
        return f"one {' '.join(map(str, choices))}"
    found = FLAGS.get(f"{name} {param.metavar}") or FLAGS.get(name)
    found = found or "".join(_by_metavar(param.metavar or "")) or _by_help(param)
    if not found:
        if param.metavar not in FREE:
            unclear.append(f"{place} ({param.metavar})")
        return "text"
    return found


def _by_metavar(metavar: str) -> tuple[str, ...]:
    """a|b|c, FILE, DIR and BOOL say it themselves."""
    if re.fullmatch(r"[a-z]+(\|[a-z]+)+", metavar):
        return (f"one {metavar.replace('|', ' ')}",)
    if metavar.strip("[].").split("|")[0] == "FILE":
        return ("file",)
    return {"DIR": ("dir",), "BOOL": ("one true false",)}.get(metavar, ())


def _by_help(param: Any) -> str:
    """ "... by reason, flavor, queue or shape.": small words that the help lists."""
    if param.metavar != "WORD":
        return ""
    found = re.search(r"((?:[a-z-]+, )+[a-z-]+ or [a-z-]+)\.?$", (param.help or "").strip())
    return f"one {' '.join(re.split(', | or ', found[1]))}" if found else ""


def _summary(text: str | None) -> str:
    """The first sentence of a help text, or of a long one the beginning."""
    first = " ".join((text or "").split("\n\n")[0].split())
    short = re.split(r"(?<=[a-z)])[.;] ", first)[0].rstrip(".;")
    return short if len(short) <= LONGEST else short[: short.rindex(" ", 0, LONGEST)].rstrip(",:") + " ..."


# --- as Python ------------------------------------------------------------------------------------


def _call(command: Command, depth: int) -> str:
    pad = "    " * depth
    below = "".join(
        f"{pad}        {_text(word)}: {_call(each, depth + 2)},\n" for word, each in command.below.items()
    )
    table = f"{{\n{below}{pad}    }}" if below else "{}"
    rest = f"{_literal(command.words)},\n{pad}    {command.more},\n{pad}    {table},\n"
    flags = _flag_table(command.flags, depth + 1)
    return f"Command(\n{pad}    {_text(command.help)},\n{pad}    {flags},\n{pad}    {rest}{pad})"


def _flag_table(flags: Mapping[str, Flag], depth: int) -> str:
    pad = "    " * depth
    lines = [
        f"{pad}    {_text(name)}: Flag({_text(each.short)}, {_text(each.takes)}, {each.several}, "
        f"{_text(each.help)}),\n"
        for name, each in flags.items()
    ]
    return f"{{\n{''.join(lines)}{pad}}}" if lines else "{}"


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        inner = ", ".join(_literal(each) for each in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(value: str) -> str:
    """With double quotes, as all texts of the program."""
    import json

    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
