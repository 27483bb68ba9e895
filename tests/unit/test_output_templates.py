"""Templates and columns of the user's own: how they are chosen, read, and handed on."""

import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.formats import Answer, check_format, emit
from kubectl_kueue.views.page import Column, Document, Listing

KUBECTL = shutil.which("kubectl")

QUEUES: list[dict[str, Any]] = [
    {
        "kind": "ClusterQueue",
        "metadata": {"name": "cpu", "labels": {"a.b/c": "x"}},
        "spec": {"cohortName": "org"},
    },
    {
        "kind": "ClusterQueue",
        "metadata": {"name": "longer-name"},
        "spec": {"m": {"z": 1, "a": "x\x1by"}, "l": [1.5, None, True], "s": "two\nlines", "e": "", "n": None},
    },
]
DATA = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueueList", "metadata": {}, "items": QUEUES}


class Ran(NamedTuple):
    stdout: bytes = b""
    stderr: bytes = b""
    code: int = 0


def printed(output: str | None, data: dict[str, Any] = DATA, **options: Any) -> str:
    stream = io.StringIO()
    table = Listing([Column("name")], [("a",)])
    emit(Answer(lambda: table, lambda: Document(data, objects=True)), output, stream, **options)
    return stream.getvalue()


# --- choosing -------------------------------------------------------------------------------------

NO_TEMPLATE = "template format specified but no template given"
NO_COLUMNS = "custom-columns format specified but no custom columns given"
UNKNOWN = (
    'unable to match a printer suitable for the output format "{}", allowed formats are: custom-columns,'
    "custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,"
    "kyaml,name,table,template,templatefile,wide,yaml"
)


def test_formats_of_few_answers_are_refused_and_offered_only_where_they_are_of_use() -> None:
    for name in ("dot", "junit", "patch", "sarif"):
        check_format(name, special=[name])
        with pytest.raises(ConfigError, match=f'"{name}", allowed formats are: custom-columns'):
            check_format(name)
    with pytest.raises(ConfigError, match="custom-columns-file,dot,go-template"):
        check_format("xml", special=["dot"])


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("xml", UNKNOWN.format("xml")),
        ("json=x", UNKNOWN.format("json=x")),
        ("wide=", UNKNOWN.format("wide=")),
        ("JSONPATH={}", UNKNOWN.format("JSONPATH={}")),
        ("=x", UNKNOWN.format("=x")),
        *(
            (f"{name}{equals}", NO_TEMPLATE)
            for name in (
                "go-template",
                "go-template-file",
                "jsonpath",
                "jsonpath-as-json",
                "jsonpath-file",
                "template",
                "templatefile",
            )
            for equals in ("", "=")
        ),
        ("custom-columns", NO_COLUMNS),
        ("custom-columns-file=", NO_COLUMNS),
        ("jsonpath={.a", "error parsing jsonpath {.a, unclosed action"),
        ("jsonpath-as-json={#}", "error parsing jsonpath {#}, unrecognized character in action: U+0023 '#'"),
        ("custom-columns=A", "unexpected custom-columns spec: A, expected <header>:<json-path-expr>"),
        ("custom-columns=A:.a,", "unexpected custom-columns spec: , expected <header>:<json-path-expr>"),
        (
            "custom-columns=A:{.a",
            "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or "
            "'{.name1.name2}'",
        ),
    ],
)
def test_a_bad_format_is_refused_before_and_while_printing(output: str, message: str) -> None:
    for attempt in (check_format, printed):
        with pytest.raises(ConfigError) as raised:
            attempt(output)
        assert str(raised.value) == message


@pytest.mark.parametrize(
    "output", [None, "json", "JSON", "Yaml", "name", "wide", "jsonpath={.a}", "jsonpath=x=y"]
)
def test_a_good_format_passes(output: str | None) -> None:
    check_format(output)


def test_a_template_may_come_by_its_own_flag() -> None:
    assert printed("jsonpath", template="{.kind}") == "ClusterQueueList"
    assert printed("jsonpath={.kind}", template="unused") == "ClusterQueueList"
    assert printed("custom-columns", template="A:.metadata.name") == "A\ncpu\nlonger-name\n"
    assert printed("wide", template="unused") == printed(None) == "NAME\na\n"
    assert json.loads(printed("json", template="unused")) == DATA


# --- jsonpath -------------------------------------------------------------------------------------


def test_jsonpath_prints_no_line_feed_of_its_own() -> None:
    assert printed("jsonpath={.items[*].metadata.name}") == "cpu longer-name"
    assert printed("jsonpath=plain") == "plain"


def test_jsonpath_as_json_prints_a_list_for_each_part() -> None:
    assert printed("jsonpath-as-json=a{.items[*].metadata.name}{.zz}") == (
        '[\n    "a"\n]\n[\n    "cpu",\n    "longer-name"\n]\n[]\n'
    )


def test_an_empty_list_is_printed_as_the_template_says() -> None:
    empty = {**DATA, "items": []}
    assert printed("jsonpath={.kind}", empty) == "ClusterQueueList"
    assert printed('jsonpath={range .items[*]}{.x}{end}{"\\t"}', empty, allow_missing=False) == "\t"


def test_a_missing_key_can_be_an_error() -> None:
    assert printed("jsonpath={.items[*].zz}") == ""
    with pytest.raises(ConfigError) as raised:
        printed('jsonpath={.items[*].zz}{"\\n"}', allow_missing=False)
    assert str(raised.value) == (
        'error executing jsonpath "{.items[*].zz}{\\"\\\\n\\"}": Error executing template: zz is not found'
    )


def test_control_characters_stay_in_a_pipe_and_show_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, text in ((io.StringIO(), "x\x1by\n\t"), (Terminal(), "x\\x1by\n\t")):
        answer = Answer(lambda: Listing([], []), lambda: Document(DATA))
        emit(answer, 'jsonpath={.items[1].spec.m.a}{"\\n\\t"}', stream)
        assert stream.getvalue() == text


# --- files ----------------------------------------------------------------------------------------


def test_templates_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "path").write_text("{.kind}\n")
    (tmp_path / "columns").write_text("NAME  COHORT\n.metadata.name {.spec.cohortName}\n")
    assert printed(f"jsonpath-file={tmp_path}/path") == "ClusterQueueList\n"
    assert printed("jsonpath-file", template=f"{tmp_path}/path") == "ClusterQueueList\n"
    assert printed(f"custom-columns-file={tmp_path}/columns", no_headers=True) == (
        "cpu           org\nlonger-name   <none>\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "invalid template, missing header line"),
        ("NAME  AGE\n", "invalid template, missing spec line"),
        ("NAME  AGE\n.metadata.name", "number of headers (2) and field specifications (1) don't match"),
    ],
)
def test_a_bad_file_of_columns_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "columns").write_text(text)
    with pytest.raises(ConfigError, match=re.escape(message)):
        printed(f"custom-columns-file={tmp_path}/columns")


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("jsonpath-file=nope", "error reading --template nope, open nope: no such file or directory"),
        ("templatefile=nope", "error reading --template nope, open nope: no such file or directory"),
        ("custom-columns-file=nope", "error reading template nope, open nope: no such file or directory"),
        ("jsonpath-file=a\0b", "error reading --template a\0b, embedded null byte"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(output: str, message: str) -> None:
    check_format(output)
    with pytest.raises(ConfigError) as raised:
        printed(output)
    assert str(raised.value) == message


# --- custom columns -------------------------------------------------------------------------------

COLUMNS = {
    "NAME:.metadata.name,I:.spec.cohortName,S:.spec.s": (
        "NAME          I        S\ncpu           org      <none>\nlonger-name   <none>   two lines\n"
    ),
    "A:metadata.name,B:{.metadata.name},C:{metadata.name}": (
        "A             B             C\n"
        "cpu           cpu           cpu\n"
        "longer-name   longer-name   longer-name\n"
    ),
    "M:.spec.m,L:.spec.l,X:.spec.l[*],E:.spec.e,N:.spec.n": (
        "M                 L                  X                E        N\n"
        "<none>            <none>             <none>           <none>   <none>\n"
        "map[a:x^[y z:1]   [1.5 <nil> true]   1.5,<nil>,true            <nil>\n"
    ),
    r"A:.metadata.labels.a\.b/c,é:.items": "A        é\nx        <none>\n<none>   <none>\n",
    "A:,:.kind": "A        \n<none>   ClusterQueue\n<none>   ClusterQueue\n",
    "A:..name,B:.spec.m.*": ("A             B\ncpu           <none>\nlonger-name   x^[y,1\n"),
}


@pytest.mark.parametrize("spec", COLUMNS)
def test_custom_columns_are_spaced_as_kubectl_spaces_them(spec: str) -> None:
    assert printed(f"custom-columns={spec}") == COLUMNS[spec]


def test_one_object_is_one_line_and_an_empty_list_the_headers() -> None:
    assert printed("custom-columns=A:.metadata.name", QUEUES[0]) == "A\ncpu\n"
    assert printed("custom-columns=A:.x,B:.y", {**DATA, "items": []}) == "A     B\n"
    assert printed("custom-columns=A:.x", {**DATA, "items": []}, no_headers=True) == ""


def test_a_column_that_does_not_fit_is_named() -> None:
    with pytest.raises(ConfigError) as raised:
        printed("custom-columns=A:.metadata[0]")
    assert str(raised.value) == "custom column A: map[string]interface {} is not array or slice"


# --- Go templates ---------------------------------------------------------------------------------


def runner(ran: Ran, seen: list[tuple[Sequence[str], bytes]]) -> Callable[[Sequence[str], bytes], Ran]:
    def run(arguments: Sequence[str], stdin: bytes) -> Ran:
        seen.append((arguments, stdin))
        return ran

    return run


def test_a_go_template_is_handed_to_kubectl() -> None:
    seen: list[tuple[Sequence[str], bytes]] = []
    assert printed(None, template="{{.kind}}", run_kubectl=runner(Ran(b"out\xff"), seen)) == "out\ufffd"
    arguments, stdin = seen[0]
    assert arguments[:4] == ["patch", "--local", "--filename=-", "--type=json"]
    assert arguments[5:] == ["--output=go-template={{.kind}}", "--allow-missing-template-keys=true"]
    assert json.loads(stdin) == {"apiVersion": "v1", "kind": "Answer", "answer": DATA}


def test_what_kubectl_says_about_a_template_is_the_error() -> None:
    failed = Ran(b"half", b"error: error parsing template {{, template: output:1: unclosed action\n", 1)
    with pytest.raises(ConfigError) as raised:
        printed("go-template={{", run_kubectl=runner(failed, []))
    assert str(raised.value) == "error parsing template {{, template: output:1: unclosed action"


def test_a_go_template_needs_kubectl() -> None:
    with pytest.raises(ConfigError, match="use -o jsonpath=TEMPLATE"):
        printed("go-template={{.kind}}")


def run_kubectl(arguments: Sequence[str], stdin: bytes) -> Ran:
    assert KUBECTL is not None
    done = subprocess.run([KUBECTL, *arguments], input=stdin, capture_output=True, check=False, timeout=60)
    return Ran(done.stdout, done.stderr, done.returncode)


GO_TEMPLATES: list[tuple[str, dict[str, Any], str]] = [
    ("{{range .items}}{{.metadata.name}}{{end}} {{$.kind}}", DATA, "cpulonger-name ClusterQueueList"),
    (
        '{{define "n"}}<{{.}}>{{end}}{{range .items}}{{template "n" .metadata.name}}{{end}}',
        DATA,
        "<cpu><longer-name>",
    ),
    ("{{len .items}}{{.kind}}{{.zz}}\n", {**DATA, "items": []}, "0ClusterQueueList<no value>\n"),
    ("{{.}}", {"kind": "A", "apiVersion": "v1", "x": 1}, "map[apiVersion:v1 kind:A x:1]"),
    ("{{.}}", {"answer": {"a/b~c": 1}, "a/b~c": [2]}, "map[a/b~c:[2] answer:map[a/b~c:1] kind:Answer]"),
]


@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl")
@pytest.mark.parametrize(("template", "data", "text"), GO_TEMPLATES)
def test_kubectl_gives_the_template_the_document_itself(
    template: str, data: dict[str, Any], text: str
) -> None:
    assert printed(f"go-template={template}", data, run_kubectl=run_kubectl) == text


@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl")
def test_kubectl_says_which_key_is_missing() -> None:
    with pytest.raises(ConfigError, match='map has no entry for key "zz"'):
        printed("template={{.zz}}", run_kubectl=run_kubectl, allow_missing=False)
