"""The Runs page: which runs there are, which went wrong, and the way into each."""

from __future__ import annotations

import streamlit as st

from app import cache, render, state
from app.parts.imports.import_panel import show_import_panel, show_import_switch, show_welcome
from app.parts.table.facets import MORE_RUN_FACETS, RUN_FACETS, show_facet_sidebar, show_figures
from app.parts.table.listing import show_list
from app.parts.table.query_bar import show_query_bar
from app.parts.table.run_list import RUN_LISTING
from app.parts.table.selection import show_deletion
from trace_store.errors import QueryError


def show() -> None:
    state.carry_query("runs")
    is_empty = cache.read(state.store().figures.totals, "").runs == 0
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            render.title("Runs", "Which runs went wrong, and where to start.")
        if not is_empty:
            show_import_switch()
    if is_empty:
        show_welcome()
        return
    show_deletion()
    show_import_panel()
    query = show_query_bar()
    try:
        totals = cache.read(state.store().figures.totals, query)
        show_figures(query, totals)
        show_facet_sidebar("runs", query, RUN_FACETS, MORE_RUN_FACETS)
        show_list(RUN_LISTING, query, nothing=_nothing)
    except QueryError as error:
        render.query_problem(query, error)


def _nothing() -> None:
    render.empty("No run matches this query.", "Remove a filter, or clear the query.")


show()
