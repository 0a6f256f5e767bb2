"""What retries did: chains by how they ended, with the time lost, and calls by attempt."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.formatting import seconds
from app.parts.failures import bars, breakdown
from app.parts.failures.bars import Bar
from trace_store.store import FailureTable
from trace_store.store.query.editing import term

MOST_ATTEMPTS = 12
"""Bars: a chain may have any number of attempts, and the policy allows four (R26)."""


def show(query: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    """Both, side by side."""
    if tables["attempts"].empty:
        render.note("No call is logged in what the query finds.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _chains(query, tables["chains"])
    with right:
        _attempts(query, tables["attempts"])


def _chains(query: str, chains: pd.DataFrame) -> None:
    render.heading("Retry chains", help="A chain is one logical call with its attempts (R24, R27).")
    rows = zip(chains["chain"], chains["chains"], chains["wasted_ms"], strict=True)
    shown = [
        Bar(
            glossary.CHAIN[outcome].word,
            int(number),
            glossary.CHAIN[outcome].colour,
            f" · {seconds(wasted_ms)} lost" if wasted_ms else "",
            term("chain", outcome),
        )
        for outcome, number, wasted_ms in rows
    ]
    bars.show("chains", shown, partial(breakdown.open_list, state.CALLS_PAGE, query), alt="Chains by outcome")


def _attempts(query: str, attempts: pd.DataFrame) -> None:
    render.heading("Attempts", help="How many calls were a first try, a second, and so on, and how many failed (R24).")
    kept = attempts.head(MOST_ATTEMPTS)
    rows = zip(kept["attempt"], kept["calls"], kept["failures"], strict=True)
    shown = [
        Bar(
            f"attempt {int(attempt):,}",
            int(calls),
            "blue" if attempt == 1 else "yellow",
            f" · {failures:,} failed" if failures else "",
            f"attempt:{int(attempt)}",
        )
        for attempt, calls, failures in rows
    ]
    bars.show("attempts", shown, partial(breakdown.open_list, state.CALLS_PAGE, query), alt="Calls by attempt")
    breakdown.cut(len(kept), len(attempts), "The first attempts are shown.")
