"""Figures that stand above and beside the list of runs: totals, and what values a field has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, desc, distinct, func, select, union

from trace_store.store.conditions import TABLES, Condition, condition_of, mentions, source_of, where
from trace_store.store.query import Listed, Place, field_named
from trace_store.store.tables import RUN_SHIFT, calls, findings, reviews, runs


@dataclass(frozen=True, slots=True)
class Totals:
    """How many runs a query finds, and how many of them: failed, are thin, have findings of severity error, calls of
    undeclared actors, exhausted retries, no review. `calls` is the number of their calls."""

    runs: int
    failed: int
    thin: int
    with_errors: int
    undeclared: int
    exhausted: int
    unreviewed: int
    calls: int


def totals(connection: Connection, query: str) -> Totals:
    """The figures of the runs that the query finds. Raises QueryError."""
    condition = condition_of(query, "runs")
    figures = select(
        func.count().label("runs"),
        _number(runs.c.failed == 1).label("failed"),
        _number(runs.c.view == "thin").label("thin"),
        _number(runs.c.errors > 0).label("with_errors"),
        _number(runs.c.undeclared > 0).label("undeclared"),
        _number(runs.c.exhausted > 0).label("exhausted"),
        func.coalesce(func.sum(runs.c.calls), 0).label("calls"),
    ).select_from(runs)
    # From the reviews, of which there are few, and not run by run.
    reviewed = select(func.count()).select_from(reviews.join(runs, runs.c.run_id == reviews.c.run_id))
    numbers = connection.execute(where(figures, condition)).mappings().one()
    unreviewed = numbers["runs"] - connection.execute(where(reviewed, condition)).scalar_one()
    return Totals(unreviewed=unreviewed, **numbers)


def facet(connection: Connection, query: str, field: str, limit: int, listed: Listed) -> list[tuple[Any, int]]:
    """The values that `field` has in what the query lists, as a query writes them, each with how many runs (or calls,
    or findings) have it; the most frequent first. Raises QueryError."""
    condition = condition_of(query, listed)
    of = field_named(field, listed)
    if len(of.places) == 1:
        counted = _counted(of.places[0], listed, condition)
    else:
        pairs = union(*(_pairs(place, listed, condition) for place in of.places)).subquery()
        counted = select(pairs.c.value, func.count().label("number")).group_by(pairs.c.value)
    found = connection.execute(counted.order_by(desc("number"), "value").limit(max(limit, 0)))
    return [(of.shown(value), number) for value, number in found]


def _counted(place: Place, listed: Listed, condition: Condition | None) -> Select[Any]:
    """Values and how many rows of the list have each, where a row or its run has a value in one place."""
    if place.table in (TABLES[listed], runs):
        number: ColumnElement[int] = func.count()
        source = source_of(listed, condition, place.value)
    elif listed == "runs":
        # The run's other rows know its key: where nothing is asked of runs, they need not be looked up.
        tie = place.table.c["run_key" if "run_key" in place.table.c else "run_id"]
        number = func.count(distinct(tie))
        asks = mentions(condition, runs) or mentions(place.value, runs)
        source = source_of("runs", also=place.table) if asks else place.table
    else:
        number = func.count(distinct(_IDENTITY[listed]))
        source = source_of(listed, also=place.table)
    value = place.value.label("value")
    statement = select(value, number.label("number")).select_from(source).where(place.value.is_not(None))
    return where(statement, condition).group_by(place.value)


def _pairs(place: Place, listed: Listed, condition: Condition | None) -> Select[Any]:
    """Rows of the list with each value that they have in this place."""
    source = source_of(listed, condition, place.value, also=place.table)
    statement = select(_IDENTITY[listed].label("row"), place.value.label("value")).select_from(source)
    return where(statement.where(place.value.is_not(None)), condition)


# One number for each row of a list.
_IDENTITY: dict[Listed, ColumnElement[int]] = {
    "runs": runs.c.key,
    "calls": calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.sequence,
    "findings": findings.c.run_key.op("<<")(RUN_SHIFT) + findings.c.position,
}


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
