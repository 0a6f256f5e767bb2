"""The Calls page: every logged call of every run, and the two questions asked first: which class, which actor."""

from __future__ import annotations

import streamlit as st

from app import cache, render, state
from app.parts.table.call_list import CALL_LISTING
from app.parts.table.facets import WIDE, Facet, load_facets, show_facet, show_facet_sidebar
from app.parts.table.listing import show_list
from app.parts.table.query_bar import show_query_bar
from trace_store.errors import QueryError

FIRST = (Facet("error_class", "Error class"), Facet("actor_status", "Actor status"))
SIDE = (
    Facet("outcome", "Outcome"),
    Facet("tool", "Tool"),
    Facet("source", "Source"),
    Facet("chain", "Retry chains"),
    Facet("rule", "Failure rule"),
    Facet("status", "HTTP status"),
)
MORE = (
    Facet("actor", "Actor"),
    Facet("lane", "Lane"),
    Facet("stale", "Stale token"),
    Facet("retryable", "Retryable"),
    Facet("envelope_class", "Envelope class"),
    Facet("model", "Model"),
    Facet("task", "Task"),
    Facet("verdict", "Judge of the run"),
    Facet("file", "File"),
)


def show() -> None:
    state.carry_query("calls")
    render.title("Calls", "Which tool calls failed, how, and which actor made them, across all runs.")
    if cache.read(state.store().figures.totals, "").runs == 0:
        render.empty_store(
            "There are no calls yet.", "Import some runs on the Runs page; their logged calls appear here."
        )
        return
    query = show_query_bar("calls")
    try:
        load_facets("calls", query, [*FIRST, *SIDE])
        with st.container(key="first-filters", horizontal=True, gap="large"):
            for facet in FIRST:
                with st.container(width="stretch"):
                    show_facet("calls", query, facet, widest=WIDE)
        show_facet_sidebar("calls", query, SIDE, MORE)
        show_list(CALL_LISTING, query, nothing=_nothing)
    except QueryError as error:
        render.query_problem(query, error)


def _nothing() -> None:
    render.empty("No call matches this query.", "Remove a filter, or clear the query.")


show()
