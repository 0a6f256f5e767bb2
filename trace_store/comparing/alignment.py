"""The steps of two runs, side by side.

First, as many steps as possible with the same action are paired, in order; then, between those, as many as possible of
the same category (role or tool). Both are longest common subsequences, computed with bit-parallel arithmetic (Hyyrö's
recurrence): a row of the table is one long integer, so that a row for ten thousand steps is 160 machine words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from trace_store.comparing.steps import Part, Step
from trace_store.contract.arguments import canonical
from trace_store.model import JSON

LARGEST_TABLE = 400_000_000
"""Steps of one run times steps of the other, without a common beginning and end: a table of 50 MB. Beyond it, only
steps that occur once in each run are paired."""

_PARTS: tuple[Part, ...] = get_args(Part)


class Change(StrEnum):
    """How a step of one run compares with the other run."""

    SAME = "same"
    CHANGED = "changed"
    ONLY_LEFT = "only left"
    ONLY_RIGHT = "only right"


@dataclass(frozen=True, slots=True)
class Pair:
    """A step of each run, or of one of them, by their indexes. `differs`: the parts in which a changed step differs."""

    left: int | None
    right: int | None
    change: Change
    differs: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Alignment:
    """Every step of both runs, in order. `complete`: no bound was reached, so that no better alignment exists."""

    pairs: list[Pair]
    complete: bool = True

    @property
    def first_difference(self) -> Pair | None:
        """Return the first pair that is not the same; null for two runs that did the same."""
        return next((pair for pair in self.pairs if pair.change is not Change.SAME), None)


def align_steps(left: Sequence[Step], right: Sequence[Step], *, largest_table: int = LARGEST_TABLE) -> Alignment:
    """Return the steps of two runs side by side. `largest_table` bounds the work, as LARGEST_TABLE says."""
    same_action, complete = _common_subsequence(
        [step.action for step in left], [step.action for step in right], largest_table
    )
    pairs: list[Pair] = []
    at_left = at_right = 0
    for to_left, to_right in [*same_action, (len(left), len(right))]:
        same_category, is_complete = _common_subsequence(
            [step.category for step in left[at_left:to_left]],
            [step.category for step in right[at_right:to_right]],
            largest_table,
        )
        complete = complete and is_complete
        between = [(at_left + one, at_right + other) for one, other in same_category]
        pairs += _fill_gaps(left, right, between, (at_left, at_right), (to_left, to_right))
        if to_left < len(left):
            pairs.append(_compare_pair(left, right, to_left, to_right))
        at_left, at_right = to_left + 1, to_right + 1
    return Alignment(pairs, complete)


def _fill_gaps(
    left: Sequence[Step],
    right: Sequence[Step],
    matched: Sequence[tuple[int, int]],
    begin: tuple[int, int],
    end: tuple[int, int],
) -> Iterator[Pair]:
    """Return the pairs of a range: those that matched, with the steps of only one run before each."""
    at_left, at_right = begin
    for to_left, to_right in [*matched, end]:
        yield from (Pair(place, None, Change.ONLY_LEFT) for place in range(at_left, to_left))
        yield from (Pair(None, place, Change.ONLY_RIGHT) for place in range(at_right, to_right))
        if (to_left, to_right) != end:
            yield _compare_pair(left, right, to_left, to_right)
        at_left, at_right = to_left + 1, to_right + 1


def _compare_pair(left: Sequence[Step], right: Sequence[Step], at_left: int, at_right: int) -> Pair:
    one, other = left[at_left].parts, right[at_right].parts
    differs = tuple(part for part in _PARTS if _differs(one, other, part))
    return Pair(at_left, at_right, Change.CHANGED if differs else Change.SAME, differs)


def _differs(one: Mapping[Part, JSON], other: Mapping[Part, JSON], part: Part) -> bool:
    if part not in one or part not in other:
        return (part in one) != (part in other)
    return not _is_equal(one[part], other[part])


def _is_equal(one: JSON, other: JSON) -> bool:
    # As canonical text: Python itself takes True for 1, and key order means nothing.
    return one == other if isinstance(one, str) and isinstance(other, str) else canonical(one) == canonical(other)


def _common_subsequence(
    left: Sequence[Hashable], right: Sequence[Hashable], largest_table: int
) -> tuple[list[tuple[int, int]], bool]:
    """Return the indexes of a common subsequence, and whether it is a longest one: beyond the bound it may not be."""
    shorter = min(len(left), len(right))
    head = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    tail = next((at for at in range(shorter - head) if left[-1 - at] != right[-1 - at]), shorter - head)
    beginning = [(at, at) for at in range(head)]
    ending = [(len(left) - at, len(right) - at) for at in range(tail, 0, -1)]
    one, other = left[head : len(left) - tail], right[head : len(right) - tail]
    complete = len(one) * len(other) <= largest_table
    middle = _longest_common_subsequence(one, other) if complete else _match_unique(one, other)
    return [*beginning, *((head + i, head + j) for i, j in middle), *ending], complete


def _longest_common_subsequence(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return a longest common subsequence.

    In row j of the table, bit i is unset where taking left[i] in lengthens the one of left[:i] and right[: j + 1].
    """
    if not left or not right:
        return []
    places: dict[Hashable, int] = dict.fromkeys(right, 0)
    for at, value in enumerate(left):
        if value in places:
            places[value] |= 1 << at
    every = (1 << len(left)) - 1
    row, rows = every, []
    for value in right:
        matches = row & places[value]
        row = ((row + matches) | (row - matches)) & every
        rows.append(row)
    return _trace_back(rows, len(left))


def _trace_back(rows: Sequence[int], width: int) -> list[tuple[int, int]]:
    matches = []
    i, j = width - 1, len(rows) - 1
    while i >= 0 and j >= 0:
        if rows[j] >> i & 1:
            i -= 1
        elif j and not rows[j - 1] >> i & 1:
            j -= 1
        else:
            matches.append((i, j))
            i, j = i - 1, j - 1
    return matches[::-1]


def _match_unique(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return as many values as possible that occur once on each side, in the same order on both."""
    once_left, once_right = Counter(left), Counter(right)
    place = {value: at for at, value in enumerate(right) if once_right[value] == 1}
    candidates = [(at, place[value]) for at, value in enumerate(left) if once_left[value] == 1 and value in place]
    # The longest increasing subsequence of the right places: of each length the least end, and who came before it.
    ends: list[int] = []
    last: list[int] = []
    before: list[int | None] = []
    for number, (_, at_right) in enumerate(candidates):
        length = bisect_left(ends, at_right)
        before.append(last[length - 1] if length else None)
        ends[length : length + 1] = [at_right]
        last[length : length + 1] = [number]
    matches = []
    number_or_none = last[-1] if last else None
    while number_or_none is not None:
        matches.append(candidates[number_or_none])
        number_or_none = before[number_or_none]
    return matches[::-1]
