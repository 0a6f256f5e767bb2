"""What a reviewer has said of a run and not saved yet: kept run by run, so that nothing is lost on the way to another
panel, another run and back; and by the browser, so that a reload loses nothing either."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, LiteralString

import streamlit as st

from app import state, store_reads
from app.components import browser_storage
from app.parts.review import stored_drafts
from app.parts.review.stored_drafts import Draft
from trace_store.errors import ConflictError, TraceError
from trace_store.model import Review

_DRAFTS: Literal["review-drafts"] = "review-drafts"
_SAID, _CONFLICT = "review-said", "review-conflict"
_RECALLED = "review-drafts-recalled"
_SAYS = ("verdict", "actor_id", "step", "failure_mode", "note", "tags")
_SHOWN = "review-shown"
"""In the session: the draft that the page shows, with its run. What a callback changes is that, not what somebody else
has saved since: else it would overwrite a review that nobody here has seen."""


@dataclass(frozen=True, slots=True)
class Said:
    """What became of the last thing that was done, in a word of ours and the reviewer's own; it stays in sight until
    the next. `change` can be undone."""

    word: LiteralString
    run_id: str
    detail: str = ""
    change: int | None = None
    error: TraceError | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two reviews of one run: `mine`, which was not saved, and `theirs`, which is there now; null was taken away."""

    run_id: str
    mine: Review
    theirs: Review | None


def of(run_id: str, saved: Review | None) -> Draft:
    """The draft of a run as the page shows it; what is saved, where nothing was changed."""
    draft = _drafts().get(run_id) or Draft(
        saved or Review(reviewer=browser_storage.recall("reviewer") or None), saved.version if saved else 0
    )
    st.session_state[_SHOWN] = (run_id, draft)
    return draft


def is_changed(run_id: str) -> bool:
    """Whether something is said that is not saved."""
    return run_id in _drafts()


def says_something(run_id: str) -> bool:
    """Whether there is a word to save: a change that says more than who reviews, or one of a run that has a review;
    and a review of an earlier state of the run, which saving makes one of this state."""
    shown = _shown(run_id)
    says = any(getattr(shown.review, name) for name in _SAYS)
    return shown.review.stale or (is_changed(run_id) and (says or shown.expected > 0))


def change(run_id: str, **said: Any) -> None:
    """Changes parts of the draft, named as in `Review`."""
    draft = _shown(run_id)
    _put(run_id, Draft(replace(draft.review, **said), draft.expected))
    if (last := said_last()) is not None and last.change is None:
        st.session_state.pop(_SAID, None)  # it spoke of what has changed by now


def drop(run_id: str) -> None:
    """Forgets what is not saved."""
    _put(run_id, None)
    st.session_state.pop(_CONFLICT, None)


def save(run_id: str, *, expected: int | None = None) -> bool:
    """Saves the draft; `expected` in the place of the version it began from. Whether it was saved: a conflict and an
    error are kept for the page to show."""
    draft = _shown(run_id)
    review = draft.review
    browser_storage.keep("reviewer", review.reviewer or "")
    if not says_something(run_id):
        _say(Said("Nothing to save", run_id, "No verdict, no note and no mark is new."))
        return False
    try:
        change = state.store().save_review(run_id, review, expected=draft.expected if expected is None else expected)
    except ConflictError:
        _put(run_id, draft)
        st.session_state[_CONFLICT] = Conflict(run_id, review, state.store().review(run_id))
        return False
    except TraceError as error:
        _say(Said("The review was not saved", run_id, error=error))
        return False
    drop(run_id)
    _say(Said("Saved", run_id, review.verdict or "no verdict", change))
    return True


def settle(conflict: Conflict) -> None:
    """Puts the reviewer's own in the place of the other one, as it was shown beside it."""
    st.session_state.pop(_CONFLICT, None)
    save(conflict.run_id, expected=conflict.theirs.version if conflict.theirs else 0)


def take_away(run_id: str, version: int) -> None:
    """Takes the saved review away, unless another is there by now."""
    try:
        change = state.store().save_review(run_id, None, expected=version)
    except TraceError as error:
        _say(Said("The review was not taken away", run_id, error=error))
        return
    drop(run_id)
    _say(Said("Taken away", run_id, change=change))


def undo(run_id: str, change: int) -> None:
    """Brings back what was there before a change."""
    try:
        undone = state.store().undo_review(change)
    except TraceError as error:
        _say(Said("It was not undone", run_id, error=error))
        return
    if undone.restored:
        drop(run_id)
        _say(Said("Undone", run_id))
    else:
        _say(Said("Not undone", run_id, "It was reviewed again since."))


def said_last() -> Said | None:
    """What became of the last thing that was done, until the next."""
    word = st.session_state.get(_SAID)
    return word if isinstance(word, Said) else None


def conflict(run_id: str) -> Conflict | None:
    """The conflict that the reviewer has to settle, if there is one about this run."""
    found = st.session_state.get(_CONFLICT)
    return found if isinstance(found, Conflict) and found.run_id == run_id else None


def next_run(run_id: str, sort: str) -> str | None:
    """Where "save and next" leads: in a queue the next run without a review, else the next of the list."""
    queue = state.param(state.QUEUE)
    if queue.isdecimal():
        return state.store().queue_place(int(queue), run_id).next_unreviewed
    place = store_reads.neighbours(state.param(state.QUERY), sort, run_id)
    return place.next if place else None


def _say(word: Said) -> None:
    st.session_state[_SAID] = word


def _shown(run_id: str) -> Draft:
    of_run, shown = st.session_state.get(_SHOWN, ("", None))
    if run_id in _drafts() or of_run != run_id:
        return of(run_id, state.store().review(run_id))
    assert isinstance(shown, Draft)
    return shown


def _put(run_id: str, draft: Draft | None) -> None:
    """Keeps the draft as the latest; null lets go of it."""
    drafts = _drafts()
    drafts.pop(run_id, None)
    if draft is not None:
        drafts[run_id] = draft
    browser_storage.keep(_DRAFTS, stored_drafts.written(drafts, browser_storage.LONGEST))


def _drafts() -> dict[str, Draft]:
    drafts: dict[str, Draft] = st.session_state.setdefault(_DRAFTS, {})
    if _RECALLED not in st.session_state and (kept := browser_storage.recall(_DRAFTS)):
        # What the browser brings, once a session; what was said here since is newer.
        st.session_state[_RECALLED] = True
        drafts |= stored_drafts.read(kept) | drafts
    return drafts
