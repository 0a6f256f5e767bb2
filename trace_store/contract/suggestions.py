"""Did you mean: the declared label that an undeclared one was probably meant to be (R31)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from trace_store.contract.actors import leaf_of

MAX_COMPARISONS = 2_000
"""Pairs of labels that one run compares, at most a few seconds' worth. Where more are needed, it is not typos."""


class Suggestions:
    """Finds the closest declared label; one a run, so that the work of a hostile run is bounded."""

    def __init__(self, declared: Iterable[str]) -> None:
        self._declared = [(label, leaf_of(label)) for label in sorted(declared)]
        self._left = MAX_COMPARISONS
        self._known: dict[str, str | None] = {}

    def closest(self, label: str) -> str | None:
        """The declared label whose leaf is nearest to this one's, within max(1, length // 4); ties by alphabet."""
        leaf = leaf_of(label)
        if leaf not in self._known:
            self._known[leaf] = self._closest_leaf(leaf)
        return self._known[leaf]

    def _closest_leaf(self, leaf: str) -> str | None:
        best, limit = None, max(1, len(leaf) // 4)
        for label, declared in self._declared if self._left else ():
            if self._left and abs(len(declared) - len(leaf)) <= limit:
                self._left -= 1
                distance = edit_distance(leaf, declared)
                if distance <= limit:
                    best, limit = label, distance - 1
        return best


@lru_cache(maxsize=4096)  # the same typo comes back in run after run
def edit_distance(one: str, other: str) -> int:
    """The Damerau-Levenshtein distance: insertions, deletions, substitutions, and swaps of neighbours, which may have
    been edited in between (the unrestricted form, a true metric)."""
    if one == other:
        return 0
    rows, columns = len(one), len(other)
    far = rows + columns
    # table[i + 1][j + 1] is the distance of the first i and the first j characters, within a border of `far`.
    table = [[far] * (columns + 2) for _ in range(rows + 2)]
    for i in range(rows + 1):
        table[i + 1][1] = i
    for j in range(columns + 1):
        table[1][j + 1] = j
    row_of: Counter[str] = Counter()
    for i, letter in enumerate(one, 1):
        column = 0
        for j, other_letter in enumerate(other, 1):
            row_before, column_before = row_of[other_letter], column
            same = letter == other_letter
            if same:
                column = j
            table[i + 1][j + 1] = min(
                table[i][j] + (not same),
                table[i + 1][j] + 1,
                table[i][j + 1] + 1,
                table[row_before][column_before] + (i - row_before - 1) + 1 + (j - column_before - 1),
            )
        row_of[letter] = i
    return table[rows + 1][columns + 1]
