"""The documentation is complete and current: pages, man pages, transcripts, pictures, links, the menu."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from docs.scripts import commands, man, pictures, transcripts
from kubectl_kueue.cli.app import COMMANDS
from tests.conftest import REPOSITORY, Kueue

DOCS = REPOSITORY / "docs"
STALE = "is out of date: run `python -m docs.scripts` and read the diff"
MADE = commands.pages() | man.pages()
PAGES = [DOCS / name for name in transcripts.PAGES]


@pytest.mark.parametrize("path", MADE, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_a_generated_page_is_current(path: Path) -> None:
    assert path.exists(), f"{path.name} is missing: run `python -m docs.scripts`"
    assert path.read_text(encoding="utf-8") == MADE[path], f"{path.name} {STALE}"


def test_every_command_has_its_pages_and_no_other_has() -> None:
    assert {path.stem for path in (DOCS / "commands").iterdir()} == {*COMMANDS, "README"}
    assert {path.stem for path in man.MAN.iterdir()} == {f"kubectl-kueue{word}" for word in ["", *dashed()]}


def dashed() -> list[str]:
    return [f"-{word}" for word in COMMANDS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_transcript_is_what_is_printed(page: Path, kueue: Kueue, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(arguments: list[str]) -> str:
        finished = kueue(*arguments)
        assert finished.code == 0, finished.stderr
        return finished.stdout + finished.stderr

    text = page.read_text(encoding="utf-8")
    assert transcripts.rewritten(text, run) == text, f"{page.name} {STALE}"


def test_there_are_transcripts() -> None:
    assert sum(len(transcripts.commands(page.read_text(encoding="utf-8"))) for page in PAGES) >= 15


def test_a_transcript_of_another_program_is_left_alone() -> None:
    text = "```console\n$ echo a\na\n$ kubectl kueue x 'y z'\nold\n$ kubectl kueue x > file\n```\n"
    made = transcripts.rewritten(text, lambda arguments: f"{arguments}\n")
    assert made == text.replace("old\n", "['x', 'y z']\n")


@pytest.mark.parametrize("name", pictures.SHOWN)
def test_a_picture_shows_what_is_printed(name: str, kueue: Kueue) -> None:
    """Of the words only: how rich draws them is its own matter."""
    drawn = (pictures.PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    for word in re.findall(r"\b[a-z][\w-]{3,}", kueue(*pictures.SHOWN[name].split()).stdout):
        assert word in drawn, f"{name}.svg {STALE}"
    assert "http" not in re.sub(r'xmlns="[^"]+"|<!-- .*? -->', "", drawn)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: str(page.relative_to(DOCS)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert "://" in target or (page.parent / target).exists(), target


def test_the_menu_of_the_site_has_every_page() -> None:
    site = yaml.safe_load((REPOSITORY / "properdocs.yml").read_text(encoding="utf-8"))
    listed = re.findall(r"[\w/-]+\.md", str(site["nav"]))
    own = {path.relative_to(DOCS).as_posix() for path in (*DOCS.glob("*.md"), *DOCS.glob("spec/*.md"))}
    assert {*listed} == own | {f"{folder}/README.md" for folder in ("commands", "reasons", "verdicts")}


@pytest.mark.skipif(
    shutil.which("mandoc") is None and shutil.which("groff") is None, reason="no roff is installed"
)
def test_man_pages_are_formatted_without_a_complaint() -> None:
    lint = (
        ["mandoc", "-Tlint", "-Werror"]
        if shutil.which("mandoc")
        else ["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z"]
    )
    finished = subprocess.run([*lint, *sorted(man.MAN.iterdir())], capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")
