"""What counts as a number, an integer or an identifier on the wire: booleans are not."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from trace_store.model import JSON

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_BEYOND_FLOAT = 2**1000
_KINDS = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def kind_of(value: JSON) -> str:
    """Return the JSON type of a value in words, with its article: `a string`."""
    return _KINDS.get(type(value), "an unknown value")


def integer(value: JSON) -> int | None:
    """Return the integer that a JSON number is (200 and 200.0, not true, "200" or 1.5), else None.

    Beyond signed 64 bits it is None too: no status, count or index is that large, and no database holds it.
    """
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and _SMALLEST <= value <= _LARGEST else None


def finite(value: JSON) -> float | None:
    """Return a finite JSON number as a float, else None."""
    if type(value) is float:
        return value if math.isfinite(value) else None
    return float(value) if type(value) is int and abs(value) < _BEYOND_FLOAT else None


def count(value: JSON) -> int | None:
    """Return an integer of 0 or more, else None (R13)."""
    number = integer(value)
    return number if number is not None and number >= 0 else None


def duration(value: JSON) -> float | None:
    """Return a finite number of 0 or more, as a float, else None (R13, R21)."""
    number = finite(value)
    return number if number is not None and number >= 0 else None


def identifier(value: JSON) -> str | None:
    """Return an identifier as text: a string that is not blank, unchanged, or a number in digits (R42: 0 is one), else
    None."""
    if type(value) is str:
        return value if value and not value.isspace() else None
    if type(value) is int:
        return str(value)
    if type(value) is float and math.isfinite(value):
        return str(int(value)) if value.is_integer() else str(value)
    return None


def total(durations: Iterable[float | None]) -> float:
    """Return the sum of durations, without the unknown ones. It stays finite, whatever a hostile log claims."""
    return min(sum(filter(None, durations), 0.0), sys.float_info.max)  # a zero adds nothing
