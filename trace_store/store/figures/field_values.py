"""The values that a field has in the store, for the completion of a query while it is typed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Select, Table, func, select

from trace_store.store.connection import Queries
from trace_store.store.query import FieldColumn, ListName, field_named

_LAST_CHARACTER = "\U0010ffff"


def field_values(
    self: Queries, field: str, beginning: str = "", limit: int = 50, list_name: ListName = "runs"
) -> list[Any]:
    """Return values that begin so, as facets show them, in their order: at most `limit` of each column of the
    field. Raises QueryError."""
    with self.database.read() as connection:
        found = field_named(field, list_name)
        values: set[Any] = set()
        for column in found.columns:
            stored = connection.execute(_select_values(column, beginning, limit)).scalars()
            values |= {found.public_value(value) for value in stored}
    return sorted(values)[:limit]


def _select_values(column: FieldColumn, beginning: str, limit: int) -> Select[Any]:
    value = column.value
    begins = (value >= beginning, value < f"{beginning}{_LAST_CHARACTER}")
    if not _leads_an_index(column):
        return select(value).where(*begins).distinct().order_by(value).limit(limit)
    # From each value the index is asked for the next: as many look-ups as values, however many rows have each.
    found = select(func.min(value).label("value")).where(*begins).cte("found", recursive=True)
    following = select(func.min(value)).where(value > found.c.value, begins[1]).scalar_subquery()
    found = found.union_all(select(following).where(found.c.value.is_not(None)))
    return select(found.c.value).where(found.c.value.is_not(None)).limit(limit)


def _leads_an_index(column: FieldColumn) -> bool:
    if not isinstance(column.table, Table) or not isinstance(column.value, Column):
        return False
    return bool(column.value.unique) or any(index.columns[0] is column.value for index in column.table.indexes)
