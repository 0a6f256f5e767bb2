"""Regular expressions of untrusted schemas, matched in time linear in the text (R34).

Python's `re` backtracks: `(a+)+$` against a few dozen letters never ends, and nothing can interrupt it. Here a pattern
becomes an automaton without memory whose states are built as texts need them, so that each character is looked at once.
That leaves out look-around and back-references, which no such automaton has: those patterns are refused.

The dialect is that of JSON Schema, ECMA-262: `$` is the end of the text and nothing else, `\\d` and `\\w` are ASCII.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from trace_store.evidence.effort import Effort
from trace_store.evidence.pattern_syntax import (
    Alternatives,
    Anchor,
    CharacterClass,
    Node,
    PatternError,
    Repeat,
    Sequence,
    parse,
)

__all__ = ["Pattern", "PatternError"]

MAX_NODES = 10_000
"""How large the automaton of one pattern may get; counted repeats are written out."""

_MAX_BUILD_STEPS = 50_000
_MAX_CACHED_STATES = 1_000
_VISITS_PER_UNIT = 40

_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_MATCH = -1


@dataclass(slots=True)
class _Step:
    """Where a character leads: the next state (null: the pattern has matched) and the nodes visited to find out."""

    state: _State | None
    visits: int


@dataclass(slots=True, eq=False)
class _State:
    """A set of nodes in which the automaton may be, what stood before it, and the steps taken from it so far."""

    nodes: frozenset[int]
    at_start: bool
    after_word: bool
    steps: dict[str, _Step] = field(default_factory=dict)


class Pattern:
    """A compiled pattern. Raises PatternError for what is no pattern, or cannot be matched without backtracking."""

    __slots__ = ("_accepts", "_anchors", "_build_steps", "_entry", "_next", "_start", "_states", "_uses_words")

    def __init__(self, source: str) -> None:
        # The automaton, by node: a test that consumes a character, or an anchor, or neither: a fork.
        self._accepts: list[Callable[[str], bool] | None] = []
        self._anchors: list[str | None] = []
        self._next: list[tuple[int, ...]] = []
        self._build_steps = 0
        self._uses_words = False
        self._entry = self._build(parse(source), _MATCH)
        self._states: dict[tuple[frozenset[int], bool, bool], _State] = {}
        self._start = _State(frozenset(), at_start=True, after_word=False)

    def search(self, text: str, effort: Effort) -> bool:
        """Whether the pattern matches anywhere in `text`. Raises TooCostlyError when the effort is used up."""
        state = self._start
        visits = 0
        for character in text:
            step = state.steps.get(character) or self._step(state, character)
            visits += step.visits
            if step.state is None:
                break
            state = step.state
            if visits > 4096:
                effort.spend(visits // _VISITS_PER_UNIT)
                visits = 0
        else:
            step = state.steps.get("") or self._step(state, "")
            visits += step.visits
        effort.spend(1 + visits // _VISITS_PER_UNIT)
        return step.state is None

    def _step(self, state: _State, character: str) -> _Step:
        """Follows a state over one character, or over the end of the text (an empty one)."""
        open_ = [*state.nodes, self._entry]
        seen: set[int] = set()
        reached: set[int] = set()
        matched = False
        while open_:
            node = open_.pop()
            if node in seen:
                continue
            seen.add(node)
            if node == _MATCH:
                matched = True
                break
            accepts, anchor = self._accepts[node], self._anchors[node]
            if accepts is not None:
                if character and accepts(character):
                    reached.update(self._next[node])
            elif anchor is None or self._holds(anchor, state, character):
                open_.extend(self._next[node])
        after = None if matched else self._state(frozenset(reached), self._uses_words and character in _WORD)
        step = state.steps[character] = _Step(after, len(seen))
        return step

    def _state(self, nodes: frozenset[int], after_word: bool) -> _State:
        key = (nodes, False, after_word)
        state = self._states.get(key)
        if state is None:
            if len(self._states) >= _MAX_CACHED_STATES:
                self._states.clear()
                self._start.steps.clear()
            state = self._states[key] = _State(nodes, at_start=False, after_word=after_word)
        return state

    def _holds(self, anchor: str, state: _State, character: str) -> bool:
        if anchor == "^":
            return state.at_start
        if anchor == "$":
            return not character
        at_edge = state.after_word != (character in _WORD and character != "")
        return at_edge if anchor == "b" else not at_edge

    # Building: each method gets the node that comes after, and returns the one that comes first.

    def _build(self, node: Node, after: int) -> int:
        self._build_steps += 1
        if self._build_steps > _MAX_BUILD_STEPS:
            raise PatternError("it is too large when its counted repeats are written out")
        match node:
            case Sequence(parts):
                for part in reversed(parts):
                    after = self._build(part, after)
                return after
            case Alternatives(branches):
                return self._node(tuple(self._build(branch, after) for branch in branches))
            case CharacterClass():
                return self._node((after,), accepts=_test_of(node))
            case Anchor(kind):
                self._uses_words = self._uses_words or kind in "bB"
                return self._node((after,), anchor=kind)
            case Repeat():
                return self._build_repeat(node, after)

    def _build_repeat(self, repeat: Repeat, after: int) -> int:
        if repeat.most is None:
            loop = self._node(())
            self._next[loop] = (self._build(repeat.part, loop), after)
            first = loop
        else:
            first = after
            for _ in range(repeat.most - repeat.least):
                first = self._node((self._build(repeat.part, first), after))
        for _ in range(repeat.least):
            first = self._build(repeat.part, first)
        return first

    def _node(
        self, after: tuple[int, ...], accepts: Callable[[str], bool] | None = None, anchor: str | None = None
    ) -> int:
        if len(self._next) >= MAX_NODES:
            raise PatternError("it is too large when its counted repeats are written out")
        self._accepts.append(accepts)
        self._anchors.append(anchor)
        self._next.append(after)
        return len(self._next) - 1


def _test_of(characters: CharacterClass) -> Callable[[str], bool]:
    """The test that a character passes. Each one is asked of it once a state, so that the answers need no cache."""
    ranges = sorted(characters.ranges)
    lows = [low for low, _ in ranges]
    # The furthest that any range up to here reaches: ranges may overlap.
    reach: list[int] = []
    for _, high in ranges:
        reach.append(max(high, reach[-1]) if reach else high)
    categories = characters.categories
    negated = characters.negated

    def accepts(character: str) -> bool:
        point = ord(character)
        i = bisect_right(lows, point)
        found = (i > 0 and reach[i - 1] >= point) or (
            bool(categories)
            and any(unicodedata.category(character).startswith(name) != inverted for name, inverted in categories)
        )
        return found != negated

    return accepts
