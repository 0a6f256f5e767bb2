"""The Review page: queues, reviewing many runs at once, the list of failure modes, reviews as files, latest changes."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import cache, render, state
from app.parts.review import actions
from app.parts.review.bulk_review import show_bulk_review
from app.parts.review.history import show_recent_changes
from app.parts.review.queues import show_queues
from app.parts.review.review_files import show_review_files
from app.parts.table.facets import Facet, show_facet_sidebar
from app.parts.table.query_bar import show_query_bar
from trace_store.errors import QueryError
from trace_store.store import FailureMode
from trace_store.store.query.editing import add_query, term

SECTIONS = {
    "queues": "Queues",
    "many": "Many at once",
    "modes": "Failure modes",
    "files": "Import and export",
    "changes": "Latest changes",
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
    render.title("Review", "Which runs are still to be reviewed, and what do the reviews say?")
    if cache.read(state.store().figures.totals, "").runs == 0:
        render.empty_store("There is nothing to review yet.")
        return
    query = show_query_bar()
    try:
        totals = cache.read(state.store().figures.totals, query)
        show_facet_sidebar("runs", query, SIDE, MORE)
    except QueryError as error:
        render.query_problem(query, error)
        return
    _head(query, totals.runs, totals.unreviewed)
    section = state.param(state.SECTION)
    section = section if section in SECTIONS else "queues"
    st.segmented_control(
        "Section",
        list(SECTIONS),
        format_func=SECTIONS.__getitem__,
        key=state.bound(_SECTION, section),
        on_change=_choose_section,
        label_visibility="collapsed",
        required=True,
    )
    match section:
        case "many":
            show_bulk_review(query, totals.runs, totals.runs - totals.unreviewed)
        case "modes":
            _failure_modes()
        case "files":
            show_review_files(query, totals.runs - totals.unreviewed)
        case "changes":
            show_recent_changes()
        case _:
            show_queues(query, totals.runs, totals.unreviewed)


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
            kwargs={"q": add_query(query, term("reviewed", "false"))},
        )


def _choose_section() -> None:
    section = st.session_state[_SECTION]
    state.write(section=None if section == "queues" else section)


def _failure_modes() -> None:
    render.note(
        "How runs fail, in your words. A review keeps its failure mode when you remove the name from this list. Names "
        "in use that are not on the list are at its end, and join it when you save."
    )
    modes = cache.read(state.store().failure_modes.all)
    frame = pd.DataFrame(
        [(render.visible(mode.name), mode.description or "", mode.reviews) for mode in modes],
        columns=["name", "description", "reviews"],
    )
    editor_frame = st.data_editor(
        frame,
        key=f"failure-modes-{hash(tuple(modes))}",
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        disabled=["reviews"],
        column_config={
            "name": st.column_config.TextColumn("Failure mode", required=True, max_chars=80, width=220),
            "description": st.column_config.TextColumn("What it means", max_chars=400),
            "reviews": st.column_config.NumberColumn("Reviews", width=80, help="How many reviews use it"),
        },
    )
    st.button(
        "Save the list",
        key="failure-modes-save",
        type="primary",
        help="Replace the list by this one",
        on_click=_save_failure_modes,
        args=(editor_frame, {render.visible(mode.name): mode.name for mode in modes}),
    )
    actions.show_outcome("failure-modes")


def _save_failure_modes(frame: pd.DataFrame, names: dict[str, str]) -> None:
    rows = frame[["name", "description"]].fillna("").itertuples(index=False)
    modes = [FailureMode(names.get(str(row.name), str(row.name)), str(row.description) or None) for row in rows]

    def save() -> actions.Outcome:
        state.store().failure_modes.save(modes)
        return actions.Outcome("The list was saved.")

    actions.attempt("failure-modes", "The list was not saved", save)


show()
