"""Review many runs at once: the fields, written to all runs that the query finds once their number is confirmed, and
undone in one step."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from app import cache, glossary, render, state
from app.components import browser_storage
from app.parts.review import actions
from trace_store.model import Verdict
from trace_store.store import ReviewEdit


def show_bulk_review(query: str, runs: int, reviewed: int) -> None:
    """Draw the form for the `runs` that the query finds, `reviewed` of which have a review."""
    with st.container(key="bulk-column", width=640):
        actions.show_outcome("bulk")
        if runs == 0:
            render.empty("No run matches this query.", "Remove a filter, or clear the query.")
            return
        with st.container(border=True, key="bulk"):
            _form(query, runs, reviewed)


def _form(query: str, runs: int, reviewed: int) -> None:
    have_one = f" {reviewed:,} of them already {'has' if reviewed == 1 else 'have'} a review." if reviewed else ""
    render.note(
        f"What you enter here is written to {render.counted(runs, 'run')}: all that the query finds.{have_one} "
        "Fields that you leave empty stay as they are in each run."
    )
    show_edit_fields("bulk", removes_tags=True)
    edit = edit_of("bulk")
    is_empty = edit == ReviewEdit(reviewer=edit.reviewer)
    confirmed = st.checkbox(
        f"Yes, {render.counted(runs, 'run')}",
        key="bulk-confirmed",
        disabled=is_empty,
        help="It can be undone in one step.",
    )
    st.button(
        f"Review {render.counted(runs, 'run')}",
        key="bulk-save",
        type="primary",
        disabled=is_empty or not confirmed,
        help="Fill in a field above, and confirm the number of runs",
        on_click=_save,
        args=(query, edit),
    )


def _save(query: str, edit: ReviewEdit) -> None:
    if actions.review_runs("bulk", query, edit).change is not None:
        st.session_state["bulk-confirmed"] = False


def show_edit_fields(prefix: str, *, removes_tags: bool = False) -> None:
    """Draw the fields, whose keys begin with `prefix`; `edit_of` reads them."""
    st.segmented_control(
        "Verdict",
        list(get_args(Verdict)),
        format_func=lambda verdict: glossary.REVIEW[verdict].word,
        key=f"{prefix}-verdict",
        help="Whether these runs did what they should, whatever the judge says.",
    )
    st.selectbox(
        "Failure mode",
        [mode.name for mode in cache.read(state.store().failure_modes.all)],
        index=None,
        format_func=render.visible,
        accept_new_options=True,
        placeholder="Choose or write one",
        key=f"{prefix}-mode",
        help="How they failed, in the words of your list.",
    )
    tags = [str(tag) for tag, _ in cache.facet("runs", "", "tag", 200)]
    st.multiselect(
        "Add tags",
        tags,
        accept_new_options=True,
        placeholder="Choose or write some",
        key=f"{prefix}-tags",
        help="In addition to those that a run has.",
    )
    if removes_tags:
        st.multiselect("Remove tags", tags, key=f"{prefix}-tags-removed", help="From the runs that have them.")
    st.text_area("Note", key=f"{prefix}-note", height=80, help="Replaces the note that a run has.")
    st.session_state.setdefault(f"{prefix}-reviewer", browser_storage.get("reviewer"))
    st.text_input(
        "Reviewer",
        key=f"{prefix}-reviewer",
        placeholder="Your name",
        help="Remembered in this browser.",
    )


def edit_of(prefix: str) -> ReviewEdit:
    """Return what the fields hold; blank ones change nothing."""
    value = {name: st.session_state.get(f"{prefix}-{name}") for name in ("mode", "note", "reviewer")}
    return ReviewEdit(
        verdict=st.session_state.get(f"{prefix}-verdict"),
        failure_mode=(value["mode"] or "").strip() or None,
        note=(value["note"] or "").strip() or None,
        reviewer=(value["reviewer"] or "").strip() or None,
        tags=tuple(st.session_state.get(f"{prefix}-tags") or ()),
        tags_removed=tuple(st.session_state.get(f"{prefix}-tags-removed") or ()),
    )
