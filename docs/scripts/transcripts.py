"""The transcripts of hand-written pages: below `$ kubectl kueue …` in a console block stands what it prints.

Every line with `$ ` starts a command. Commands of other programs keep what stands below them.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

DOCS = Path(__file__).parent.parent
PAGES = ("index.md", "quickstart.md", "tutorial.md", "pending-guide.md", "compared.md", "compatibility.md")
Run = Callable[[list[str]], str]
"""Runs the arguments after `kubectl kueue` at the root of the repository; returns both streams."""

_BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
_COMMAND = "$ kubectl kueue "


def pages(run: Run) -> dict[Path, str]:
    """Every page with its transcripts as they are today."""
    return {path: rewritten(path.read_text(encoding="utf-8"), run) for path in map(DOCS.joinpath, PAGES)}


def rewritten(text: str, run: Run) -> str:
    """The page with every transcript made anew."""
    return _BLOCK.sub(lambda block: "".join(_replayed(block[1], run)), text)


def commands(text: str) -> list[str]:
    """The command lines of a page that are run, without `kubectl kueue`."""
    lines = [line for block in _BLOCK.findall(text) for line in block.splitlines()]
    return [line.removeprefix(_COMMAND) for line in lines if line.startswith(_COMMAND)]


def _replayed(block: str, run: Run) -> Iterator[str]:
    ours = False
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            # What goes on in the next line, or into a file, takes a shell: such lines are not run.
            ours = line.startswith(_COMMAND) and not line.rstrip().endswith("\\") and " > " not in line
            yield line
            if ours:
                yield run(shlex.split(line.removeprefix(_COMMAND)))
        elif not ours:
            yield line
