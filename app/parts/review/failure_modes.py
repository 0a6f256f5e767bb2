"""The list of failure modes that reviewers choose from, edited in place."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import render, state, store_reads
from trace_store.errors import TraceError
from trace_store.store import FailureMode

_EDITOR, _SAID = "failure-modes", "failure-modes-said"


def show() -> None:
    """The list as a table: rows are edited, added and taken away, and saved together."""
    render.note(
        "How runs fail, in your words. Reviews keep what they say when a name leaves the list; names in use that are "
        "not on it stand at the end, and join it when you save."
    )
    modes = store_reads.failure_modes()
    frame = pd.DataFrame(
        [(render.visible(mode.name), mode.description or "", mode.reviews) for mode in modes],
        columns=["name", "description", "reviews"],
    )
    edited = st.data_editor(
        frame,
        key=f"{_EDITOR}-{hash(tuple(modes))}",
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        disabled=["reviews"],
        column_config={
            "name": st.column_config.TextColumn("Failure mode", required=True, max_chars=80, width=220),
            "description": st.column_config.TextColumn("What it means", max_chars=400),
            "reviews": st.column_config.NumberColumn("Reviews", width=80, help="How many use it"),
        },
    )
    st.button(
        "Save the list",
        key="failure-modes-save",
        type="primary",
        help="Put this list in the place of the one before",
        on_click=_save,
        args=(edited, {render.visible(mode.name): mode.name for mode in modes}),
    )
    word = st.session_state.pop(_SAID, None)
    if isinstance(word, TraceError):
        render.problem(word, heading="The list was not saved")
    elif word:
        render.note("Saved.")


def _save(frame: pd.DataFrame, names: dict[str, str]) -> None:
    rows = frame[["name", "description"]].fillna("").itertuples(index=False)
    modes = [FailureMode(names.get(str(row.name), str(row.name)), str(row.description) or None) for row in rows]
    try:
        state.store().save_failure_modes(modes)
    except TraceError as error:
        st.session_state[_SAID] = error
    else:
        st.session_state[_SAID] = True
