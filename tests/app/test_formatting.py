"""The same value reads the same on every page, and as the browser rounds it."""

from __future__ import annotations

import pytest

from app import formatting


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (formatting.milliseconds(12.5), "13 ms"),
        (formatting.milliseconds(1249.5), "1,250 ms"),
        (formatting.seconds(1250), "1.3 s"),
        (formatting.seconds(1_204_000), "1,204.0 s"),
        (formatting.percent(1, 8), "13 %"),
        (formatting.percent(1, 8, 1), "12.5 %"),
        (formatting.percent(0, 0), "0 %"),
        (formatting.shares(0.15, 0.845), "15 to 85 %"),
        (formatting.decimal(-2.5), "-3"),
        (formatting.decimal(1e300)[:3], "1,0"),
        (formatting.decimal(float("nan"), 1), "nan"),
    ],
)
def test_halves_are_rounded_up_and_thousands_are_grouped(text: str, expected: str) -> None:
    assert text == expected


def test_a_token_count_that_is_missing_is_a_question_mark() -> None:
    assert formatting.token_counts(1200, None) == "1,200 → ?"
    assert formatting.token_counts(1200, 1200) == "1,200 → 1,200"
    assert formatting.token_counts(None, True) is None


def test_a_timestamp_is_shown_to_the_minute() -> None:
    assert formatting.timestamp("2026-03-01T09:30:12.250Z") == "2026-03-01 09:30"
    assert formatting.timestamp(None) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-04-01T10:00:01Z", "2026-04-01 10:00:01 UTC"),
        ("2026-04-01T10:00:01.250+00:00", "2026-04-01 10:00:01.25 UTC"),
        ("2026-04-01T12:00:00+02:00", "2026-04-01 10:00:00 UTC, exported as 2026-04-01T12:00:00+02:00"),
        ("soon", "soon"),
    ],
)
def test_a_time_of_an_export_is_shown_in_utc(text: str, expected: str) -> None:
    assert formatting.utc_time(text) == expected
