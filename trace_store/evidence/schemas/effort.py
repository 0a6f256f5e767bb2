"""The effort that one check of untrusted data may cost, so that no schema and no pattern can hold up an import (R34).

One unit is about ten microseconds. Effort is counted, not timed, so that the same document always has the same result.
"""

from __future__ import annotations

from trace_store.model import JSON

BASE_UNITS = 20_000
UNITS_PER_NODE = 8
CHARACTERS_PER_UNIT = 4


class TooCostlyError(Exception):
    """Raised by a check that takes more effort than its value allows."""


class Effort:
    """The effort that is left for one check. The allowance grows with the size of the value, which is only measured
    once the base is used up; an ordinary check never gets there."""

    __slots__ = ("_left", "_value")

    def __init__(self) -> None:
        self._left = BASE_UNITS
        self._value: JSON = None

    def start(self, value: JSON) -> None:
        """Begin a check of `value` with a fresh allowance."""
        self._left = BASE_UNITS
        self._value = value

    def spend(self, units: int) -> None:
        """Take units off the allowance. Raises TooCostlyError when it is used up."""
        self._left -= units
        if self._left < 0:
            value, self._value = self._value, None
            if value is not None:
                self._left += allowance_of(value)
            if self._left < 0:
                raise TooCostlyError


def allowance_of(value: JSON) -> int:
    """Return the units that a value adds to the base: by its number of nodes, and by the length of its texts."""
    nodes = 0
    characters = 0
    pending: list[JSON] = [value]
    while pending:
        node = pending.pop()
        nodes += 1
        if isinstance(node, dict):
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, str):
            characters += len(node)
    return nodes * UNITS_PER_NODE + characters // CHARACTERS_PER_UNIT
