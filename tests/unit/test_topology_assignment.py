"""Stored topology assignments: the compressed form as a list of domains (topology.md 1.2)."""

from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.topology.assignment import TopologyPlacement, expand, first_pods, without
from kubectl_kueue.model.objects import TopologyAssignment

HOST = "kubernetes.io/hostname"


@pytest.mark.parametrize(
    ("slices", "domains"),
    [
        (
            [
                {
                    "domainCount": 2,
                    "valuesPerLevel": [{"individual": {"prefix": "x", "roots": ["1", "3"]}}],
                    "podCounts": {"individual": [2, 1]},
                }
            ],
            [(("x1",), 2), (("x3",), 1)],
        ),
        (
            [
                {
                    "domainCount": 2,
                    "valuesPerLevel": [
                        {"universal": "b1"},
                        {"individual": {"prefix": "r", "suffix": "-a", "roots": ["1", "2"]}},
                    ],
                    "podCounts": {"universal": 4},
                },
                {
                    "domainCount": 1,
                    "valuesPerLevel": [{"universal": "b2"}, {"universal": "r9"}],
                    "podCounts": {"universal": 1},
                },
            ],
            [(("b1", "r1-a"), 4), (("b1", "r2-a"), 4), (("b2", "r9"), 1)],
        ),
        ([], []),
        # What is broken is short, and no reason to fail.
        (
            [
                {
                    "domainCount": 3,
                    "valuesPerLevel": [{"individual": {"roots": ["a", "b"]}}],
                    "podCounts": {"individual": [1]},
                }
            ],
            [(("a",), 1)],
        ),
        ([{"domainCount": 2, "podCounts": {"universal": 1}}], []),
    ],
)
def test_expand(slices: list[dict[str, Any]], domains: list[tuple[tuple[str, ...], int]]) -> None:
    stored = msgspec.convert({"levels": [HOST], "slices": slices}, TopologyAssignment)
    assert expand(stored) == TopologyPlacement((HOST,), tuple(domains))


def test_expand_is_bounded() -> None:
    huge = {"domainCount": 2**31 - 1, "valuesPerLevel": [{"universal": "a"}], "podCounts": {"universal": 1}}
    stored = msgspec.convert({"levels": [HOST], "slices": [huge]}, TopologyAssignment)
    assert len(expand(stored).domains) == 100_000


def of(**counts: int) -> TopologyPlacement:
    return TopologyPlacement((HOST,), tuple(((host,), n) for host, n in counts.items()))


def test_parts_of_placements() -> None:
    assert without(of(b=1, a=2), "b") == of(a=2)
    assert first_pods(of(b=1, a=2), 2) == of(b=1, a=1)
    assert of(b=1, a=2).pods == 3
