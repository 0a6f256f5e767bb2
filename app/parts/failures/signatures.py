"""Signatures of failures: the table of them, the runs of the chosen one, and what can be done with all those runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.formatting import timestamp
from app.glossary import Term
from app.parts.review import actions
from app.parts.review.bulk_review import edit_of, show_edit_fields
from app.parts.table.cells import note_cut, query_value, show_cells
from app.parts.table.columns import columns_with_values, fit_widths
from app.parts.table.run_list import RUN_COLUMNS, run_frame
from trace_store.store.query import FieldValue
from trace_store.store.query.editing import add_query, term

MOST_SIGNATURES = 50
"""Signatures that are listed; the many rare ones are found by narrowing the query."""
SIGNATURES_IN_SIGHT = 10
MOST_ALONE = 3
"""Signatures of one run each that are listed; more of them fold under "other"."""
TABLE_PX = 1210
CHOSEN_MARK = "▸"

JUDGED_ALONE = "verdict:failed boundary:none"
"""The runs that the judge failed and the evidence did not."""

SIGNATURE_COLUMNS: dict[str, Any] = {
    "chosen": st.column_config.TextColumn("", width=24, help="The one whose runs are shown below"),
    "stage": st.column_config.MultiselectColumn(
        "Failed at",
        options=[*(term.word for term in glossary.BOUNDARY.values()), glossary.JUDGED_ALONE.word, glossary.OTHER.word],
        color=[
            *(term.colour for term in glossary.BOUNDARY.values()),
            glossary.JUDGED_ALONE.colour,
            glossary.OTHER.colour,
        ],
        width=148,
        help="The first failed boundary: the stage at which the run first went wrong",
    ),
    "tool": st.column_config.TextColumn("Tool", help="Tool of the call at the boundary"),
    "class": st.column_config.TextColumn(
        "Error class, or what it said",
        help="Error class of the call at the boundary, or else of the run. Without one, what the boundary said, with "
        "numbers, ids and quoted texts masked.",
    ),
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
    """One signature: what it is called by, and how many of its runs there are and have a review. Without a stage, it is
    that of the runs that only the judge failed."""

    stage: FieldValue | None
    tool: FieldValue | None
    error_class: FieldValue | None
    runs: int
    reviewed: int
    message: FieldValue | None = None
    last: str = ""

    @property
    def terms(self) -> str:
        """Return the query for its runs."""
        if self.stage is None:
            return JUDGED_ALONE
        parts = {"boundary": self.stage, "boundary_tool": self.tool, "boundary_class": self.error_class}
        if self.error_class is None:
            parts["boundary_message"] = self.message
        return " ".join(term(field, value) for field, value in parts.items())

    @property
    def term(self) -> Term:
        """Return the word for where its runs failed."""
        return glossary.JUDGED_ALONE if self.stage is None else glossary.BOUNDARY[str(self.stage)]

    @property
    def detail(self) -> str:
        """Return the error class, or else what the boundary said."""
        return str(self.error_class or self.message or "")

    @property
    def name(self) -> str:
        """Return what it is called on one line, out of names that runs gave."""
        return " · ".join(str(value) for value in (self.stage or self.term.word, self.tool, self.detail) if value)


def list_signatures(query: str, frame: pd.DataFrame) -> list[Signature]:
    """Return the signatures of `frame`, as `figures.failure_tables` gives it, and that of the runs that only the judge
    failed, the most frequent first. Raises QueryError."""
    signatures = [
        Signature(
            query_value(row["stage"]),
            query_value(row["tool"]),
            query_value(row["error_class"]),
            row["runs"],
            row["reviewed"],
            query_value(row["message"]),
            timestamp(query_value(row["last_seen"])),
        )
        for row in frame.to_dict("records")
    ]
    judged = cache.read(state.store().figures.totals, add_query(query, JUDGED_ALONE))
    if judged.runs:
        signatures.append(Signature(None, None, None, judged.runs, judged.runs - judged.unreviewed))
    return sorted(signatures, key=lambda signature: -signature.runs)


def show_signatures(query: str, frame: pd.DataFrame, runs: int) -> Signature | None:
    """Draw the table of the signatures among the `runs` that the query finds. Return the one that the address names,
    where it is one of these. Raises QueryError."""
    render.heading(
        "Groups of failures",
        help="Runs by where they first went wrong: the boundary, its tool, and its error class or what it said. "
        "Click a group to see its runs.",
    )
    signatures = list_signatures(query, frame)
    if not signatures:
        render.note("No run of this query failed at a boundary, and the judge failed none.")
        return None
    requested = state.param(state.SIGNATURE)
    # A link from before messages were part of a signature names the largest group of its boundary, tool and class.
    selected = next((one for one in signatures if requested and f"{one.terms} ".startswith(f"{requested} ")), None)
    listed, others = fold_rare(signatures, is_open=bool(state.param(state.OTHERS)), selected=selected)
    rows: list[list[object]] = [
        [
            CHOSEN_MARK if signature is selected else "",
            [signature.term.word],
            render.visible(str(signature.tool or "")),
            render.visible(signature.detail),
            *_figures([signature], runs),
        ]
        for signature in listed
    ]
    if others:
        words = f"{render.counted(len(others), 'signature')} of one run each: click to list them"
        rows.append(["", [glossary.OTHER.word], "", words, *_figures(others, runs)])
    table = pd.DataFrame(rows, columns=list(SIGNATURE_COLUMNS))

    def on_click(row: int, column: str | None) -> None:
        if row == len(listed):
            state.write(others="open")
        else:
            state.write(signature=None if listed[row] is selected else listed[row].terms)

    order = list(SIGNATURE_COLUMNS) if selected in listed else list(SIGNATURE_COLUMNS)[1:]
    fitted = fit_widths(SIGNATURE_COLUMNS, order, {"tool": 1, "class": 2}, TABLE_PX)
    show_cells("signatures", table[order], fitted, on_click, in_sight=SIGNATURES_IN_SIGHT, placeholder="")
    if state.param(state.OTHERS):
        st.button(
            "Fold the rare ones",
            key="signatures-fold",
            type="tertiary",
            on_click=state.write,
            kwargs={state.OTHERS: None},
            help="Show signatures of one run as one row again",
        )
    count = len(listed) + len(others)
    note_cut(count, len(signatures), "The ones with the most runs are shown. Narrow the query to see others.")
    return selected


def _figures(signatures: Sequence[Signature], runs: int) -> list[object]:
    """Return the last four cells of a row: how many runs, of `runs`, how many reviewed, and when last."""
    count = sum(signature.runs for signature in signatures)
    done = sum(signature.reviewed for signature in signatures)
    last = max(signature.last for signature in signatures)
    return [count, 100 * count / runs, 100 * done / count, last]


def fold_rare(
    signatures: Sequence[Signature], *, is_open: bool, selected: Signature | None
) -> tuple[list[Signature], list[Signature]]:
    """Return the signatures to list, and those of one run each that fold under "other": none where they are few, or the
    reader has opened them. What is selected is listed."""
    rare = [signature for signature in signatures if signature.runs == 1 and signature is not selected]
    if is_open or len(rare) <= MOST_ALONE:
        return list(signatures[:MOST_SIGNATURES]), []
    return [signature for signature in signatures if signature not in rare][:MOST_SIGNATURES], rare


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
    at = glossary.BOUNDARY[str(selected.stage)].word if selected.stage else ""
    where = f"failed at **{at}**" if at else "failed by the judge, with **no failed step**"
    tool = f" in {render.literal(selected.tool)}" if selected.tool is not None else ""
    what = f": {render.literal(selected.detail, 90)}" if selected.detail else ""
    reviewed = f"{selected.reviewed:,} reviewed" if selected.reviewed else "none reviewed"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="signature-head"):
        with st.container(width="stretch"):
            render.sentence(f"**{render.counted(selected.runs, 'run')}** {where}{tool}{what}, {reviewed}")
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
