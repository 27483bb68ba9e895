"""Users with few rights get what they may see, or one line that says what they may not."""

import pytest

from tests.cluster.cases import Case, name_of, read_cases, run_case
from tests.cluster.conftest import Kueue


@pytest.mark.parametrize("case", read_cases("rights"), ids=name_of)
def test_few_rights(case: Case, kueue: Kueue) -> None:
    answer = run_case(kueue, case)
    assert all(request.status >= 400 for request in answer.writes)
    assert answer.stdout or answer.stderr
