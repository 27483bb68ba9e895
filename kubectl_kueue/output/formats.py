"""The registry of output formats, and `emit`, through which every answer leaves.

A new format is one writer and one line in WRITERS. A command gives its answer in two forms, each made
only when asked for: a Page (or Table) for people and a Document for programs.
"""

import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple, TextIO

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.machine import write_json, write_names, write_yaml
from kubectl_kueue.output.terminal import write_lines
from kubectl_kueue.views.page import Document, Page, Table


class Answer(NamedTuple):
    """One answer in the forms that a command can give."""

    page: Callable[[], Page | Table]
    document: Callable[[], Document]


Writer = Callable[[Answer, TextIO], None]

WRITERS: Mapping[str, Writer] = {
    "json": lambda answer, stream: write_json(answer.document(), stream),
    "name": lambda answer, stream: write_names(answer.document(), stream),
    "table": lambda answer, stream: write_lines(answer.page(), stream),
    "wide": lambda answer, stream: write_lines(answer.page(), stream, wide=True),
    "yaml": lambda answer, stream: write_yaml(answer.document(), stream),
}


def emit(answer: Answer, output: str | None, stream: TextIO | None = None) -> None:
    """Write `answer` in the format `output` (None: table) to `stream` (None: standard output).

    Raises ConfigError for a format that does not exist or that this answer does not have.
    """
    check_format(output)
    WRITERS[output or "table"](answer, stream or sys.stdout)


def check_format(output: str | None) -> None:
    """Raise ConfigError for an unknown format, before any work is done for it."""
    if output is not None and output not in WRITERS:
        raise ConfigError(
            f'unable to match a printer suitable for the output format "{output}", '
            f"allowed formats are: {','.join(sorted(WRITERS))}"
        )
