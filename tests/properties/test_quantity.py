"""What holds for every quantity."""

from fractions import Fraction
from math import ceil, floor

from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.quantity import (
    MAX_INT64,
    MIN_INT64,
    UNLIMITED,
    Saturating,
    format_request,
    nanos,
    quota,
    request,
)

SUFFIXES = {
    **{"n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000), "": Fraction(1)},
    **{suffix: Fraction(1000 ** (i + 1)) for i, suffix in enumerate("kMGTPE")},
    **{suffix + "i": Fraction(1024 ** (i + 1)) for i, suffix in enumerate("KMGTPE")},
    **{f"e{power}": Fraction(10) ** power for power in range(-12, 20)},
}
RESOURCES = st.sampled_from(["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "pods", "nvidia.com/gpu"])
AMOUNTS = st.integers(MIN_INT64, MAX_INT64)


@given(
    sign=st.sampled_from(["", "+", "-"]),
    whole=st.integers(0, 10**25),
    part=st.text("0123456789", max_size=30),
    suffix=st.sampled_from(sorted(SUFFIXES)),
)
def test_exact_and_rounded_away_from_zero(sign: str, whole: int, part: str, suffix: str) -> None:
    exact = (whole + Fraction(int(part or "0"), 10 ** len(part))) * SUFFIXES[suffix] * 10**9
    text = f"{sign}{whole}{'.' * bool(part)}{part}{suffix}"
    assert nanos(text) == (floor(-exact) if sign == "-" else ceil(exact))


@given(st.text(max_size=30) | st.text("0123456789.eEmkKMGTPinu+- ", max_size=30))
def test_any_text_is_a_quantity_or_an_input_error(text: str) -> None:
    try:
        value = nanos(text)
    except InputError:
        return
    assert nanos("-" + text.strip().lstrip("+-")) == -abs(value)


@given(st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_worth_what_their_text_is(whole: int, number: float) -> None:
    assert nanos(whole) == nanos(str(whole))
    assert nanos(number) == nanos(repr(number))


@given(RESOURCES, AMOUNTS)
def test_what_is_printed_reads_back(resource: str, amount: int) -> None:
    assert request(resource, format_request(resource, amount)) == amount


@given(RESOURCES, st.integers(0, 10**40).map(str))
def test_a_quota_is_a_request_or_unlimited(resource: str, text: str) -> None:
    assert quota(resource, text) in (request(resource, text), UNLIMITED)
    assert MIN_INT64 <= request(resource, text) <= MAX_INT64


@given(AMOUNTS, AMOUNTS)
def test_saturating_is_plain_arithmetic_until_it_overflows(a: int, b: int) -> None:
    for found, plain in ((Saturating(a) + b, a + b), (Saturating(a) - b, a - b), (a - Saturating(b), a - b)):
        assert MIN_INT64 <= found <= MAX_INT64
        if UNLIMITED not in (a, b):
            assert found == max(MIN_INT64, min(MAX_INT64, plain))
    assert Saturating(a) + b == Saturating(b) + a == b + Saturating(a)


@given(AMOUNTS)
def test_unlimited_absorbs(amount: int) -> None:
    assert Saturating(UNLIMITED) + amount == UNLIMITED
    assert Saturating(UNLIMITED) - amount == (0 if amount == UNLIMITED else UNLIMITED)
