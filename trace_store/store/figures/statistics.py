"""Breakdowns: the calls that a query finds, in groups, with the figures of each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import ColumnElement, Connection, case, desc, distinct, func, literal_column, select

from trace_store.errors import QueryError
from trace_store.store import percentiles
from trace_store.store.connection import Queries
from trace_store.store.query import FIELDS, Field, Kind, Presence, field_named
from trace_store.store.query.compiling import Condition, belongs_to_run, condition_of, mentions, source_of, where
from trace_store.store.schema.tables import calls, reviews, runs

if TYPE_CHECKING:
    import pandas as pd

_LATENCIES = [f"p{point}_ms" for point in percentiles.POINTS]
FIGURES = [
    "runs", "calls", "share", "failures", "failure_rate", "application_errors", *_LATENCIES, "retries", "wasted_ms",
]  # fmt: skip
"""The columns beside the groups, in their order."""


def stats(self: Queries, query: str = "", by: Sequence[str] = ()) -> pd.DataFrame:
    """Return the calls that the query finds, grouped by fields, the largest group first; without fields, as one group.

    A column for each field, null where there is no value, and those of FIGURES: `share` is of all calls found, the
    latencies are percentiles of those known, `retries` are attempts beyond the first, and `wasted_ms` counts a chain's
    waste where it began. `failures` are calls that failed, by injection too; `failure_rate` is of the calls that can be
    read; `application_errors` were answered, with an error (R19). Times are grouped by day, UTC. Raises
    QueryError.
    """
    fields = [field_named(name, "calls") for name in dict.fromkeys(by)]
    groups = [_group(field) for field in fields]
    condition = condition_of(query, "calls")
    statement = select(
        *groups,
        func.count(distinct(calls.c.run_key)),
        func.count().label("calls"),
        func.coalesce(func.sum(calls.c.failed), 0),
        func.count().filter(calls.c.attempt > 1),
        func.coalesce(func.sum(calls.c.wasted_ms), 0.0),
        percentiles.percentiles(calls.c.latency_ms),
    ).select_from(_source(condition, groups))
    statement = where(statement, condition).group_by(*groups).order_by(desc("calls"), *groups)
    with self.database.read() as connection:
        rows: Sequence[Any] = connection.execute(statement).all()
        unreadable = count_calls(connection, "unreadable", condition, groups)
        application_errors = count_calls(connection, "application_error", condition, groups)
    all_calls = sum(row.calls for row in rows)
    table: list[list[object]] = []
    for row in rows:
        values = [field.public_value(value) for field, value in zip(fields, row, strict=False)]
        run_count, call_count, failures, retries, wasted_ms, latencies = row[len(fields) :]
        group = tuple(row[: len(fields)])
        readable = call_count - unreadable.get(group, 0)
        share, failure_rate = _ratio(call_count, all_calls), _ratio(failures, readable)
        figures = [run_count, call_count, share, failures, failure_rate, application_errors.get(group, 0)]
        table.append([*values, *figures, *percentiles.parse_percentiles(latencies), retries, wasted_ms])
    return frame(table, [*(field.name for field in fields), *FIGURES])


def count_calls(
    connection: Connection,
    outcome: Literal["unreadable", "application_error"],
    condition: Condition | None,
    groups: Sequence[ColumnElement[Any]] = (),
) -> dict[tuple[Any, ...], int]:
    """Return how many of the calls found have a rare outcome (R19), by group. A statement of its own finds them by the
    index, and the figures of all calls need not look at outcomes. `unreadable` calls are in no rate."""
    source = _source(condition, groups)
    statement = where(select(*groups, func.count()).select_from(source), condition)
    statement = statement.where(calls.c.outcome == literal_column(f"'{outcome}'")).group_by(*groups)
    return {tuple(values): number for *values, number in connection.execute(statement)}


def frame(rows: Sequence[Sequence[object]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a table."""
    import pandas as pd  # here, because it takes as long to load as everything else, and most commands make no table

    return pd.DataFrame(rows, columns=list(columns))


def _group(field: Field) -> ColumnElement[Any]:
    """Return what calls are grouped by for the field: its value in the call, else in the run or its review."""
    if field.name in FIGURES:
        raise QueryError(f"{field.name} is a figure of each group, not a group", hint=_can_group())
    for table in (calls, runs, reviews):
        for column in field.columns:
            if column.table is table:
                return _value(field, column.value)
    raise QueryError(f"a run may have many a {field.name}", hint=_can_group())


def _value(field: Field, value: ColumnElement[Any]) -> ColumnElement[Any]:
    if field.kind is Kind.TIME:
        return func.date(value // 1_000_000, "unixepoch")
    if Presence.ANY in field.values.values():
        return case((value.is_not(None), 1))  # it only matters that there is a value
    return value


def _can_group() -> str:
    names = [field.name for field in FIELDS if field.kind is not Kind.NUMBER]
    return f"calls are grouped by one of {', '.join(dict.fromkeys(names))}"


def _source(condition: Condition | None, groups: Sequence[ColumnElement[Any]]) -> Any:
    if any(mentions(group, reviews) for group in groups):
        return source_of("calls", runs.c.key).outerjoin(reviews, belongs_to_run(reviews))
    return source_of("calls", condition, *groups)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
