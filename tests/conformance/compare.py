"""One scenario against its recorded verdict: the paths at which they differ."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.views.verdict import verdict_document


class Difference(NamedTuple):
    """Where expected and got differ; "(absent)" stands for a value that is not there."""

    path: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, got {self.got}"


def differences(scenario: Path) -> list[Difference]:
    """All differences of one case; an exception of the engine counts as one.

    Where some heads tie (headsOrderArbitrary) their order in a cycle does not count.
    """
    recorded = scenario.with_name(scenario.name.replace(".scenario.", ".verdict."))
    expected = json.loads(recorded.read_text())
    try:
        got = verdict_document(simulate(decode_world(read_source(str(scenario)), now=None)))
    except Exception as problem:
        return [Difference("(exception)", "a verdict", f"{type(problem).__name__}: {problem}")]
    if expected.pop("headsOrderArbitrary", False):
        for verdict in (expected, got):
            for cycle in verdict["cycles"]:
                cycle["heads"].sort()
    return list(compare(expected, got))


def compare(expected: Any, got: Any, path: str = "") -> Iterator[Difference]:
    """Paths at which two values differ."""
    if isinstance(expected, dict) and isinstance(got, dict):
        if "reasons" in expected and "reasons" in got:
            expected, got = _sorted_reasons(expected), _sorted_reasons(got)
        for key in [*expected, *(k for k in got if k not in expected)]:
            yield from compare(expected.get(key, _ABSENT), got.get(key, _ABSENT), f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for i, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from compare(one, other, f"{path}[{i}]")
    elif expected != got:
        yield Difference(path.lstrip("."), _show(expected), _show(got))


def _sorted_reasons(result: dict[str, Any]) -> dict[str, Any]:
    """Reasons are a set: the reference lists them in another order."""
    return {**result, "reasons": sorted(result["reasons"], key=lambda r: json.dumps(r, sort_keys=True))}


_ABSENT = object()


def _show(value: Any) -> str:
    text = "(absent)" if value is _ABSENT else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "…"
