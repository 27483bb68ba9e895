"""docs/reliability.md holds the tables that the tests run, and every row of them has been run."""

from tests.reliability.cells import commands_of, read_table
from tests.reliability.pages import PAGE, with_tables


def test_the_page_has_the_tables_of_the_tests() -> None:
    text = PAGE.read_text()
    assert with_tables(text) == text, "python -m tests.reliability rights writes it anew"


def test_no_cell_is_empty() -> None:
    table = read_table("faults")
    for row in table["faults"]:
        told = [command for each in row["outcomes"] for command in each["of"]]
        assert sorted(told) == sorted(commands_of(row, table)), row["name"]
