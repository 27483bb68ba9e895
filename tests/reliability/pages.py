"""The tables of docs/reliability.md, made of the YAML files that the tests run."""

from collections.abc import Callable, Iterator
from itertools import groupby

from tests.conftest import REPOSITORY
from tests.reliability.cells import read_table
from tests.reliability.hostile import DOCUMENTS

PAGE = REPOSITORY / "docs" / "reliability.md"
BEGIN, END = "<!-- tables of {name}: made by python -m tests.reliability -->", "<!-- end of {name} -->"


def with_tables(text: str) -> str:
    """The page with its tables as the YAML files say now."""
    for name, lines in _TABLES.items():
        head, tail = BEGIN.format(name=name), END.format(name=name)
        before, _, rest = text.partition(head)
        _, _, after = rest.partition(tail)
        text = f"{before}{head}\n\n" + "\n".join(lines()) + f"\n\n{tail}{after}"
    return text


def _faults() -> Iterator[str]:
    table = read_table("faults")
    commands = list(table["commands"])
    yield "| | " + " | ".join(commands) + " |"
    yield "|---|" + "---|" * len(commands)
    for row in table["faults"]:
        codes = {name: str(each["code"]) for each in row["outcomes"] for name in each["of"]}
        yield f"| {row['title']} | " + " | ".join(codes.get(name, "") for name in commands) + " |"
    yield ""
    yield "| | first line of stderr | said by |"
    yield "|---|---|---|"
    for row in table["faults"]:
        for index, each in enumerate(row["outcomes"]):
            says = f"`{_cell(each['says'])}`" if each["says"] else "nothing"
            title = "" if index else row["title"]
            yield f"| {title} | {each['code']}, {says} | {', '.join(each['of'])} |"


def _rights() -> Iterator[str]:
    yield from _by_command("rights", "may read", _short)


def _verbs() -> Iterator[str]:
    yield from _by_command("verbs", "may not", "; ".join)


def _by_command(name: str, rights: str, told: Callable[[list[str]], str]) -> Iterator[str]:
    """What each command says, and with which rights it says so."""
    table = read_table(name)
    yield f"| command | {rights} | exit code, first line |"
    yield "|---|---|---|"
    for command in table["commands"]:
        for each in table[command]:
            yield f"| {command} | {told(each['of'])} | {each['code']}, `{_cell(each['says'])}` |"


def _partial() -> Iterator[str]:
    table = read_table("partial")
    yield "| the second of three writes | command | exit code | changed | stderr |"
    yield "|---|---|---|---|---|"
    for failure in table["failures"]:
        for command in table["commands"]:
            found = table["outcomes"][command][failure["name"]]
            said = _lines(found["err"])
            changed = ", ".join(found["changed"]) or "none"
            yield f"| {failure['title']} | {command} | {found['code']} | {changed} | {said} |"


def _writes() -> Iterator[str]:
    yield "| may not | command | exit code | stdout | stderr |"
    yield "|---|---|---|---|---|"
    for cell in read_table("writes")["cells"]:
        out, err = _lines(cell["out"]), _lines(cell["err"])
        yield f"| {cell['may not']} | `{_cell(cell['run'])}` | {cell['code']} | {out} | {err} |"


def _short(rights: list[str]) -> str:
    """Combinations with those that differ in the last letter only together."""
    parts = []
    for start, group in groupby(rights, lambda may: may[:-1]):
        ends = "".join(may[-1] for may in group)
        parts.append(f"`{start}{ends if len(ends) == 1 else f'[{ends}]'}`")
    return " ".join(parts)


def _lines(printed: list[str]) -> str:
    return " ".join(f"`{_cell(line)}`" for line in printed) or "nothing"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _machine() -> Iterator[str]:
    yield "| | command | exit code, first line of stderr |"
    yield "|---|---|---|"
    for cell in read_table("machine")["cells"]:
        says = f"`{_cell(cell['says'])}`" if cell["says"] else "nothing"
        yield f"| {cell['title']} | `{cell['run']}` | {cell['code']}, {says} |"


def _hostile() -> Iterator[str]:
    yield "; ".join(DOCUMENTS) + "."


_TABLES = {
    "faults": _faults,
    "rights": _rights,
    "verbs": _verbs,
    "partial": _partial,
    "writes": _writes,
    "machine": _machine,
    "hostile": _hostile,
}
