"""Shares of counted things, with what they leave uncertain: intervals, differences, and when a difference says much.

Wilson's interval of a share, Newcombe's of the difference of two, Fisher's exact test of whether chance alone would do,
and Holm's correction where many are asked at once. All of them assume that the two sets were drawn apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, sqrt
from typing import Literal, TypeAlias

Word: TypeAlias = Literal["higher", "lower", "higher alone", "lower alone", "unclear", "nothing"]
"""How the right share stands to the left. `alone`: it would be so if it were the only question asked; `unclear`: it
cannot be told from chance; `nothing`: a side has nothing to count."""

SURE = 0.05
_Z = 1.959963984540054
"""Of 95 %, two-sided."""
_NEGLIGIBLE = 1e-16


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total` things."""

    count: int
    total: int

    @property
    def rate(self) -> float | None:
        """Return the rate from 0 to 1; null of nothing."""
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Difference:
    """The right rate less the left one, with its 95 % interval, all from -1 to 1."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two shares held against each other. `chance`: how often chance alone would make them differ as much (two-sided);
    both null where a side has nothing to count."""

    left: Share
    right: Share
    difference: Difference | None
    chance: float | None
    word: Word


def interval(count: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share; of nothing, everything is possible. Raises ValueError for no share."""
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
    """Return the right rate less the left one, with Newcombe's interval (method 10); null where a side has nothing."""
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
    """Return how often chance alone, the counts of both sides taken together, would put the left count as far from its
    middle: Fisher's exact test, two-sided as twice the smaller tail."""
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

    One is called higher or lower only where its interval leaves zero out and the test withstands Holm's correction for
    all pairs together.
    """
    chances = [fisher_p_value(left, right) if left.total and right.total else None for left, right in pairs]
    firm = _holm(chances)
    comparisons = []
    for (left, right), likely, stands in zip(pairs, chances, firm, strict=True):
        apart = difference(left, right)
        comparisons.append(Comparison(left, right, apart, likely, _choose_word(apart, likely, stands)))
    return comparisons


def _choose_word(apart: Difference | None, likely: float | None, stands: bool) -> Word:
    if apart is None or likely is None:
        return "nothing"
    if likely >= SURE or apart.low <= 0 <= apart.high:
        return "unclear"
    if apart.value > 0:
        return "higher" if stands else "higher alone"
    return "lower" if stands else "lower alone"


def _holm(chances: Sequence[float | None]) -> list[bool]:
    """Return which of them withstand being asked together: from the least likely on, until one does not."""
    ordered = sorted((likely, at) for at, likely in enumerate(chances) if likely is not None)
    stands = [False] * len(chances)
    for number, (likely, at) in enumerate(ordered):
        if likely * (len(ordered) - number) >= SURE:
            break
        stands[at] = True
    return stands


def _log_choices(total: int, count: int) -> float:
    """Return the logarithm of the number of ways to choose `count` of `total`."""
    return lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)
