"""The reviewer's word on the run that is open: verdict, failure mode, note, tags. One form, saved in one step."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from app import glossary, reading, render, state
from trace_store.errors import TraceError
from trace_store.model import Run
from trace_store.store.reviews import Review, Verdict

_REVIEWER = "reviewer-name"
"""Kept for the session, so that a queue of runs asks for it once."""


def show(run: Run) -> None:
    """The form, with what is saved already, in the sidebar."""
    saved: dict[str, Any] = run.review or {}
    with st.sidebar, st.container(key="review", gap="small"):
        render.heading("Review")
        if saved:
            _saved(saved)
        # A form of its own for each saved version of each run: nothing of the last one stays in its fields.
        form = f"review-{run.run_id}-{saved.get('reviewed_at', 'new')}"
        with st.form(form, border=False):
            st.segmented_control(
                "Your verdict",
                list(get_args(Verdict)),
                default=saved.get("verdict"),
                format_func=lambda verdict: glossary.REVIEW[verdict].word,
                key=f"{form}-verdict",
                help="Whether the run did what it should, whatever the judge says.",
            )
            st.selectbox(
                "Failure mode",
                _known("failure_mode", saved.get("failure_mode")),
                index=0 if saved.get("failure_mode") else None,
                accept_new_options=True,
                placeholder="Choose or write one",
                key=f"{form}-mode",
            )
            st.text_area("Note", value=saved.get("note") or "", height=110, key=f"{form}-note")
            tags = list(saved.get("tags") or ())
            st.multiselect(
                "Tags",
                list(dict.fromkeys([*tags, *_known("tag", None)])),
                default=tags,
                accept_new_options=True,
                placeholder="Choose or write some",
                key=f"{form}-tags",
            )
            st.text_input(
                "Reviewer",
                value=saved.get("reviewer") or st.session_state.get(_REVIEWER, ""),
                key=f"{form}-reviewer",
                placeholder="Your name",
            )
            st.form_submit_button(
                "Save review",
                key="primary-save-review",
                type="primary",
                width="stretch",
                on_click=_save,
                args=(run.run_id, form),
            )
        if saved:
            st.button("Take the review away", type="tertiary", on_click=_remove, args=(run.run_id,))
        if failure := st.session_state.pop("review-failure", None):
            render.problem(failure, heading="The review was not saved")


def _saved(saved: dict[str, Any]) -> None:
    if saved.get("stale"):
        render.badge(glossary.STALE_REVIEW)
    by = f" by {render.literal(saved['reviewer'], 30)}" if saved.get("reviewer") else ""
    render.note(f"Saved {render.literal(str(saved.get('reviewed_at'))[:16].replace('T', ' '))}{by}")


def _known(field: str, own: str | None) -> list[str]:
    """What reviewers have written in this field before, this run's own first."""
    before = [str(value) for value, _ in reading.facet("runs", "", field, 100)]
    return list(dict.fromkeys([*([own] if own else []), *before]))


def _save(run_id: str, form: str) -> None:
    said = {name: st.session_state.get(f"{form}-{name}") for name in ("verdict", "mode", "note", "tags", "reviewer")}
    st.session_state[_REVIEWER] = said["reviewer"] or ""
    review = Review(
        verdict=said["verdict"],
        failure_mode=(said["mode"] or "").strip() or None,
        note=(said["note"] or "").strip() or None,
        reviewer=(said["reviewer"] or "").strip() or None,
        tags=tuple(said["tags"] or ()),
        step=state.param(state.STEP) or None,
    )
    _store(run_id, review)


def _remove(run_id: str) -> None:
    _store(run_id, None)


def _store(run_id: str, review: Review | None) -> None:
    try:
        state.store().save_review(run_id, review)
    except TraceError as error:
        st.session_state["review-failure"] = error
