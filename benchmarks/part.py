"""What a part of the benchmarks hands back."""

from typing import NamedTuple


class Part(NamedTuple):
    """Text for people (Markdown), and figures by name for the table of aims."""

    text: str
    figures: dict[str, float]
