"""Breakdowns of calls as tables and charts in which a click opens the calls behind a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from app import render, state
from trace_store.store.query.fields import Stored
from trace_store.store.query.writing import narrow, term

NO_VALUE = "(none)"
ROWS_IN_SIGHT = 8
HEAT_TOOLS, HEAT_CLASSES = 20, 8


@dataclass(frozen=True, slots=True)
class Group:
    """One row of a breakdown: the value as a query writes it, and the figure that the bar shows."""

    value: Stored | None
    count: int


def open_calls(query: str, *terms: str) -> None:
    """The Calls page at `query` and these terms."""
    for addition in terms:
        query = narrow(query, addition)
    state.go(state.CALLS_PAGE, q=query)


def counts(
    key: str,
    query: str,
    field: str,
    groups: Sequence[Group],
    *,
    heading: str,
    noun: str,
    opened: Callable[[str], None],
) -> None:
    """Values of one field with a bar each; a click calls `opened` with the term for that value."""
    frame = pd.DataFrame(
        {
            "value": [NO_VALUE if group.value is None else render.visible(str(group.value)) for group in groups],
            "count": [group.count for group in groups],
        }
    )
    terms = [term(field, group.value) for group in groups]
    _clickable(
        key,
        frame,
        {
            "value": st.column_config.TextColumn(heading),
            "count": st.column_config.ProgressColumn(
                noun, format="%d", min_value=0, max_value=max((group.count for group in groups), default=1), width=130
            ),
        },
        lambda row, column: opened(terms[row]),
    )


def figures(key: str, query: str, field: str, heading: str, frame: pd.DataFrame) -> None:
    """A breakdown by one field with all its figures, as `Store.stats` gives them; a click opens those calls."""
    values = [None if pd.isna(value) else value for value in frame[field]]
    terms = [term(field, value) for value in values]
    shown = frame.assign(
        **{field: [NO_VALUE if value is None else render.visible(str(value)) for value in values]},
        failure_rate=100 * frame["failure_rate"],
        wasted_s=frame["wasted_ms"] / 1000,
    )
    columns: dict[str, Any] = {
        field: st.column_config.TextColumn(heading, width=170),
        "calls": st.column_config.NumberColumn("Calls", width=60),
        "failures": st.column_config.NumberColumn("Failed", width=60, help="Injected ones included (R19)"),
        "failure_rate": st.column_config.ProgressColumn(
            "Failure rate", format="%.1f %%", min_value=0, max_value=100, width=130
        ),
        "p50_ms": st.column_config.NumberColumn(
            "p50 ms", width=62, format="%.0f", help="Half of the calls were faster"
        ),
        "p95_ms": st.column_config.NumberColumn("p95 ms", width=62, format="%.0f", help="95 of 100 were faster"),
        "retries": st.column_config.NumberColumn("Retries", width=60, help="Attempts after the first (R25)"),
        "wasted_s": st.column_config.NumberColumn(
            "Lost s", width=60, format="%.1f", help="Time spent on retries (R27)"
        ),
    }
    _clickable(key, shown[list(columns)], columns, lambda row, column: open_calls(query, terms[row]))


def heat_map(key: str, query: str, frame: pd.DataFrame) -> None:
    """Failed calls by tool and class, the darker the more; a click on a number opens those calls."""
    tools = _largest(frame, "tool", HEAT_TOOLS)
    classes = _largest(frame, "error_class", HEAT_CLASSES)
    table = frame.pivot_table(index="tool", columns="error_class", values="failures", aggfunc="sum", dropna=False)
    table = table.reindex(index=tools, columns=classes)
    most = max(1.0, float(table.max().max()))
    names = [NO_VALUE if pd.isna(name) else render.visible(str(name)) for name in classes]
    shown = pd.DataFrame(table.to_numpy(), columns=[f"class {number}" for number in range(len(classes))])
    shown.insert(0, "tool", [NO_VALUE if pd.isna(tool) else render.visible(str(tool)) for tool in tools])
    numbers = [column for column in shown.columns if column != "tool"]
    tinted = shown.style.map(partial(_tint, most=most), subset=numbers)
    columns: dict[str, Any] = {"tool": st.column_config.TextColumn("Tool", width=170, pinned=True)}
    columns |= {
        column: st.column_config.NumberColumn(name, format="%d") for column, name in zip(numbers, names, strict=True)
    }

    def opened(row: int, column: str | None) -> None:
        terms = [term("tool", _value(tools[row])), "outcome:failed,injected_failure"]
        if column in numbers:
            terms.append(term("error_class", _value(classes[numbers.index(column)])))
        open_calls(query, *terms)

    _clickable(key, tinted, columns, opened, rows=len(tools), placeholder="")
    total_tools, total_classes = frame["tool"].nunique(dropna=False), frame["error_class"].nunique(dropna=False)
    if total_tools > len(tools) or total_classes > len(classes):
        render.note(
            f"{len(tools):,} of {total_tools:,} tools and {len(classes):,} of {total_classes:,} classes, "
            "those with the most failures."
        )


def _largest(frame: pd.DataFrame, by: str, limit: int) -> list[Any]:
    sums = frame.groupby(by, dropna=False)["failures"].sum().sort_values(ascending=False, kind="stable")
    return list(sums.index[:limit])


def _tint(count: float, most: float) -> str:
    # One tint over either theme's ground; the text keeps the theme's own colour.
    return (
        "" if pd.isna(count) or not count else f"background-color: rgba(200, 60, 50, {0.12 + 0.5 * count / most:.2f})"
    )


def _value(value: Any) -> Stored | None:
    return None if pd.isna(value) else value


def _clickable(
    key: str,
    frame: Any,
    columns: dict[str, Any],
    opened: Callable[[int, str | None], None],
    *,
    rows: int | None = None,
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
        height="content" if count <= ROWS_IN_SIGHT else 34 + 31 * ROWS_IN_SIGHT,
        placeholder=placeholder,
    )


def _selected(key: str, widget: str, opened: Callable[[int, str | None], None]) -> None:
    cells = st.session_state[widget]["selection"]["cells"]
    st.session_state[f"{key}-turn"] += 1
    if cells:
        row, column = cells[0]
        opened(row, column)
