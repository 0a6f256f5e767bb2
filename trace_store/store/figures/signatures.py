"""Failures by their signature (boundary, tool, class; R38), and when runs failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, desc, func, literal_column, select

from trace_store.store.figures.statistics import frame
from trace_store.store.query.conditions import belongs_to_run, condition_of, where
from trace_store.store.schema.tables import reviews, runs
from trace_store.store.timestamps import iso

if TYPE_CHECKING:
    import pandas as pd

HOUR_US = 3_600_000_000

_SIGNATURE = (runs.c.boundary_stage, runs.c.boundary_tool, runs.c.boundary_class)
_GATHERED: tuple[ColumnElement[Any], ...] = tuple(
    literal_column(f"+{column}").label(column.name) for column in _SIGNATURE
)
"""The same to be gathered, where a query leaves a part of the runs: the planner would walk all of them, in the order of
their index, and look up each."""


def signatures(connection: Connection, query: str) -> pd.DataFrame:
    """The signatures among the runs that the query finds, the most frequent first: `stage`, `tool`, `error_class`
    (null where there is none), `runs`, `reviewed` (how many of these have a review), `first_seen` and `last_seen` (of
    the runs' starts, null where none is known). Runs that failed at no boundary are in none. Raises QueryError."""
    condition = condition_of(query, "runs")
    number = func.count().label("runs")
    groups: tuple[ColumnElement[Any], ...] = _SIGNATURE if condition is None else _GATHERED
    found = select(*groups, number, func.min(runs.c.started_us), func.max(runs.c.started_us)).select_from(runs)
    found = where(found, condition).where(groups[0].is_not(None)).group_by(*groups)
    # Review by review, of which there are few, and not run by run.
    own = select(*_SIGNATURE, func.count()).select_from(reviews.join(runs, belongs_to_run(reviews)))
    own = where(own, condition).where(runs.c.boundary_stage.is_not(None)).group_by(*_SIGNATURE)
    reviewed = {tuple(row[:3]): row[3] for row in connection.execute(own)}
    rows = [
        (*row[:4], reviewed.get(tuple(row[:3]), 0), iso(row[4]), iso(row[5]))
        for row in connection.execute(found.order_by(desc(number), *groups))
    ]
    return frame(rows, ["stage", "tool", "error_class", "runs", "reviewed", "first_seen", "last_seen"])


def over_time(connection: Connection, query: str) -> pd.DataFrame:
    """The runs that the query finds by the hour of their start: `hour_us` (its begin, microseconds since the epoch,
    UTC), `runs`, `failed` (those of them that failed at a boundary), in the order of time. Hours without runs, and runs
    whose start is unknown, are in no row. Raises QueryError."""
    hour = runs.c.started_us.op("/")(HOUR_US).label("hour")
    statement = select(hour, func.count(), func.count(runs.c.boundary_stage)).select_from(runs)
    statement = where(statement, condition_of(query, "runs")).where(runs.c.started_us.is_not(None))
    rows = connection.execute(statement.group_by(hour).order_by(hour))
    return frame([(number * HOUR_US, count, failed) for number, count, failed in rows], ["hour_us", "runs", "failed"])
