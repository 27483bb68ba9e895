"""`admit --dry-run` for somebody who may not see the queues: each workload by its own status."""

from collections.abc import Mapping, Sequence

from kubectl_kueue.engine.explanation.verdict import Verdict
from kubectl_kueue.views.page import Block, Cell, Column, Document, Page, Span, Table, Text, verdict_style
from kubectl_kueue.views.words.answers import headline
from kubectl_kueue.views.words.assumed import unread_words
from kubectl_kueue.views.words.outside import widening_words

_COLUMNS = (Column("WORKLOAD"), Column("VERDICT"), Column("REASON"), Column("WHY"))


def outside_page(verdicts: Sequence[Verdict], unread: Mapping[str, str]) -> Page:
    """`unread` maps kinds to why they could not be read."""
    rows: list[list[Cell]] = [
        [v.workload, Span(str(v.state), verdict_style(v.state)), v.reason, headline(v)] for v in verdicts
    ]
    blocks: list[Block] = [
        Text([f"Nothing can be simulated, for not everything can be read: {unread_words(unread)}."]),
        Table(_COLUMNS, rows) if rows else Text(["No workload waits in what you may see."]),
    ]
    if widening := widening_words(unread):
        blocks.append(Text([Span(widening, "dim")]))
    return Page(blocks)


def outside_document(verdicts: Sequence[Verdict], unread: Mapping[str, str]) -> Document:
    """No cycles, as nothing was simulated; `missing` says why."""
    workloads = {v.workload: {"verdict": str(v.state), "reason": v.reason} for v in verdicts}
    return Document({"cycles": [], "missing": dict(unread), "workloads": workloads})
