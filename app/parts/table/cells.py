"""Tables of figures in which a click on a cell opens the calls or runs behind it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, LiteralString

import pandas as pd
import streamlit as st

from app import render, session_keys, state
from trace_store.store.query import FieldValue
from trace_store.store.query.editing import add_query, term

NO_VALUE = "(none)"
FAILED = "outcome:failed,injected_failure"
APPLICATION_ERRORS = "outcome:application_error"
ROWS_IN_SIGHT = 16
MOST_ROWS = 200
"""Of a table; names of tools and classes are whatever the runs say, and there may be any number of them."""

OnCell = Callable[[int, str | None], None]
"""Called with the row and the column's name of the cell that was clicked."""


def open_list(page: str, query: str, *terms: str) -> None:
    """Open a page of the app at `query` and these terms."""
    for addition in terms:
        query = add_query(query, addition)
    state.go(page, q=query)


def show_counts(
    key: str, frame: pd.DataFrame, value: str, count: str, *, heading: str, noun: str, on_click: Callable[[str], None]
) -> None:
    """Draw the values of one column with a bar for the count of each; a click calls `on_click` with the term for it."""
    top = frame.head(MOST_ROWS)
    values = [query_value(entry) for entry in top[value]]
    terms = [term(value, entry) for entry in values]
    table = pd.DataFrame({"value": [cell_text(entry) for entry in values], "count": top[count].to_numpy()})
    columns = {
        "value": st.column_config.TextColumn(heading),
        "count": st.column_config.ProgressColumn(
            noun, format="%d", min_value=0, max_value=int(max(1, top[count].max())), width=120
        ),
    }
    show_cells(key, table, columns, lambda row, column: on_click(terms[row]))
    note_cut(len(top), len(frame), "The most frequent are shown.")


def note_cut(table: int, total: int, which: LiteralString) -> None:
    """Say how much of a table is there, where it is not all."""
    if table < total:
        render.note(f"{table:,} of {total:,}. {which}")


def show_cells(
    key: str,
    frame: Any,
    columns: dict[str, Any],
    on_click: OnCell,
    *,
    rows: int | None = None,
    in_sight: int = ROWS_IN_SIGHT,
    placeholder: str = "–",
) -> None:
    """Draw a table in which a click on any cell is an event. Headers sort in the browser: all rows are here."""
    turn = session_keys.turn(key)
    count = len(frame) if rows is None else rows
    st.dataframe(
        frame,
        hide_index=True,
        key=f"{key}-{turn}",
        on_select=partial(_on_cell_clicked, key, f"{key}-{turn}", on_click),
        selection_mode="single-cell",
        column_config=columns,
        height="content" if count <= in_sight else 34 + 31 * in_sight,
        placeholder=placeholder,
    )
    if count > in_sight:
        render.note(f"{render.counted(count, 'row')}, {in_sight:,} of them visible: scroll the table for the others.")


def cell_text(value: FieldValue | None) -> str:
    """Return a value as a table shows it."""
    return NO_VALUE if value is None else render.visible(str(value))


def query_value(value: Any) -> FieldValue | None:
    """Return a value of a DataFrame as a query knows it."""
    return None if pd.isna(value) else value


def _on_cell_clicked(key: str, widget: str, on_click: OnCell) -> None:
    cells = st.session_state[widget]["selection"]["cells"]
    session_keys.next_turn(key)
    if cells:
        row, column = cells[0]
        on_click(row, column)
