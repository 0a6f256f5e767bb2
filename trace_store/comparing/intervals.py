"""Shares with their uncertainty: intervals, differences, and whether a difference is more than chance.

Wilson's interval of a share, Newcombe's of the difference of two, Fisher's exact test, and Holm's correction for
several tests at once. All of them assume two independent samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, sqrt
from typing import Literal, TypeAlias

Word: TypeAlias = Literal["higher", "lower", "higher alone", "lower alone", "unclear", "nothing"]
"""How the right share compares with the left. `alone`: it would be so if no other pair were compared; `unclear`: it may
be chance; `nothing`: a side has nothing to count."""

SIGNIFICANCE_LEVEL = 0.05
_Z = 1.959963984540054
"""The quantile of the normal distribution for 95 %, two-sided."""
_NEGLIGIBLE = 1e-16


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total` things."""

    count: int
    total: int

    @property
    def rate(self) -> float | None:
        """Return the rate from 0 to 1, or None if the total is 0."""
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Difference:
    """The right rate less the left one, with its 95 % interval, all from -1 to 1."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two shares compared. `chance` is the p-value: how often chance alone would make them differ as much (two-sided).
    It and the difference are null if a side has nothing to count."""

    left: Share
    right: Share
    difference: Difference | None
    chance: float | None
    word: Word


def interval(count: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share; of a total of 0, the whole range. Raises ValueError if it is not a
    share."""
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is not a share")
    if total == 0:
        return 0.0, 1.0
    rate, weight = count / total, _Z**2 / total
    centre = (rate + weight / 2) / (1 + weight)
    half = _Z / (1 + weight) * sqrt(rate * (1 - rate) / total + weight / (4 * total))
    # Exact at the ends, where rounding would leave 1e-17 of nothing.
    return (0.0 if count == 0 else centre - half), (1.0 if count == total else centre + half)


def difference(left: Share, right: Share) -> Difference | None:
    """Return the right rate less the left one, with Newcombe's interval (method 10); None if a total is 0."""
    if left.rate is None or right.rate is None:
        return None
    (left_low, left_high), (right_low, right_high) = (
        interval(left.count, left.total),
        interval(right.count, right.total),
    )
    value = right.rate - left.rate
    low = value - sqrt((right.rate - right_low) ** 2 + (left_high - left.rate) ** 2)
    high = value + sqrt((right_high - right.rate) ** 2 + (left.rate - left_low) ** 2)
    return Difference(value, low, high)


def fisher_p_value(left: Share, right: Share) -> float:
    """Return the p-value of Fisher's exact test, two-sided as twice the smaller tail."""
    both, all_of = left.count + right.count, left.total + right.total
    least, most = max(0, both - right.total), min(both, left.total)
    here = exp(
        _log_choices(left.total, left.count) + _log_choices(right.total, right.count) - _log_choices(all_of, both)
    )
    tails = []
    for step, end in ((-1, least), (1, most)):
        tail = term = here
        at = left.count
        while at != end and term > tail * _NEGLIGIBLE:
            # The next term from this one: each is a ratio of products of counts.
            one, other = both - at, right.total - both + at
            up = (left.total - at) * one / ((at + 1) * (other + 1))
            down = at * other / ((left.total - at + 1) * (one + 1))
            term *= up if step > 0 else down
            tail += term
            at += step
        tails.append(tail)
    return min(1.0, 2 * min(tails))


def compare_rates(pairs: Sequence[tuple[Share, Share]]) -> list[Comparison]:
    """Compare the shares of each pair, in the order given.

    A share is called higher or lower only if the interval of the difference excludes zero, and the test is significant
    after Holm's correction for all pairs.
    """
    p_values = [fisher_p_value(left, right) if left.total and right.total else None for left, right in pairs]
    comparisons = []
    for (left, right), p_value, is_significant in zip(pairs, p_values, _holm(p_values), strict=True):
        change = difference(left, right)
        comparisons.append(Comparison(left, right, change, p_value, _choose_word(change, p_value, is_significant)))
    return comparisons


def _choose_word(change: Difference | None, p_value: float | None, is_significant: bool) -> Word:
    if change is None or p_value is None:
        return "nothing"
    if p_value >= SIGNIFICANCE_LEVEL or change.low <= 0 <= change.high:
        return "unclear"
    if change.value > 0:
        return "higher" if is_significant else "higher alone"
    return "lower" if is_significant else "lower alone"


def _holm(p_values: Sequence[float | None]) -> list[bool]:
    """Return which p-values are significant together: from the smallest on, up to the first that is not."""
    ordered = sorted((p_value, at) for at, p_value in enumerate(p_values) if p_value is not None)
    significant = [False] * len(p_values)
    for number, (p_value, at) in enumerate(ordered):
        if p_value * (len(ordered) - number) >= SIGNIFICANCE_LEVEL:
            break
        significant[at] = True
    return significant


def _log_choices(total: int, count: int) -> float:
    """Return the logarithm of the number of ways to choose `count` of `total`."""
    return lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)
