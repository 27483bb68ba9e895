"""docs/lint.md lists the rules as they are. `pytest … --regenerate` writes that part anew."""

import pytest

from kubectl_kueue.lint.catalogue import RULES
from kubectl_kueue.views.lint import rules_markdown
from tests.conftest import REPOSITORY

PAGE = REPOSITORY / "docs" / "lint.md"
MARK = "\n## Files and fields\n"


def test_rules_are_described(request: pytest.FixtureRequest) -> None:
    head, mark, _ = PAGE.read_text().partition(MARK)
    assert mark
    page = f"{head}\n{rules_markdown()}"
    if request.config.getoption("--regenerate"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page


def test_every_rule_has_an_anchor() -> None:
    text = PAGE.read_text()
    for name in RULES:
        assert f"\n### {name}\n" in text
