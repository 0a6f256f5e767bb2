"""Who said what about a run, and when: the history of one run's review, and the latest changes of all."""

from __future__ import annotations

import streamlit as st

from app import cache, glossary, render, state
from app.formatting import timestamp
from app.parts.review import actions, drafts
from trace_store.model import Review
from trace_store.store import RecentChange

STATES, CHANGES = 8, 12
"""How many of a run's history and of the latest changes are shown."""


def show_review_history(run_id: str, saved: Review | None) -> None:
    """Draw every state of the run's review, folded and read only while it is open, and the button that removes it."""
    if saved is None and not cache.read(state.store().reviews.history, run_id):
        return
    folded = st.expander("History", key="review-history", on_change="rerun")
    if not folded.open:
        return
    with folded:
        states = cache.read(state.store().reviews.history, run_id)
        for entry in states[:STATES]:
            by = f" · {entry.review.reviewer}" if entry.review and entry.review.reviewer else ""
            st.text(render.visible(f"{timestamp(entry.changed_at)}{by}\n").strip() + f"\n{describe(entry.review)}")
        if len(states) > STATES:
            render.note(f"The latest {STATES:,} of {len(states):,}.")
        if saved is not None:
            st.button(
                "Remove the review",
                key="review-remove",
                type="tertiary",
                icon=":material/delete:",
                help="The run counts as not reviewed again; the history stays",
                on_click=drafts.remove,
                args=(run_id, saved.version),
            )


def show_recent_changes() -> None:
    """Draw the latest changes of reviews, of however many runs each, with a button that undoes each."""
    actions.show_outcome("changes")
    changes = cache.read(state.store().reviews.changes, CHANGES + 1)
    if not changes:
        render.empty("Nobody has reviewed anything yet.", "Open a run, or start a queue.")
        return
    render.note("The latest changes of reviews. Undoing a change is itself a change, and can be undone too.")
    for change in changes[:CHANGES]:
        _change(change)
    if len(changes) > CHANGES:
        render.note(f"The latest {CHANGES:,}. Older ones are in the history of each run.")


def describe(review: Review | None) -> str:
    """Return a review in one line; it quotes what people wrote."""
    if review is None:
        return "removed"
    parts = [
        review.verdict or "no verdict",
        review.failure_mode,
        f"by {review.actor_id}" if review.actor_id else None,
        f"at {review.step}" if review.step else None,
        f"“{render.shortened(review.note, 160)}”" if review.note else None,
        f"tags: {', '.join(review.tags)}" if review.tags else None,
    ]
    return render.visible(" · ".join(part for part in parts if part))


def _change(change: RecentChange) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"change-{change.change}"):
        by = f" · {change.review.reviewer}" if change.review and change.review.reviewer else ""
        of = change.run_id if change.runs == 1 else render.counted(change.runs, "run")
        with st.container(width="stretch"):
            st.text(render.visible(f"{timestamp(change.changed_at)}{by} · {of} · {describe(change.review)}"))
        st.button(
            "Undo",
            key=f"change-undo-{change.change}",
            type="tertiary",
            help=glossary.UNDO.meaning,
            on_click=actions.undo,
            args=("changes", change.change),
        )
