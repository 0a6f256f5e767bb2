"""The review of the open run, in the sidebar: verdict, responsible actor, decisive step, failure mode, note, tags.

Each field writes into the draft (`drafts.py`), which lives until it is saved; the keys press these same buttons.
"""

from __future__ import annotations

from functools import partial
from typing import Any, LiteralString, get_args

import streamlit as st

from app import cache, glossary, path_labels, render, session_keys, state
from app.components import browser_storage
from app.formatting import timestamp
from app.parts.review import drafts
from app.parts.review.actions import show_outcome
from app.parts.review.drafts import Conflict, Draft
from app.parts.review.history import describe, show_review_history
from app.parts.run.panels import show_evidence
from app.parts.table.run_list import RUN_LISTING
from trace_store.model import Review, Run, Verdict


def show_review_panel(run: Run) -> None:
    """Draw the panel, with the draft of the run, or what is saved."""
    saved = cache.read(state.store().reviews.get, run.run_id)
    _take_mark(run)
    with st.sidebar, st.container(key="review", gap="small"):
        render.heading("Review")
        if conflict := drafts.conflict_of(run.run_id):
            _conflict(conflict)
        else:
            show_outcome("review", on_undo=drafts.drop)
        draft = drafts.draft_of(run.run_id, saved)
        _state_of(run.run_id, saved)
        _verdict(run.run_id, draft)
        _responsible(run, draft)
        _decisive(run, draft)
        _failure_mode(run.run_id, draft)
        _note_and_tags(run.run_id, draft)
        _save(run.run_id)
        show_review_history(run.run_id, saved)


def _conflict(conflict: Conflict) -> None:
    theirs = conflict.theirs
    who = render.literal(theirs.reviewer, 24) if theirs and theirs.reviewer else "Somebody"
    did = "saved another review of this run" if theirs else "removed the review of this run"
    with st.container(key="review-conflict", border=True, gap="xsmall"):
        render.sentence(f":material/warning: {who} {did} while you were working. Nothing was overwritten.")
        render.note("Theirs, which is saved")
        st.text(describe(theirs))
        render.note("Yours, which is not")
        st.text(describe(conflict.mine))
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Take theirs",
                key="review-take-theirs",
                width="stretch",
                help="Keep the saved review, and discard yours",
                on_click=drafts.drop,
                args=(conflict.run_id,),
            )
            st.button(
                "Save mine",
                key="review-keep-mine",
                width="stretch",
                help="Replace it with yours; theirs stays in the history",
                on_click=partial(drafts.settle, conflict),
            )


def _state_of(run_id: str, saved: Review | None) -> None:
    if saved is not None and saved.stale:
        render.badge(glossary.STALE_REVIEW)
    if drafts.is_changed(run_id):
        render.note("Changed and not saved yet.", help="Kept in this browser, from run to run, until you save it.")
    elif saved is not None:
        by = f" by {render.literal(saved.reviewer, 30)}" if saved.reviewer else ""
        render.note(f"Saved {render.literal(timestamp(saved.reviewed_at))}{by}", help="UTC")
    else:
        render.note("Not reviewed yet.")


def _verdict(run_id: str, draft: Draft) -> None:
    with st.container(horizontal=True, gap="xsmall", key="review-verdict"):
        for verdict in get_args(Verdict):
            term = glossary.REVIEW[verdict]
            chosen = draft.review.verdict == verdict
            st.button(
                term.word,
                key=f"review-{verdict}",
                type="primary" if chosen else "secondary",
                help=term.meaning,
                width="stretch",
                on_click=drafts.change,
                args=(run_id,),
                kwargs={"verdict": None if chosen else verdict},
            )


def _responsible(run: Run, draft: Draft) -> None:
    labels = [actor.path for actor in run.actors if actor.path is not None and actor.status != "structural"]
    _choice(
        run.run_id,
        "actor_id",
        "Responsible actor",
        list(dict.fromkeys([*_own(draft.review.actor_id), *labels])),
        draft.review.actor_id,
        "Who caused the result, by the label in the log (a).",
    )


def _decisive(run: Run, draft: Draft) -> None:
    step, chosen = draft.review.step, state.param(state.STEP)
    with st.container(gap="xsmall", key="review-step"):
        render.note("Decisive step", help="The call or message that decided the run: where it went wrong.")
        if step:
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                st.button(
                    render.literal(path_labels.in_words(run, step), 26),
                    key="review-step-open",
                    type="tertiary",
                    icon=":material/my_location:",
                    help="Go to this step",
                    width="stretch",
                    on_click=show_evidence,
                    args=(step,),
                )
                st.button(
                    "",
                    key="review-step-clear",
                    icon=":material/close:",
                    type="tertiary",
                    help="Mark no step as the decisive one",
                    on_click=drafts.change,
                    args=(run.run_id,),
                    kwargs={"step": None},
                )
        if chosen and chosen != step:
            st.button(
                f"Decided at {render.literal(path_labels.in_words(run, chosen), 24)}",
                key="review-decisive",
                icon=":material/flag:",
                width="stretch",
                help="Mark the step that is chosen in the panel as the decisive one (x)",
                on_click=drafts.change,
                args=(run.run_id,),
                kwargs={"step": chosen},
            )
        elif not step:
            render.note("Click a step in the transcript or in the calls, then mark it here.")


def _failure_mode(run_id: str, draft: Draft) -> None:
    modes = [mode.name for mode in cache.read(state.store().failure_modes.all)]
    _choice(
        run_id,
        "failure_mode",
        "Failure mode",
        list(dict.fromkeys([*modes, *_own(draft.review.failure_mode)])),
        draft.review.failure_mode,
        "How it failed (m). The list is edited on the Review page.",
    )


def _note_and_tags(run_id: str, draft: Draft) -> None:
    st.text_area(
        "Note",
        key=state.bound(f"review-note-{run_id}", draft.review.note or ""),
        height=96,
        on_change=_write_field,
        args=(run_id, "note", f"review-note-{run_id}"),
        help="What the next reader should know (e)",
    )
    tags = list(draft.review.tags)
    all_tags = [str(tag) for tag, _ in cache.facet("runs", "", "tag", 200)]
    st.multiselect(
        "Tags",
        list(dict.fromkeys([*tags, *all_tags])),
        key=state.bound(f"review-tags-{run_id}", tags),
        accept_new_options=True,
        placeholder="Choose or write some",
        on_change=_write_field,
        args=(run_id, "tags", f"review-tags-{run_id}"),
        help="Words to find the run by: tag:word (l)",
    )
    st.text_input(
        "Reviewer",
        key=state.bound(f"review-reviewer-{run_id}", draft.review.reviewer or browser_storage.get("reviewer")),
        placeholder="Your name",
        on_change=_write_field,
        args=(run_id, "reviewer", f"review-reviewer-{run_id}"),
        help="Asked for once, and remembered in this browser (w). No verdict is saved without it.",
    )


def _save(run_id: str) -> None:
    with st.container(horizontal=True, gap="xsmall", key="review-saving"):
        st.button(
            "Save",
            key="review-save",
            width="stretch",
            help="Save the review (s, or Ctrl+Enter in the note)",
            on_click=_save_only,
            args=(run_id,),
        )
        st.button(
            "Save and next",
            key="review-save-next",
            type="primary",
            width="stretch",
            help="Save, and open the next run; in a queue, the next one without a review (n)",
            on_click=_save_and_go_on,
            args=(run_id,),
        )


def _choice(
    run_id: str, field: str, label: LiteralString, options: list[str], chosen: str | None, help: LiteralString
) -> None:
    key = f"review-{field}-{run_id}"
    st.selectbox(
        label,
        options,
        key=state.bound(key, chosen),
        format_func=render.visible,
        accept_new_options=True,
        placeholder="Choose or write one",
        on_change=_write_field,
        args=(run_id, field, key),
        help=help,
    )


def _own(value: str | None) -> list[str]:
    return [value] if value else []


def _write_field(run_id: str, field: str, key: str) -> None:
    value: Any = st.session_state[key]
    if isinstance(value, str):
        value = value.strip() or None
    drafts.change(run_id, **{field: tuple(value) if isinstance(value, list) else value})


def _take_mark(run: Run) -> None:
    """Put the step that was marked in the transcript into the draft."""
    step = session_keys.take(f"{session_keys.MARKED_STEP}{run.run_id}", str)
    if step is not None:
        drafts.change(run.run_id, step=step)


def _save_only(run_id: str) -> None:
    drafts.save(run_id)


def _save_and_go_on(run_id: str) -> None:
    # Without anything to save, the run is skipped.
    if drafts.has_content(run_id) and not drafts.save(run_id):
        return
    next_id = drafts.next_run(run_id, RUN_LISTING.sort())
    if next_id is not None:
        state.write(run=next_id, step=None)
    elif queue := state.param(state.QUEUE):
        state.go(state.REVIEW_PAGE, queue=queue)
