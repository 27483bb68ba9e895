"""docs/commands/: a page for each command, made of its own help."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.scripts.book import PROGRAM, Entry, Flag, global_flags, read_commands

DOCS = Path(__file__).parent.parent
_MADE = (
    "<!-- Made from the commands by `make docs`: change the help in kubectl_kueue/cli/, not this page. -->\n"
)
_GLOBAL = "The [global flags](README.md#global-flags) go with every command."


def pages() -> dict[Path, str]:
    """Every page with its text."""
    entries = read_commands()
    made = {DOCS / "commands" / "README.md": _index(entries)}
    made |= {DOCS / "commands" / f"{entry.words[0]}.md": _page(entry) for entry in entries}
    return made


def _index(entries: Sequence[Entry]) -> str:
    lines = [_MADE, "# Commands\n", "| command | it does |", "|---|---|"]
    lines += [f"| [{entry.name}]({entry.name}.md) | {_cell(entry.summary)} |" for entry in entries]
    lines += [
        "\n## Global flags\n",
        "They stand before or after the command.\n",
        *_table("flag", global_flags()),
    ]
    return "\n".join(lines) + "\n"


def _page(entry: Entry) -> str:
    parts = [_MADE, f"# {PROGRAM} {entry.name}\n", *_body(entry)]
    for child in entry.children:
        parts += [f"## {child.name}\n", *_body(child, "###")]
    if (DOCS / f"{entry.name}.md").exists():
        parts.append(f"More about it: [{entry.name}](../{entry.name}.md).\n")
    return "\n".join([*parts, _GLOBAL]) + "\n"


def _body(entry: Entry, heading: str = "##") -> Iterator[str]:
    yield f"{_prose(entry.summary)}\n"
    yield f"```\n{entry.usage}\n```\n"
    for paragraph in entry.paragraphs:
        yield f"{_prose(paragraph)}\n"
    if entry.examples:
        yield f"{heading} Examples\n"
        yield "\n".join(["```sh", *entry.examples, "```\n"])
    for title, rows in (("Arguments", entry.arguments), ("Flags", entry.flags)):
        if rows:
            yield f"{heading} {title}\n"
            yield "\n".join(_table(title.lower().removesuffix("s"), rows)) + "\n"


def _table(title: str, rows: Sequence[Flag]) -> list[str]:
    return [
        f"| {title} | meaning |",
        "|---|---|",
        *(f"| `{_bar(row.form)}` | {_cell(row.help)} |" for row in rows),
    ]


def _prose(text: str) -> str:
    """Text that Markdown shows as it stands."""
    for sign in "\\*_[]<>":
        text = text.replace(sign, f"\\{sign}")
    return text


def _cell(text: str) -> str:
    return _bar(_prose(" ".join(text.split())))


def _bar(text: str) -> str:
    return text.replace("|", "\\|")
