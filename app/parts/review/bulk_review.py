"""One word on everything that the query finds: said once, confirmed with the number of runs, undone in one step."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app import glossary, render, state
from app.components import browser_storage
from app.parts.review import bulk_fields
from trace_store.errors import TraceError
from trace_store.store import ReviewEdit

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
        bulk_fields.show("bulk", removes_tags=True)
        edit = bulk_fields.said("bulk")
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


def _save(query: str, edit: ReviewEdit) -> None:
    browser_storage.keep("reviewer", edit.reviewer or "")
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
    st.session_state[_DONE] = _Done(bulk_fields.undone_in_words(undone))


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
                help=glossary.UNDO.meaning,
                on_click=_undo,
                args=(done.change,),
            )
