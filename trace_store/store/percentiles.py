"""Percentiles in SQL: an aggregate that SQLite lacks, defined on every connection."""

from __future__ import annotations

import sqlite3
from array import array
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Text, func

POINTS = (50, 95, 99)


class _Percentiles:
    """Gathers numbers, of which SQL leaves the nulls out; ends as JSON, or null where there were none. `step` is the
    array's own method: no Python runs for a row."""

    def __init__(self) -> None:
        self._numbers = array("d")
        self.step = self._numbers.append

    def finalize(self) -> Any:
        if not self._numbers:
            return None
        import numpy as np  # here, because most commands measure nothing, and every one would wait for it

        # Between two numbers, the line between them, as `percentile_cont` has it.
        return orjson.dumps(np.percentile(np.frombuffer(self._numbers), POINTS).tolist()).decode()


def add_aggregate(connection: sqlite3.Connection) -> None:
    """Define the aggregate on `connection`."""
    connection.create_aggregate("percentiles", 1, _Percentiles)


def percentiles(numbers: ColumnElement[float]) -> ColumnElement[str]:
    """Return the aggregate over those of `numbers` that are not null; see `parse_percentiles`."""
    return func.percentiles(numbers, type_=Text).filter(numbers.is_not(None))


def parse_percentiles(text: str | None) -> tuple[float | None, ...]:
    """Return the aggregate's value: one number for each of POINTS, nulls where there was nothing to measure."""
    if text is None:
        return (None,) * len(POINTS)
    return tuple(orjson.loads(text))
