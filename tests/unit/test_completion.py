"""What TAB offers without a cluster, that the table behind it is current, and how little it costs."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.completion.generate import files
from kubectl_kueue.completion.line import Line
from kubectl_kueue.completion.protocol import plugin
from kubectl_kueue.completion.words import ROOT
from tests.conftest import REPOSITORY, Finished, Kueue

CASES = yaml.safe_load((REPOSITORY / "tests" / "cases" / "completion" / "static.yaml").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"])
def test_offers(case: dict[str, Any], kueue: Kueue) -> None:
    check(case, kueue("__complete", *shlex.split(case["line"])))


def check(case: dict[str, Any], finished: Finished) -> None:
    """The answer is what the case says."""
    *lines, mask = finished.stdout.removesuffix("\n").split("\n")
    values = [line.partition("\t")[0] for line in lines]
    wanted = case.get("offers")
    if wanted is not None:
        assert (lines if any("\t" in line for line in wanted) else values) == wanted
    assert set(case.get("among", ())) <= set(values)
    assert set(case.get("not", ())).isdisjoint(values)
    assert mask == f":{case.get('mask', 4)}"
    assert (finished.stderr, finished.code) == ("", 0)


def test_no_descriptions(kueue: Kueue) -> None:
    assert kueue("__completeNoDesc", "ver").stdout == "version\n:4\n"


def test_nothing_at_all_is_an_empty_word(kueue: Kueue) -> None:
    assert kueue("__complete").stdout == kueue("__complete", "").stdout


def test_two_quotation_marks_are_an_empty_word_too(kueue: Kueue) -> None:
    assert kueue("__complete", "stop", '""').stdout == "clusterqueue\nlocalqueue\nworkload\n:4\n"


def test_a_name_that_a_terminal_would_obey_is_not_offered(
    kueue: Kueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ["good", "bad\x1b[2J", "bad\u202e"]
    monkeypatch.setattr("kubectl_kueue.completion.names.names", lambda *arguments: found)
    assert kueue("__complete", "get", "cq", "").stdout == "good\n:4\n"


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["-n", "a"], {"--namespace": ["a"]}),
        (["-na"], {"--namespace": ["a"]}),
        (["--namespace=a", "list", "wl", "-n=b"], {"--namespace": ["a", "b"]}),
        (["list", "wl", "-Ao", "json"], {"--all-namespaces": ["true"], "--output": ["json"]}),
        (["list", "wl", "--", "-A"], {}),
        (["list", "wl", "--no-such", "-A"], {"--all-namespaces": ["true"]}),
    ],
)
def test_flags_before_the_cursor(words: list[str], given: dict[str, list[str]]) -> None:
    assert Line(words).given == given


# --- generated files ------------------------------------------------------------------------------


def test_generated_files_are_current() -> None:
    """`python -m kubectl_kueue.completion.generate` writes them."""
    unclear: list[str] = []
    made = files(unclear)
    old = [str(path) for path, text in made.items() if not path.exists() or path.read_text() != text]
    assert old == []
    assert unclear == []  # completion/meanings.py is to say what these stand for


def test_the_plugin_can_be_run() -> None:
    assert (REPOSITORY / "completions" / "kubectl_complete-kueue").stat().st_mode & 0o111


def test_the_plugin_that_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "argv", ["kubectl_complete-kueue", "completion", "z"])
    assert plugin() == 0
    assert capsysbinary.readouterr().out == b"zsh\n:4\n"


def test_every_command_is_described() -> None:
    commands = [*ROOT.below.values(), *(each for verb in ROOT.below.values() for each in verb.below.values())]
    assert all(command.help for command in commands)
    assert all(flag.help for command in commands for flag in command.flags.values())


# --- cost -----------------------------------------------------------------------------------------


HEAVY = {"typing", "re", "json", "collections.abc", "kubectl_kueue.cli", "kubectl_kueue.cluster", "hashlib"}


@pytest.mark.parametrize("words", [["list", ""], ["list", "wl", "--status", ""], ["get", "cq", "-"]])
def test_a_static_answer_imports_next_to_nothing(words: list[str]) -> None:
    program = (
        "import sys; sys.argv = ['kubectl-kueue', '__complete', *sys.argv[1:]]\n"
        "from kubectl_kueue.__main__ import main\n"
        "code = main(); sys.stderr.write(' '.join(sys.modules)); sys.exit(code)\n"
    )
    # -S: not even what is installed besides Python
    command = [sys.executable, "-S", "-c", program, *words]
    finished = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY)
    assert finished.stdout.endswith(":4\n")
    assert HEAVY.isdisjoint(finished.stderr.split())


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_scripts(shell: str, kueue: Kueue) -> None:
    described, plain = kueue("completion", shell), kueue("completion", shell, "--no-descriptions")
    assert (described.stderr, described.code) == ("", 0)
    assert plain.stdout == described.stdout.replace("__complete ", "__completeNoDesc ")
    assert plain.stdout != described.stdout
    names = {"bash": "kubectl-kueue.bash", "zsh": "_kubectl-kueue", "fish": "kubectl-kueue.fish"}
    file: Path = REPOSITORY / "completions" / names.get(shell, "kubectl-kueue.ps1")
    assert file.read_text() == described.stdout


def test_without_a_shell_there_is_help(kueue: Kueue) -> None:
    finished = kueue("completion")
    assert finished.stdout == kueue("completion", "--help").stdout
    assert (finished.stderr, finished.code) == ("", 0)


def test_unknown_shell(kueue: Kueue) -> None:
    finished = kueue("completion", "tcsh")
    assert (finished.stdout, finished.code) == ("", 1)
    assert finished.stderr.startswith(
        'Error: there is no completion for the shell "tcsh"; known are: bash, zsh, fish, powershell\n'
    )
