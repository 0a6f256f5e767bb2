"""What became of the last thing that a reviewer did, with the way back; and two reviews of one run, to choose from."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import render
from app.parts.review import draft
from app.parts.review.draft import Conflict
from trace_store.model import Review

_NOTHING = "taken away"
_DONE = ":material/check_circle:"
_TOLD = ":material/info:"


def show(run_id: str) -> None:
    """The notice, and a conflict about this run."""
    if conflict := draft.conflict(run_id):
        _conflict(conflict)
        return
    last = draft.said_last()
    if last is None:
        return
    if last.error is not None:
        render.problem(last.error, heading=last.word)
        return
    with st.container(key="review-notice", border=True, gap="xsmall"):
        of = "" if last.run_id == run_id else f" {render.literal(last.run_id, 24)}"
        detail = f": {render.literal(last.detail, 60)}" if last.detail else ""
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            render.sentence(f"{_DONE if last.change else _TOLD} **{last.word}**{of}{detail}")
            if last.change is not None:
                st.button(
                    "Undo",
                    key="review-undo",
                    type="tertiary",
                    help="Bring back what was there before",
                    on_click=draft.undo,
                    args=(last.run_id, last.change),
                )


def in_words(review: Review | None) -> str:
    """A review in one line, as it was said; it quotes what people wrote."""
    if review is None:
        return _NOTHING
    parts = [
        review.verdict or "no verdict",
        review.failure_mode,
        f"by {review.actor_id}" if review.actor_id else None,
        f"at {review.step}" if review.step else None,
        f"“{render.shortened(review.note, 160)}”" if review.note else None,
        f"tags: {', '.join(review.tags)}" if review.tags else None,
    ]
    return render.visible(" · ".join(part for part in parts if part))


def _conflict(conflict: Conflict) -> None:
    theirs = conflict.theirs
    who = render.literal(theirs.reviewer, 24) if theirs and theirs.reviewer else "Somebody"
    did = "saved another review of this run" if theirs else "took the review of this run away"
    with st.container(key="review-conflict", border=True, gap="xsmall"):
        render.sentence(f":material/warning: {who} {did} while you worked. Nothing was overwritten.")
        render.note("Theirs, which is saved")
        st.text(in_words(theirs))
        render.note("Yours, which is not")
        st.text(in_words(conflict.mine))
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Take theirs",
                key="review-take-theirs",
                width="stretch",
                help="Leave what is saved, and forget yours",
                on_click=draft.drop,
                args=(conflict.run_id,),
            )
            st.button(
                "Save mine",
                key="review-keep-mine",
                width="stretch",
                help="Put yours in its place; theirs stays in the history",
                on_click=partial(draft.settle, conflict),
            )
