"""The Calls panel of one run: its proxy log as a table, and beside it the call that is chosen, in full: arguments,
response, actor, and the attempts of its chain."""

from __future__ import annotations

from typing import LiteralString

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.formatting import decimal, milliseconds, seconds
from app.parts.run.raw_panel import pretty, show_payload
from app.parts.table.columns import columns_with_values, fit_widths, word_column
from trace_store.contract.retries import retry_delays
from trace_store.evidence import as_envelope
from trace_store.model import Call, Chain, Path, Run

TABLE_HEIGHT_PX = 620
ROWS_IN_SIGHT = 18
KEY = "run-calls"
TABLE_PX = 572
"""Width of the log on a screen of 1280 pixels, without its column of check marks."""
FLEXIBLE = {"tool": 3, "class": 3, "actor": 3}

COLUMNS = {
    "sequence": st.column_config.NumberColumn("#", width=36, help="Position in the log, from 0"),
    "tool": st.column_config.TextColumn("Tool"),
    "outcome": word_column("Outcome", glossary.OUTCOME, width=106),
    "class": st.column_config.TextColumn("Error class", help="What the proxy reported for this call"),
    "attempt": st.column_config.TextColumn("Try", width=40, help="Which attempt of how many in its chain"),
    "repeats": st.column_config.TextColumn("Repeats", width=66, help="The failed call that the model made again here"),
    "latency": st.column_config.NumberColumn("ms", format="%.0f", width=52, help="Latency in milliseconds"),
    "actor": st.column_config.TextColumn("Actor"),
}


def show_calls(run: Run) -> None:
    """Draw the log, and beside it the call that the address names, else the first that failed, else the first."""
    if not run.calls:
        if run.has_log:
            render.empty("The log is empty.", "The agent called no tool through the proxy.")
        else:
            render.empty("This export has no proxy log.", "Only the transcript can be read, and nothing confirms it.")
        return
    chosen = chosen_row(run, state.param(state.STEP))
    left, right = st.columns([13, 7], gap="medium")
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
        _detail(run, run.calls[chosen])


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


def _detail(run: Run, call: Call) -> None:
    chain = run.chains[call.chain] if call.chain < len(run.chains) else None
    name = render.literal(call.tool_name) if call.tool_name else "unreadable call"
    render.heading(f"Call {call.sequence:,} {name}")
    with st.container(key="call-chips", horizontal=True, gap="xsmall"):
        render.badge(glossary.OUTCOME[call.outcome])
        render.badge(source_term(call.source), "" if call.source is None else "source")
        if chain is not None and len(chain.calls) > 1:
            render.badge(glossary.CHAIN[chain.outcome], f"attempt {call.attempt} of {len(chain.calls)},")
        if (earlier := repeated_call(run, call)) is not None:
            render.badge(glossary.Term(f"repeats call {earlier:,}", "yellow", glossary.RUN["repeat"].meaning))
        if call.stale_token:
            render.badge(glossary.STALE_TOKEN)
        render.badge(glossary.ACTOR[call.actor_status], "actor")
    st.code("\n".join(f"{name:<16}{value}" for name, value in facts(run, call)), language=None, wrap_lines=True)
    show_payload(
        "Arguments" if call.arguments_decoded else "Arguments as text: not a JSON object",
        call.arguments,
        key="call-arguments",
    )
    show_payload("Response", call.response, key="call-response")
    if call.error is not None:
        show_payload("Error", call.error, key="call-error")
    if chain is not None and len(chain.calls) > 1:
        _attempts(run, chain)
    _envelope(run, call)
    if call.validation is not None:
        show_payload("Validation", call.validation, key="call-validation")
    if call.extra:
        show_payload("Other fields of the log entry", call.extra, key="call-extra")


def source_term(source: str | None) -> glossary.Term:
    """Return the badge of a source (R17): unknown values are shown unchanged."""
    if source is None:
        return glossary.NO_SOURCE
    return glossary.SOURCE.get(source) or glossary.Term(
        render.literal(source, 30), "yellow", glossary.UNKNOWN_SOURCE.meaning
    )


def facts(run: Run, call: Call) -> list[tuple[str, str]]:
    """Return what the log records of the call: names and values, without those that are absent."""
    suggestion = next((actor.suggestion for actor in run.actors if actor.path == call.actor_id), None)
    actor = call.actor_id or ("none: unattributed" if call.actor_status == "unattributed" else None)
    if actor and suggestion:
        actor = f"{actor} · did you mean {suggestion}?"
    rows = [
        ("actor", actor),
        ("status", call.status_code),
        ("error class", call.error_class),
        ("retryable", "yes" if call.retryable else None),
        ("latency", None if call.latency_ms is None else milliseconds(call.latency_ms)),
        ("failure rule", call.matched_rule_index),
        ("started", call.started_at),
        ("lane", call.lane if call.lane != "tool" else None),
        ("idempotency key", call.idempotency_key),
    ]
    return [(name, render.visible(str(value))) for name, value in rows if value is not None]


def _envelope(run: Run, call: Call) -> None:
    envelope = as_envelope(call, run.run_id)
    if envelope is None:
        return
    with st.container(key="call-envelope", gap="xxsmall"):
        render.note("The failure as an error envelope: it holds no text of the run and is safe to share")
        st.code(pretty(envelope), language=None, wrap_lines=True)


def _attempts(run: Run, chain: Chain) -> None:
    by_sequence = {call.sequence: call for call in run.calls}
    delays = retry_delays(chain, run.calls)
    rows = []
    for number, sequence in enumerate(chain.calls):
        attempt = by_sequence[sequence]
        rows.append(
            {
                "call": sequence,
                "outcome": glossary.OUTCOME[attempt.outcome].word,
                "class": attempt.error_class or (str(attempt.status_code) if attempt.status_code else ""),
                "latency": attempt.latency_ms,
                "wait": delays[number - 1].wait_ms if number else None,
            }
        )
    render.note(f"{render.counted(len(chain.calls), 'attempt')}, {seconds(chain.wasted_ms)} lost.")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height="content",
        column_config={
            "call": st.column_config.NumberColumn("Call", width=44),
            "outcome": st.column_config.TextColumn("Outcome", width=68),
            "class": st.column_config.TextColumn("Error class"),
            "latency": st.column_config.NumberColumn("ms", format="%.0f", width=52, help="Latency"),
            "wait": st.column_config.NumberColumn("Waited ms", format="%.0f", width=78, help="Before this attempt"),
        },
        placeholder="–",
        alt="The attempts of this call's chain",
        key=f"call-attempts-{chain.chain}",
    )
    for number, delay in enumerate(delays, start=2):
        if delay.is_off_policy and delay.wait_ms is not None and delay.window_ms is not None:
            shortest, longest = delay.window_ms
            render.note(
                f"Off policy: {milliseconds(delay.wait_ms)} before attempt {number:,}; "
                f"the policy waits {decimal(shortest)} to {milliseconds(longest)}."
            )
