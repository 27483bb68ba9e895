"""Servers with an older Kueue, with none, and with Kueue's own definitions."""

import pytest

from tests.cluster.cases import Case, name_of, read_cases, run_case
from tests.cluster.conftest import Start, runner
from tests.cluster.crds import RECORDED
from tests.cluster.nursery import Nursery


@pytest.mark.parametrize("case", read_cases("versions"), ids=lambda case: f"{case['setup']} {name_of(case)}")
def test_other_servers(case: Case, start: Start, nursery: Nursery) -> None:
    if case["setup"] == "recorded" and not RECORDED.is_dir():
        pytest.skip("no ../shared beside the repository")
    run_case(runner(start(case["setup"]), nursery), case)
