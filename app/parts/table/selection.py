"""Runs that were picked in a list, on however many of its pages, and what can be done with them.

A selection is ids, or everything that its query finds. Under another query it is empty, so that nothing out of sight
is ever deleted.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import streamlit as st

from app import render, session_keys, state
from app.parts.review import actions
from trace_store.exports.documents import write_jsonl
from trace_store.exports.tables import write_run_rows
from trace_store.store import Store
from trace_store.store.query.editing import quote


@dataclass(frozen=True, slots=True)
class Selection:
    """What is picked of the runs that `query` finds; `is_all` is all of them, however many they become."""

    query: str
    ids: tuple[str, ...] = ()
    is_all: bool = False

    def __bool__(self) -> bool:
        return self.is_all or bool(self.ids)

    def count(self, matching: int) -> int:
        """Return how many runs; `matching` are found by the query."""
        return matching if self.is_all else len(self.ids)

    def rows(self, ids: Sequence[str]) -> list[int]:
        """Return which rows of a page with these ids are picked."""
        return [row for row, run_id in enumerate(ids) if self.is_all or run_id in self.ids]

    def with_page(self, ids: Sequence[str], rows: Sequence[int]) -> Selection:
        """Return the selection after the rows of a page with these ids were ticked so. A tick taken from one of all
        leaves those of the page: which others were meant nobody could see."""
        ticked = [ids[row] for row in sorted(rows) if row < len(ids)]
        if self.is_all:
            return self if len(ticked) == len(ids) else Selection(self.query, tuple(ticked))
        remaining = [run_id for run_id in self.ids if run_id not in ids or run_id in ticked]
        return replace(self, ids=(*remaining, *(run_id for run_id in ticked if run_id not in remaining)))

    def as_query(self) -> str:
        """Return a query that finds exactly what is picked."""
        if self.is_all:
            return self.query.strip() or "run:*"
        return "run:" + ",".join(map(quote, self.ids))


def current_selection(query: str) -> Selection:
    """Return the selection among the runs that `query` finds; an empty one after another query."""
    last = session_keys.get(session_keys.SELECTION, Selection)
    return last if last is not None and last.query == query else Selection(query)


def set_selection(selection: Selection) -> None:
    """Make `selection` the current one."""
    st.session_state[session_keys.SELECTION] = selection


MOST_EXPORTED = 20_000
"""Runs that a browser is given in one file: it is made in memory. The command line has no such limit."""

_QUEUE_NAME = "chosen-queue-name"


def show_selection_actions(picked: Selection, matching: int) -> None:
    """Draw the buttons, beside one another; `matching` runs are found by the query."""
    count = picked.count(matching)
    _show_compare(picked)
    show_export(picked, count)
    _show_queue_form(picked, count)
    st.button(
        "Review",
        key="chosen-review",
        icon=":material/rate_review:",
        on_click=state.go,
        args=(state.REVIEW_PAGE,),
        kwargs={"q": picked.as_query(), state.SECTION: "many"},
        help="Give all of them one verdict, failure mode or tag, on the Review page",
    )
    if st.button("Delete", key="chosen-delete", icon=":material/delete:", help="Asks first; reviews are kept"):
        _ask_to_delete(picked, count)


def _show_compare(picked: Selection) -> None:
    two = len(picked.ids) == 2 and not picked.is_all
    st.button(
        "Compare",
        key="chosen-compare",
        icon=":material/compare_arrows:",
        disabled=not two,
        on_click=_open_comparison,
        args=(picked,),
        help="The two runs side by side" if two else "Select exactly two runs to compare them",
    )


def _open_comparison(picked: Selection) -> None:
    left, right = picked.ids
    state.go(state.COMPARE_PAGE, left=left, right=right)


def show_export(picked: Selection, count: int) -> None:
    """Draw the button that exports these `count` runs, as documents or as rows."""
    quiet = picked.is_all
    with st.popover(
        f"Export {count:,}",
        key="list-export" if quiet else "chosen-export",
        icon=":material/download:",
        type="tertiary" if quiet else "secondary",
    ):
        if count > MOST_EXPORTED:
            render.note(
                f"A browser can download at most {MOST_EXPORTED:,} runs in one file. This command exports any number:"
            )
            st.code(export_command(picked.as_query()), language=None, wrap_lines=True)
            return
        render.note(f"{render.counted(count, 'run')}. The file is created when you click.")
        store, query = state.store(), picked.as_query()
        st.download_button(
            "Documents, JSON lines",
            data=documents_export(store, query),
            file_name="runs.jsonl",
            mime="application/jsonl",
            key="export-jsonl",
            on_click="ignore",
            help="The raw documents as they were imported, one run per line; they can be imported again",
        )
        st.download_button(
            "Rows, CSV",
            data=rows_export(store, query),
            file_name="runs.csv",
            mime="text/csv",
            key="export-csv",
            on_click="ignore",
            help="One row per run, with every column of the list",
        )


def export_command(query: str) -> str:
    """Return the shell command that exports what the query finds; the query is quoted, whatever it holds."""
    return f"trace-store export {shlex.quote(query)} -o runs.jsonl"


def documents_export(store: Store, query: str) -> Callable[[], bytes]:
    """Return a function that makes the raw documents as JSON lines when it is called."""
    return _export_with(lambda out: write_jsonl(store.each(query), out))


def rows_export(store: Store, query: str) -> Callable[[], bytes]:
    """Return a function that makes the rows of the list as CSV when it is called."""
    return _export_with(lambda out: write_run_rows(store, query, out))


def _export_with(write: Callable[[BinaryIO], int]) -> Callable[[], bytes]:
    def make() -> bytes:
        out = io.BytesIO()
        write(out)
        return out.getvalue()

    return make


def _show_queue_form(picked: Selection, count: int) -> None:
    with st.popover("Queue", key="chosen-queue", icon=":material/playlist_add:"):
        render.note(f"{render.counted(count, 'run')} to be reviewed one by one, by anyone who opens the queue.")
        st.text_input("Name of the queue", key=_QUEUE_NAME, placeholder="Nightly failures", help="Everyone sees it")
        st.button(
            "Make the queue",
            key="primary-make-queue",
            type="primary",
            on_click=_make_queue,
            args=(picked,),
            help="Saves these runs as a queue and opens it on the Review page",
        )
        actions.show_outcome("chosen-queue", picked.as_query())


def _make_queue(picked: Selection) -> None:
    query = picked.as_query()
    run_ids = None if picked.is_all else picked.ids
    outcome = actions.make_queue(
        "chosen-queue", str(st.session_state[_QUEUE_NAME] or ""), query, run_ids=run_ids, about=query
    )
    if outcome.queue is not None:
        state.go(state.REVIEW_PAGE, queue=str(outcome.queue))


@st.dialog("Delete runs")
def _ask_to_delete(picked: Selection, count: int) -> None:
    render.sentence(f"**{render.counted(count, 'run')}** will be deleted, with everything that is stored about them.")
    render.note(
        "Their reviews are kept in case the same runs are imported again. The files they came from are not touched."
    )
    outcome = actions.last_outcome("chosen-delete")
    failed = outcome is not None and outcome.error is not None
    if failed:
        actions.show_outcome("chosen-delete")
        actions.keep_outcome("chosen-delete", None)
    pressed = st.button(
        f"Delete {render.counted(count, 'run')}",
        key="primary-delete",
        type="primary",
        on_click=_delete,
        args=(picked,),
        help="This cannot be undone",
    )
    if pressed and not failed:
        st.rerun()


def _delete(picked: Selection) -> None:
    if actions.delete_runs("chosen-delete", picked.as_query()).error is None:
        set_selection(Selection(picked.query))


def show_deletion() -> None:
    """Show a toast, once, after runs were deleted."""
    outcome = actions.last_outcome("chosen-delete")
    if outcome is not None and outcome.error is None:
        actions.keep_outcome("chosen-delete", None)
        render.done(outcome.title)
