"""The Runs page: which runs there are, which went wrong, and the way into each."""

from __future__ import annotations

import streamlit as st

from app import render, state, store_reads
from app.parts.imports import import_panel
from app.parts.table import facets, figures, listing, query_bar, run_list, selected_runs
from trace_store.errors import QueryError


def show() -> None:
    state.carry_query("runs")
    is_empty = store_reads.totals("").runs == 0
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            render.title("Runs", "Which runs went wrong, and where to start.")
        if not is_empty:
            import_panel.switch()
    if is_empty:
        import_panel.welcome()
        return
    selected_runs.tell()
    import_panel.show()
    query = query_bar.show()
    try:
        totals = store_reads.totals(query)
        figures.show(query, totals)
        facets.sidebar("runs", query, facets.RUN_FACETS, facets.MORE_RUN_FACETS)
        listing.show(run_list.LISTING, query, nothing=_nothing)
    except QueryError as error:
        render.query_problem(query, error)


def _nothing() -> None:
    render.empty("No run matches this query.", "Take a term away, or clear the query.")


show()
