"""TAB in real shells: the scripts of completions/, loaded as their users load them."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import REPOSITORY
from tests.shells.terminal import Terminal

SCRIPTS = REPOSITORY / "completions"


class Shell(NamedTuple):
    """How to start it, and what to type first: load the script, make Ctrl-T show the command line."""

    command: tuple[str, ...]
    setup: str


SHELLS = {
    "bash": Shell(
        ("bash", "--norc", "--noprofile", "-i"),
        'show_line() { printf \'%s\\n\' "$READLINE_LINE" >"$LINE_FILE"; }; bind -x \'"\\C-t": show_line\'; '
        f"source {SCRIPTS}/kubectl-kueue.bash",
    ),
    "zsh": Shell(
        ("zsh", "-f", "-i"),
        'PROMPT="$ "; show-line() { print -r -- "$BUFFER" >"$LINE_FILE" }; zle -N show-line; '
        "bindkey -e; bindkey '^T' show-line; bindkey '^U' kill-whole-line; "
        f"autoload -Uz compinit; compinit -u -D; source {SCRIPTS}/_kubectl-kueue",
    ),
    "fish": Shell(
        ("fish", "--no-config", "-i"),
        "function fish_prompt; echo '$ '; end; set -g fish_autosuggestion_enabled 0; "
        "bind \\ct 'commandline >$LINE_FILE'; bind \\cu 'commandline \"\"'; "
        f"source {SCRIPTS}/kubectl-kueue.fish",
    ),
}

LINES = {
    "kueuectl vers": "kueuectl version ",
    "kubectl-kueue list worklo": "kubectl-kueue list workload",
    "kueuectl list localq": "kueuectl list localqueue ",
    "kueuectl list wl --stat": "kueuectl list wl --status ",
    "kueuectl list wl --status pen": "kueuectl list wl --status pending ",
    "kueuectl list wl --status=pen": "kueuectl list wl --status=pending ",
    "kueuectl list wl --status=pending,fin": "kueuectl list wl --status=pending,finished ",
    "kueuectl get cq -o custom-columns-": "kueuectl get cq -o custom-columns-file=",
    "kueuectl stop cq sm": "kueuectl stop cq small-cq ",
    "kueuectl stop cq/sm": "kueuectl stop cq/small-cq ",
    "kueuectl list lq -n dia": "kueuectl list lq -n diag ",
    "kueuectl list lq --namespace=dia": "kueuectl list lq --namespace=diag ",
    "kueuectl create cq a --nominal-quota defau": "kueuectl create cq a --nominal-quota default-flavor:",
    "kueuectl list pods --for work": "kueuectl list pods --for workload/",
    "kueuectl list pods --for job/sample-f": "kueuectl list pods --for job/sample-failed ",
    "kueuectl get cq --snapshot alpha.t": "kueuectl get cq --snapshot alpha.txt ",
    "kueuectl admit -f alph": "kueuectl admit -f alpha.yaml ",
    "kueuectl get cq --cache-dir ga": "kueuectl get cq --cache-dir gamma/",
    "kueuectl get cq --context arn:aws:e": "kueuectl get cq --context arn:aws:eks:north/dev ",
    "kueuectl get cq --context=arn:aws:e": "kueuectl get cq --context=arn:aws:eks:north/dev ",
    "kueuectl get cq --context admin@d": "kueuectl get cq --context admin@dev ",
    "kueuectl get cq --context my": "kueuectl get cq --context my\\ context ",
    "kueuectl get cq --cache-dir=ga": "kueuectl get cq --cache-dir=gamma/",
    "kueuectl admit --filename=alph": "kueuectl admit --filename=alpha.yaml ",
    "kueuectl -n 'diag' stop lq sma": "kueuectl -n 'diag' stop lq small ",
    "kueuectl get cq no-such": "kueuectl get cq no-such",
}
"""What is typed before TAB -> what stands there afterwards."""


@pytest.fixture(scope="module", params=SHELLS)
def terminal(
    request: pytest.FixtureRequest, surroundings: dict[str, str], folder: Path
) -> Iterator[Terminal]:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed: its completion script is not tested")
    shell = SHELLS[request.param]
    with Terminal(shell.command, surroundings, folder, shell.setup) as running:
        yield running


@pytest.mark.parametrize("line", LINES)
def test_tab(line: str, terminal: Terminal) -> None:
    assert terminal.completed(line) == LINES[line]


def test_bash_with_other_word_breaks(surroundings: dict[str, str], folder: Path) -> None:
    shell = SHELLS["bash"]
    with Terminal(shell.command, surroundings, folder, f"{shell.setup}; COMP_WORDBREAKS=' '") as terminal:
        for line in LINES:
            assert terminal.completed(line) == LINES[line]


def test_choices_are_shown_with_descriptions(terminal: Terminal) -> None:
    shown = terminal.shown("kueuectl create ")
    assert "resourceflavor" in shown
    assert "Create a ResourceFlavor" in shown


def test_names_are_shown(terminal: Terminal) -> None:
    shown = terminal.shown("kueuectl stop clusterqueue ")
    assert all(name in shown for name in ("cpu-pool", "drained-cq", "small-cq"))


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        (("bash", "-n"), "kubectl-kueue.bash"),
        (("zsh", "-n"), "_kubectl-kueue"),
        (("fish", "--no-execute"), "kubectl-kueue.fish"),
        (("sh", "-n"), "kubectl_complete-kueue"),
    ],
)
def test_syntax(shell: tuple[str, ...], file: str) -> None:
    if shutil.which(shell[0]) is None:
        pytest.skip(f"{shell[0]} is not installed: {file} is not tested")
    done = subprocess.run([*shell, str(SCRIPTS / file)], capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)


def test_zsh_finds_it_in_fpath(surroundings: dict[str, str], folder: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed: its completion script is not tested")
    setup = SHELLS["zsh"].setup.partition("autoload")[0]
    setup += f"fpath=({SCRIPTS} $fpath); autoload -Uz compinit; compinit -u -D"
    with Terminal(SHELLS["zsh"].command, surroundings, folder, setup) as terminal:
        assert terminal.completed("kueuectl vers") == "kueuectl version "
        assert terminal.completed("kubectl-kueue list localq") == "kubectl-kueue list localqueue "


def test_kubectl_asks_the_plugin(surroundings: dict[str, str]) -> None:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("kubectl is not installed: kubectl_complete-kueue is not tested")

    def ask(*words: str) -> list[str]:
        command = [kubectl, "__complete", "kueue", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
        return done.stdout.splitlines()

    assert ask("list", "localq") == ["localqueue\tList LocalQueues", ":4"]
    assert ask("stop", "cq", "") == ["cpu-pool", "drained-cq", "small-cq", "team-a-cq", ":4"]
