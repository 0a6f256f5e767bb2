"""The Calls panel of one run: its proxy log as a table, and beside it the call that is chosen."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.parts import call_detail, columns
from trace_store.model import Call, Run

_STEP = re.compile(r"calls\[(\d+)\]")
TABLE_HEIGHT_PX = 620
ROWS_IN_SIGHT = 18
KEY = "run-calls"

COLUMNS = {
    "sequence": st.column_config.NumberColumn("#", width=36, help="Place in the log, from 0"),
    "tool": st.column_config.TextColumn("Tool", width=130),
    "outcome": columns.words("Outcome", glossary.OUTCOME, width=120),
    "class": st.column_config.TextColumn("Error class", width=120, help="Of the call layer (R22)"),
    "attempt": st.column_config.TextColumn("Try", width=44, help="Attempt of how many in its chain (R24)"),
    "latency": st.column_config.NumberColumn("ms", format="%.0f", width=52, help="Latency in milliseconds"),
    "actor": st.column_config.TextColumn("Actor", width=110),
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
        calls, chains = len(run.calls), len(run.chains)
        render.note(f"{render.counted(calls, 'call')} in {render.counted(chains, 'chain')}")
        rows = table(run)
        st.dataframe(
            rows,
            hide_index=True,
            key=state.bound(KEY, {"selection": {"rows": [chosen], "columns": [], "cells": []}}),
            on_select=_choose,
            selection_mode="single-row-required",
            height="content" if calls <= ROWS_IN_SIGHT else TABLE_HEIGHT_PX,
            placeholder="–",
            column_config=COLUMNS,
            column_order=columns.telling(rows, COLUMNS),
            alt="The proxy log of this run",
        )
    with right, st.container(key="call-detail", gap="small"):
        call_detail.show(run, run.calls[chosen])


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
