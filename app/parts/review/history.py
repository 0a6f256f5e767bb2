"""Who said what of a run, and when: every state its review was in, and the way to take it away."""

from __future__ import annotations

import streamlit as st

from app import render, store_reads
from app.formatting import timestamp
from app.parts.review import draft
from app.parts.review.notice import in_words
from trace_store.model import Review

SHOWN = 8


def show(run_id: str, saved: Review | None) -> None:
    """The history, folded; read only while it is open."""
    if saved is None and not store_reads.review_history(run_id):
        return
    folded = st.expander("History", key="review-history", on_change="rerun")
    if not folded.open:
        return
    with folded:
        states = store_reads.review_history(run_id)
        for state in states[:SHOWN]:
            by = f" · {state.review.reviewer}" if state.review and state.review.reviewer else ""
            st.text(render.visible(f"{timestamp(state.changed_at)}{by}\n").strip() + f"\n{in_words(state.review)}")
        if len(states) > SHOWN:
            render.note(f"The latest {SHOWN} of {len(states):,}.")
        if saved is not None:
            st.button(
                "Take the review away",
                key="review-take-away",
                type="tertiary",
                icon=":material/delete:",
                help="The run counts as not reviewed again; the history keeps what was said",
                on_click=draft.take_away,
                args=(run_id, saved.version),
            )
