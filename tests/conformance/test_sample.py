"""A sample of the recorded worlds: what the real scheduler decided on them, the engine decides too.

The sample has worlds of every family and, among them, every status, reason, gate and configuration that the
recorded worlds have, and every branch of the engine that they reach. `python -m tests.conformance DIR`
compares all of them where they are at hand.
"""

from pathlib import Path

import pytest

from tests.conformance.compare import differences

SAMPLE = Path(__file__).parent.parent / "data" / "conformance"
WORLDS = sorted(SAMPLE.rglob("*.scenario.json"))


def test_there_is_a_sample() -> None:
    assert len(WORLDS) > 200
    assert all(world.with_name(world.name.replace(".scenario.", ".verdict.")).exists() for world in WORLDS)


@pytest.mark.parametrize(
    "world", WORLDS, ids=lambda world: str(world.relative_to(SAMPLE))[: -len(".scenario.json")]
)
def test_sample(world: Path) -> None:
    assert [str(difference) for difference in differences(world)] == []
