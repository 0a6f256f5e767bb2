"""The Calls panel of one run: its proxy log as a table, and beside it the call that is chosen."""

from __future__ import annotations

import re
from typing import LiteralString

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.formatting import seconds
from app.parts.run import call_detail
from app.parts.table.columns import columns_with_values, fit_widths, word_column
from trace_store.contract.retries import retry_delays
from trace_store.model import Call, Run

_STEP = re.compile(r"calls\[(\d+)\]")
TABLE_HEIGHT_PX = 620
ROWS_IN_SIGHT = 18
KEY = "run-calls"
ROOM_PX = 525
"""Of the log on a screen of 1280 pixels, without its column of check marks."""
FLEXIBLE = {"tool": 3, "class": 3, "actor": 3}

COLUMNS = {
    "sequence": st.column_config.NumberColumn("#", width=36, help="Place in the log, from 0"),
    "tool": st.column_config.TextColumn("Tool"),
    "outcome": word_column("Outcome", glossary.OUTCOME, width=106),
    "class": st.column_config.TextColumn("Error class", help="Of the call layer (R22)"),
    "attempt": st.column_config.TextColumn("Try", width=40, help="Attempt of how many in its chain (R24)"),
    "latency": st.column_config.NumberColumn("ms", format="%.0f", width=52, help="Latency in milliseconds"),
    "actor": st.column_config.TextColumn("Actor"),
}


def show(run: Run) -> None:
    """The log and the call that `step` in the address names, else the first that failed, else the first."""
    if not run.calls:
        if run.has_log:
            render.empty("The log is empty.", "The agent called no tool through the proxy.")
        else:
            render.empty(
                "This export has no proxy log.", "Only the transcript can be read; there is nothing to hold it against."
            )
        return
    chosen = chosen_row(run, state.param(state.STEP))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        render.note(summary(run))
        rows = table(run)
        shown = columns_with_values(rows, COLUMNS)
        st.dataframe(
            rows,
            hide_index=True,
            key=state.bound(KEY, {"selection": {"rows": [chosen], "columns": [], "cells": []}}),
            on_select=_choose,
            selection_mode="single-row-required",
            height="content" if len(rows) <= ROWS_IN_SIGHT else TABLE_HEIGHT_PX,
            placeholder="–",
            column_config=fit_widths(COLUMNS, shown, FLEXIBLE, ROOM_PX),
            column_order=shown,
            alt="The proxy log of this run",
        )
    with right, st.container(key="call-detail", gap="small"):
        call_detail.show(run, run.calls[chosen])


def summary(run: Run) -> LiteralString:
    """How many calls there are, and what retries cost (R26, R27)."""
    wasted_ms = sum(chain.wasted_ms for chain in run.chains if len(chain.calls) > 1)
    off = sum(delay.is_off_policy for chain in run.chains for delay in retry_delays(chain, run.calls))
    lost = f" · {seconds(wasted_ms)} lost to retries" if wasted_ms else ""
    waits = f" · {render.counted(off, 'wait')} off policy" if off else ""
    return f"{render.counted(len(run.calls), 'call')} in {render.counted(len(run.chains), 'chain')}{lost}{waits}"


def chosen_row(run: Run, step: str) -> int:
    """The row of the call at the path `step`, else of the first failure, else the first."""
    place = _STEP.match(step)
    if place and int(place.group(1)) < len(run.calls):
        return int(place.group(1))
    return next((row for row, call in enumerate(run.calls) if call.outcome in {"failed", "injected_failure"}), 0)


def table(run: Run) -> pd.DataFrame:
    """The log, one call a row, in the order of the log."""
    return pd.DataFrame(
        {
            "sequence": [call.sequence for call in run.calls],
            "tool": [render.visible(call.tool_name or "(unreadable)") for call in run.calls],
            "outcome": [[glossary.OUTCOME[call.outcome].word] for call in run.calls],
            "class": [render.visible(call.error_class or "") for call in run.calls],
            "attempt": [_attempt(run, call) for call in run.calls],
            "latency": [call.latency_ms for call in run.calls],
            "actor": [render.visible(call.actor_id or "") for call in run.calls],
        }
    )


def _attempt(run: Run, call: Call) -> str:
    attempts = len(run.chains[call.chain].calls) if call.chain < len(run.chains) else 1
    return f"{call.attempt}/{attempts}" if attempts > 1 else ""


def _choose() -> None:
    rows = st.session_state[KEY]["selection"]["rows"]
    if rows:
        state.write(step=f"calls[{rows[0]}]")
