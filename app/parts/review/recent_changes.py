"""The latest changes of reviews, each with the way back."""

from __future__ import annotations

import streamlit as st

from app import glossary, render, state, store_reads
from app.formatting import timestamp
from app.parts.review import bulk_fields
from app.parts.review.notice import in_words
from trace_store.errors import TraceError
from trace_store.store import RecentChange

SHOWN = 12
_SAID = "changes-said"


def show() -> None:
    """The latest first, whatever number of runs each changed."""
    word = st.session_state.pop(_SAID, None)
    if isinstance(word, TraceError):
        render.problem(word, heading="It was not undone")
    elif isinstance(word, str):
        st.text(word)
    changes = store_reads.recent_changes(SHOWN + 1)
    if not changes:
        render.empty("Nobody has reviewed anything yet.", "Open a run, or begin a queue.")
        return
    render.note("The latest changes of reviews. Undoing one is a change, too, and can be undone.")
    for change in changes[:SHOWN]:
        _change(change)
    if len(changes) > SHOWN:
        render.note(f"The latest {SHOWN}. Older ones stand in the history of each run.")


def _change(change: RecentChange) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"change-{change.change}"):
        by = f" · {change.review.reviewer}" if change.review and change.review.reviewer else ""
        of = change.run_id if change.runs == 1 else render.counted(change.runs, "run")
        with st.container(width="stretch"):
            st.text(render.visible(f"{timestamp(change.changed_at)}{by} · {of} · {in_words(change.review)}"))
        st.button(
            "Undo",
            key=f"change-undo-{change.change}",
            type="tertiary",
            help=glossary.UNDO.meaning,
            on_click=_undo,
            args=(change.change,),
        )


def _undo(number: int) -> None:
    try:
        undone = state.store().undo_review(number)
    except TraceError as error:
        st.session_state[_SAID] = error
        return
    st.session_state[_SAID] = bulk_fields.undone_in_words(undone)
