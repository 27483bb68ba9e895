"""Writing commands write what they say, only when asked to, and under their name."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cluster.apiserver import ApiServer, Refused, Request
from tests.cluster.cases import Case, name_of, read_cases, run_case
from tests.cluster.conftest import HERE, Kueue
from tests.cluster.loading import load, path_of, read_world

GIVEN = HERE / "cases" / "given.yaml"


@pytest.fixture
def given(server: ApiServer) -> Iterator[list[str]]:
    """Makes the objects of given.yaml; afterwards they are gone, and with them what is put on the list."""
    objects = read_world(GIVEN)
    made = [path_of(server, item) for item in objects]
    try:
        load(server, objects)
        yield made
    finally:
        for path in made:
            _remove(server, path)


@pytest.mark.parametrize("case", read_cases("writes"), ids=name_of)
def test_writing(case: Case, server: ApiServer, kueue: Kueue, given: list[str]) -> None:
    path = f"/apis/{case['object']}"
    given.append(path)
    before = server.find(path)

    dry = run_case(kueue, case, "--dry-run=client")
    assert (_line(dry.stdout, case), dry.writes) == (case.get("dry", "(client dry run)"), [])

    asked = run_case(kueue, case, "--dry-run=server")
    assert _line(asked.stdout, case) == "(server dry run)"
    assert [_is_dry(request) for request in asked.writes] == [True]
    assert server.find(path) == before

    done = run_case(kueue, case)
    assert _line(done.stdout, case) == ""
    (request,) = done.writes
    assert (request.verb, _is_dry(request)) == (case["verb"], False)
    assert request.uri.partition("?")[0] == (path.rpartition("/")[0] if case["verb"] == "create" else path)
    if "body" in case:
        assert request.body == case["body"]
    after = server.find(path)
    if case["then"] is None:
        assert after is None
        assert _option(request, "propagationPolicy") == "Background"
    else:
        assert {field: _value(after, field) for field in case["then"]} == case["then"]
        assert "kubectl-kueue" in {entry["manager"] for entry in after["metadata"]["managedFields"]}


def _line(stdout: str, case: Case) -> str:
    """What follows the expected words on the last line."""
    last = stdout.splitlines()[-1]
    assert last.startswith(case["line"]), stdout
    return last.removeprefix(case["line"]).strip()


def _is_dry(request: Request) -> bool:
    return "All" in _option(request, "dryRun")


def _option(request: Request, name: str) -> Any:
    """An option of a write: some are told in the query, those of a delete also in the body."""
    query = dict(pair.split("=", 1) for pair in request.uri.partition("?")[2].split("&") if pair)
    body = request.body if isinstance(request.body, dict) else {}  # a JSON patch is a list
    return query.get(name) or body.get(name, "")


def _value(item: Any, field: str) -> Any:
    for word in field.split("."):
        item = item[int(word)] if isinstance(item, list) else item[word]
    return item


def _remove(server: ApiServer, path: str) -> None:
    try:
        server.call("DELETE", f"{path}?propagationPolicy=Background")
    except Refused as refusal:
        if refusal.status != 404:
            raise
