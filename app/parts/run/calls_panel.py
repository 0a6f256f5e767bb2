"""The Calls panel of one run: its proxy log as a table, and beside it the chosen call, as the card that the transcript
has for its chain."""

from __future__ import annotations

from collections.abc import Callable
from typing import LiteralString

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.components.call_card import build_call_card, draw_call_card
from app.formatting import seconds, utc_time
from app.parts.run.panels import follow_jump
from app.parts.run.raw_panel import pretty
from app.parts.table.columns import columns_with_values, fit_widths, word_column
from trace_store.contract.retries import retry_delays
from trace_store.evidence import as_envelope
from trace_store.model import Call, Path, Run

TABLE_HEIGHT_PX = 620
ROWS_IN_SIGHT = 18
KEY, _CARD = "run-calls", "run-call-card"
TABLE_PX = 590
"""Width of the log on a screen of 1280 pixels, without its column of check marks."""
FLEXIBLE = {"tool": 3, "class": 3, "actor": 3}

COLUMNS = {
    "sequence": st.column_config.NumberColumn("#", width=36, help="Position in the log, from 0"),
    "tool": st.column_config.TextColumn("Tool"),
    "outcome": word_column("Outcome", glossary.OUTCOME, width=124),
    "class": st.column_config.TextColumn("Error class", help="What the proxy reported for this call"),
    "attempt": st.column_config.TextColumn("Try", width=40, help="Which attempt of how many in its chain"),
    "repeats": st.column_config.TextColumn("Repeats", width=66, help="The failed call that the model made again here"),
    "latency": st.column_config.NumberColumn("ms", format="%.0f", width=52, help="Latency in milliseconds"),
    "actor": st.column_config.TextColumn("Actor"),
}


def show_calls(run: Run, *, decisive: str | None, on_decisive: Callable[[str], None]) -> None:
    """Draw the log, and beside it the call that the address names, else the first that failed, else the first."""
    if not run.calls:
        if run.has_log:
            render.empty("The log is empty.", "The agent called no tool through the proxy.")
        else:
            render.empty("This export has no proxy log.", "Only the transcript can be read, and nothing confirms it.")
        return
    chosen = chosen_row(run, state.param(state.STEP))
    with st.container(key="calls-split"):
        left, right = st.columns([2, 1], gap="medium")
    with left:
        render.note(summary(run))
        rows = table(run)
        names = columns_with_values(rows, COLUMNS)
        st.dataframe(
            rows,
            hide_index=True,
            key=state.bound(KEY, {"selection": {"rows": [chosen], "columns": [], "cells": []}}),
            on_select=_choose,
            selection_mode="single-row-required",
            height="content" if len(rows) <= ROWS_IN_SIGHT else TABLE_HEIGHT_PX,
            placeholder="–",
            column_config=fit_widths(COLUMNS, names, FLEXIBLE, TABLE_PX),
            column_order=names,
            alt="The proxy log of this run",
        )
    with right, st.container(key="call-detail", gap="small"):
        _detail(run, run.calls[chosen], decisive, on_decisive)


def summary(run: Run) -> LiteralString:
    """Return how many calls there are, and what retries cost (R26, R27)."""
    wasted_ms = sum(chain.wasted_ms for chain in run.chains if len(chain.calls) > 1)
    off = sum(delay.is_off_policy for chain in run.chains for delay in retry_delays(chain, run.calls))
    lost = f" · {seconds(wasted_ms)} lost to retries" if wasted_ms else ""
    waits = f" · {render.counted(off, 'wait')} off policy" if off else ""
    return f"{render.counted(len(run.calls), 'call')} in {render.counted(len(run.chains), 'chain')}{lost}{waits}"


def chosen_row(run: Run, step: str) -> int:
    """Return the row of the call at the path `step`, else of the first failure, else the first."""
    sequence = Path(step).call_sequence
    if sequence is not None and sequence < len(run.calls):
        return sequence
    return next((row for row, call in enumerate(run.calls) if call.outcome in {"failed", "injected_failure"}), 0)


def table(run: Run) -> pd.DataFrame:
    """Return the log, one call a row, in the order of the log."""
    return pd.DataFrame(
        {
            "sequence": [call.sequence for call in run.calls],
            "tool": [render.visible(call.tool_name or "(unreadable)") for call in run.calls],
            "outcome": [[glossary.OUTCOME[call.outcome].word] for call in run.calls],
            "class": [render.visible(call.error_class or "") for call in run.calls],
            "attempt": [_attempt(run, call) for call in run.calls],
            "repeats": [_repeats(run, call) for call in run.calls],
            "latency": [call.latency_ms for call in run.calls],
            "actor": [render.visible(call.actor_id or "") for call in run.calls],
        }
    )


def _attempt(run: Run, call: Call) -> str:
    attempts = len(run.chains[call.chain].calls) if call.chain < len(run.chains) else 1
    return f"{call.attempt}/{attempts}" if attempts > 1 else ""


def repeated_call(run: Run, call: Call) -> int | None:
    """Return the last call of the chain that the model repeated with the chain of this call (R25)."""
    chain = run.chains[call.chain] if call.chain < len(run.chains) else None
    if chain is None or chain.repeats is None:
        return None
    return run.chains[chain.repeats].calls[-1]


def _repeats(run: Run, call: Call) -> str:
    earlier = repeated_call(run, call)
    return "" if earlier is None or call.attempt > 1 else f"call {earlier}"


def _choose() -> None:
    rows = st.session_state[KEY]["selection"]["rows"]
    if rows:
        state.write(step=Path.call(rows[0]))


def _detail(run: Run, call: Call, decisive: str | None, on_decisive: Callable[[str], None]) -> None:
    chain = run.chains[call.chain]
    render.heading(f"Call {call.sequence:,}")
    with st.container(key="call-chips", horizontal=True, gap="xsmall"):
        render.badge(glossary.OUTCOME[call.outcome])
        if len(chain.calls) > 1:
            render.badge(glossary.CHAIN[chain.outcome], f"attempt {call.attempt} of {len(chain.calls)},")
        if (earlier := repeated_call(run, call)) is not None:
            render.badge(glossary.Term(f"repeats call {earlier:,}", "yellow", glossary.RUN["repeat"].meaning))
    draw_call_card(
        build_call_card(run, call),
        chosen=call.sequence,
        rows=len(run.calls),
        key=_CARD,
        decisive=decisive,
        on_jump=lambda: follow_jump(_CARD),
        on_decisive=on_decisive,
    )
    if rows := facts(call):
        st.text(" · ".join(f"{name} {value}" for name, value in rows))
    _envelope(run, call)


def facts(call: Call) -> list[tuple[str, str]]:
    """Return what the log records of the call and its card leaves out: names and values."""
    rows = [
        ("retryable", "yes" if call.retryable else None),
        ("started", utc_time(call.started_at) if call.started_at else None),
        ("idempotency key", call.idempotency_key),
    ]
    return [(name, render.visible(value)) for name, value in rows if value is not None]


def _envelope(run: Run, call: Call) -> None:
    envelope = as_envelope(call, run.run_id)
    if envelope is None:
        return
    with st.container(key="call-envelope", gap="xxsmall"):
        render.note("The failure as an error envelope: it holds no text of the run and is safe to share")
        st.code(pretty(envelope), language=None, wrap_lines=True)
