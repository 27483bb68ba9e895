"""What the fuzzer starts with: the examples and the cases of the other tests, by target."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import REPOSITORY
from tests.worlds import CASES

CRASHES = Path(__file__).parent / "crashes"
MOST = 20_000
"""Bytes of a seed: a larger one makes every input slow, and finds no more."""


def seeds(target: str) -> list[bytes]:
    """The seeds of a target and every input that once crashed it."""
    return [*_SEEDS[target](), *(path.read_bytes() for path in crashes(target))]


def crashes(target: str) -> list[Path]:
    """The files of the inputs that once crashed a target."""
    return sorted(each for each in (CRASHES / target).glob("*") if each.is_file())


def _case(name: str) -> Any:
    return yaml.safe_load((CASES / f"{name}.yaml").read_text())


def _quantities() -> Iterator[bytes]:
    yield from (b"1", b"100m", b"1.5Gi", b"1e3", b"0.1", b"-5", b"1E9", b"12Ei", b".5", b"5.", b"+1", b"1e-9")
    yield from (b"9223372036854775807", b"1h30m", b"300s", b"250ms")
    yield b"2026-08-20T10:16:02.123456Z"
    yield b"2026-08-20T10:16:02+02:00"


def _snapshots() -> Iterator[bytes]:
    from tests.reliability.hostile import DOCUMENTS

    for path in sorted((REPOSITORY / "examples").rglob("*.*")):
        if path.suffix in (".yaml", ".json") and path.stat().st_size < MOST:
            yield path.read_bytes()
    for case in _case("reading/errors"):
        yield from (text.encode() for text in case.get("files", {}).values() if isinstance(text, str))
    yield from (data for make in DOCUMENTS.values() if len(data := make()) < MOST)


def _choices() -> Iterator[bytes]:
    """No bytes, and some that choose far from each other."""
    yield b""
    for step in (1, 7, 37, 101, 151, 211):
        yield bytes(index * step % 256 for index in range(400))


def _templates() -> Iterator[bytes]:
    yield from (case["template"].encode() for case in _case("output/jsonpath")["cases"])
    yield b"NAME:.metadata.name,COHORT:.spec.cohortName"


def _quotas() -> Iterator[bytes]:
    yield b"alpha:cpu=9;memory=36Gi;nvidia.com/gpu=10,beta:cpu=18;memory=72Gi;nvidia.com/gpu=20"
    yield b"alpha:cpu=0.5,beta:memory=1Gi"
    yield b"key=value:NoSchedule,key:NoExecute"
    yield b'a=b,"c=d,e",f='


def _changes() -> Iterator[bytes]:
    yield from (case["set"].encode() for case in _case("supposing/changes") if "set" in case)


def _kubeconfigs() -> Iterator[bytes]:
    for case in _case("cluster/kubeconfig"):
        for content in case.get("files", {}).values():
            yield (content if isinstance(content, str) else json.dumps(content)).encode()


def _selectors() -> Iterator[bytes]:
    cases = _case("listing/selectors")
    yield from (text.encode() for text in (*cases["selectors"], *cases["refused"]))
    yield b"metadata.name=x,metadata.namespace!=y"
    yield b"metadata.name=a\\,b\\=c\\\\"


def _manifests() -> Iterator[bytes]:
    for path in sorted((REPOSITORY / "examples").rglob("*.yaml")):
        yield path.read_bytes()
    for case in _case("lint/written"):
        yield json.dumps(case, default=str).encode()


_SEEDS: Mapping[str, Callable[[], Iterator[bytes]]] = {
    "quantity": _quantities,
    "snapshot": _snapshots,
    "decode": _choices,
    "jsonpath": _templates,
    "quotas": _quotas,
    "set": _changes,
    "lint": _choices,
    "mend": _manifests,
    "engine": _choices,
    "strange-engine": _choices,
    "template": _choices,
    "kubeconfig": _kubeconfigs,
    "selectors": _selectors,
}
