"""The shell around the program: words, flags, exit codes, what is loaded when."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from typer.main import get_command

from kubectl_kueue.cli import app as cli
from kubectl_kueue.cli.argv import for_typer
from kubectl_kueue.cli.session import EXIT_CODES, Session, find_workload
from kubectl_kueue.errors import InputError, KueueError
from kubectl_kueue.model.objects import LocalQueue, Workload
from kubectl_kueue.model.world import World
from kubectl_kueue.output.formats import FORMATS
from kubectl_kueue.views.page import Page, Span, Text
from tests.api.fake import FakeServer
from tests.conftest import REPOSITORY, Kueue

WORLD = World(
    now=0,
    local_queues={"a/queue": LocalQueue()},
    workloads={key: Workload() for key in ("a/train", "a/train-2", "b/train-2", "b/serve", "c/workload")},
)


# --- names of workloads -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "namespace", "key"),
    [
        ("train", None, "a/train"),
        ("train", "a", "a/train"),
        ("a/train", None, "a/train"),
        ("a/train", "a", "a/train"),
        ("workload/train", None, "a/train"),
        ("wl/train", "a", "a/train"),
        ("workload.kueue.x-k8s.io/train", None, "a/train"),
        ("workload/a/train", None, "a/train"),
        ("train-2", "b", "b/train-2"),
        ("b/train-2", None, "b/train-2"),
        ("workload", None, "c/workload"),
    ],
)
def test_a_workload_is_found_by_any_of_its_names(text: str, namespace: str | None, key: str) -> None:
    assert find_workload(WORLD, text, namespace) == key


@pytest.mark.parametrize(
    ("text", "namespace", "message"),
    [
        ("trian", None, 'workload "trian" not found; did you mean a/train'),
        ("banana", None, 'workload "banana" not found'),
        ("serve", "a", 'workload "serve" not found in namespace "a", but there is b/serve'),
        ("a/serve", None, 'workload "serve" not found in namespace "a", but there is b/serve'),
        (
            "train-2",
            None,
            'workload "train-2" is in several namespaces, say which with -n: a/train-2, b/train-2',
        ),
        ("a/train", "b", '"a/train" is in namespace "a", but --namespace says "b"'),
    ],
)
def test_a_name_that_leads_nowhere_says_what_is_near(text: str, namespace: str | None, message: str) -> None:
    with pytest.raises(KueueError) as caught:
        find_workload(WORLD, text, namespace)
    assert str(caught.value).startswith(message)


def test_without_workloads_nothing_can_be_near() -> None:
    with pytest.raises(KueueError, match="there is no workload at all"):
        find_workload(World(now=0), "train", None)


# --- explain and admit over an engine that answers what the test says -------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replaces reading and deciding; records what the commands ask for."""
    calls: dict[str, Any] = {"manifests": [], "world": WORLD}

    def world(self: Session, manifests: list[str]) -> World:
        calls["manifests"] = [*calls["manifests"], *manifests]
        return calls["world"]

    def explain(world: World, key: str, *, topology: bool) -> SimpleNamespace:
        calls.update(key=key, topology=topology)
        return SimpleNamespace(state=calls.get("state", "Wait"), workload=key)

    def simulate(world: World, *, mode: str, max_cycles: int, **more: Any) -> SimpleNamespace:
        calls.update(mode=mode, max_cycles=max_cycles)
        return SimpleNamespace(max_cycles=max_cycles)

    def admit_page(
        run: Any, keys: list[str] | None, more: Any, *, trace: bool, asked: bool, everything: bool
    ) -> Page:
        calls.update(keys=keys, trace=trace, asked=asked, everything=everything)
        return Page([Text(["admitted"])])

    def explain_page(verdict: Any, search: Any, when: Any, *, trace: bool, topology: bool) -> Page:
        calls.update(trace=trace, drawn=topology)
        return Page([Text([Span(verdict.state, "warn"), f"  {verdict.workload}"])])

    monkeypatch.setattr(Session, "world", lambda self, manifests=(), **_: world(self, manifests))
    monkeypatch.setattr(Session, "home", lambda self: self.flags.namespace)
    _replace(monkeypatch, "kubectl_kueue.engine.explain", explain=explain)
    _replace(
        monkeypatch, "kubectl_kueue.engine.simulate", simulate=simulate, most_cycles=lambda world: 10_000
    )
    _replace(
        monkeypatch,
        "kubectl_kueue.engine.counterfactual.suggest",
        suggest=lambda world, verdict, enough: calls.update(suggested=verdict.workload),
        NOTHING_SEARCHED=None,
    )
    _replace(monkeypatch, "kubectl_kueue.engine.when", estimate=lambda world, verdict, enough: None)
    _replace(
        monkeypatch,
        "kubectl_kueue.views.explain",
        explain_page=explain_page,
        explain_document=lambda verdict, search, when: {"verdict": verdict.state},
    )
    _replace(
        monkeypatch, "kubectl_kueue.views.verdict", verdict_document=lambda run: {"cycles": run.max_cycles}
    )
    _replace(
        monkeypatch,
        "kubectl_kueue.views.admit",
        admit_page=admit_page,
        admit_names=lambda run, keys: ["workload.kueue.x-k8s.io/train"],
        admit_assumptions=lambda run, keys: [],
        admit_outcomes=lambda run, keys: calls["outcomes"],
    )
    return calls


def _replace(monkeypatch: pytest.MonkeyPatch, name: str, **contents: Callable[..., Any]) -> None:
    module = ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize("words", [("workload", "train"), ("workload/train",), ("wl", "train"), ("a/train",)])
def test_explain_takes_its_subject_as_kubectl_does(
    words: tuple[str, ...], kueue: Kueue, asked: dict[str, Any]
) -> None:
    finished = kueue("explain", *words, "--trace")
    assert finished == ("Wait  a/train\n", "", 0)
    assert asked["key"] == "a/train"
    assert asked["trace"] is True


@pytest.mark.parametrize(
    "arguments",
    [
        ("-n", "b", "-o", "json", "explain", "workload", "train-2"),
        ("explain", "-n", "b", "workload", "-o", "json", "train-2"),
        ("explain", "workload", "train-2", "-nb", "-ojson"),
        ("explain", "workload", "train-2", "-n=b", "-o=json"),
        ("explain", "workload", "train-2", "--namespace=b", "--output=json"),
        ("-n", "a", "-o", "yaml", "explain", "workload", "train-2", "-n", "b", "-o", "json"),
    ],
)
def test_global_flags_may_stand_before_and_after_the_verb(
    arguments: tuple[str, ...], kueue: Kueue, asked: dict[str, Any]
) -> None:
    finished = kueue(*arguments)
    assert json.loads(finished.stdout) == {"verdict": "Wait"}
    assert asked["key"] == "b/train-2"


@pytest.mark.parametrize(("state", "code"), EXIT_CODES.items())
def test_exit_code_is_the_verdict_only_when_asked_for(
    state: str, code: int, kueue: Kueue, asked: dict[str, Any]
) -> None:
    asked["state"] = state
    assert kueue("explain", "workload", "train").code == 0
    assert kueue("explain", "workload", "train", "--exit-code").code == code


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [({}, 0), ({"a/x": "Admit"}, 0), ({"a/x": "Admit", "a/y": "Never", "a/z": "Preempt"}, 12)],
)
def test_admit_exits_with_the_highest_code(
    outcomes: dict[str, str], code: int, kueue: Kueue, asked: dict[str, Any]
) -> None:
    asked["outcomes"] = outcomes
    assert kueue("admit", "--dry-run", "--exit-code").code == code


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {"keys": None, "mode": "until-idle", "max_cycles": 10_000}),
        (["--until-idle"], {"keys": None, "mode": "until-idle", "max_cycles": 10_000}),
        (["--cycles", "3"], {"keys": None, "mode": "until-idle", "max_cycles": 3}),
        (["-n", "b"], {"keys": ["b/train-2", "b/serve"]}),
        (["-n", "nowhere"], {"keys": []}),
        (["train", "workload/serve"], {"keys": ["a/train", "b/serve"]}),
        (["-f", "x.yaml", "--filename", "-"], {"manifests": ["x.yaml", "-"]}),
        (["--trace"], {"trace": True}),
        (["--all"], {"everything": True, "asked": False}),
        (["train"], {"everything": False, "asked": True}),
    ],
)
def test_admit_asks_the_engine_what_the_flags_say(
    arguments: list[str], expected: dict[str, Any], kueue: Kueue, asked: dict[str, Any]
) -> None:
    assert kueue("admit", "--dry-run", *arguments) == ("admitted\n", "", 0)
    assert {name: asked[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("arguments", "expected"), [([], ("cycle", 7)), (["--until-idle"], ("until-idle", 10_000))]
)
def test_a_scenario_runs_as_it_says_itself(
    arguments: list[str], expected: tuple[str, int], kueue: Kueue, asked: dict[str, Any]
) -> None:
    asked["world"] = World(now=0, mode="cycle", max_cycles=7, steady=True)
    kueue("admit", "--dry-run", *arguments)
    assert (asked["mode"], asked["max_cycles"]) == expected


def test_admit_prints_names_and_documents(kueue: Kueue, asked: dict[str, Any]) -> None:
    assert kueue("admit", "--dry-run", "-o", "name").stdout == "workload.kueue.x-k8s.io/train\n"
    document = kueue("admit", "--dry-run", "-o", "yaml").stdout
    assert document == "schemaVersion: v1\ncycles: 10000\n"


# --- exceptions -> exit codes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raised", "stderr", "code"),
    [
        (InputError("x.yaml: not\nYAML \x1b[2J"), "Error: x.yaml: not YAML \\x1b[2J\n", 1),
        (
            ZeroDivisionError("by zero"),
            "Error: ZeroDivisionError: by zero\n"
            "This is a bug in kubectl-kueue; KUEUE_DEBUG=1 shows the traceback.\n",
            1,
        ),
        (FileNotFoundError(2, "No such file", "x.yaml"), "Error: x.yaml: No such file\n", 1),
        (KeyboardInterrupt(), "", 130),
    ],
)
def test_every_exception_ends_in_a_line_and_a_code(
    raised: BaseException, stderr: str, code: int, kueue: Kueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def world(self: Session, manifests: list[str]) -> World:
        raise raised

    monkeypatch.setattr(Session, "world", lambda self, manifests=(), **_: world(self, manifests))
    monkeypatch.setattr(Session, "home", lambda self: self.flags.namespace)
    assert kueue("explain", "workload", "train") == ("", stderr, code)


def test_the_traceback_is_there_for_those_who_ask(kueue: Kueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "world", lambda self, manifests=(): 1 // 0)
    monkeypatch.setenv("KUEUE_DEBUG", "1")
    finished = kueue("explain", "workload", "train")
    assert finished.stderr.startswith("Traceback (most recent call last):\n")
    assert finished.code == 1


@pytest.mark.parametrize(
    "arguments", [["--help"], ["version", "--client"], ["version", "--client", "-o", "yaml"]]
)
def test_a_closed_pipe_is_quiet(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        finished = _python("-m", "kubectl_kueue", *arguments, stdout=writer)
    finally:
        os.close(writer)
    assert (finished.returncode, finished.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no file that is always full")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        finished = _python("-m", "kubectl_kueue", "version", "--client", stdout=full)
    assert finished.stderr == "Error: No space left on device\n"
    assert finished.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("redirections", "message"),
    [
        ("<&-", "stdin: it is closed, there is nothing to read"),
        (">&-", "standard output is closed, there is nowhere to print to"),
    ],
)
def test_a_closed_stream_is_said(redirections: str, message: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m kubectl_kueue explain workload w --snapshot - {redirections}"
    finished = subprocess.run(
        ["/bin/sh", "-c", command], cwd=REPOSITORY, stderr=subprocess.PIPE, text=True, check=False
    )
    assert (finished.returncode, finished.stderr) == (1, f"Error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--snapshot", ""], "--snapshot is empty: pass FILE|DIR|-"),
        (["--snapshot", "examples/snapshot.json", "-f", ""], "-f is empty: pass FILE|DIR|-"),
        (["--cycles", "x"], "--cycles takes a whole number from 1"),
        (["--cycles", "0"], "--cycles takes a whole number from 1"),
        (["--trace=true"], "flag takes no value: --trace"),
        (
            ["--dry-run=client"],
            "flag takes no value: --dry-run (there is one kind only: nothing reaches the cluster)",
        ),
    ],
)
def test_a_wrong_value_of_a_flag_is_said_in_a_line(arguments: list[str], message: str, kueue: Kueue) -> None:
    finished = kueue("admit", "--dry-run", *arguments)
    assert (finished.stdout, finished.code) == ("", 1)
    assert finished.stderr.splitlines()[0] == f"Error: {message}"


def test_the_namespace_of_the_command_line_is_that_of_the_manifests(kueue: Kueue, tmp_path: Path) -> None:
    manifest = tmp_path / "w.yaml"
    manifest.write_text("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w}")
    arguments = ("admit", "--dry-run", "--snapshot", "examples/snapshot.json", "-f", str(manifest), "w")
    assert "default/w" in kueue(*arguments).stdout
    assert "team-z/w" in kueue(*arguments, "-n", "team-z").stdout


def _python(*arguments: str, stdout: Any = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=REPOSITORY,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def test_suggestions_can_be_left_out(kueue: Kueue, asked: dict[str, Any]) -> None:
    kueue("explain", "workload", "train", "--no-suggest")
    assert "suggested" not in asked
    kueue("explain", "workload", "train")
    assert asked["suggested"] == "a/train"


# --- the table of commands, and what is loaded when -------------------------------------------------


@pytest.mark.parametrize("word", cli.COMMANDS)
def test_every_command_says_the_same_in_the_list_and_in_its_help(word: str) -> None:
    command = get_command(__import__(cli.COMMANDS[word].module, fromlist=["app"]).app)
    first_line, _, _ = (command.help or "").partition("\n")
    assert first_line == f"{cli.COMMANDS[word].summary}."
    assert all(getattr(param, "help", None) for param in command.params)


@pytest.mark.parametrize(
    "verb",
    [
        *("completion", "create", "delete", "describe", "edit", "explain", "get", "list"),
        *("patch", "resume", "stop"),
    ],
)
def test_a_verb_alone_prints_its_help(verb: str, kueue: Kueue) -> None:
    assert kueue(verb) == kueue(verb, "--help")


def test_the_help_of_output_names_every_format(kueue: Kueue) -> None:
    help_text = re.sub(r"-\n +", "-", kueue("version", "--help").stdout)
    of_one_command = {"dot", "junit", "patch", "sarif", "template", "templatefile"}
    assert all(name in help_text for name in FORMATS if name not in of_one_command)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["explain", "-o=json"], ["explain", "-o", "json"]),
        (["-n=a=b", "--x=y"], ["-n", "a=b", "--x=y"]),
        (["explain", "--", "-o=json"], ["explain", "--", "-o=json"]),
        ([], []),
    ],
)
def test_forms_of_kubectl_that_typer_does_not_know(arguments: list[str], expected: list[str]) -> None:
    assert for_typer(arguments) == expected


HEAVY = {"kubernetes", "rich", "pydantic", "yaml", "msgspec", "jsonpatch", "kubectl_kueue.model"}


@pytest.mark.parametrize(
    ("arguments", "other_commands"),
    [
        ("--help", {"explain", "admit", "version"}),
        ("--version", {"explain", "admit", "version"}),
        ("version --client", {"explain", "admit"}),
        ("explain --help", {"admit", "version"}),
    ],
)
def test_a_word_about_the_program_loads_no_more_than_it_needs(
    arguments: str, other_commands: set[str]
) -> None:
    stdout, modules = _loaded_by(*arguments.split())
    assert stdout
    assert modules.isdisjoint(HEAVY | {f"kubectl_kueue.cli.{word}" for word in other_commands})


def test_a_document_for_programs_is_made_without_the_terminal_and_the_network() -> None:
    stdout, modules = _loaded_by(*_demo_arguments(), "-o", "json")
    assert "verdict" in json.loads(stdout)
    assert modules.isdisjoint({"kubernetes", "rich", "pydantic", "yaml"})


def test_a_live_list_of_names_loads_no_library_for_terminals_models_and_http(tmp_path: Path) -> None:
    with FakeServer() as server:
        config = server.kubeconfig(tmp_path / "config")
        stdout, modules = _loaded_by(
            "list", "clusterqueue", "-o", "name", "--kubeconfig", str(config), "--cache-dir", str(tmp_path)
        )
    assert "clusterqueue.kueue.x-k8s.io/" in stdout
    assert modules.isdisjoint(
        {"kubernetes", "rich", "pydantic", "urllib3", "jsonpatch", "kubectl_kueue.engine"}
    )


def _demo_arguments() -> list[str]:
    """What `make demo` asks of the snapshot in examples/."""
    (line,) = re.findall(r"kubectl-kueue (explain .*)", (REPOSITORY / "Makefile").read_text())
    return shlex.split(line)


def _loaded_by(*arguments: str) -> tuple[str, set[str]]:
    script = (
        "import sys; from kubectl_kueue.__main__ import main; code = main(sys.argv[1:]); "
        "sys.stderr.write(' '.join(sys.modules)); sys.exit(code)"
    )
    finished = _python("-c", script, *arguments)
    assert finished.returncode == 0, finished.stderr.splitlines()[0]
    return finished.stdout, set(finished.stderr.split())
