"""The Run page: one run in full, with its transcript, calls, actors, findings and review."""

from __future__ import annotations

import streamlit as st

from app import cache, raw_documents, render, session_keys, state
from app.components.actor_tree import count_labels
from app.components.transcript import draw_transcript
from app.parts.review.drafts import draft_of
from app.parts.review.panel import show_review_panel
from app.parts.run.calls_panel import show_calls
from app.parts.run.header import show_run_header, show_run_name
from app.parts.run.pager import open_list, remember_run, show_pager, show_run_choice
from app.parts.run.panels import show_actors, show_findings, show_timeline
from app.parts.run.raw_panel import show_raw_document
from app.parts.run.side_panel import show_side_panel, show_side_panel_button
from trace_store.errors import NotFoundError
from trace_store.model import JSON, Run

_PANEL, _TRANSCRIPT = "run-panel", "run-transcript"


def show() -> None:
    state.carry_query("run")
    run_id = state.param(state.RUN) or session_keys.get(session_keys.OPEN_RUN, str)
    if not run_id:
        _choose_first()
        return
    if not state.param(state.RUN):
        # The navigation drops the address's parameters; the run that was open last is meant.
        state.write(run=run_id)
    st.session_state[session_keys.OPEN_RUN] = run_id
    try:
        run = cache.run(run_id)
    except NotFoundError as error:
        render.problem(error, heading="This run is not in the store")
        st.button("Back to the runs", on_click=open_list)
        show_run_choice(without=run_id)
        return
    remember_run(run_id)
    with st.container(key="run-head", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        show_run_name(run)
        beside = show_pager(run_id)
    show_run_header(run)
    _panels(run)
    show_review_panel(run)
    cache.read_ahead(*beside)


def _panels(run: Run) -> None:
    names = {
        "transcript": "Transcript",
        "calls": f"Calls {len(run.calls):,}",
        "actors": f"Actors {count_labels(run.actors):,}",
        "timeline": "Timeline",
        "findings": f"Findings {len(run.findings):,}",
        "raw": "Raw",
    }
    panel = state.param(state.PANEL)
    panel = panel if panel in names else "transcript"
    with st.container(key="run-panels", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Panel",
            list(names),
            key=state.bound(_PANEL, panel),
            format_func=names.__getitem__,
            on_change=_choose_panel,
            required=True,
            label_visibility="collapsed",
        )
        if panel == "transcript":
            show_side_panel_button(run)
    match panel:
        case "actors":
            show_actors(run)
        case "calls":
            show_calls(
                run,
                decisive=_decisive_step(run.run_id),
                on_decisive=lambda path: _mark_step(run.run_id, path),
            )
        case "timeline":
            show_timeline(run)
        case "findings":
            show_findings(run)
        case "raw":
            show_raw_document(run.run_id, cache.raw(run.run_id), state.param(state.STEP))
        case _:
            _show_transcript(run)


def _show_transcript(run: Run) -> None:
    """Draw the transcript in what the header leaves of the window, and beside it what was found."""
    with st.container(key="run-body", horizontal=True, gap="medium", wrap=False):
        with st.container(key="run-main", width="stretch"):
            draw_transcript(
                cache.transcript(run.run_id),
                focus=state.param(state.STEP) or None,
                height="stretch",
                key=_TRANSCRIPT,
                decisive=_decisive_step(run.run_id),
                original=lambda path: _original(run.run_id, path),
                on_select=_choose_step,
                on_decisive=lambda path: _mark_step(run.run_id, path),
            )
        show_side_panel(run)


def _choose_panel() -> None:
    panel = st.session_state[_PANEL]
    state.write(panel=None if panel == "transcript" else panel)


def _choose_step() -> None:
    chosen = st.session_state[_TRANSCRIPT].get("selected")
    if isinstance(chosen, dict) and isinstance(chosen.get("path"), str):
        state.write(step=chosen["path"])


def _mark_step(run_id: str, path: str) -> None:
    st.session_state[f"{session_keys.MARKED_STEP}{run_id}"] = path  # the review panel puts it into its draft


def _decisive_step(run_id: str) -> str | None:
    # As it was marked just now, or by the review, saved or not.
    step = session_keys.get(f"{session_keys.MARKED_STEP}{run_id}", str)
    return step or draft_of(run_id, cache.read(state.store().reviews.get, run_id)).review.step


def _original(run_id: str, path: str) -> JSON:
    match = raw_documents.find_value(cache.raw_value(run_id), path)
    return match.value if match is not None and match.path == path else None


def _choose_first() -> None:
    render.title("Run", "One run in full.")
    if cache.read(state.store().figures.totals, "").runs:
        render.empty("No run is chosen.", "Open one of these, or any other from the list of runs.")
    else:
        render.empty("There are no runs yet.", "Import some on the Runs page.")
    st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=open_list)
    show_run_choice()


show()
