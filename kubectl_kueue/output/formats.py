"""The registry of output formats, and `emit`, through which every answer leaves.

A new format is one writer and one line in FORMATS. A command gives its answer in two forms, each made
only when asked for: a Page (or Table, or Listing) for people and a Document for programs.
"""

import os
import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TextIO

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.views.page import Document, Listing, Page, Table

if TYPE_CHECKING:
    from kubectl_kueue.output.go_template import RunKubectl


class Answer(NamedTuple):
    """One answer in the forms that a command can give; `special` names the special formats that it has."""

    page: Callable[[], Page | Table | Listing]
    document: Callable[[], Document]
    special: Collection[str] = ()


class Request(NamedTuple):
    """How an answer is wanted; `argument` is the template of a format that takes one."""

    argument: str = ""
    show_managed_fields: bool = False
    no_headers: bool = False
    allow_missing: bool = True
    run_kubectl: "RunKubectl | None" = None


class Format(NamedTuple):
    """How to write an answer. `takes` is what an argument is called in the error about a missing one, empty
    for a format without; `check` says what is wrong with an argument; `file`: it is the name of a file;
    `special`: few answers have it."""

    write: Callable[[Answer, Request, TextIO], None]
    takes: str = ""
    check: Callable[[str], None] | None = None
    file: bool = False
    special: bool = False


def emit(
    answer: Answer,
    output: str | None,
    stream: TextIO | None = None,
    *,
    template: str | None = None,
    show_managed_fields: bool = False,
    no_headers: bool = False,
    allow_missing: bool = True,
    run_kubectl: "RunKubectl | None" = None,
) -> None:
    """Write `answer` in the format `output` (None: table, or go-template if there is a `template`) to
    `stream` (None: standard output).

    `template` is the template of an `output` that names its format only. metadata.managedFields of objects
    are left out without `show_managed_fields`, except for templates and custom columns, as kubectl does.
    `run_kubectl` is needed for Go templates.

    Raises ConfigError for a format that does not exist or that this answer does not have, and for a template
    that is malformed or does not fit the answer.
    """
    chosen, argument = _choose(output, template, answer.special)
    if chosen.file:
        argument = _read(argument, chosen.takes)
    request = Request(argument, show_managed_fields, no_headers, allow_missing, run_kubectl)
    chosen.write(answer, request, stream or sys.stdout)


def check_format(output: str | None, template: str | None = None, special: Collection[str] = ()) -> None:
    """Raise ConfigError for an unknown format or a malformed template, before any work is done for it.

    `special` names the special formats that the answer will have.
    """
    chosen, argument = _choose(output, template, special)
    if chosen.check and not chosen.file:
        chosen.check(argument)


def _choose(output: str | None, template: str | None, special: Collection[str] = ()) -> tuple[Format, str]:
    known = {name: form for name, form in FORMATS.items() if not form.special or name in special}
    name, equals, argument = (output or ("go-template" if template else "table")).partition("=")
    chosen = known.get(name) or known.get(name.lower() if name.lower() in _ANY_CASE else "")
    if chosen is None or (equals and not chosen.takes):
        raise ConfigError(
            f'unable to match a printer suitable for the output format "{output}", '
            f"allowed formats are: {','.join(sorted(known))}"
        )
    if chosen.takes and not equals:
        argument = template or ""
    if chosen.takes and not argument:
        raise ConfigError(_NO_ARGUMENT[chosen.takes])
    return chosen, argument


def _read(path: str, takes: str) -> str:
    what = "template" if takes == _COLUMNS else "--template"
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except ValueError as error:
        raise ConfigError(f"error reading {what} {path}, {error}") from None
    except OSError as error:
        reason = os.strerror(error.errno or 0).lower()
        raise ConfigError(f"error reading {what} {path}, open {path}: {reason}") from None


# --- writers --------------------------------------------------------------------------------------


def _table(answer: Answer, request: Request, stream: TextIO) -> None:
    from kubectl_kueue.output.terminal import write_lines

    write_lines(answer.page(), stream, header=not request.no_headers)


def _wide(answer: Answer, request: Request, stream: TextIO) -> None:
    from kubectl_kueue.output.terminal import write_lines

    write_lines(answer.page(), stream, wide=True, header=not request.no_headers)


def _machine(module: str, name: str, *, special: bool = False) -> Format:
    """A writer of documents, loaded when it is used: some of them cost more than a short command does."""

    def write(answer: Answer, request: Request, stream: TextIO) -> None:
        writer: Callable[[Document, TextIO], None]
        writer = getattr(import_module(f"kubectl_kueue.output.{module}"), name)
        writer(_shown(answer, request), stream)

    return Format(write, special=special)


def _shown(answer: Answer, request: Request) -> Document:
    from kubectl_kueue.output.machine import without_managed_fields

    document = answer.document()
    return document if request.show_managed_fields else without_managed_fields(document)


def _jsonpath(answer: Answer, request: Request, stream: TextIO, as_json: bool = False) -> None:
    from kubectl_kueue.output.jsonpath import render
    from kubectl_kueue.output.machine import plain_data
    from kubectl_kueue.output.terminal import write_untrusted

    data = plain_data(answer.document())
    text = render(request.argument, data, allow_missing=request.allow_missing, as_json=as_json)
    write_untrusted(text, stream)


def _jsonpath_as_json(answer: Answer, request: Request, stream: TextIO) -> None:
    _jsonpath(answer, request, stream, as_json=True)


def _check_jsonpath(template: str) -> None:
    from kubectl_kueue.output.jsonpath_parser import parse

    parse(template)


def _go_template(answer: Answer, request: Request, stream: TextIO) -> None:
    from kubectl_kueue.output.go_template import render_template
    from kubectl_kueue.output.terminal import write_untrusted

    data, run = answer.document().data, request.run_kubectl
    write_untrusted(render_template(request.argument, data, run, allow_missing=request.allow_missing), stream)


def _custom_columns(answer: Answer, request: Request, stream: TextIO, from_file: bool = False) -> None:
    from kubectl_kueue.output.custom_columns import column_lines, parse_column_file, parse_columns
    from kubectl_kueue.output.machine import plain_data

    columns = parse_column_file(request.argument) if from_file else parse_columns(request.argument)
    data = plain_data(answer.document())
    stream.writelines(column_lines(columns, data, header=not request.no_headers))


def _custom_columns_file(answer: Answer, request: Request, stream: TextIO) -> None:
    _custom_columns(answer, request, stream, from_file=True)


def _check_columns(spec: str) -> None:
    from kubectl_kueue.output.custom_columns import parse_columns

    parse_columns(spec)


_TEMPLATE = "template"
_COLUMNS = "custom columns"
_NO_ARGUMENT: Mapping[str, str] = {
    _TEMPLATE: "template format specified but no template given",
    _COLUMNS: "custom-columns format specified but no custom columns given",
}
_ANY_CASE = ("json", "kyaml", "yaml")

FORMATS: Mapping[str, Format] = {
    "custom-columns": Format(_custom_columns, _COLUMNS, _check_columns),
    "custom-columns-file": Format(_custom_columns_file, _COLUMNS, file=True),
    "dot": _machine("dot", "write_dot", special=True),
    "go-template": Format(_go_template, _TEMPLATE),
    "go-template-file": Format(_go_template, _TEMPLATE, file=True),
    "json": _machine("machine", "write_json"),
    "jsonpath": Format(_jsonpath, _TEMPLATE, _check_jsonpath),
    "jsonpath-as-json": Format(_jsonpath_as_json, _TEMPLATE, _check_jsonpath),
    "jsonpath-file": Format(_jsonpath, _TEMPLATE, file=True),
    "junit": _machine("junit", "write_junit", special=True),
    "kyaml": _machine("machine", "write_kyaml"),
    "name": _machine("machine", "write_names"),
    "patch": _machine("sarif", "write_patches", special=True),
    "sarif": _machine("sarif", "write_sarif", special=True),
    "table": Format(_table),
    "template": Format(_go_template, _TEMPLATE),
    "templatefile": Format(_go_template, _TEMPLATE, file=True),
    "wide": Format(_wide),
    "yaml": _machine("machine", "write_yaml"),
}
