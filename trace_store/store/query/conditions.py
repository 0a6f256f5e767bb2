"""Query text -> the condition of a statement, and the tables that the statement needs for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, ColumnElement, FromClause, Select, Table, false
from sqlalchemy.sql import visitors

from trace_store.store.query import Listed, Query, compile_calls, compile_findings, compile_runs, parse
from trace_store.store.schema.tables import calls, findings, runs

Condition = ColumnElement[bool]

_COMPILERS: dict[Listed, Callable[[Query], Condition]] = {
    "runs": compile_runs,
    "calls": compile_calls,
    "findings": compile_findings,
}
TABLES: dict[Listed, Table] = {"runs": runs, "calls": calls, "findings": findings}


def condition_of(query: str, listed: Listed) -> Condition | None:
    """The condition that `query` puts on what is listed; null for a blank query. Raises QueryError."""
    return _COMPILERS[listed](parse(query)) if query.strip() else None


def is_run(run_id: str) -> Condition:
    """The condition on `runs` that a run goes by this id."""
    try:
        run_id.encode()
    except UnicodeEncodeError:
        return false()  # half a character: no id has it, and no database takes it
    return runs.c.run_id == run_id


def where(statement: Select[Any], condition: Condition | None) -> Select[Any]:
    """`statement` under the condition, if there is one."""
    return statement if condition is None else statement.where(condition)


def source_of(listed: Listed, *asked: ColumnElement[Any] | None, also: FromClause | None = None) -> FromClause:
    """The listed table, with `also` where a run has rows in it. Runs are joined only when one of the expressions, or
    `also`, asks for them: a count of calls need not look up the run of each."""
    table = TABLES[listed]
    source: FromClause = table
    if also is table or also is runs:
        also = None
    if table is not runs and (also is not None or any(mentions(expression, runs) for expression in asked)):
        source = source.join(runs, belongs_to_run(table))
    return source if also is None else source.join(also, belongs_to_run(also))


def belongs_to_run(table: FromClause) -> Condition:
    """What ties the rows of `table` to their run."""
    if "run_key" in table.c:
        return table.c.run_key == runs.c.key
    return table.c.run_id == runs.c.run_id


def mentions(expression: ColumnElement[Any] | None, table: FromClause) -> bool:
    """Whether a column of `table` stands anywhere in the expression, its subqueries included."""
    return any(column.table is table for column in columns_of(expression))


def columns_of(expression: ColumnElement[Any] | None) -> set[Column[Any]]:
    """The columns that stand anywhere in the expression, its subqueries included."""
    elements = () if expression is None else visitors.iterate(expression)
    return {element for element in elements if isinstance(element, Column)}
