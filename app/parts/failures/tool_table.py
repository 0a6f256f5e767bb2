"""Tools with all their figures; each number opens what is behind it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from app import render, state, store_reads
from app.parts.failures import breakdown
from trace_store.store.figures.tools import VIOLATIONS
from trace_store.store.query.editing import term
from trace_store.store.query.fields import Stored

COLUMNS: dict[str, Any] = {
    "tool": st.column_config.TextColumn("Tool"),
    "mode": st.column_config.TextColumn(
        "Mode", width=110, help="As runs declare it; all of them, where they differ (R33)"
    ),
    "calls": st.column_config.NumberColumn("Calls", width=70),
    "failures": st.column_config.NumberColumn("Failed", width=70, help="Injected ones included (R19)"),
    "rate": st.column_config.ProgressColumn("Failure rate", format="%.1f %%", min_value=0, max_value=100, width=120),
    "p95": st.column_config.NumberColumn(
        "p95 ms", width=70, format="%.0f", help="95 of 100 calls were faster. A click opens those that were not."
    ),
    "retries": st.column_config.NumberColumn("Retries", width=66, help="Attempts after the first (R25)"),
    "lost": st.column_config.NumberColumn("Lost s", width=70, format="%.1f", help="Time spent on retries (R27)"),
    "violations": st.column_config.NumberColumn(
        "Off schema",
        width=84,
        help="Logged calls whose arguments or response do not fit the declared schema (R34). A click opens their runs.",
    ),
}


def show(query: str) -> None:
    """The table of the tools that the query's calls went to. Raises QueryError."""
    figures = store_reads.tool_figures(query)
    if figures.empty:
        render.note("No call is logged in what the query finds.")
        return
    kept = figures.head(breakdown.MOST_ROWS)
    tools = [breakdown.stored(value) for value in kept["tool"]]
    slowest = [breakdown.stored(value) for value in kept["p95_ms"]]
    shown = pd.DataFrame(
        {
            "tool": [breakdown.named(tool) for tool in tools],
            "mode": [", ".join(modes) if isinstance(modes, list) else None for modes in kept["modes"]],
            "calls": kept["calls"],
            "failures": kept["failures"],
            "rate": 100 * kept["failure_rate"],
            "p95": kept["p95_ms"],
            "retries": kept["retries"],
            "lost": kept["wasted_ms"] / 1000,
            "violations": kept["violations"],
        }
    )

    def opened(row: int, column: str | None) -> None:
        page, terms = behind(tools[row], slowest[row], column)
        breakdown.open_list(page, query, *terms)

    breakdown.table("tools", shown, COLUMNS, opened)
    breakdown.cut(len(kept), len(figures), "Those with the most calls are shown.")


def behind(tool: Stored | None, p95_ms: Stored | None, column: str | None) -> tuple[str, list[str]]:
    """The page, and the terms on it, of what a number of a tool's row counts."""
    own = term("tool", tool)
    match column:
        case "failures" | "rate":
            return state.CALLS_PAGE, [breakdown.FAILED, own]
        case "p95" if p95_ms is not None:
            return state.CALLS_PAGE, [own, f"latency_ms>={float(p95_ms):.0f}"]
        case "retries" | "lost":
            return state.CALLS_PAGE, [own, "attempt>1"]
        case "violations":
            return state.RUNS_PAGE, [own, f"finding:{','.join(VIOLATIONS)}"]
        case _:
            return state.CALLS_PAGE, [own]
