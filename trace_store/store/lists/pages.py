"""The lists that people page through: runs, calls, findings and imports, sorted and cut in SQL, with their totals.

A page is found by its keys first, in an index, and only its rows are looked up: a late page costs little more than the
first. The order is total, so that no row is seen twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, false, func, select

from trace_store.errors import NotFoundError
from trace_store.reports import FileReport
from trace_store.store.connection import Queries
from trace_store.store.lists.columns import IMPORT_COLUMNS, LIST_COLUMNS, read_row
from trace_store.store.query import ListName, sort_columns
from trace_store.store.query.compiling import (
    Condition,
    belongs_to_run,
    condition_of,
    is_run,
    mentions,
    source_of,
    where,
)
from trace_store.store.query.fields import TABLES
from trace_store.store.schema.tables import calls, findings, imports, reviews, runs

MANY = 20_000
"""Rows that can be gathered and sorted before anybody notices."""

LARGEST_INTEGER = 2**63 - 1
"""Of the database."""

MOST = 4
"""One row in so many has to be left, for the list to be walked in its order instead."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a list, by public column name, and how many the query finds altogether."""

    rows: list[dict[str, object]]
    total: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where a run stands in a list: the runs beside it, null at the ends, and its position, from 1, among `total`."""

    previous: str | None
    next: str | None
    position: int
    total: int


_PAGE_SOURCES: dict[ListName, FromClause] = {
    "runs": runs.outerjoin(reviews, belongs_to_run(reviews)),
    "calls": calls.join(runs, belongs_to_run(calls)),
    "findings": findings.join(runs, belongs_to_run(findings)),
}
"""The tables that a page of a list is read from."""


class Lists(Queries):
    """The lists of runs, calls and findings. All queries raise QueryError."""

    def page(
        self, list_name: ListName, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0
    ) -> Page:
        """Return `limit` rows of what the query finds, from `offset` on.

        `sort`: a field or figure, `-` in front for the largest first; null for the newest runs first, and their calls
        and findings in order.
        """
        condition = condition_of(query, list_name)
        order = _order(list_name, sort, condition)
        with self.database.read() as connection:
            total = count_rows(connection, list_name, condition)
            if condition is not None and _is_most(connection, list_name, total):
                # The list is walked in its order until the page is full. Hidden from the planner, which would gather
                # all that the condition leaves, and sort it.
                condition = func.coalesce(condition, false())
            keys = _select_keys(list_name, condition, order).limit(_bounded(limit)).offset(_bounded(offset))
            of_page = keys.subquery("page")
            same = and_(*(column == of_page.c[column.name] for column in TABLES[list_name].primary_key))
            columns = LIST_COLUMNS[list_name]
            statement = select(*(column.value.label(column.name) for column in columns))
            statement = statement.select_from(of_page.join(_PAGE_SOURCES[list_name], same)).order_by(*order)
            rows = connection.execute(statement)
            return Page([read_row(columns, row) for row in rows], total)

    def neighbours(self, run_id: str, query: str = "", sort: str | None = None) -> Neighbours | None:
        """Return the run's position in the list of runs, with those beside it; null when the query does not find it."""
        condition = condition_of(query, "runs")
        with self.database.read() as connection:
            keys = list(connection.execute(_select_keys("runs", condition, _order("runs", sort, condition))).scalars())
            key = connection.execute(select(runs.c.key).where(is_run(run_id))).scalar()
            if key not in keys:
                return None
            index = keys.index(key)
            before, after = keys[index - 1 : index] if index else [], keys[index + 1 : index + 2]
            return Neighbours(
                previous=_run_id(connection, before),
                next=_run_id(connection, after),
                position=index + 1,
                total=len(keys),
            )

    def columns(self, list_name: ListName) -> list[str]:
        """Return the names of a list's columns, in their order."""
        return [column.name for column in LIST_COLUMNS[list_name]]


class Imports(Queries):
    """The files that were imported, with their reports."""

    def page(self, limit: int = 50, offset: int = 0) -> Page:
        """Return a page of the imports, the latest first."""
        statement = select(*(column.value for column in IMPORT_COLUMNS)).order_by(imports.c.id.desc())
        with self.database.read() as connection:
            rows = connection.execute(statement.limit(_bounded(limit)).offset(_bounded(offset)))
            total = connection.execute(select(func.count()).select_from(imports)).scalar_one()
            return Page([read_row(IMPORT_COLUMNS, row) for row in rows], total)

    def report(self, import_id: int) -> FileReport:
        """Return the report of an import. Raises NotFoundError."""
        with self.database.read() as connection:
            text = connection.execute(select(imports.c.report).where(imports.c.id == import_id)).scalar()
        if text is None:
            raise NotFoundError(f"there is no import {import_id}")
        return FileReport.from_json(text)


def count_rows(connection: Connection, list_name: ListName, condition: Condition | None) -> int:
    """Return how many rows of the list the condition leaves."""
    if list_name == "calls" and condition is not None and not mentions(condition, calls):
        # The condition is about runs only, and each has counted its calls.
        statement = select(func.coalesce(func.sum(runs.c.calls), 0))
    else:
        statement = select(func.count()).select_from(source_of(list_name, condition))
    return int(connection.execute(where(statement, condition)).scalar_one())


def _is_most(connection: Connection, list_name: ListName, count: int) -> bool:
    """Return whether so many rows are left that a walk through the whole list soon meets a page of them."""
    return count > MANY and count * MOST > count_rows(connection, list_name, None)


def runs_in_order(connection: Connection, query: str, sort: str | None) -> list[str]:
    """Return the ids of all runs that the query finds, in the order of the list. Raises QueryError."""
    condition = condition_of(query, "runs")
    order = _order("runs", sort, condition)
    statement = select(runs.c.run_id).select_from(source_of("runs", condition, *order))
    return list(connection.execute(where(statement, condition).order_by(*order)).scalars())


def _select_keys(list_name: ListName, condition: Condition | None, order: list[ColumnElement[Any]]) -> Select[Any]:
    statement = select(*TABLES[list_name].primary_key).select_from(source_of(list_name, condition, *order))
    return where(statement, condition).order_by(*order)


def _order(list_name: ListName, sort: str | None, condition: Condition | None) -> list[ColumnElement[Any]]:
    if sort:
        return sort_columns(sort, list_name)
    run, *within = TABLES[list_name].primary_key
    # Where the condition is about runs, the planner sees the order by the runs' own key only.
    return [(runs.c.key if mentions(condition, runs) else run).desc(), *within]


def _run_id(connection: Connection, keys: list[int]) -> str | None:
    return connection.execute(select(runs.c.run_id).where(runs.c.key.in_(keys))).scalar() if keys else None


def _bounded(number: int) -> int:
    """Return a limit or an offset within what the database can count."""
    return min(max(number, 0), LARGEST_INTEGER)
