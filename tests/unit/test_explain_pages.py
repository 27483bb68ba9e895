"""The texts of `explain reason` and `explain verdict`, and their copies in docs/."""

from pathlib import Path
from typing import get_args

import pytest

from kubectl_kueue.cli.app import COMMANDS
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.inquiries.records import QueueWord
from kubectl_kueue.views.explain_text import text_document, text_page, texts_page
from kubectl_kueue.views.words.inquiries import MEANINGS, STYLES
from kubectl_kueue.views.words.outcomes import CODES
from kubectl_kueue.views.words.reason_pages import REASONS, WORDS, index_markdown, lessons, markdown
from tests.conftest import REPOSITORY

FOLDERS = {"reason": "reasons", "verdict": "verdicts"}
PAGES = [(kind, word) for kind in FOLDERS for word in lessons(kind)]


def test_every_code_and_every_word_has_a_page() -> None:
    assert REASONS.keys() == CODES.keys()
    assert WORDS.keys() == {*Word, "NoWorkload"}


def test_every_state_of_a_queue_has_words() -> None:
    assert set(get_args(QueueWord)) == MEANINGS.keys() == STYLES.keys()


@pytest.mark.parametrize(("kind", "word"), PAGES)
def test_docs_say_the_same(kind: str, word: str, request: pytest.FixtureRequest) -> None:
    file = REPOSITORY / "docs" / FOLDERS[kind] / f"{word}.md"
    check(file, markdown(kind, word), regenerate=request.config.getoption("--regenerate"))
    assert text_page(kind, word).blocks
    assert text_document(kind, word).data["name"] == word


@pytest.mark.parametrize("kind", FOLDERS)
def test_docs_list_them_all(kind: str, request: pytest.FixtureRequest) -> None:
    folder = REPOSITORY / "docs" / FOLDERS[kind]
    check(folder / "README.md", index_markdown(kind), regenerate=request.config.getoption("--regenerate"))
    assert {file.stem for file in folder.glob("*.md")} == {*lessons(kind), "README"}
    assert texts_page(kind).blocks


@pytest.mark.parametrize(("kind", "word"), PAGES)
def test_a_command_to_run_next_exists(kind: str, word: str) -> None:
    program, *rest = lessons(kind)[word].command.split()
    assert program == "kubectl"
    assert rest[0] != "kueue" or rest[1] in COMMANDS


def check(file: Path, text: str, *, regenerate: bool) -> None:
    if regenerate:
        file.write_bytes(text.encode())
    assert file.read_text() == text
