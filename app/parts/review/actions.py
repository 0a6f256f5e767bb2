"""What is done to many runs from several pages: reviewing them, making a queue, deleting, undoing; and the notice of
what became of it, with the way back.

Each place that offers an action has a name. Its outcome is shown there until the next action of that place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, LiteralString, TypeAlias

import streamlit as st

from app import glossary, render, session_keys, state
from app.components import browser_storage
from trace_store.errors import TraceError
from trace_store.store import ReviewEdit, UndoResult

Place: TypeAlias = Literal[
    "review", "bulk", "signature", "changes", "queues", "failure-modes", "chosen-queue", "chosen-delete"
]


NO_NAME: LiteralString = "Not saved: write your name as the reviewer first. It is asked for once"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an action: a title in words of ours, and a detail that may quote names.

    `change` can be undone, `queue` opened. `error` is why nothing was done. `about` is what the action was done to: a
    run's id, or a query.
    """

    title: LiteralString
    detail: str = ""
    change: int | None = None
    queue: int | None = None
    error: TraceError | None = None
    about: str = ""


def attempt(place: Place, failure: LiteralString, act: Callable[[], Outcome], *, about: str = "") -> Outcome:
    """Do `act`; keep and return its outcome, or its error under the title `failure`."""
    try:
        outcome = act()
    except TraceError as error:
        outcome = Outcome(failure, error=error)
    outcome = replace(outcome, about=about)
    keep_outcome(place, outcome)
    return outcome


def review_runs(place: Place, query: str, edit: ReviewEdit, *, about: str = "") -> Outcome:
    """Write `edit` into the reviews of all runs that the query finds, as one change; no verdict without a name."""
    if edit.verdict and not edit.reviewer:
        outcome = Outcome(NO_NAME, about=about)
        keep_outcome(place, outcome)
        return outcome
    browser_storage.put("reviewer", edit.reviewer or "")

    def review() -> Outcome:
        change = state.store().reviews.save_many(query, edit)
        return Outcome(f"Saved on {render.counted(change.saved, 'run')}.", change=change.change or None)

    return attempt(place, "The runs were not reviewed", review, about=about)


def make_queue(
    place: Place,
    name: str,
    query: str,
    sort: str | None = None,
    *,
    run_ids: Sequence[str] | None = None,
    sample: int | None = None,
    seed: int | None = None,
    about: str = "",
) -> Outcome:
    """Make a queue of the runs that the query finds, or of `run_ids`; with `sample`, of so many of them."""

    def make() -> Outcome:
        made_by = browser_storage.get("reviewer") or None
        queue = state.store().queues.make(name, query, sort, run_ids=run_ids, sample=sample, seed=seed, made_by=made_by)
        return Outcome(f"A queue of {render.counted(queue.runs, 'run')}", queue.name, queue=queue.id)

    return attempt(place, "The queue was not made", make, about=about)


def delete_runs(place: Place, query: str) -> Outcome:
    """Delete the runs that the query finds."""

    def delete() -> Outcome:
        return Outcome(f"{render.counted(state.store().delete(query), 'run')} deleted")

    return attempt(place, "Nothing was deleted", delete)


def undo(place: Place, change: int, about: str = "", then: Callable[[str], None] | None = None) -> None:
    """Bring back what was there before a change, and call `then` with what it was about if that succeeded."""
    restored = 0

    def bring_back() -> Outcome:
        nonlocal restored
        undone = state.store().reviews.undo(change)
        restored = undone.restored
        return Outcome(describe_undo(undone))

    attempt(place, "It was not undone", bring_back, about=about)
    if then is not None and restored:
        then(about)


def describe_undo(undone: UndoResult) -> LiteralString:
    """Return what became of undoing a change, in words."""
    if not undone.restored:
        return "Not undone: reviewed again since."
    skipped = f" {render.counted(undone.skipped, 'run')} reviewed again since: unchanged." if undone.skipped else ""
    return f"Undone on {render.counted(undone.restored, 'run')}.{skipped}"


def keep_outcome(place: Place, outcome: Outcome | None) -> None:
    """Keep what became of the last action of this place; None forgets it."""
    st.session_state[f"{session_keys.OUTCOME}{place}"] = outcome


def last_outcome(place: Place, about: str | None = None) -> Outcome | None:
    """Return what became of the last action of this place; only if it was done to `about`, where that is given."""
    outcome = session_keys.get(f"{session_keys.OUTCOME}{place}", Outcome)
    return outcome if outcome is not None and about in (None, outcome.about) else None


def show_outcome(place: Place, about: str | None = None, *, on_undo: Callable[[str], None] | None = None) -> None:
    """Draw the notice of the last action of this place, with the way back or on."""
    outcome = last_outcome(place, about)
    if outcome is None:
        return
    if outcome.error is not None:
        render.problem(outcome.error, heading=outcome.title)
        return
    icon = ":material/info:" if outcome.change is None and outcome.queue is None else ":material/check_circle:"
    detail = f": {render.literal(outcome.detail, 120)}" if outcome.detail else ""
    with st.container(key=f"{place}-notice", border=True, horizontal=True, vertical_alignment="center", gap="small"):
        render.sentence(f"{icon} {outcome.title}{detail}")
        if outcome.change is not None:
            st.button(
                "Undo",
                key=f"{place}-undo",
                type="tertiary",
                icon=":material/undo:",
                help=glossary.UNDO.meaning,
                on_click=undo,
                args=(place, outcome.change, outcome.about, on_undo),
            )
        if outcome.queue is not None:
            st.button(
                "Open the queue",
                key=f"{place}-open-queue",
                help="Go to the Review page, at this queue",
                on_click=state.go,
                args=(state.REVIEW_PAGE,),
                kwargs={state.QUEUE: str(outcome.queue)},
            )
