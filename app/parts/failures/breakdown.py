"""Breakdowns of what failed, as tables and charts in which a click opens the calls or runs behind a figure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, LiteralString

import pandas as pd
import streamlit as st

from app import render, state
from trace_store.store.query.editing import narrow, term
from trace_store.store.query.fields import Stored

NO_VALUE = "(none)"
FAILED = "outcome:failed,injected_failure"
ROWS_IN_SIGHT = 16
MOST_ROWS = 200
"""Of a table; names of tools and classes are whatever the runs say, and there may be any number of them."""
HEAT_TOOLS, HEAT_CLASSES = 16, 8
ENVELOPE_CODES = 40

Opened = Callable[[int, str | None], None]
"""Told the row, and the column's name, of the cell that was clicked."""


def open_list(page: str, query: str, *terms: str) -> None:
    """A page of the app at `query` and these terms."""
    for addition in terms:
        query = narrow(query, addition)
    state.go(page, q=query)


def counts(
    key: str, frame: pd.DataFrame, value: str, count: str, *, heading: str, noun: str, opened: Callable[[str], None]
) -> None:
    """The values of one column with a bar for the count of each; a click calls `opened` with the term for it."""
    kept = frame.head(MOST_ROWS)
    values = [stored(entry) for entry in kept[value]]
    terms = [term(value, entry) for entry in values]
    shown = pd.DataFrame({"value": [named(entry) for entry in values], "count": kept[count].to_numpy()})
    columns = {
        "value": st.column_config.TextColumn(heading),
        "count": st.column_config.ProgressColumn(
            noun, format="%d", min_value=0, max_value=int(max(1, kept[count].max())), width=120
        ),
    }
    table(key, shown, columns, lambda row, column: opened(terms[row]))
    cut(len(kept), len(frame), "Those with the most are shown.")


def cut(shown: int, total: int, which: LiteralString) -> None:
    """Says how much of a table is there, where it is not all."""
    if shown < total:
        render.note(f"{shown:,} of {total:,}. {which}")


def heat_map(key: str, query: str, frame: pd.DataFrame) -> None:
    """Failed calls by tool and class, the darker the more; a click on a number opens those calls."""
    named_tools, named_classes = _largest(frame, "tool", HEAT_TOOLS), _largest(frame, "error_class", HEAT_CLASSES)
    cells = {
        (stored(tool), stored(error_class)): calls
        for tool, error_class, calls in zip(frame["tool"], frame["error_class"], frame["calls"], strict=True)
    }
    numbers = [f"class {number}" for number in range(len(named_classes))]
    shown = pd.DataFrame(
        [[cells.get((tool, error_class)) for error_class in named_classes] for tool in named_tools],
        columns=numbers,
        dtype="Int64",
    )
    tinted = shown.assign(tool=[named(tool) for tool in named_tools])
    columns: dict[str, Any] = {"tool": st.column_config.TextColumn("Tool", width=180, pinned=True)}
    columns |= {
        number: st.column_config.NumberColumn(render.shortened(named(error_class), 34), format="%d")
        for number, error_class in zip(numbers, named_classes, strict=True)
    }

    def opened(row: int, column: str | None) -> None:
        terms = [FAILED, term("tool", named_tools[row])]
        if column in numbers:
            terms.append(term("error_class", named_classes[numbers.index(column)]))
        open_list(state.CALLS_PAGE, query, *terms)

    most = max(1, int(frame["calls"].max()))
    style = tinted[["tool", *numbers]].style.map(partial(_tint, most=most), subset=list[Hashable](numbers))
    table(key, style, columns, opened, rows=len(named_tools), in_sight=HEAT_TOOLS, placeholder="")
    all_tools, all_classes = frame["tool"].nunique(dropna=False), frame["error_class"].nunique(dropna=False)
    if all_tools > len(named_tools) or all_classes > len(named_classes):
        render.note(
            f"Tools: {len(named_tools):,} of {all_tools:,}. Classes: {len(named_classes):,} of {all_classes:,}. "
            "Those with the most failures."
        )


def table(
    key: str,
    frame: Any,
    columns: dict[str, Any],
    opened: Opened,
    *,
    rows: int | None = None,
    in_sight: int = ROWS_IN_SIGHT,
    placeholder: str = "–",
) -> None:
    """A table in which a click on any cell is an event. Headers sort in the browser: all rows are here."""
    turn = st.session_state.setdefault(f"{key}-turn", 0)
    count = len(frame) if rows is None else rows
    st.dataframe(
        frame,
        hide_index=True,
        key=f"{key}-{turn}",
        on_select=partial(_selected, key, f"{key}-{turn}", opened),
        selection_mode="single-cell",
        column_config=columns,
        height="content" if count <= in_sight else 34 + 31 * in_sight,
        placeholder=placeholder,
    )
    if count > in_sight:
        render.note(f"{render.counted(count, 'row')}, {in_sight:,} in sight: the others are further down in the table.")


def named(value: Stored | None) -> str:
    """A value as a table shows it."""
    return NO_VALUE if value is None else render.visible(str(value))


def stored(value: Any) -> Stored | None:
    """A value of a DataFrame as a query knows it."""
    return None if pd.isna(value) else value


def _largest(frame: pd.DataFrame, by: str, limit: int) -> Sequence[Stored | None]:
    sums = frame.groupby(by, dropna=False)["calls"].sum().sort_values(ascending=False, kind="stable")
    return [stored(value) for value in sums.index[:limit]]


def _tint(count: Any, most: int) -> str:
    # One tint over either theme's ground; the text keeps the theme's own colour.
    return "" if pd.isna(count) else f"background-color: rgba(200, 60, 50, {0.1 + 0.45 * int(count) / most:.2f})"


def _selected(key: str, widget: str, opened: Opened) -> None:
    cells = st.session_state[widget]["selection"]["cells"]
    st.session_state[f"{key}-turn"] += 1
    if cells:
        row, column = cells[0]
        opened(row, column)
