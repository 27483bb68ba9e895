"""Every cell of verbs.yaml; and a kind that makes a difference is named where it is refused."""

import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_kueue.engine.explanation.outside import HIDING
from tests.api.fake import FakeServer
from tests.reliability.cells import read_table, wanted
from tests.reliability.verbs import (
    ALL_BUT_THE_WORKLOAD,
    KINDS,
    ask,
    objects,
    refusals,
    refused,
    told,
    unnamed,
)

TABLE = read_table("verbs")
Place = tuple[FakeServer, Path]


@pytest.fixture(scope="module")
def fake() -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as name, FakeServer(objects(Path(name))) as running:
        running.kubeconfig(Path(name) / "config", namespace="wide")
        yield running, Path(name)


@pytest.fixture(scope="module")
def plain(fake: Place) -> "functools._lru_cache_wrapper[str]":
    """The answer to somebody who may do everything."""
    return functools.cache(lambda command: ask(*fake, "", command).stdout)


@pytest.mark.parametrize(
    ("refusal", "command"),
    [(refusal, command) for command in TABLE["commands"] for refusal in refusals(command)],
)
def test_an_answer_is_as_wide_as_the_verbs(
    refusal: str, command: str, fake: Place, plain: "functools._lru_cache_wrapper[str]"
) -> None:
    words = TABLE["commands"][command]
    finished = ask(*fake, refusal, words)
    assert told(finished) == wanted(TABLE[command], refusal)
    if finished.code:
        assert {kind for _, kind in refused(refusal)} & set(HIDING)
        assert (finished.stdout, finished.stderr.count("\n")) == ("", 1)
    elif refusal == ALL_BUT_THE_WORKLOAD:
        assert not set(HIDING) & set(unnamed(refusal, finished))
    elif finished.stdout != plain(words) and not refusal.startswith("absent"):
        assert not unnamed(refusal, finished)


def test_the_kinds_are_those_that_are_asked_for(fake: Place) -> None:
    """A kind that a command begins to read has to be refused here as well."""
    server, _ = fake
    server.requests.clear()
    for words in TABLE["commands"].values():
        ask(*fake, "", words)
    roots = {path.rpartition("/")[2] for path in KINDS.values()}
    asked = {part for path in server.paths("GET") if path.count("/") > 2 for part in path.split("/")[3:]}
    plurals = {part for part in asked if part in server_plurals(server)}
    assert plurals <= roots, plurals - roots


def server_plurals(server: FakeServer) -> set[str]:
    """Every plural that is served."""
    return {path.stem.partition(".")[0] for path in (server.folder / "json").glob("*.json")} - {
        "multikueueclusters",
        "multikueueconfigs",
    }
