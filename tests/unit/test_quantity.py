"""Quantities: what a text is worth, in the units of the engine and printed again."""

import pytest

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.quantity import (
    MAX_INT64,
    MIN_INT64,
    UNLIMITED,
    Saturating,
    check_quantities,
    check_quantity,
    format_amount,
    format_request,
    nanos,
    quota,
    request,
)


@pytest.mark.parametrize(
    ("text", "nano"),
    [
        ("0", 0),
        ("-0", 0),
        ("1", 10**9),
        ("+1", 10**9),
        ("-1", -(10**9)),
        (1, 10**9),
        (0.1, 10**8),
        (1e3, 10**12),
        (2**70, 2**70 * 10**9),
        ("500m", 5 * 10**8),
        ("1u", 1000),
        ("1n", 1),
        ("0.1n", 1),
        ("-0.1n", -1),
        ("1.0000000001", 10**9 + 1),
        (".5", 5 * 10**8),
        ("5.", 5 * 10**9),
        ("1k", 10**12),
        ("1M", 10**15),
        ("1G", 10**18),
        ("1T", 10**21),
        ("1P", 10**24),
        ("1E", 10**27),
        ("1Ki", 2**10 * 10**9),
        ("1.5Mi", 3 * 2**19 * 10**9),
        ("1Gi", 2**30 * 10**9),
        ("1Ti", 2**40 * 10**9),
        ("1Pi", 2**50 * 10**9),
        ("1Ei", 2**60 * 10**9),
        ("0.0001Ki", 102400000),
        ("1e3", 10**12),
        ("1E3", 10**12),
        ("1e+3", 10**12),
        ("1.5e-3", 1500000),
        ("1E-9", 1),
        ("1e00000000000000003", 10**12),
        (" 2 ", 2 * 10**9),
    ],
)
def test_nanos(text: str | int | float, nano: int) -> None:
    assert nanos(text) == nano
    assert nanos(text) == nano  # from the cache


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ".", "-", "+.", "--1", "m", "Gi", "1 Gi", "1GB", "1gi", "1K", "1Ei3"),
        *("1e", "1e+", "1ee3", "1e1.5", "0x10", "1_000", "1,5", "NaN", "inf"),
        *("\u0661", "\u00bd", "1\u2009", "1" * 1001),
    ],
)
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(InputError, match="is not a Kubernetes quantity") as raised:
        nanos(text)
    assert str(raised.value).isascii() or "…" in str(raised.value)
    assert len(str(raised.value)) < 150


@pytest.mark.parametrize(
    ("resource", "text", "value"),
    [
        ("cpu", "1", 1000),
        ("cpu", "0.5m", 1),
        ("cpu", "1500m", 1500),
        ("cpu", "-0.5m", 0),
        ("memory", "1500m", 2),
        ("memory", "1Gi", 2**30),
        ("nvidia.com/gpu", 2, 2),
        ("memory", "1e999999", MAX_INT64),
        ("memory", "-1e999999", MIN_INT64),
        ("cpu", "1e-999999", 1),
        ("cpu", "9223372036854775", 9223372036854775000),
        ("cpu", "9223372036854776", MAX_INT64),
    ],
)
def test_a_request_is_rounded_up_and_clamped(resource: str, text: str, value: int) -> None:
    assert request(resource, text) == value


@pytest.mark.parametrize(
    ("resource", "text", "value"),
    [
        ("cpu", "9223372036854774", 9223372036854774000),
        ("cpu", "9223372036854775", UNLIMITED),
        ("memory", "9223372036854775806", MAX_INT64 - 1),
        ("memory", "9223372036854775807", UNLIMITED),
        ("memory", "8Ei", UNLIMITED),
        ("memory", "7Ei", 7 * 2**60),
        ("cpu", "0.0001", 1),
    ],
)
def test_a_too_large_quota_is_unlimited(resource: str, text: str, value: int) -> None:
    assert quota(resource, text) == value


@pytest.mark.parametrize(
    ("resource", "value", "text"),
    [
        ("cpu", 0, "0"),
        ("cpu", 500, "500m"),
        ("cpu", 1500, "1500m"),
        ("cpu", 5000, "5"),
        ("cpu", 1_000_000, "1k"),
        ("cpu", -500, "-500m"),
        ("cpu", -2000, "-2"),
        ("memory", 2**30, "1Gi"),
        ("memory", 1536 * 2**20, "1536Mi"),
        ("memory", 1536000, "1500Ki"),
        ("memory", 5_000_000_000, "5G"),
        ("memory", 2902848000, "2902848k"),
        ("memory", 1500, "1500"),
        ("memory", 1000, "1k"),
        ("memory", -(2**20), "-1Mi"),
        ("ephemeral-storage", 2048, "2Ki"),
        ("hugepages-2Mi", 2**21, "2Mi"),
        ("nvidia.com/gpu", 1000, "1k"),
        ("nvidia.com/gpu", 1024, "1024"),
        ("pods", 3, "3"),
        ("cpu", MAX_INT64, "9223372036854775807m"),
        ("memory", MAX_INT64, "9223372036854775807"),
    ],
)
def test_printed_as_kubernetes_does(resource: str, value: int, text: str) -> None:
    assert format_request(resource, value) == text
    assert format_amount(resource, value) == ("<unlimited>" if value == UNLIMITED else text)


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (Saturating(1) + 2, 3),
        (Saturating(MAX_INT64 - 1) + 1, UNLIMITED),
        (Saturating(MAX_INT64 - 1) + 5, UNLIMITED),
        (1 + Saturating(MAX_INT64 - 3), MAX_INT64 - 2),
        (Saturating(UNLIMITED) + -5, UNLIMITED),
        (Saturating(MIN_INT64) + -1, MIN_INT64),
        (Saturating(UNLIMITED) - 5, UNLIMITED),
        (Saturating(5) - UNLIMITED, MIN_INT64),
        (5 - Saturating(UNLIMITED), MIN_INT64),
        (UNLIMITED - Saturating(5), UNLIMITED),
        (Saturating(UNLIMITED) - UNLIMITED, 0),
        (Saturating(MIN_INT64) - 1, MIN_INT64),
        (Saturating(5) - 7, -2),
        (Saturating(2**62) * 4, MAX_INT64),
        (-4 * Saturating(2**62), MIN_INT64),
        (Saturating(7) // 2, 3),
        (sum([Saturating(MAX_INT64 - 1), Saturating(1), Saturating(-5)]), UNLIMITED),
    ],
)
def test_saturating_arithmetic(found: int, value: int) -> None:
    assert found == value
    assert isinstance(found, Saturating)


def test_checks() -> None:
    check_quantity(None)
    check_quantities(["1", 2, 3.5])
    for bad in ("one", ""):
        with pytest.raises(InputError):
            check_quantity(bad)
        with pytest.raises(InputError):
            check_quantities(["1", bad])
