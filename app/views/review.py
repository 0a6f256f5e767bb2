"""The Review page: queues to work through, one word on many runs, the list of failure modes, reviews in and out."""

from __future__ import annotations

import streamlit as st

from app import render, state, store_reads
from app.parts.review import bulk_review, failure_modes, queues, recent_changes, review_files
from app.parts.table.filters import Facet, show_facet_sidebar
from app.parts.table.query_bar import show_query_bar
from trace_store.errors import QueryError
from trace_store.store.query.editing import narrow, term

QUEUES, MANY, MODES, FILES, CHANGES = "Queues", "Many at once", "Failure modes", "Import and export", "Latest changes"
SECTIONS = {
    "queues": QUEUES,
    "many": MANY,
    "modes": MODES,
    "files": FILES,
    "changes": CHANGES,
}
SIDE = (
    Facet("verdict", "Judge"),
    Facet("review", "Review"),
    Facet("reviewer", "Reviewer"),
    Facet("failure_mode", "Failure mode"),
    Facet("tag", "Tag"),
    Facet("responsible", "Responsible actor"),
)
MORE = (
    Facet("model", "Model"),
    Facet("prompt", "System prompt"),
    Facet("check", "Check"),
    Facet("scenario", "Scenario"),
    Facet("task", "Task"),
    Facet("import", "Import"),
    Facet("file", "File"),
    Facet("queue", "Queue"),
)
_SECTION = "review-section"


def show() -> None:
    state.carry_query("review")
    render.title("Review", "What is left to review, and what was said of the rest?")
    if store_reads.totals("").runs == 0:
        render.empty("There is nothing to review yet.", "Import some runs on the Runs page.")
        st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=state.go, args=(state.RUNS_PAGE,))
        return
    query = show_query_bar()
    try:
        totals = store_reads.totals(query)
        show_facet_sidebar("runs", query, SIDE, MORE)
    except QueryError as error:
        render.query_problem(query, error)
        return
    _head(query, totals.runs, totals.unreviewed)
    asked = state.param(state.SECTION)
    section = asked if asked in SECTIONS else "queues"
    st.segmented_control(
        "Section",
        list(SECTIONS),
        format_func=SECTIONS.__getitem__,
        key=state.bound(_SECTION, section),
        on_change=_turned,
        label_visibility="collapsed",
        required=True,
    )
    match section:
        case "many":
            bulk_review.show(query, totals.runs, totals.runs - totals.unreviewed)
        case "modes":
            failure_modes.show()
        case "files":
            review_files.show(query, totals.runs - totals.unreviewed)
        case "changes":
            recent_changes.show()
        case _:
            queues.show(query, totals.runs, totals.unreviewed)


def _head(query: str, runs: int, unreviewed: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review-head"):
        with st.container(width="content"):
            render.sentence(f"**{unreviewed:,}** of {render.counted(runs, 'run')} not reviewed")
        st.button(
            "Show them",
            type="tertiary",
            key="review-show-unreviewed",
            disabled=not unreviewed,
            help="The list of runs without a review",
            on_click=state.go,
            args=(state.RUNS_PAGE,),
            kwargs={"q": narrow(query, term("reviewed", "false"))},
        )


def _turned() -> None:
    section = st.session_state[_SECTION]
    state.write(section=None if section == "queues" else section)


show()
