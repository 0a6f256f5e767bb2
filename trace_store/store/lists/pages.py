"""The lists that people page through: runs, calls, findings and imports, sorted and cut in SQL, with their totals.

A page is found by its keys first, in an index, and only its rows are looked up: a late page costs little more than the
first. The order is total, so that no row is seen twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, FromClause, Select, and_, false, func, select

from trace_store.store.lists.columns import IMPORT_COLUMNS, OF_LISTS, read_row
from trace_store.store.query import Listed, sort_columns
from trace_store.store.query.conditions import (
    TABLES,
    Condition,
    belongs_to_run,
    condition_of,
    is_run,
    mentions,
    source_of,
    where,
)
from trace_store.store.schema.tables import calls, findings, imports, reviews, runs

MANY = 20_000
"""Rows that are gathered and sorted before anybody notices."""

LARGEST = 2**63 - 1
"""The largest number that the database counts to."""

MOST = 4
"""One row in so many has to be left, for the list to be walked in its order instead."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a list, by public column name, and how many the query finds altogether."""

    rows: list[dict[str, object]]
    total: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where a run stands in a list: the runs beside it, null at the ends, and its place, from 1, among `total`."""

    previous: str | None
    next: str | None
    position: int
    total: int


@dataclass(frozen=True, slots=True)
class _List:
    """What differs from list to list: the key of its rows, in the order of the list; what a run has counted of them;
    and the tables that a page is read from."""

    key: tuple[Column[Any], ...]
    counter: Column[Any] | None
    joined: FromClause


_LISTS: dict[Listed, _List] = {
    "runs": _List((runs.c.key,), None, runs.outerjoin(reviews, belongs_to_run(reviews))),
    "calls": _List((calls.c.run_key, calls.c.sequence), runs.c.calls, calls.join(runs, belongs_to_run(calls))),
    "findings": _List((findings.c.run_key, findings.c.position), None, findings.join(runs, belongs_to_run(findings))),
}


def page(connection: Connection, listed: Listed, query: str, sort: str | None, limit: int, offset: int) -> Page:
    """`limit` rows from `offset` on. `sort`: a field or figure, `-` in front for the largest first; null for the
    newest runs first, and their calls and findings in order. Raises QueryError for the query and for the sort."""
    condition = condition_of(query, listed)
    of = _LISTS[listed]
    order = _order(listed, sort, condition)
    found = total(connection, listed, condition)
    if condition is not None and _is_most(connection, listed, found):
        # The list is walked in its order until the page is full. Hidden from the planner, which would gather all that
        # the condition leaves, and sort it.
        condition = func.coalesce(condition, false())
    keys = _keys(listed, condition, order).limit(_counted(limit)).offset(_counted(offset)).subquery("page")
    same = and_(*(column == keys.c[column.name] for column in of.key))
    statement = select(*(shown.value.label(shown.name) for shown in OF_LISTS[listed]))
    rows = connection.execute(statement.select_from(keys.join(of.joined, same)).order_by(*order))
    return Page([read_row(OF_LISTS[listed], row) for row in rows], found)


def total(connection: Connection, listed: Listed, condition: Condition | None) -> int:
    """How many rows of the list the condition leaves."""
    counter = _LISTS[listed].counter
    if condition is not None and counter is not None and not mentions(condition, TABLES[listed]):
        # Only runs are asked about, and each has counted its calls.
        statement = select(func.coalesce(func.sum(counter), 0))
    else:
        statement = select(func.count()).select_from(source_of(listed, condition))
    return int(connection.execute(where(statement, condition)).scalar_one())


def _is_most(connection: Connection, listed: Listed, found: int) -> bool:
    """Whether so many rows are left that a walk through the whole list soon meets a page of them."""
    return found > MANY and found * MOST > total(connection, listed, None)


def neighbours(connection: Connection, query: str, sort: str | None, run_id: str) -> Neighbours | None:
    """Where the run stands in the list of runs; null when it is not in it. Raises QueryError."""
    condition = condition_of(query, "runs")
    keys = _keys("runs", condition, _order("runs", sort, condition))
    ordered = list(connection.execute(keys).scalars())
    key = connection.execute(select(runs.c.key).where(is_run(run_id))).scalar()
    if key not in ordered:
        return None
    place = ordered.index(key)
    before, after = ordered[place - 1 : place] if place else [], ordered[place + 1 : place + 2]
    return Neighbours(
        previous=_run_id(connection, before), next=_run_id(connection, after), position=place + 1, total=len(ordered)
    )


def run_ids(connection: Connection, query: str, sort: str | None) -> list[str]:
    """The ids of all runs that the query finds, in the order of the list. Raises QueryError."""
    condition = condition_of(query, "runs")
    order = _order("runs", sort, condition)
    statement = select(runs.c.run_id).select_from(source_of("runs", condition, *order))
    return list(connection.execute(where(statement, condition).order_by(*order)).scalars())


def imports_page(connection: Connection, limit: int, offset: int) -> Page:
    """The imports, the latest first."""
    statement = select(*(shown.value for shown in IMPORT_COLUMNS)).order_by(imports.c.id.desc())
    rows = connection.execute(statement.limit(_counted(limit)).offset(_counted(offset)))
    count = connection.execute(select(func.count()).select_from(imports)).scalar_one()
    return Page([read_row(IMPORT_COLUMNS, row) for row in rows], count)


def _keys(listed: Listed, condition: Condition | None, order: list[ColumnElement[Any]]) -> Select[Any]:
    statement = select(*_LISTS[listed].key).select_from(source_of(listed, condition, *order))
    return where(statement, condition).order_by(*order)


def _order(listed: Listed, sort: str | None, condition: Condition | None) -> list[ColumnElement[Any]]:
    if sort:
        return sort_columns(sort, listed)
    run, *within = _LISTS[listed].key
    # Where runs are asked about, it is by their own key that the planner sees them come in order.
    return [(runs.c.key if mentions(condition, runs) else run).desc(), *within]


def _run_id(connection: Connection, keys: list[int]) -> str | None:
    return connection.execute(select(runs.c.run_id).where(runs.c.key.in_(keys))).scalar() if keys else None


def _counted(number: int) -> int:
    """A limit or an offset as one that the database can count."""
    return min(max(number, 0), LARGEST)
