"""The list of calls of all runs: its columns, its orders, and the way to a call in its run."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import glossary, reading, render, state
from app.parts import columns
from app.parts.listing import Listing, Order, Rows
from app.parts.run_list import moment

COLUMNS = {
    "tool": st.column_config.TextColumn("Tool"),
    "outcome": columns.words("Outcome", glossary.OUTCOME, width=116),
    "class": st.column_config.TextColumn("Error class", width=136, help="Of the call layer (R18, R22)"),
    "status": st.column_config.NumberColumn("Status", width=52, format="%d", help="HTTP status of the answer"),
    "actor": st.column_config.TextColumn("Actor"),
    "actor_status": columns.words("Declared?", glossary.ACTOR, width=92),
    "attempt": st.column_config.NumberColumn("Try", width=38, help="Attempt within its chain (R24)"),
    "latency": st.column_config.NumberColumn("ms", width=54, format="%.0f", help="Latency in milliseconds (R21)"),
    "started": st.column_config.TextColumn("Started", width=114, help="UTC"),
    "run": st.column_config.TextColumn("Run", width=100),
    "sequence": st.column_config.NumberColumn("#", width=38, help="Place in the run's log, from 0"),
}

ORDERS = {
    "started": Order("started", "started", "latest first", "earliest first"),
    "latency": Order("latency_ms", "latency", "longest first", "shortest first"),
    "attempt": Order("attempt", "attempt", "last tries first", "first tries first"),
    "status": Order("status", "HTTP status", "highest first", "lowest first"),
    "tool": Order("tool", "tool", "Z to A", "A to Z"),
    "actor": Order("actor", "actor", "Z to A", "A to Z"),
    "class": Order("error_class", "error class", "Z to A", "A to Z"),
}


def read(query: str, sort: str, limit: int, offset: int) -> Rows:
    """One page of the calls that the query finds. Raises QueryError."""
    page = reading.page("calls", query, sort, limit, offset)
    total = reading.page("calls", "", None, 0, 0).total if query else page.total
    return Rows(frame(page.rows), page.total, total)


def frame(rows: list[dict[str, object]]) -> pd.DataFrame:
    """The rows as the table shows them."""
    shown = [
        {
            "tool": render.visible(str(row["tool_name"] or "(unreadable)")),
            "outcome": [glossary.OUTCOME[str(row["outcome"])].word],
            "class": render.visible(str(row["error_class"] or "")),
            "status": row["status_code"],
            "actor": render.visible(str(row["actor_id"] or "")),
            "actor_status": [glossary.ACTOR[str(row["actor_status"])].word],
            "attempt": None if row["attempt"] == 1 else row["attempt"],
            "latency": row["latency_ms"],
            "started": moment(row["started_at"]),
            "run": render.visible(str(row["run_id"])),
            "sequence": row["sequence"],
            "id": row["run_id"],
        }
        for row in rows
    ]
    return pd.DataFrame(shown, columns=[*COLUMNS, "id"])


def _open(row: pd.Series) -> None:
    state.go(
        state.RUN_PAGE,
        run=str(row["id"]),
        panel="calls",
        step=f"calls[{row['sequence']}]",
        q=state.param(state.QUERY),
    )


LISTING = Listing(
    key="calls",
    noun="calls",
    orders=ORDERS,
    default_sort="-started",
    columns=COLUMNS,
    flexible={"tool": 2, "actor": 3},
    dispensable=("status", "attempt"),
    read=read,
    open=_open,
)
