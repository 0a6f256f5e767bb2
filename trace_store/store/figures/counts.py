"""Counts that stand above and beside the lists: totals of runs, and how often each value of a field occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, case, desc, distinct, func, select, union

from trace_store.store.connection import Queries
from trace_store.store.lists.pages import count_rows
from trace_store.store.query import Field, FieldColumn, ListName, Presence, field_named
from trace_store.store.query.compiling import (
    Condition,
    belongs_to_run,
    condition_of,
    mentions,
    source_of,
    where,
)
from trace_store.store.query.fields import TABLES, Fact
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


def totals(self: Queries, query: str = "") -> Totals:
    """Return the totals of the runs that the query finds. Raises QueryError."""
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
    review = select(runs.c.key).where(belongs_to_run(reviews))
    reviewed = select(func.count()).select_from(reviews).where(where(review, condition).exists())
    with self.database.read() as connection:
        numbers = connection.execute(where(figures, condition)).mappings().one()
        unreviewed = numbers["runs"] - connection.execute(reviewed).scalar_one()
    return Totals(unreviewed=unreviewed, **numbers)


def facet(
    self: Queries, query: str, field: str, limit: int = 20, list_name: ListName = "runs"
) -> list[tuple[Any, int]]:
    """Return the values that `field` has in the rows that the query finds, as a query writes them, each with the
    number of rows (runs, calls or findings); the most frequent first. Raises QueryError."""
    with self.database.read() as connection:
        return _values_of(connection, query, field, limit, list_name)


def facets(
    self: Queries, queries: Iterable[tuple[str, str]], limit: int = 20, list_name: ListName = "runs"
) -> dict[tuple[str, str], list[tuple[Any, int]]]:
    """Return the `facet` of each pair of a query and a field, all read in parallel. Raises QueryError."""
    reads = {
        (query, field): partial(_values_of, query=query, field_name=field, limit=limit, list_name=list_name)
        for query, field in queries
    }
    return self.database.read_in_parallel(reads)


def _values_of(
    connection: Connection, query: str, field_name: str, limit: int, list_name: ListName
) -> list[tuple[Any, int]]:
    condition = condition_of(query, list_name)
    field = field_named(field_name, list_name)
    columns = _count_column_values(connection, field, list_name, condition, limit)
    numbers: Counter[Any] = Counter()
    for value, number in columns:
        numbers[field.public_value(value)] += number
    counts = list(numbers.items())
    for value, meaning in field.values.items():
        if isinstance(meaning, Presence | Fact):
            # A value that stands in no column: what a query for it finds.
            holds = condition_of(f"{field.name}:{value}", list_name)
            both = holds if condition is None or holds is None else and_(condition, holds)
            if number := count_rows(connection, list_name, both):
                counts.append((value, number))
    return sorted(counts, key=lambda count: -count[1])[: max(limit, 0)]


def _count_column_values(
    connection: Connection, field: Field, list_name: ListName, condition: Condition | None, limit: int
) -> list[tuple[Any, int]]:
    if any(isinstance(meaning, Presence) for meaning in field.values.values()):
        return []  # it only matters that there is a value
    if len(field.columns) == 1:
        statement = _count_in_column(field.columns[0], list_name, condition)
    else:
        pairs = union(*(_rows_and_values(column, list_name, condition) for column in field.columns)).subquery()
        statement = select(pairs.c.value, func.count().label("number")).group_by(pairs.c.value)
    rows = connection.execute(statement.order_by(desc("number"), "value").limit(max(limit, 0)))
    return [(value, number) for value, number in rows]


def _count_in_column(column: FieldColumn, list_name: ListName, condition: Condition | None) -> Select[Any]:
    """Select the column's values, each with the number of rows of the list that have it or whose run has it."""
    source, row = _rows_with(column, list_name, condition)
    number = func.count() if column.table in (TABLES[list_name], runs) else func.count(distinct(row))
    statement = select(column.value.label("value"), number.label("number")).select_from(source)
    return where(statement.where(column.value.is_not(None)), condition).group_by(column.value)


def _rows_and_values(column: FieldColumn, list_name: ListName, condition: Condition | None) -> Select[Any]:
    """Select rows of the list with each value that they have in this column."""
    source, row = _rows_with(column, list_name, condition)
    statement = select(row.label("row"), column.value.label("value")).select_from(source)
    return where(statement.where(column.value.is_not(None)), condition)


def _rows_with(
    column: FieldColumn, list_name: ListName, condition: Condition | None
) -> tuple[FromClause, ColumnElement[int]]:
    """Return the list's rows joined with the column's table, and a number that tells the rows apart."""
    if list_name == "runs" and "run_key" in column.table.c and not mentions(condition, runs):
        # The run's other rows know its key: where nothing is asked of runs, they need not be looked up.
        return column.table, column.table.c["run_key"]
    return source_of(list_name, condition, column.value, also=column.table), _ROW_NUMBERS[list_name]


# One number for each row of a list.
_ROW_NUMBERS: dict[ListName, ColumnElement[int]] = {
    "runs": runs.c.key,
    "calls": calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.sequence,
    "findings": findings.c.run_key.op("<<")(RUN_SHIFT) + findings.c.position,
}


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
