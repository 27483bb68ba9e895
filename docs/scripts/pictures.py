"""docs/pictures/: what `tree` and `top` draw on a terminal, as rich's own SVG."""

import io
import re
from pathlib import Path

from docs.scripts.transcripts import Run

PICTURES = Path(__file__).parent.parent / "pictures"
SHOWN = {
    "tree": "tree --snapshot examples/snapshot.json",
    "top": "top --snapshot examples/snapshot.json",
    "explain": "explain workload train-big -n team-a --no-suggest --snapshot examples/snapshot.json",
}


def pictures(run: Run) -> dict[Path, str]:
    """Every picture; `run` gives what a terminal with colours gets."""
    return {PICTURES / f"{name}.svg": _svg(command, run(command.split())) for name, command in SHOWN.items()}


def _svg(command: str, shown: str) -> str:
    from rich.console import Console
    from rich.text import Text

    text = Text.from_ansi(shown.rstrip("\n"))
    width = max(map(len, text.plain.splitlines()))
    console = Console(
        record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(text, soft_wrap=True)
    drawn = console.export_svg(
        title=f"kubectl kueue {command.partition(' --snapshot')[0]}", unique_id="kueue"
    )
    # Fonts are the reader's: a page of ours loads nothing from elsewhere.
    return _PIECE.sub(_without_margins, re.sub(r"@font-face\s*{.*?}", "", drawn, flags=re.DOTALL))


_SPACE = "&#160;"
_PIECE = re.compile(r'(<text class="[\w-]+" x=")([\d.]+)(" y="[\d.]+" textLength=")([\d.]+)("[^>]*>)([^<]*)')
_CELL = 12.2  # pixels that rich gives a character


def _without_margins(piece: re.Match[str]) -> str:
    """A piece of a line that begins with its first letter: some programs leave out the spaces before it."""
    before, x, between, length, after, text = piece.groups()
    inner = re.sub(f"^(?:{_SPACE})+|(?:{_SPACE})+$", "", text.rstrip("\n"))
    if not inner:
        return piece[0]
    left = text.index(inner) // len(_SPACE)
    trimmed = (len(text.rstrip("\n")) - len(inner)) // len(_SPACE)
    place = f"{float(x) + left * _CELL:.1f}"
    return f"{before}{place}{between}{float(length) - trimmed * _CELL:.1f}{after}{inner}"
