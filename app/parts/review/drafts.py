"""Reviews in the making: kept for each run, so that nothing is lost when one opens another panel or another run; and by
the browser, so that a reload loses nothing either. What comes back from a browser is checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import orjson
import streamlit as st

from app import cache, session_keys, state
from app.components import browser_storage
from app.parts.review.actions import NO_NAME, Outcome, attempt, keep_outcome, last_outcome
from trace_store.errors import ConflictError, TraceError
from trace_store.model import JSON, REVIEW_TEXTS, Review

_STORED: Literal["review-drafts"] = "review-drafts"


class Draft(NamedTuple):
    """A review in the making. `expected`: the version of the saved review that it began from, 0 for none."""

    review: Review
    expected: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two reviews of one run: `mine`, which was not saved, and `theirs`, which is there now; null was removed."""

    run_id: str
    mine: Review
    theirs: Review | None


def draft_of(run_id: str, saved: Review | None) -> Draft:
    """Return the draft of a run as the page shows it; where nothing was changed, what is saved."""
    draft = _drafts().get(run_id) or Draft(
        saved or Review(reviewer=browser_storage.get("reviewer") or None), saved.version if saved else 0
    )
    st.session_state[session_keys.SHOWN_DRAFT] = (run_id, draft)
    return draft


def is_changed(run_id: str) -> bool:
    """Return whether the run has changes that are not saved."""
    return run_id in _drafts()


def has_content(run_id: str) -> bool:
    """Return whether there is something to save: a change that says more than who reviews, or one of a run that has a
    review; and a review of an earlier state of the run, which saving makes one of this state."""
    draft = _shown_draft(run_id)
    review = draft.review
    is_filled = any((review.verdict, review.actor_id, review.step, review.failure_mode, review.note, review.tags))
    return review.stale or (is_changed(run_id) and (is_filled or draft.expected > 0))


def change(run_id: str, **fields: Any) -> None:
    """Change fields of the draft, named as in `Review`."""
    draft = _shown_draft(run_id)
    _put(run_id, Draft(replace(draft.review, **fields), draft.expected))
    if (outcome := last_outcome("review")) is not None and outcome.change is None:
        keep_outcome("review", None)  # what it was about has changed


def drop(run_id: str) -> None:
    """Forget what is not saved."""
    _put(run_id, None)
    st.session_state.pop(session_keys.REVIEW_CONFLICT, None)


def save(run_id: str, *, expected: int | None = None) -> bool:
    """Save the draft, with `expected` instead of the version it began from, and return whether it was saved. A conflict
    and an error are kept for the page to show."""
    draft = _shown_draft(run_id)
    review = draft.review
    browser_storage.put("reviewer", review.reviewer or "")
    if not has_content(run_id):
        keep_outcome("review", Outcome("Nothing to save: no field has changed"))
        return False
    if review.verdict and not review.reviewer:
        keep_outcome("review", Outcome(NO_NAME, about=run_id))
        return False
    try:
        change = state.store().reviews.save(run_id, review, expected=draft.expected if expected is None else expected)
    except ConflictError:
        _put(run_id, draft)
        st.session_state[session_keys.REVIEW_CONFLICT] = Conflict(run_id, review, state.store().reviews.get(run_id))
        return False
    except TraceError as error:
        keep_outcome("review", Outcome("The review was not saved", error=error, about=run_id))
        return False
    drop(run_id)
    about = f"{run_id}, {review.verdict or 'no verdict'}{describe_gaps(review)}"
    keep_outcome("review", Outcome("**Saved**", about, change, about=run_id))
    return True


def describe_gaps(review: Review) -> str:
    """Return what a verdict other than pass lacks: the step that decided the run, and who caused it."""
    if review.verdict not in ("fail", "unsure"):
        return ""
    gaps = ["no decisive step"] * (review.step is None) + ["no responsible actor"] * (review.actor_id is None)
    return f", with {' and '.join(gaps)}" if gaps else ""


def settle(conflict: Conflict) -> None:
    """Replace the other review, as it was shown, by the reviewer's own."""
    st.session_state.pop(session_keys.REVIEW_CONFLICT, None)
    save(conflict.run_id, expected=conflict.theirs.version if conflict.theirs else 0)


def remove(run_id: str, version: int) -> None:
    """Remove the saved review, unless it has changed since."""

    def remove_review() -> Outcome:
        return Outcome("**Removed**", run_id, state.store().reviews.save(run_id, None, expected=version))

    if attempt("review", "The review was not removed", remove_review, about=run_id).error is None:
        drop(run_id)


def conflict_of(run_id: str) -> Conflict | None:
    """Return the conflict about this run that the reviewer has to settle, if there is one."""
    conflict = session_keys.get(session_keys.REVIEW_CONFLICT, Conflict)
    return conflict if conflict is not None and conflict.run_id == run_id else None


def next_run(run_id: str, sort: str) -> str | None:
    """Return where "save and next" leads: in a queue the next run without a review, else the next of the list."""
    queue = state.param(state.QUEUE)
    if queue.isdecimal():
        return state.store().queues.position(int(queue), run_id).next_unreviewed
    place = cache.read(state.store().lists.neighbours, run_id, state.param(state.QUERY), sort)
    return place.next if place else None


def _shown_draft(run_id: str) -> Draft:
    # What a callback changes is the draft on the page, not what somebody else has saved since: else it would overwrite
    # a review that nobody here has seen.
    entry = session_keys.get(session_keys.SHOWN_DRAFT, tuple)
    if run_id in _drafts() or entry is None or entry[0] != run_id:
        return draft_of(run_id, state.store().reviews.get(run_id))
    draft: Draft = entry[1]
    return draft


def _put(run_id: str, draft: Draft | None) -> None:
    drafts = _drafts()
    drafts.pop(run_id, None)
    if draft is not None:
        drafts[run_id] = draft  # as the latest
    browser_storage.put(_STORED, to_text(drafts, browser_storage.LONGEST))


def _drafts() -> dict[str, Draft]:
    drafts: dict[str, Draft] = st.session_state.setdefault(session_keys.REVIEW_DRAFTS, {})
    if session_keys.DRAFTS_RECALLED not in st.session_state and (text := browser_storage.get(_STORED)):
        # What the browser brings, once a session; what was entered here since is newer.
        st.session_state[session_keys.DRAFTS_RECALLED] = True
        drafts |= from_text(text) | drafts
    return drafts


def to_text(drafts: dict[str, Draft], longest: int) -> str:
    """Return the drafts by run id as a text of at most `longest` characters: the latest ones, as many as fit."""
    values: dict[str, JSON] = {}
    text = ""
    for run_id, draft in reversed(list(drafts.items())):
        texts: dict[str, JSON] = {name: getattr(draft.review, name) for name in REVIEW_TEXTS}
        values[run_id] = {**texts, "tags": list(draft.review.tags), "expected": draft.expected}
        longer = orjson.dumps(dict(reversed(list(values.items())))).decode()
        if len(longer) > longest:
            break
        text = longer
    return text


def from_text(text: str) -> dict[str, Draft]:
    """Return the drafts in a text that came from a browser; what is not a draft is left out."""
    try:
        values: JSON = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(values, dict):
        return {}
    return {run_id: draft for run_id, value in values.items() if (draft := _from_json(value)) is not None}


def _from_json(value: JSON) -> Draft | None:
    if not isinstance(value, dict):
        return None
    texts: dict[str, Any] = {name: value.get(name) for name in REVIEW_TEXTS}
    tags, expected = value.get("tags"), value.get("expected")
    if not isinstance(expected, int) or not isinstance(tags, list):
        return None
    if not all(text is None or isinstance(text, str) for text in (*texts.values(), *tags)) or None in tags:
        return None
    try:
        return Draft(Review(**texts, tags=tuple(map(str, tags))), expected)
    except ValueError:
        return None  # the verdict is unknown
