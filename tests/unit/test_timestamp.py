"""Times as microseconds."""

import pytest

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.timestamp import check_time, format_time, parse_time

SECOND = 1_000_000


@pytest.mark.parametrize(
    ("text", "micros", "printed"),
    [
        ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
        ("1970-01-01T00:00:01.5Z", 1_500_000, "1970-01-01T00:00:01.500000Z"),
        ("1970-01-01T00:00:00.123456789Z", 123_456, "1970-01-01T00:00:00.123456Z"),
        ("1970-01-01T01:00:00+01:00", 0, "1970-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59Z", -SECOND, "1969-12-31T23:59:59Z"),
        ("2024-02-29T12:00:00-08:00", 1_709_236_800 * SECOND, "2024-02-29T20:00:00Z"),
        ("0001-01-01T00:00:00Z", -62_135_596_800 * SECOND, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", 253_402_300_799 * SECOND, "9999-12-31T23:59:59Z"),
        # A step outside of the calendar: read, and printed as its end.
        ("0001-01-01T00:00:00+01:00", -62_135_600_400 * SECOND, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59-01:00", 253_402_304_399 * SECOND, "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_times(text: str, micros: int, printed: str) -> None:
    assert parse_time(text) == micros
    assert format_time(micros) == printed
    check_time(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "now", "2026-01-01", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00", "2026-01-01t00:00:00z"),
        *("2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z"),
        *("0000-01-01T00:00:00Z", "2026-01-01T00:00:00+25:00", "2026-1-1T0:0:0Z", "20260101T000000Z"),
        *("2026-01-01T00:00:00.Z", "\u0662026-01-01T00:00:00Z", "2026-01-01T00:00:00Z\n"),
        "2026-W01-1T00:00:00Z",
    ],
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(InputError, match="is not an RFC 3339 time"):
        parse_time(text)
    with pytest.raises(InputError):
        check_time(text)


def test_no_time_is_no_fault() -> None:
    check_time(None)
