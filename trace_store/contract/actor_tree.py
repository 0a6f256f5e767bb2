"""The attribution tree (R31): a node for each prefix of each label, with its own figures and those of its subtree,
and a suggestion for each undeclared label."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from trace_store.contract.actors import Catalog, leaf_of
from trace_store.contract.scalars import total
from trace_store.contract.vocabulary import FAILURE_OUTCOMES
from trace_store.model import Actor, Call

MAX_COMPARISONS = 2_000
"""How many pairs of labels a run compares: a few seconds at most. Where more are needed, the labels are not typos."""


def build_tree(calls: Iterable[Call], catalog: Catalog) -> list[Actor]:
    """Return every node, each right before its subtree, siblings in the order in which they first appear; the node of
    the unattributed calls is last."""
    tree = _Tree(catalog)
    for (label, status), group in _group_by_label(calls).items():
        if label is None:
            node = tree.unattributed = Actor(None, None, "unattributed")
        elif status == "malformed":
            node = tree.add_malformed(label)
        else:
            node = tree.add_path(label)
        _count(node, group)
    tree.add_declared()
    nodes = list(tree.nodes())
    tree.sum_subtrees(nodes)
    tree.set_statuses(nodes)
    return nodes


def _group_by_label(calls: Iterable[Call]) -> dict[tuple[str | None, str], list[Call]]:
    groups: dict[tuple[str | None, str], list[Call]] = {}
    for call in calls:
        groups.setdefault((call.actor_id, call.actor_status), []).append(call)
    return groups


def _count(node: Actor, calls: list[Call]) -> None:
    node.calls = len(calls)
    node.tools = sorted({call.tool_name for call in calls if call.tool_name is not None})
    node.latency_ms = total(call.latency_ms for call in calls)
    for call in calls:
        if call.outcome in FAILURE_OUTCOMES:
            node.failed += 1
            if call.error_class is not None:
                node.error_classes[call.error_class] = node.error_classes.get(call.error_class, 0) + 1


class _Tree:
    """The nodes of the tree while it is built."""

    def __init__(self, catalog: Catalog) -> None:
        self.unattributed: Actor | None = None
        self._catalog = catalog
        self._paths: dict[str, Actor] = {}
        self._roots: list[Actor] = []
        self._children: dict[str, list[Actor]] = {}
        self._matched: dict[str, list[Actor]] = {}  # by declared label: the nodes that go by it

    def add_malformed(self, label: str) -> Actor:
        """Add a root of its own: a malformed label is not a path, whatever its text looks like."""
        node = Actor(label, None, "malformed")
        self._roots.append(node)
        return node

    def add_path(self, path: str) -> Actor:
        """Return the node of a well-formed path; add it and its prefixes where they are missing."""
        node = self._paths.get(path)
        if node is None:
            parent = path.rpartition("/")[0] or None
            siblings = self._roots
            if parent is not None:
                self.add_path(parent)
                siblings = self._children.setdefault(parent, [])
            node = self._paths[path] = Actor(path, parent, "structural")
            siblings.append(node)
            if (declared := self._catalog.match(path)) is not None:
                self._matched.setdefault(declared, []).append(node)
        return node

    def add_declared(self) -> None:
        """Add the declared actors that have no node yet; the deepest first, because their prefixes may be nodes of
        others."""
        for label in sorted(self._catalog.actors, key=lambda label: -label.count("/")):
            if label not in self._matched:
                self.add_path(label)

    def nodes(self) -> Iterator[Actor]:
        """Return all nodes, each before its subtree."""
        pending = self._roots[::-1]
        while pending:
            node = pending.pop()
            yield node
            if node.status != "malformed" and node.path in self._children:
                pending.extend(reversed(self._children[node.path]))
        if self.unattributed is not None:
            yield self.unattributed

    def sum_subtrees(self, nodes: list[Actor]) -> None:
        """Set the figures of the subtrees, from the leaves up."""
        for node in reversed(nodes):
            node.subtree_calls += node.calls
            node.subtree_failed += node.failed
            node.subtree_latency_ms = _sum(node.subtree_latency_ms, node.latency_ms)
            _add_classes(node.subtree_error_classes, node.error_classes)
            if node.parent is not None:
                parent = self._paths[node.parent]
                parent.subtree_calls += node.subtree_calls
                parent.subtree_failed += node.subtree_failed
                parent.subtree_latency_ms = _sum(parent.subtree_latency_ms, node.subtree_latency_ms)
                _add_classes(parent.subtree_error_classes, node.subtree_error_classes)

    def set_statuses(self, nodes: list[Actor]) -> None:
        """Set whether each node is declared or silent, and the suggestion for an undeclared label."""
        for same in self._matched.values():
            silent = not any(node.subtree_calls for node in same)
            for node in same:
                node.status = "declared"
                node.silent = silent
        suggestions: Suggestions | None = None
        for node in nodes:
            if node.status == "structural" and node.calls and node.path is not None:
                node.status = self._catalog.status(node.path)
                if node.status == "undeclared":
                    suggestions = suggestions or Suggestions(self._catalog.actors)
                    node.suggestion = suggestions.closest(node.path)


def _sum(one: float, other: float) -> float:
    return min(one + other, sys.float_info.max)  # finite, as `total` is


def _add_classes(total: dict[str, int], more: dict[str, int]) -> None:
    for error_class, count in more.items():
        total[error_class] = total.get(error_class, 0) + count


class Suggestions:
    """Finds the closest declared label; one a run, so that the work of a hostile run is bounded."""

    def __init__(self, declared: Iterable[str]) -> None:
        self._by_length: dict[int, list[str]] = {}  # by the length of their leaf: the declared labels, sorted
        for label in sorted(declared):
            self._by_length.setdefault(len(leaf_of(label)), []).append(label)
        self.comparisons_left = MAX_COMPARISONS
        self._closest: dict[str, str | None] = {}

    def closest(self, label: str) -> str | None:
        """Return the declared label whose leaf is nearest to this one's, within max(1, length // 4); ties by
        alphabet."""
        leaf = leaf_of(label)
        if leaf not in self._closest:
            self._closest[leaf] = self._closest_leaf(leaf)
        return self._closest[leaf]

    def _closest_leaf(self, leaf: str) -> str | None:
        best, limit = None, max(1, len(leaf) // 4)
        label = self._next_label("", len(leaf), limit)
        while label is not None and self.comparisons_left:
            self.comparisons_left -= 1
            distance = edit_distance(leaf, leaf_of(label))
            if distance <= limit:
                best, limit = label, distance - 1
            label = self._next_label(label, len(leaf), limit)
        return best

    def _next_label(self, after: str, length: int, limit: int) -> str | None:
        """Return the first declared label after another whose leaf is of that length, give or take the limit."""
        candidates = []
        for near in range(length - limit, length + limit + 1):
            labels = self._by_length.get(near, [])
            at = bisect_right(labels, after)
            candidates += labels[at : at + 1]
        return min(candidates, default=None)


@lru_cache(maxsize=4096)  # the same typo comes back in run after run
def edit_distance(one: str, other: str) -> int:
    """Return the Damerau-Levenshtein distance: insertions, deletions, substitutions, and swaps of neighbours, which may
    have been edited in between (the unrestricted form, a true metric)."""
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
