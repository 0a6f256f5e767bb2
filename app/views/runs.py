"""The Runs page: which runs there are, which went wrong, and the way into each."""

from __future__ import annotations

import streamlit as st

from app import reading, render, state
from app.parts import chosen_runs, facets, figures, import_panel, listing, query_bar, run_list
from trace_store.errors import QueryError


def show() -> None:
    state.carry_query("runs")
    is_empty = reading.totals("").runs == 0
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            render.title("Runs", "Which runs went wrong, and where to start.")
        if not is_empty:
            import_panel.switch()
    if is_empty:
        import_panel.welcome()
        return
    chosen_runs.tell()
    import_panel.show()
    query = query_bar.show()
    try:
        totals = reading.totals(query)
        figures.show(query, totals)
        facets.sidebar("runs", query, facets.RUN_FACETS, facets.MORE_RUN_FACETS)
        listing.show(run_list.LISTING, query, nothing=_nothing)
    except QueryError as error:
        render.query_problem(query, error)


def _nothing() -> None:
    render.empty("No run matches this query.", "Take a term away, or clear the query.")


show()
