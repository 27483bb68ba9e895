"""Who preempted a workload: the part of its page and of its document that looks back."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.engine.preemptions import History
from kubectl_kueue.views.explain_document import plain
from kubectl_kueue.views.page import Block, Heading, Span, Text
from kubectl_kueue.views.words.history import (
    advice_words,
    chain_words,
    loop_words,
    pattern_words,
    preempted_words,
)
from kubectl_kueue.views.words.numbers import count

MOST_EVICTIONS = 5
"""Evictions on a page, the latest first."""


def history_blocks(history: History, now: int) -> Iterator[Block]:
    """Nothing if it was evicted, but never for another workload."""
    if not (history.preempted or history.count):
        return
    yield Heading("Preempted")
    for loop in history.loops:
        yield Text([Span(f"{loop_words(loop, now)}.", "warn")], indent=2, tight=True)
    if pattern := pattern_words(history, now):
        yield Text([Span(pattern, "warn")], indent=2, tight=True)
    for each in history.preempted[:MOST_EVICTIONS]:
        yield Text([preempted_words(each, now)], indent=2, tight=True)
    more = len(history.preempted) - MOST_EVICTIONS
    if more > 0:
        yield Text([f"and {count(more, 'time')} before"], indent=2, tight=True)
    for words in chain_words(history):
        yield Text([words], indent=4, tight=True)
    for advice in advice_words(history):
        yield Text([advice], indent=2, tight=True)


def history_document(history: History) -> dict[str, Any]:
    """All evictions that are known, with the names of Kueue for their causes."""
    return plain(history)
