"""Every target on its seeds, on the inputs that once crashed it, and on noise: nothing crashes."""

from random import Random

import pytest

from tests.fuzzing.seeds import CRASHES, seeds
from tests.fuzzing.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_no_seed_crashes(name: str) -> None:
    for data in seeds(name):
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_noise_does_not_crash(name: str) -> None:
    random = Random(name)
    for size in (1, 10, 100, 1000) * 5:
        TARGETS[name](random.randbytes(size))


def test_every_old_crash_belongs_to_a_target() -> None:
    assert {each.name for each in CRASHES.iterdir() if each.is_dir()} <= set(TARGETS)
