"""What a list can be sorted by: its fields with one value a row, and the figures that only lists show."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ColumnElement, case

from trace_store.errors import QueryError
from trace_store.store.query.fields import FIELDS, TABLES, ListName, closest, field_named
from trace_store.store.schema.tables import calls, findings, runs

# Beyond the fields: nobody filters by them, but a table shows them.
_FIGURES: dict[ListName, tuple[Column[Any], ...]] = {
    "runs": (runs.c.messages, runs.c.exhausted, runs.c.gave_up, runs.c.undeclared, runs.c.malformed, runs.c.errors,
             runs.c.cautions, runs.c.wasted_ms, runs.c.runtime_ms),
    "calls": (calls.c.sequence,),
    "findings": (findings.c.path,),
}  # fmt: skip

_BY_SEVERITY = case({"error": 0, "warning": 1, "info": 2}, value=findings.c.severity)


def sort_columns(name: str, list_name: ListName) -> list[ColumnElement[Any]]:
    """Return the ORDER BY for a field or figure, `-name` for the largest first; rows without a value come last.
    Raises QueryError."""
    descending = name.startswith("-")
    field_name = name.removeprefix("-")
    names = sortable(list_name)
    if field_name not in names:
        position = len(name) - len(field_name)
        if close := closest(field_name, names):
            raise QueryError(
                f"{list_name} have no “{field_name}” to sort by", position=position, hint=f"did you mean {close[0]}?"
            )
        field_named(field_name, list_name, position=position)
        raise QueryError(
            f"a run has no one {field_name} to sort by", position=position, hint=f"sort by {', '.join(names)}"
        )
    first, *ties = [
        column.desc() if descending else column.asc() for column in (names[field_name], *TABLES[list_name].primary_key)
    ]  # one direction throughout, so that one walk along an index serves
    return [first.nulls_last(), *ties]


def sortable(list_name: ListName) -> dict[str, ColumnElement[Any]]:
    """Return what a list can be sorted by, in the order of the field table."""
    names: dict[str, ColumnElement[Any]] = {}
    for entry in FIELDS:
        field = field_named(entry.name, list_name)
        if len(field.columns) == 1 and field.columns[0].table in (TABLES[list_name], runs):
            names[field.name] = field.columns[0].value
    names |= {column.name: column for column in _FIGURES[list_name]}
    if list_name == "findings":
        names["severity"] = _BY_SEVERITY
    return names
