"""Shares with their uncertainty, held to published values and to what they are for: ten runs are no proof."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.comparing import Share, compare_rates, difference, interval
from trace_store.comparing.intervals import fisher_p_value


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        # Newcombe 1998, two-sided intervals for the single proportion, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_of_a_share_is_wilson_s(count: int, total: int, low: float, high: float) -> None:
    assert interval(count, total) == pytest.approx((low, high), abs=5e-5)


def test_of_nothing_everything_is_possible() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(7, 7)[1] == 1.0


@pytest.mark.parametrize(("count", "total"), [(3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(count: int, total: int) -> None:
    with pytest.raises(ValueError, match=f"{count} of {total}"):
        interval(count, total)


@pytest.mark.parametrize(
    ("left", "right", "low", "high"),
    [
        # Newcombe 1998, interval estimation for the difference, method 10: its first group less its second.
        (Share(48, 80), Share(56, 70), 0.0524, 0.3339),
        (Share(3, 10), Share(9, 10), 0.1705, 0.8090),
        (Share(2, 7), Share(6, 7), 0.0582, 0.8062),
        (Share(0, 29), Share(5, 56), -0.0381, 0.1926),
        (Share(0, 20), Share(0, 10), -0.1611, 0.2775),
    ],
)
def test_the_interval_of_a_difference_is_newcombe_s(left: Share, right: Share, low: float, high: float) -> None:
    found = difference(left, right)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_a_side_without_anything_has_no_difference() -> None:
    assert difference(Share(0, 0), Share(1, 2)) is None
    (only,) = compare_rates([(Share(1, 2), Share(0, 0))])
    assert (only.word, only.difference, only.chance) == ("nothing", None, None)


shares = st.integers(0, 12).flatmap(lambda total: st.integers(0, total).map(lambda count: Share(count, total)))


@given(shares, shares)
def test_chance_is_twice_the_smaller_tail_of_all_tables_with_these_sums(left: Share, right: Share) -> None:
    both, total = left.count + right.count, left.total + right.total

    def likely(count: int) -> Fraction:
        return Fraction(comb(left.total, count) * comb(right.total, both - count), comb(total, both))

    possible = range(max(0, both - right.total), min(both, left.total) + 1)
    below = sum(likely(count) for count in possible if count <= left.count)
    above = sum(likely(count) for count in possible if count >= left.count)
    assert fisher_p_value(left, right) == pytest.approx(float(min(1, 2 * min(below, above))))


def test_chance_is_fast_and_sane_for_large_counts() -> None:
    assert fisher_p_value(Share(30_000, 100_000), Share(30_100, 100_000)) == pytest.approx(0.63, abs=0.01)
    assert fisher_p_value(Share(30_000, 100_000), Share(70_000, 100_000)) == 0.0


def words(*pairs: tuple[Share, Share]) -> list[str]:
    return [comparison.word for comparison in compare_rates(pairs)]


def test_ten_runs_are_no_proof_and_a_thousand_are() -> None:
    assert words((Share(10, 10), Share(6, 10))) == ["unclear"]
    assert words((Share(1000, 1000), Share(600, 1000))) == ["lower"]
    assert words((Share(600, 1000), Share(1000, 1000))) == ["higher"]
    assert words((Share(5, 10), Share(5, 10))) == ["unclear"]


def test_what_stands_alone_may_not_stand_among_many() -> None:
    slight = (Share(50, 100), Share(66, 100))
    assert words(slight) == ["higher"]
    among = words(slight, *[(Share(1, 2), Share(1, 2))] * 9, (Share(90, 100), Share(10, 100)))
    assert among[0] == "higher alone"
    assert among[-1] == "lower"


def test_questions_that_cannot_be_asked_do_not_count_among_the_many() -> None:
    slight = (Share(50, 100), Share(66, 100))
    assert words(slight, *[(Share(0, 0), Share(1, 2))] * 9)[0] == "higher"
