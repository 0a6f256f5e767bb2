"""Where the open run stands in the list that it was opened from, and the way to the next."""

from __future__ import annotations

import streamlit as st

from app import reading, render, state
from app.parts import run_list
from trace_store.errors import QueryError


def show(run_id: str) -> None:
    """Position in the list of the address's query and sort, with the runs before and after on the keys k and j."""
    query = state.param(state.QUERY)
    try:
        place = reading.neighbours(query, run_list.LISTING.sort(), run_id)
    except QueryError as error:
        render.query_problem(query, error)
        return
    with st.container(key="run-pager", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Runs", icon=":material/arrow_back:", type="tertiary", on_click=to_the_list, help="Back to the list")
        if query:
            with st.container(width="stretch"):
                render.note(f"in {render.literal(query, 90)}")
        else:
            with st.container(width="stretch"):
                render.note("in all runs")
        if place is None:
            render.note("This run is not in that list.")
            return
        render.sentence(f"**{place.position:,}** of {place.total:,}")
        st.button(
            "Previous",
            key="run-previous",
            icon=":material/chevron_left:",
            help="The run before this one in the list (k)",
            disabled=place.previous is None,
            on_click=_opened,
            args=(place.previous,),
        )
        st.button(
            "Next",
            key="run-next",
            icon=":material/chevron_right:",
            icon_position="right",
            help="The next run of the list (j)",
            disabled=place.next is None,
            on_click=_opened,
            args=(place.next,),
        )


def to_the_list() -> None:
    """Opens the list that the run stands in."""
    state.go(state.RUNS_PAGE, q=state.param(state.QUERY), sort=state.param(state.SORT))


def _opened(run_id: str) -> None:
    state.write(run=run_id, step=None)
