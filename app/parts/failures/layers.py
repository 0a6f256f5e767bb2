"""Failures by error class, each layer apart (R22), and the map of tools and classes."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from app import glossary, render, state, store_reads
from app.parts.failures import breakdown
from trace_store.store import FailureTable
from trace_store.store.query.editing import narrow, term


def show(query: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    """The three layers side by side, envelopes by their code, and the map. Raises QueryError."""
    by_tool = tables["tools_by_class"]
    # What the map counts, without the tools: it need not be counted again.
    of_calls = by_tool.groupby("error_class", dropna=False, sort=False)["calls"].sum().reset_index()
    layers = (
        ("call", "error_class", "Failed calls", state.CALLS_PAGE, of_calls, "calls"),
        ("run", "run_error_class", "Runs", state.RUNS_PAGE, tables["run_classes"], "count"),
        ("envelope", "envelope_class", "Envelopes", state.RUNS_PAGE, tables["envelope_classes"], "count"),
    )
    for column, (layer, field, noun, page, found, count) in zip(st.columns(3, gap="medium"), layers, strict=True):
        with column:
            render.layer(glossary.LAYERS[layer])
            if found.empty:
                render.note(glossary.NOTHING_IN_LAYER[layer])
                continue
            only = [breakdown.FAILED] if layer == "call" else []
            opened = partial(breakdown.open_list, page, query, *only)
            ordered = found.sort_values(count, ascending=False, kind="stable").rename(columns={"error_class": field})
            breakdown.counts(f"layer-{layer}", ordered, field, count, heading="Class", noun=noun, opened=opened)
    if not tables["envelope_classes"].empty:
        _envelopes(query)
    if not by_tool.empty:
        render.heading("Tools and classes", help="Failed calls, injected ones included. A click opens them.")
        breakdown.heat_map("heat", query, by_tool)


def _envelopes(query: str) -> None:
    codes = store_reads.facet("runs", query, "envelope_code", breakdown.ENVELOPE_CODES)
    if not codes:
        return
    broken = term("finding", "envelope_invalid")
    invalid = dict(store_reads.facet("runs", narrow(query, broken), "envelope_code", breakdown.ENVELOPE_CODES))
    render.heading("Envelopes", help="Error envelopes by their code, in runs and their calls (R39).")
    shown = pd.DataFrame(
        {
            "code": [breakdown.named(code) for code, _ in codes],
            "runs": [runs for _, runs in codes],
            "invalid": [invalid.get(code) for code, _ in codes],
        }
    )
    columns = {
        "code": st.column_config.TextColumn("Code", width=260),
        "runs": st.column_config.NumberColumn("Runs", width=90, help="With an envelope of this code"),
        "invalid": st.column_config.NumberColumn(
            "With an invalid one", width=140, help="Of these, runs in which some envelope breaks a rule of R39"
        ),
    }

    def opened(row: int, column: str | None) -> None:
        terms = [term("envelope_code", codes[row][0]), *([broken] if column == "invalid" else [])]
        breakdown.open_list(state.RUNS_PAGE, query, *terms)

    breakdown.table("envelopes", shown, columns, opened)
    if not invalid:
        render.note("Every one of them is valid.")
