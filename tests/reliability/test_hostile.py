"""Every reading command on every document of hostile.py: an answer or one line of error, in bounded time.

What a command answers to the strange quantities and trees is held by the tests of the model and the engine.
"""

import io
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.reliability import cells
from tests.reliability.cells import Finished, run, sane
from tests.reliability.hostile import DOCUMENTS, ESCAPE

COMMANDS = {
    "explain": "explain workload w -n ns --snapshot FILE",
    "explain a pod": "explain pod/p -n ns --snapshot FILE",
    "explain a job": "explain job/j -n ns --snapshot FILE",
    "pending": "pending -A --snapshot FILE",
    "admit": "admit --dry-run --snapshot FILE",
    "tree": "tree --snapshot FILE",
    "top": "top --snapshot FILE",
    "list": "list workloads -A --snapshot FILE",
    "get": "get clusterqueues --snapshot FILE",
    "describe": "describe workload w -n ns --snapshot FILE",
    "doctor": "doctor --snapshot FILE",
    "lint": "lint --snapshot FILE",
    "snapshot": "snapshot --file - --snapshot FILE",
    "redact": "snapshot --redact --file - --snapshot FILE",
    "convert": "convert -f FILE",
}
SECONDS = 20.0
FORMATS = ("wide", "json", "yaml", "name", "kyaml", "jsonpath={.items[*].metadata.labels}")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_is_answered_or_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.yaml"
    path.write_bytes(DOCUMENTS[name]())
    for command, words in COMMANDS.items():
        started = time.monotonic()
        finished = run(*words.replace("FILE", str(path)).split())
        _good(finished, command)
        assert time.monotonic() - started < SECONDS, command
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.yaml"]


def _good(finished: Finished, command: str) -> None:
    sane(finished)
    assert finished.code in ((0, 1, 2) if command in ("doctor", "lint") else (0, 1))
    assert finished.stdout or finished.stderr
    if finished.code and not finished.stdout:
        assert len(finished.stderr) < 5000, "an error is a line that one can read"


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name.startswith("escapes")])
def test_no_format_lets_an_escape_through(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(DOCUMENTS[name]())
    for words in COMMANDS.values():
        for form in FORMATS:
            if not form.startswith("jsonpath"):  # templates give a pipe every byte, and a terminal none
                sane(run(*words.replace("FILE", str(path)).split(), "-o", form))


_Pipe = io.TextIOWrapper


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


TEMPLATES = (
    *("jsonpath={@}", "jsonpath={..metadata.name}{..message}{..labels}", "jsonpath-as-json={@}"),
    *(
        "go-template={{.}}",
        "go-template={{range $k, $v := .}}{{$k}} {{$v}}{{end}}",
        "go-template-file=TEMPLATE",
    ),
    *("jsonpath-file=PATH", "custom-columns=A:..message,B:..name", "custom-columns-file=COLUMNS"),
    *("wide", "json", "yaml", "kyaml", "name", ""),
)
OWN = {"TEMPLATE": "{{.}}", "PATH": "{@}", "COLUMNS": "A B\n..message .metadata.name\n"}


@pytest.mark.parametrize("form", TEMPLATES, ids=lambda form: form.partition("=")[0] or "table")
@pytest.mark.parametrize("name", ["escapes in a name", "escapes in a message", "escapes in labels"])
def test_no_escape_of_a_cluster_reaches_a_terminal(
    name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe gets what the template made of the data; a terminal is shown every control character."""
    if form.startswith("go-template") and shutil.which("kubectl") is None:
        pytest.skip("there is no kubectl that could run a Go template")
    path = tmp_path / "x.yaml"
    path.write_bytes(DOCUMENTS[name]())
    for own, text in OWN.items():
        (tmp_path / own).write_text(text)
        form = form.replace(f"={own}", f"={tmp_path / own}")
    monkeypatch.setenv("TERM", "dumb")
    shown = 0
    for words in COMMANDS.values():
        streams = iter([_Terminal(io.BytesIO(), write_through=True), _Pipe(io.BytesIO(), write_through=True)])
        monkeypatch.setattr(cells, "_stream", streams.__next__)
        flags = ("-o", form) if form else ()
        finished = run(*words.replace("FILE", str(path)).split(), *flags)
        assert not cells.HOSTILE.search(finished.stdout + finished.stderr), words
        shown += bool(finished.stdout)
    assert shown > 3, "most commands have an answer in this form"


@pytest.mark.parametrize(
    "words",
    [
        [ESCAPE],
        ["get", ESCAPE],
        ["get", "cq", "-o", ESCAPE],
        ["get", "cq", "--snapshot", ESCAPE],
        ["get", "cq", "--kubeconfig", ESCAPE],
        ["get", "cq", "-l", ESCAPE],
        ["explain", "workload", ESCAPE],
        ["explain", ESCAPE, "x"],
        ["admit", "--dry-run", "--set", ESCAPE],
        ["create", "clusterqueue", "x", "--nominal-quota", ESCAPE],
        ["create", "localqueue", ESCAPE, "-c", "x", "--dry-run", "client"],
        ["patch", "cq", "x", "-p", ESCAPE],
        ["completion", ESCAPE],
        [f"--{ESCAPE}"],
    ],
    ids=" ".join,
)
def test_a_command_line_is_not_obeyed_by_the_terminal(words: list[str]) -> None:
    example = [] if "--kubeconfig" in words or "--snapshot" in words else ["--kubeconfig", "/dev/null"]
    finished = run(*(word.replace("\0", "") for word in words), *example)
    assert finished.code == 1
    sane(finished)


# --- memory ---------------------------------------------------------------------------------------

MEMORY = 1_500_000_000
MANY = 1_000_000 if os.environ.get("KUEUE_NIGHTLY") else 100_000


@pytest.mark.parametrize("command", ["explain", "get"])
def test_a_million_items_fit_into_memory(command: str, tmp_path: Path) -> None:
    """A tenth of them where every change is tested."""
    path = tmp_path / "x.json"
    pod = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"n"}}'
    with path.open("w") as file:
        file.write('{"apiVersion":"v1","kind":"List","items":[')
        file.write(",".join(pod % index for index in range(MANY)))
        file.write("]}")
    finished = _limited(COMMANDS[command].replace("FILE", str(path)).split())
    assert finished.code in (0, 1)
    sane(finished)


def test_a_yaml_bomb_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(DOCUMENTS["a YAML bomb"]())
    finished = _limited(["explain", "workload", "w", "--snapshot", str(path)])
    assert finished.code == 1
    sane(finished)


def _limited(words: list[str]) -> Finished:
    """The command in a process that may take a gigabyte of memory and half a minute."""
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_kueue", *words],
        cwd=REPOSITORY,
        capture_output=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())
