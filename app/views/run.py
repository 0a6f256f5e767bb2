"""The Run page: one run in full. What it says, what the log proves, who acted, and what the reviewer thinks of it."""

from __future__ import annotations

import streamlit as st

from app import cache, raw_documents, render, state
from app.components.actor_tree import count_labels
from app.components.transcript import draw_transcript
from app.parts.review.drafts import draft_of
from app.parts.review.panel import show_review_panel
from app.parts.run import (
    actors_panel,
    calls_panel,
    findings_panel,
    header,
    pager,
    raw_document,
    run_choice,
    timeline_panel,
    warnings_panel,
)
from trace_store.errors import NotFoundError
from trace_store.model import JSON, Run

TRANSCRIPT, CALLS, ACTORS, TIMELINE = "Transcript", "Calls", "Actors", "Timeline"
FINDINGS, RAW = "Findings", "Raw"
_PANEL, _TRANSCRIPT, _LAST = "run-panel", "run-transcript", "run-opened-last"
_DECISIVE = "review-decisive:"
"""With the run's id: the step that was made the decisive one in the transcript."""


def show() -> None:
    state.carry_query("run")
    run_id = state.param(state.RUN) or st.session_state.get(_LAST, "")
    if not run_id:
        _choose_first()
        return
    if not state.param(state.RUN):
        # The navigation drops the address's parameters; what was open last is what it means.
        state.write(run=run_id)
    st.session_state[_LAST] = run_id
    try:
        run = cache.run(run_id)
    except NotFoundError as error:
        render.problem(error, heading="This run is not in the store")
        st.button("Back to the runs", on_click=pager.to_the_list)
        run_choice.show(without=run_id)
        return
    run_choice.remember(run_id)
    beside = pager.show(run_id)
    header.show(run)
    warnings_panel.show(run)
    _panels(run)
    show_review_panel(run)
    cache.read_ahead(*beside)


def _panels(run: Run) -> None:
    names = {
        TRANSCRIPT: TRANSCRIPT,
        CALLS: f"{CALLS} {len(run.calls):,}",
        ACTORS: f"{ACTORS} {count_labels(run.actors):,}",
        TIMELINE: TIMELINE,
        FINDINGS: f"{FINDINGS} {len(run.findings):,}",
        RAW: RAW,
    }
    asked = state.param(state.PANEL).capitalize()
    panel = asked if asked in names else TRANSCRIPT
    st.segmented_control(
        "Panel",
        list(names),
        key=state.bound(_PANEL, panel),
        format_func=names.__getitem__,
        on_change=_turned,
        required=True,
        label_visibility="collapsed",
    )
    match panel:
        case "Actors":
            actors_panel.show(run)
        case "Calls":
            calls_panel.show(run)
        case "Timeline":
            timeline_panel.show(run)
        case "Findings":
            findings_panel.show(run)
        case "Raw":
            raw_document.show(run.run_id, cache.raw(run.run_id), state.param(state.STEP))
        case _:
            draw_transcript(
                cache.transcript(run.run_id),
                focus=state.param(state.STEP) or None,
                height=760,
                key=_TRANSCRIPT,
                decisive=_decisive(run.run_id),
                original=lambda path: _original(run.run_id, path),
                on_select=_stepped,
                on_decisive=lambda path: _decided(run.run_id, path),
            )


def _turned() -> None:
    panel = st.session_state[_PANEL]
    state.write(panel=None if panel == TRANSCRIPT else panel.lower())


def _stepped() -> None:
    chosen = st.session_state[_TRANSCRIPT].get("selected")
    if isinstance(chosen, dict) and isinstance(chosen.get("path"), str):
        state.write(step=chosen["path"])


def _decided(run_id: str, path: str) -> None:
    """The review panel takes it over, into its draft."""
    st.session_state[f"{_DECISIVE}{run_id}"] = path


def _decisive(run_id: str) -> str | None:
    """The step that decided the run: as it was marked just now, or by the review, saved or not."""
    marked = st.session_state.get(f"{_DECISIVE}{run_id}")
    if isinstance(marked, str):
        return marked
    return draft_of(run_id, cache.read(state.store().reviews.get, run_id)).review.step


def _original(run_id: str, path: str) -> JSON:
    place = raw_documents.place_in(cache.raw_value(run_id), path)
    return place.value if place is not None and place.path == path else None


def _choose_first() -> None:
    render.title("Run", "One run in full.")
    if cache.read(state.store().figures.totals, "").runs:
        render.empty("No run is chosen.", "Open one of these, or any other from the list of runs.")
    else:
        render.empty("There are no runs yet.", "Import some on the Runs page.")
    st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=pager.to_the_list)
    run_choice.show()


show()
