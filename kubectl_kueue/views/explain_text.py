"""`explain reason CODE` and `explain verdict WORD`: a short page from the texts, or the list of all."""

from typing import Any

from kubectl_kueue.views.page import Block, Column, Document, Heading, Page, Span, Table, Text, verdict_style
from kubectl_kueue.views.words.reason_pages import lessons, summary_of


def text_page(kind: str, word: str) -> Page:
    """The page of a code or word; `kind` is reason or verdict."""
    lesson = lessons(kind)[word]
    style = verdict_style(word) if kind == "verdict" else "strong"
    blocks: list[Block] = [
        Text([Span(word, style), f": {summary_of(kind, word)}."]),
        Text([lesson.means]),
        Heading("What Kueue does"),
        Text([lesson.kueue], indent=2),
        Heading("What to do"),
        *(Text([step], indent=2, tight=True) for step in lesson.todo),
        Text([lesson.command], indent=2, tight=True),
        Heading("Example"),
        Text([lesson.example], indent=2),
    ]
    return Page(blocks)


def text_document(kind: str, word: str) -> Document:
    """The same for programs."""
    lesson = lessons(kind)[word]
    data: dict[str, Any] = {
        "schemaVersion": "v1",
        "kind": kind,
        "name": word,
        "summary": summary_of(kind, word),
        "means": lesson.means,
        "kueue": lesson.kueue,
        "todo": list(lesson.todo),
        "command": lesson.command,
        "example": lesson.example,
    }
    return Document(data)


def texts_page(kind: str) -> Page:
    """All codes, or all words, a line each."""
    rows = [[word, summary_of(kind, word)] for word in lessons(kind)]
    table = Table([Column("REASON" if kind == "reason" else "VERDICT"), Column("MEANS")], rows)
    return Page([table, Text([f"More about one: kubectl kueue explain {kind} {next(iter(lessons(kind)))}"])])


def texts_document(kind: str) -> Document:
    """The same for programs."""
    names = {word: summary_of(kind, word) for word in lessons(kind)}
    return Document({"schemaVersion": "v1", "kind": kind, "names": names})
