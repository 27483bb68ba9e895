"""Every cell of rights.yaml, and what is missing in an answer is named."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.fake import FakeServer
from tests.reliability.cells import read_table, wanted
from tests.reliability.rights import ask, combinations, told, unnamed

TABLE = read_table("rights")


@pytest.fixture(scope="module")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FakeServer, Path]]:
    folder = tmp_path_factory.mktemp("rights")
    with FakeServer() as running:
        running.kubeconfig(folder / "config", namespace="diag")
        yield running, folder


@pytest.mark.parametrize("command", TABLE["commands"])
@pytest.mark.parametrize("may", combinations())
def test_an_answer_is_as_wide_as_the_rights(may: str, command: str, fake: tuple[FakeServer, Path]) -> None:
    finished = ask(*fake, may, TABLE["commands"][command])
    assert told(finished) == wanted(TABLE[command], may)
    if finished.code == 0:
        assert not unnamed(may, finished)
    else:
        assert may.startswith("-")
        assert finished.stdout == ""


@pytest.mark.parametrize("command", TABLE["commands"])
def test_machines_are_told_what_is_missing(command: str, fake: tuple[FakeServer, Path]) -> None:
    finished = ask(*fake, "WlQ--", f"{TABLE['commands'][command]} -o json")
    assert {"Cohort", "ResourceFlavor"} <= set(texts(json.loads(finished.stdout)))


def texts(value: object) -> list[str]:
    """All texts in a document, and all names in it."""
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *texts(item))]
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [value] if isinstance(value, str) else []
