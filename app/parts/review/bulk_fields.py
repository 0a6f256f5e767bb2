"""What is said of many runs at once: the fields for it, and the way back, told in the same words wherever it stands."""

from __future__ import annotations

from typing import LiteralString, get_args

import streamlit as st

from app import glossary, render, store_reads
from app.components import browser_storage
from trace_store.model import Verdict
from trace_store.store import ReviewEdit, Undone


def show(prefix: str, *, removes_tags: bool = False) -> None:
    """The fields, whose keys begin with `prefix`; `said` reads them."""
    st.segmented_control(
        "Verdict",
        list(get_args(Verdict)),
        format_func=lambda verdict: glossary.REVIEW[verdict].word,
        key=f"{prefix}-verdict",
        help="Whether these runs did what they should, whatever the judge says.",
    )
    st.selectbox(
        "Failure mode",
        [mode.name for mode in store_reads.failure_modes()],
        index=None,
        format_func=render.visible,
        accept_new_options=True,
        placeholder="Choose or write one",
        key=f"{prefix}-mode",
        help="How they failed, in the words of your list.",
    )
    known = [str(tag) for tag, _ in store_reads.facet("runs", "", "tag", 200)]
    st.multiselect(
        "Add tags",
        known,
        accept_new_options=True,
        placeholder="Choose or write some",
        key=f"{prefix}-tags",
        help="To those that a run has.",
    )
    if removes_tags:
        st.multiselect("Remove tags", known, key=f"{prefix}-tags-removed", help="Where a run has them.")
    st.text_area("Note", key=f"{prefix}-note", height=80, help="In the place of the note that a run has.")
    st.session_state.setdefault(f"{prefix}-reviewer", browser_storage.recall("reviewer"))
    st.text_input(
        "Reviewer",
        key=f"{prefix}-reviewer",
        placeholder="Your name",
        help="Remembered in this browser.",
    )


def said(prefix: str) -> ReviewEdit:
    """What the fields say; blank ones say nothing."""
    value = {name: st.session_state.get(f"{prefix}-{name}") for name in ("mode", "note", "reviewer")}
    return ReviewEdit(
        verdict=st.session_state.get(f"{prefix}-verdict"),
        failure_mode=(value["mode"] or "").strip() or None,
        note=(value["note"] or "").strip() or None,
        reviewer=(value["reviewer"] or "").strip() or None,
        tags=tuple(st.session_state.get(f"{prefix}-tags") or ()),
        tags_removed=tuple(st.session_state.get(f"{prefix}-tags-removed") or ()),
    )


def undone_in_words(undone: Undone) -> LiteralString:
    """What became of undoing a change."""
    kept = f" {render.counted(undone.kept, 'run')} reviewed again since: left as they are." if undone.kept else ""
    return f"Undone on {render.counted(undone.restored, 'run')}.{kept}"
