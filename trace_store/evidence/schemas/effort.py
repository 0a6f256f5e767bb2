"""The effort that one check of untrusted data may cost, so that no schema and no pattern can hold up an import (R34).

One unit stands for about ten microseconds. Effort is counted, not timed: the same document always ends the same way.
"""

from __future__ import annotations

from trace_store.model import JSON

BASE_UNITS = 20_000
UNITS_PER_NODE = 8
CHARACTERS_PER_UNIT = 4


class TooCostlyError(Exception):
    """A check that was given up: its schema asks for more work than its value can be worth."""


class Effort:
    """What is left of the effort for one check. The allowance grows with the value that is checked, but that is only
    measured once the base is used up, which an ordinary check never does."""

    __slots__ = ("_left", "_value")

    def __init__(self) -> None:
        self._left = BASE_UNITS
        self._value: JSON = None

    def start(self, value: JSON) -> None:
        """Begins a check of `value` with a fresh allowance."""
        self._left = BASE_UNITS
        self._value = value

    def spend(self, units: int) -> None:
        """Takes units off the allowance. Raises TooCostlyError when it is used up."""
        self._left -= units
        if self._left < 0:
            value, self._value = self._value, None
            if value is not None:
                self._left += allowance_of(value)
            if self._left < 0:
                raise TooCostlyError


def allowance_of(value: JSON) -> int:
    """The units that a value is worth beyond the base: by its number of nodes, and by the length of its texts."""
    nodes = 0
    characters = 0
    open_: list[JSON] = [value]
    while open_:
        node = open_.pop()
        nodes += 1
        if isinstance(node, dict):
            open_.extend(node.values())
        elif isinstance(node, list):
            open_.extend(node)
        elif isinstance(node, str):
            characters += len(node)
    return nodes * UNITS_PER_NODE + characters // CHARACTERS_PER_UNIT
