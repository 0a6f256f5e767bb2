"""One word on everything that the query finds: said once, confirmed with the number of runs, undone in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import streamlit as st

from app import glossary, reading, render, state
from app.components import memory
from trace_store.errors import TraceError
from trace_store.store import ReviewEdit
from trace_store.store.reviews import Verdict

_DONE = "bulk-done"


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of the last change. `change` can be undone."""

    text: str
    change: int | None = None
    error: TraceError | None = None


def show(query: str, runs: int, reviewed: int) -> None:
    """The form for the `runs` that the query finds, `reviewed` of which have a review."""
    _outcome()
    if runs == 0:
        render.empty("No run matches this query.", "Take a term away, or clear the query.")
        return
    with st.container(border=True, key="bulk", width=640):
        has_one = f" {reviewed:,} of them {'has' if reviewed == 1 else 'have'} a review already." if reviewed else ""
        render.note(
            f"What you say here is written to {render.counted(runs, 'run')}: all that the query finds.{has_one} "
            "What you leave empty stays as it is in each."
        )
        edit = _edit()
        said = edit != ReviewEdit(reviewer=edit.reviewer)
        confirmed = st.checkbox(
            f"Yes, {render.counted(runs, 'run')}",
            key="bulk-confirmed",
            disabled=not said,
            help="It can be undone in one step.",
        )
        st.button(
            f"Review {render.counted(runs, 'run')}",
            key="bulk-save",
            type="primary",
            disabled=not (said and confirmed),
            help="Say something above, and confirm the number of runs",
            on_click=_save,
            args=(query, edit),
        )


def _edit() -> ReviewEdit:
    verdict: Verdict | None = st.segmented_control(
        "Verdict",
        list(get_args(Verdict)),
        format_func=lambda verdict: glossary.REVIEW[verdict].word,
        key="bulk-verdict",
        help="Whether these runs did what they should, whatever the judge says.",
    )
    mode = st.selectbox(
        "Failure mode",
        [mode.name for mode in reading.failure_modes()],
        index=None,
        format_func=render.visible,
        accept_new_options=True,
        placeholder="Choose or write one",
        key="bulk-mode",
        help="How they failed",
    )
    known = [str(tag) for tag, _ in reading.facet("runs", "", "tag", 200)]
    added = st.multiselect(
        "Add tags",
        known,
        accept_new_options=True,
        placeholder="Choose or write some",
        key="bulk-tags",
        help="To those that a run has",
    )
    removed = st.multiselect("Remove tags", known, key="bulk-tags-removed", help="Where a run has them")
    note = st.text_area("Note", key="bulk-note", height=80, help="In the place of the note that a run has")
    reviewer = st.text_input(
        "Reviewer",
        key=state.bound("bulk-reviewer", st.session_state.get("bulk-reviewer") or memory.recall("reviewer")),
        placeholder="Your name",
        help="Remembered in this browser.",
    )
    return ReviewEdit(
        verdict=verdict,
        failure_mode=(mode or "").strip() or None,
        note=note.strip() or None,
        reviewer=reviewer.strip() or None,
        tags=tuple(added),
        tags_removed=tuple(removed),
    )


def _save(query: str, edit: ReviewEdit) -> None:
    memory.keep("reviewer", edit.reviewer or "")
    try:
        change = state.store().review_many(query, edit)
    except TraceError as error:
        st.session_state[_DONE] = _Done("The runs were not reviewed", error=error)
        return
    st.session_state[_DONE] = _Done(f"Saved on {render.counted(change.saved, 'run')}.", change.change or None)
    st.session_state["bulk-confirmed"] = False


def _undo(change: int) -> None:
    try:
        undone = state.store().undo_review(change)
    except TraceError as error:
        st.session_state[_DONE] = _Done("It was not undone", error=error)
        return
    kept = f" {render.counted(undone.kept, 'run')} reviewed again since: left as they are." if undone.kept else ""
    st.session_state[_DONE] = _Done(f"Undone on {render.counted(undone.restored, 'run')}.{kept}")


def _outcome() -> None:
    done = st.session_state.get(_DONE)
    if not isinstance(done, _Done):
        return
    if done.error is not None:
        render.problem(done.error, heading="The reviews were not changed")
        return
    with st.container(key="bulk-notice", border=True, horizontal=True, vertical_alignment="center", width=640):
        st.text(done.text)
        if done.change is not None:
            st.button(
                "Undo",
                key="bulk-undo",
                icon=":material/undo:",
                help="Every run gets back the review that it had; one that was reviewed again since keeps that",
                on_click=_undo,
                args=(done.change,),
            )
