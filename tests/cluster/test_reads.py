"""Reading commands only read: the API server's audit log says so."""

import pytest

from tests.cluster.cases import Case, name_of, read_cases, run_case
from tests.cluster.conftest import Kueue


@pytest.mark.parametrize("case", read_cases("reads"), ids=name_of)
def test_reading_changes_nothing(case: Case, kueue: Kueue) -> None:
    answer = run_case(kueue, case)
    assert answer.requests
    assert not answer.writes
