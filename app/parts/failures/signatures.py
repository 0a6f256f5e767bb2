"""Signatures of failures: the table of them, the runs of the chosen one, and what can be done with all those runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.formatting import timestamp
from app.parts.review import actions
from app.parts.review.bulk_review import edit_of, show_edit_fields
from app.parts.table.cells import cell_text, note_cut, query_value, show_cells
from app.parts.table.columns import columns_with_values, fit_widths, word_column
from app.parts.table.run_list import RUN_COLUMNS, run_frame
from trace_store.store.query import FieldValue
from trace_store.store.query.editing import add_query, term

MOST_SIGNATURES = 50
"""Signatures that are shown; the many rare ones are found by narrowing the query."""
SIGNATURES_IN_SIGHT = 8
TABLE_PX = 1210
CHOSEN_MARK = "▸"

SIGNATURE_COLUMNS: dict[str, Any] = {
    "chosen": st.column_config.TextColumn("", width=24, help="The one whose runs are shown below"),
    "stage": word_column("Failed at", glossary.BOUNDARY, width=104),
    "tool": st.column_config.TextColumn("Tool", help="Tool of the call at the boundary"),
    "class": st.column_config.TextColumn("Class", help="Error class of the call at the boundary, or else of the run"),
    "runs": st.column_config.NumberColumn("Runs", width=64),
    "share": st.column_config.ProgressColumn(
        "Of all runs", format="%.1f %%", min_value=0, max_value=100, width=118, help="Share of the runs that match"
    ),
    "reviewed": st.column_config.ProgressColumn(
        "Reviewed", format="%.0f %%", min_value=0, max_value=100, width=118, help="Share of its runs that have a review"
    ),
    "last": st.column_config.TextColumn("Last seen", width=114, help="Start of the latest of its runs, UTC"),
}


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature: what it is called by, and how many of its runs there are and have a review."""

    stage: FieldValue | None
    tool: FieldValue | None
    error_class: FieldValue | None
    runs: int
    reviewed: int

    @property
    def terms(self) -> str:
        """Return the query for its runs."""
        parts = {"boundary": self.stage, "boundary_tool": self.tool, "boundary_class": self.error_class}
        return " ".join(term(field, value) for field, value in parts.items())

    @property
    def name(self) -> str:
        """Return what it is called on one line, out of names that runs gave."""
        return " · ".join(str(value) for value in (self.stage, self.tool, self.error_class) if value is not None)


def show_signatures(frame: pd.DataFrame, runs: int) -> Signature | None:
    """Draw the table of `frame`, as `Store.signatures` gives it; `runs` are found by the query. Returns the signature
    that the address names, where it is one of these."""
    render.heading(
        "Signatures", help="Runs by their first failure: its boundary, tool and error class. Click one to see its runs."
    )
    if frame.empty:
        render.note("No run of this query failed at a boundary.")
        return None
    signatures = [
        Signature(query_value(stage), query_value(tool), query_value(error_class), int(count), int(reviewed))
        for stage, tool, error_class, count, reviewed in zip(
            frame["stage"], frame["tool"], frame["error_class"], frame["runs"], frame["reviewed"], strict=True
        )
    ]
    requested = state.param(state.SIGNATURE)
    selected = next((signature for signature in signatures if signature.terms == requested), None)
    top = signatures[:MOST_SIGNATURES]
    table = pd.DataFrame(
        {
            "chosen": [CHOSEN_MARK if signature is selected else "" for signature in top],
            "stage": [[glossary.BOUNDARY[str(signature.stage)].word] for signature in top],
            "tool": [cell_text(signature.tool) for signature in top],
            "class": [cell_text(signature.error_class) for signature in top],
            "runs": [signature.runs for signature in top],
            "share": [100 * signature.runs / runs for signature in top],
            "reviewed": [100 * signature.reviewed / signature.runs for signature in top],
            "last": [timestamp(query_value(last)) for last in frame["last_seen"].head(MOST_SIGNATURES)],
        }
    )

    def on_click(row: int, column: str | None) -> None:
        state.write(signature=None if top[row] is selected else top[row].terms)

    order = list(SIGNATURE_COLUMNS) if selected in top else list(SIGNATURE_COLUMNS)[1:]
    fitted = fit_widths(SIGNATURE_COLUMNS, order, {"tool": 1, "class": 1}, TABLE_PX)
    show_cells("signatures", table[order], fitted, on_click, in_sight=SIGNATURES_IN_SIGHT)
    note_cut(len(top), len(signatures), "The ones with the most runs are shown. Narrow the query to see others.")
    return selected


FIRST_RUNS = 10
"""Runs of the signature that are shown here; the page of runs has them all."""
RUN_SORT = "-started"
RUNS_PX = 1170

COLUMNS_OF_ITS_RUNS = ("run_id", "verdict", "answer", "model", "started", "review")


def show_signature(query: str, selected: Signature) -> None:
    """Draw the runs of `chosen` among those that `query` finds. Raises QueryError."""
    own = add_query(query, selected.terms)
    with st.container(key="signature", border=True, gap="small"):
        _show_signature_head(own, selected)
        actions.show_outcome("signature", selected.terms)
        page = cache.read(state.store().runs, own, RUN_SORT, FIRST_RUNS, 0)
        frame = run_frame(page.rows)
        ids = [str(row["run_id"]) for row in page.rows]

        def on_click(row: int, column: str | None) -> None:
            state.go(state.RUN_PAGE, run=ids[row], q=own, sort=RUN_SORT)

        table = columns_with_values(frame, COLUMNS_OF_ITS_RUNS, ("run_id",))
        fitted = fit_widths(RUN_COLUMNS, table, {"run_id": 1, "answer": 4}, RUNS_PX)
        show_cells("signature-runs", frame[table], fitted, on_click)
        render.note(
            f"{len(ids):,} of {render.counted(page.total, 'run')}, the latest first. Click one to open it; "
            "J and K step through all of them."
        )


def _show_signature_head(own: str, selected: Signature) -> None:
    at = glossary.BOUNDARY[str(selected.stage)].word
    tool = f" in {render.literal(selected.tool)}" if selected.tool is not None else ""
    error_class = f" with {render.literal(selected.error_class)}" if selected.error_class is not None else ""
    reviewed = f"{selected.reviewed:,} reviewed" if selected.reviewed else "none reviewed"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="signature-head"):
        with st.container(width="stretch"):
            render.sentence(
                f"**{render.counted(selected.runs, 'run')}** failed at **{at}**{tool}{error_class}, {reviewed}"
            )
        st.button(
            "Show these runs",
            key="signature-show",
            icon=":material/list:",
            help="Open the Runs page with only these runs.",
            on_click=state.go,
            args=(state.RUNS_PAGE,),
            kwargs={"q": own},
        )
        _show_actions(own, selected)
        st.button(
            "Close",
            key="signature-close",
            type="tertiary",
            help="Close this signature.",
            on_click=state.write,
            kwargs={state.SIGNATURE: None},
        )


_NAME_LENGTH = 80


def _show_actions(own: str, selected: Signature) -> None:
    """Draw the two ways, each behind a button; `own` finds the runs of the signature."""
    review = st.popover(
        "Review them as one",
        icon=":material/rate_review:",
        key="signature-review",
        on_change="rerun",
        help="One verdict, failure mode, tags and note for every run of this signature.",
    )
    if review.open:
        with review:
            _show_review_form(own, selected)
    queue = st.popover(
        "Make a queue",
        icon=":material/playlist_add:",
        key="signature-queue",
        on_change="rerun",
        help="A list of these runs to review one by one.",
    )
    if queue.open:
        with queue:
            _show_queue_form(own, selected)


def _show_review_form(own: str, selected: Signature) -> None:
    runs = render.counted(selected.runs, "run")
    has_one = f", {selected.reviewed:,} of which {'has' if selected.reviewed == 1 else 'have'} a review already"
    with st.form("signature-review-form", border=False):
        render.note(
            f"This is written to {runs}{has_one if selected.reviewed else ''}. What is left empty stays as it is there."
        )
        show_edit_fields("signature")
        st.form_submit_button(
            f"Review {runs}", key="primary-signature-review", type="primary", width="stretch",
            on_click=_review_runs, args=(own, selected),
        )  # fmt: skip


def _show_queue_form(own: str, selected: Signature) -> None:
    with st.form("signature-queue-form", border=False):
        st.text_input(
            "Name", value=render.shortened(selected.name, _NAME_LENGTH), key="signature-queue-name",
            max_chars=_NAME_LENGTH, help="What reviewers find it by.",
        )  # fmt: skip
        st.number_input(
            "Sample", min_value=1, max_value=selected.runs, value=None, step=1, key="signature-queue-sample",
            placeholder=f"all {selected.runs:,}", help="So many of the runs, drawn at random; empty for all of them.",
        )  # fmt: skip
        st.form_submit_button(
            "Make the queue", key="primary-signature-queue", type="primary", width="stretch",
            on_click=_make_queue, args=(own, selected),
        )  # fmt: skip


def _review_runs(own: str, selected: Signature) -> None:
    actions.review_runs("signature", own, edit_of("signature"), about=selected.terms)
    st.session_state["signature-review"] = False


def _make_queue(own: str, selected: Signature) -> None:
    name = (st.session_state["signature-queue-name"] or "").strip() or selected.name
    sample = st.session_state["signature-queue-sample"]
    actions.make_queue("signature", name, own, RUN_SORT, sample=sample, about=selected.terms)
    st.session_state["signature-queue"] = False
