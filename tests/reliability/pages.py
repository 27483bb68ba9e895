"""The tables of docs/reliability.md, made of the YAML files that the tests run."""

from collections.abc import Iterator
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
    table = read_table("rights")
    yield "| command | may read | exit code, first line |"
    yield "|---|---|---|"
    for command in table["commands"]:
        for each in table[command]:
            yield f"| {command} | {_short(each['of'])} | {each['code']}, `{_cell(each['says'])}` |"


def _verbs() -> Iterator[str]:
    table = read_table("verbs")
    yield "| command | may not | exit code, first line |"
    yield "|---|---|---|"
    for command in table["commands"]:
        for each in table[command]:
            refusals = "; ".join(each["of"])
            yield f"| {command} | {refusals} | {each['code']}, `{_cell(each['says'])}` |"


def _partial() -> Iterator[str]:
    table = read_table("partial")
    yield "| the second of three writes | command | exit code | changed | stderr |"
    yield "|---|---|---|---|---|"
    for failure in table["failures"]:
        for command in table["commands"]:
            found = table["outcomes"][command][failure["name"]]
            said = " ".join(f"`{_cell(line)}`" for line in found["err"]) or "nothing"
            changed = ", ".join(found["changed"]) or "none"
            yield f"| {failure['title']} | {command} | {found['code']} | {changed} | {said} |"


def _writes() -> Iterator[str]:
    yield "| may not | command | exit code | stdout | stderr |"
    yield "|---|---|---|---|---|"
    for cell in read_table("writes")["cells"]:
        out, err = (
            " ".join(f"`{_cell(line)}`" for line in cell[name]) or "nothing" for name in ("out", "err")
        )
        yield f"| {cell['may not']} | `{_cell(cell['run'])}` | {cell['code']} | {out} | {err} |"


def _short(rights: list[str]) -> str:
    """Combinations with those that differ in the last letter only together."""
    parts = []
    for start, group in groupby(rights, lambda may: may[:-1]):
        ends = "".join(may[-1] for may in group)
        parts.append(f"`{start}{ends if len(ends) == 1 else f'[{ends}]'}`")
    return " ".join(parts)


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
