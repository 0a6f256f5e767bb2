"""The list of calls of all runs: its columns, its orders, and the way to a call in its run."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.formatting import timestamp
from app.parts.table.columns import word_column
from app.parts.table.listing import Listing, Order, Rows
from app.parts.table.run_list import seconds

CALL_COLUMNS = {
    "tool": st.column_config.TextColumn("Tool"),
    "outcome": word_column("Call outcome", glossary.OUTCOME, width=116),
    "class": st.column_config.TextColumn("Error class", width=136, help="Error class of the call"),
    "status": st.column_config.NumberColumn("Status", width=52, format="%d", help="HTTP status of the answer"),
    "actor": st.column_config.TextColumn("Actor"),
    "actor_status": word_column("Declared?", glossary.ACTOR, width=92),
    "attempt": st.column_config.NumberColumn("Try", width=38, help="Number of the attempt in its retry chain"),
    "latency": st.column_config.NumberColumn("ms", width=54, format="%.0f", help="Latency in milliseconds"),
    "started": st.column_config.TextColumn("Started", width=114, help="UTC"),
    "run": st.column_config.TextColumn("Run", width=100, help=glossary.SHORT_NAMES),
    "sequence": st.column_config.NumberColumn("#", width=38, help="Position in the run's log, from 0"),
    "source": st.column_config.TextColumn("Source", width=106, help="Who answered"),
    "family": st.column_config.TextColumn("Family", width=80, help="Simulated or live"),
    "lane": st.column_config.TextColumn("Lane", width=72, help="Lane of the proxy"),
    "rule": st.column_config.NumberColumn("Rule", width=46, format="%d", help="Failure rule that fired"),
    "chain": st.column_config.NumberColumn("Chain", width=50, format="%d", help="Number of its retry chain in the run"),
    "chain_outcome": word_column("Chain outcome", glossary.CHAIN, width=116),
    "retryable": st.column_config.CheckboxColumn("Retryable", width=72, help="Whether the failure may be retried"),
    "stale": st.column_config.CheckboxColumn("Stale token", width=80, help="Refused because of a stale run token"),
    "envelope": st.column_config.TextColumn("Envelope code", width=136, help="Code in its error envelope"),
    "wasted": st.column_config.NumberColumn(
        "Wasted, s", width=74, format="%.1f", help="Time lost in its chain, at the first call"
    ),
    "task": st.column_config.TextColumn("Task", width=110, help="Task of the run"),
    "model": st.column_config.TextColumn("Model", width=96, help="Model of the run"),
}

USUAL_CALL_COLUMNS = (
    "tool", "outcome", "class", "status", "actor", "actor_status", "attempt", "latency", "started", "run", "sequence",
)  # fmt: skip

CALL_FIELDS = {
    "tool": "tool", "outcome": "outcome", "class": "error_class", "status": "status", "actor": "actor",
    "actor_status": "actor_status", "attempt": "attempt", "latency": "latency_ms", "started": "started", "run": "run",
    "source": "source", "family": "family", "lane": "lane", "rule": "rule", "chain_outcome": "chain",
    "retryable": "retryable", "stale": "stale", "envelope": "envelope_code", "task": "task", "model": "model",
}  # fmt: skip
"""The field of a query that each column tells of: where a query asks for it, the column comes forward."""

CALL_ORDERS = {
    "started": Order("started", "started", "latest first", "earliest first"),
    "latency": Order("latency_ms", "latency", "longest first", "shortest first"),
    "attempt": Order("attempt", "attempt", "last tries first", "first tries first"),
    "status": Order("status", "HTTP status", "highest first", "lowest first"),
    "tool": Order("tool", "tool", "Z to A", "A to Z"),
    "actor": Order("actor", "actor", "Z to A", "A to Z"),
    "class": Order("error_class", "error class", "Z to A", "A to Z"),
}


def read_calls(query: str, sort: str, limit: int, offset: int) -> Rows:
    """Return one page of the calls that the query finds. Raises QueryError."""
    page = cache.read(state.store().calls, query, sort, limit, offset)
    total = cache.read(state.store().calls, "", None, 0, 0).total if query else page.total
    return Rows(call_frame(page.rows), page.total, total)


def call_frame(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Return the rows as the table shows them."""
    cells = [
        {
            "tool": render.visible(str(row["tool_name"] or "(unreadable)")),
            "outcome": [glossary.OUTCOME[str(row["outcome"])].word],
            "class": render.visible(str(row["error_class"] or "")),
            "status": row["status_code"],
            "actor": render.visible(str(row["actor_id"] or "")),
            "actor_status": [glossary.ACTOR[str(row["actor_status"])].word],
            "attempt": None if row["attempt"] == 1 else row["attempt"],
            "latency": row["latency_ms"],
            "started": timestamp(row["started_at"]),
            "run": render.visible(str(row["run_id"])),
            "sequence": row["sequence"],
            "source": render.visible(str(row["source"] or "")),
            "family": str(row["family"] or ""),
            "lane": row["lane"],
            "rule": row["matched_rule_index"],
            "chain": row["chain"],
            "chain_outcome": [glossary.CHAIN[str(row["chain_outcome"])].word],
            "retryable": row["retryable"],
            "stale": row["stale_token"],
            "envelope": render.visible(str(row["envelope_code"] or "")),
            "wasted": seconds(row["wasted_ms"]) or None,
            "task": render.visible(str(row["task_id"] or "")),
            "model": render.visible(str(row["model"] or "")),
            "id": row["run_id"],
        }
        for row in rows
    ]
    return pd.DataFrame(cells, columns=[*CALL_COLUMNS, "id"])


def _open_call(row: pd.Series) -> None:
    state.go(
        state.RUN_PAGE,
        run=str(row["id"]),
        panel="calls",
        step=f"calls[{row['sequence']}]",
        q=state.param(state.QUERY),
    )


CALL_LISTING = Listing(
    key="calls",
    noun="calls",
    orders=CALL_ORDERS,
    default_sort="-started",
    columns=CALL_COLUMNS,
    usual=USUAL_CALL_COLUMNS,
    fields=CALL_FIELDS,
    flexible={"tool": 2, "actor": 3},
    dispensable=("status", "attempt"),
    names=("tool", "actor", "class", "run", "envelope", "task", "model"),
    read=read_calls,
    open=_open_call,
)
