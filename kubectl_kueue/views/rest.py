"""The line below a table that shows the first rows only."""

from collections.abc import Iterator

from kubectl_kueue.views.page import Block, Text
from kubectl_kueue.views.words.numbers import count


def rest_block(number: int, noun: str, *, in_document: bool = False) -> Iterator[Block]:
    """How many more there are than are shown, and whether the document has them."""
    if number > 0:
        where = " (-o json lists all)" if in_document else ""
        yield Text([f"and {count(number, f'more {noun}')}{where}"], indent=2, tight=True)
