"""What is done with all runs of a signature at once: one review for all of them, which can be undone, and a queue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from app import glossary, render, state
from app.components import browser_storage
from app.parts.failures.signature_table import Chosen
from app.parts.review import bulk_fields
from trace_store.errors import TraceError

_OUTCOME = "signature-outcome"
_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the last thing that was done: said for the signature `terms` until something else is done.
    `change` can be undone, `queue` opened; `error` is why it was not done, and `heading` says what."""

    terms: str
    said: str = ""
    change: int | None = None
    queue: int | None = None
    error: TraceError | None = None
    heading: str = ""


def show(own: str, chosen: Chosen) -> None:
    """The two ways, each behind a button; `own` finds the runs of the signature."""
    review = st.popover(
        "Review them as one",
        icon=":material/rate_review:",
        key="signature-review",
        on_change="rerun",
        help="One verdict, failure mode, tags and note for every run of this signature.",
    )
    if review.open:
        with review:
            _review(own, chosen)
    queue = st.popover(
        "Make a queue",
        icon=":material/playlist_add:",
        key="signature-queue",
        on_change="rerun",
        help="A list of these runs to review one by one.",
    )
    if queue.open:
        with queue:
            _queue(own, chosen)


def show_outcome() -> None:
    """What was done last with the signature that is chosen, and the way back or on."""
    outcome = st.session_state.get(_OUTCOME)
    if not isinstance(outcome, Outcome) or outcome.terms != state.param(state.SIGNATURE):
        return
    if outcome.error is not None:
        render.problem(outcome.error, heading=outcome.heading)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=_OUTCOME):
        with st.container(width="content"):
            st.text(outcome.said)
        if outcome.change is not None:
            st.button(
                "Undo",
                key="signature-undo",
                icon=":material/undo:",
                help=glossary.UNDO.meaning,
                on_click=_undo,
                args=(outcome,),
            )
        if outcome.queue is not None:
            st.button(
                "Open the queue",
                key="signature-open-queue",
                help="The page of reviews, at this queue.",
                on_click=state.go,
                args=(state.REVIEW_PAGE,),
                kwargs={state.QUEUE: str(outcome.queue)},
            )


def _review(own: str, chosen: Chosen) -> None:
    runs = render.counted(chosen.runs, "run")
    has_one = f", {chosen.reviewed:,} of which {'has' if chosen.reviewed == 1 else 'have'} a review already"
    with st.form("signature-review-form", border=False):
        render.note(
            f"This is written to {runs}{has_one if chosen.reviewed else ''}. What is left empty stays as it is there."
        )
        bulk_fields.show("signature")
        st.form_submit_button(
            f"Review {runs}", key="primary-signature-review", type="primary", width="stretch",
            on_click=_reviewed, args=(own, chosen),
        )  # fmt: skip


def _queue(own: str, chosen: Chosen) -> None:
    with st.form("signature-queue-form", border=False):
        st.text_input(
            "Name", value=render.shortened(chosen.name, _NAME_LENGTH), key="signature-queue-name",
            max_chars=_NAME_LENGTH, help="What reviewers find it by.",
        )  # fmt: skip
        st.number_input(
            "Sample", min_value=1, max_value=chosen.runs, value=None, step=1, key="signature-queue-sample",
            placeholder=f"all {chosen.runs:,}", help="So many of the runs, drawn at random; empty for all of them.",
        )  # fmt: skip
        st.form_submit_button(
            "Make the queue", key="primary-signature-queue", type="primary", width="stretch",
            on_click=_queued, args=(own, chosen),
        )  # fmt: skip


def _reviewed(own: str, chosen: Chosen) -> None:
    edit = bulk_fields.said("signature")
    browser_storage.keep("reviewer", edit.reviewer or "")

    def done() -> Outcome:
        change = state.store().review_many(own, edit)
        return Outcome(chosen.terms, f"{render.counted(change.saved, 'run')} reviewed as one.", change=change.change)

    _do(done, chosen.terms, "The runs were not reviewed")
    st.session_state["signature-review"] = False


def _undo(outcome: Outcome) -> None:
    def done() -> Outcome:
        assert outcome.change is not None
        undone = state.store().undo_review(outcome.change)
        return Outcome(outcome.terms, bulk_fields.undone_in_words(undone))

    _do(done, outcome.terms, "The review was not undone")


def _queued(own: str, chosen: Chosen) -> None:
    name = (st.session_state["signature-queue-name"] or "").strip() or chosen.name
    sample = st.session_state["signature-queue-sample"]

    def done() -> Outcome:
        queue = state.store().make_queue(
            name, own, "-started", sample=sample, made_by=browser_storage.recall("reviewer") or None
        )
        said = f"A queue of {render.counted(queue.runs, 'run')}: {render.visible(queue.name)}"
        return Outcome(chosen.terms, said, queue=queue.id)

    _do(done, chosen.terms, "The queue was not made")
    st.session_state["signature-queue"] = False


def _do(done: Callable[[], Outcome], terms: str, heading: str) -> None:
    try:
        st.session_state[_OUTCOME] = done()
    except TraceError as error:
        st.session_state[_OUTCOME] = Outcome(terms, error=error, heading=heading)
