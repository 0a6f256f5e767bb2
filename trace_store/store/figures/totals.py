"""Figures that stand above and beside the list of runs: totals, and what values a field has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, case, desc, distinct, func, select, union

from trace_store.store.connection import Database
from trace_store.store.lists.pages import total
from trace_store.store.parallel import side_by_side
from trace_store.store.query import Field, Listed, Place, Presence, field_named
from trace_store.store.query.conditions import (
    TABLES,
    Condition,
    belongs_to_run,
    condition_of,
    mentions,
    source_of,
    where,
)
from trace_store.store.query.fields import Fact
from trace_store.store.schema.tables import RUN_SHIFT, calls, findings, reviews, runs


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
    # Review by review, of which there are few, and not run by run.
    own = select(runs.c.key).where(belongs_to_run(reviews))
    reviewed = select(func.count()).select_from(reviews).where(where(own, condition).exists())
    numbers = connection.execute(where(figures, condition)).mappings().one()
    unreviewed = numbers["runs"] - connection.execute(reviewed).scalar_one()
    return Totals(unreviewed=unreviewed, **numbers)


def facet(connection: Connection, query: str, field: str, limit: int, listed: Listed) -> list[tuple[Any, int]]:
    """The values that `field` has in what the query lists, as a query writes them, each with how many runs (or calls,
    or findings) have it; the most frequent first. Raises QueryError."""
    condition = condition_of(query, listed)
    of = field_named(field, listed)
    found = [(of.shown(value), number) for value, number in _stored_values(connection, of, listed, condition, limit)]
    for written, meaning in of.values.items():
        if isinstance(meaning, Presence | Fact):
            # A value that stands in no column: what a query for it finds.
            said = condition_of(f"{of.name}:{written}", listed)
            number = total(connection, listed, said if condition is None or said is None else and_(condition, said))
            found += [(written, number)] if number else []
    return sorted(found, key=lambda pair: -pair[1])[: max(limit, 0)]


def facets(
    database: Database, asked: Iterable[tuple[str, str]], limit: int, listed: Listed
) -> dict[tuple[str, str], list[tuple[Any, int]]]:
    """The facet of each query and field, read side by side. Raises QueryError."""

    def read(query: str, field: str) -> Callable[[Connection], list[tuple[Any, int]]]:
        return lambda connection: facet(connection, query, field, limit, listed)

    return side_by_side(database, {one: read(*one) for one in asked})


def _stored_values(
    connection: Connection, field: Field, listed: Listed, condition: Condition | None, limit: int
) -> list[tuple[Any, int]]:
    if any(isinstance(meaning, Presence) for meaning in field.values.values()):
        return []  # it only matters that there is a value
    if len(field.places) == 1:
        counted = _counted(field.places[0], listed, condition)
    else:
        pairs = union(*(_pairs(place, listed, condition) for place in field.places)).subquery()
        counted = select(pairs.c.value, func.count().label("number")).group_by(pairs.c.value)
    rows = connection.execute(counted.order_by(desc("number"), "value").limit(max(limit, 0)))
    return [(value, number) for value, number in rows]


def _counted(place: Place, listed: Listed, condition: Condition | None) -> Select[Any]:
    """Values and how many rows of the list have each, where a row or its run has a value in one place."""
    source, row = _rows_with(place, listed, condition)
    number = func.count() if place.table in (TABLES[listed], runs) else func.count(distinct(row))
    statement = select(place.value.label("value"), number.label("number")).select_from(source)
    return where(statement.where(place.value.is_not(None)), condition).group_by(place.value)


def _pairs(place: Place, listed: Listed, condition: Condition | None) -> Select[Any]:
    """Rows of the list with each value that they have in this place."""
    source, row = _rows_with(place, listed, condition)
    statement = select(row.label("row"), place.value.label("value")).select_from(source)
    return where(statement.where(place.value.is_not(None)), condition)


def _rows_with(place: Place, listed: Listed, condition: Condition | None) -> tuple[FromClause, ColumnElement[int]]:
    """Rows of the list beside what stands in the place, and one number for each row."""
    if listed == "runs" and "run_key" in place.table.c and not mentions(condition, runs):
        # The run's other rows know its key: where nothing is asked of runs, they need not be looked up.
        return place.table, place.table.c["run_key"]
    return source_of(listed, condition, place.value, also=place.table), _IDENTITY[listed]


# One number for each row of a list.
_IDENTITY: dict[Listed, ColumnElement[int]] = {
    "runs": runs.c.key,
    "calls": calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.sequence,
    "findings": findings.c.run_key.op("<<")(RUN_SHIFT) + findings.c.position,
}


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
